// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reference machine for the scheduler's tests: it runs a machine::Routine as it stands (virtual registers, one
// instruction after the other) and a machine::Scheduled (bundles that read before they write), and counts the latter's
// cycles. A vreg is one 32-bit number a sublane; arithmetic other than what spill code and control rely on is a hash of
// its operands: whatever reorders or loses something changes the result.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "passes/schedule/machine.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::schedule::reference {

using Vreg = std::array<uint32_t, 8>;

// The operands of one instruction, read; and its result.
struct Operands {
  int64_t s[3] = {};
  Vreg v[3] = {};
  uint8_t m[3] = {};
  uint8_t mask = 0xff;
  bool present[3] = {};
};
struct Result {
  int64_t s = 0;
  Vreg v = {};
  uint8_t m = 0;
};

// Memories and units. Addresses are unbounded, unwritten places hold a hash of their address.
class Memory {
 public:
  // Executes everything except control instructions.
  Result execute(const isa::Inst &inst, const Operands &in);
  // Written places outside of [spillWord, ...) and [spillByte, ...), as text for a comparison.
  std::string difference(const Memory &other, int64_t spillWord, int64_t spillByte) const;

  uint32_t word(int64_t address) const;

 private:
  int64_t loadBytes(int64_t address, int count) const;
  Result memoryAccess(const isa::Inst &inst, const Operands &in);
  Result matrix(const isa::Inst &inst, const Operands &in);
  Result transpose(const isa::Inst &inst, const Operands &in);
  void dma(const isa::Inst &inst, const Operands &in);

  struct Transfer {
    int64_t to;
    Vreg data;
  };
  std::unordered_map<int64_t, uint32_t> vmem_;
  std::unordered_map<int64_t, uint8_t> smem_;
  std::map<std::pair<int64_t, int64_t>, uint64_t> staged_;  // (array, tile)
  std::map<int64_t, uint64_t> active_;
  std::map<std::array<int64_t, 3>, uint64_t> accumulators_;  // (array, group, column)
  std::array<std::array<Vreg, 16>, 2> buffers_{};
  std::map<int64_t, std::deque<Transfer>> pending_;
};

struct Run {
  Memory memory;
  int64_t steps = 0, cycles = 0;
  std::string error;  // empty: ended
};

Run runTree(const machine::Routine &routine, int64_t gridStart, int64_t gridCount, int64_t maxSteps = 10'000'000);
Run runScheduled(const machine::Scheduled &code, const timing::MachineModel &model, int64_t gridStart,
                 int64_t gridCount, int64_t maxSteps = 10'000'000);

}  // namespace tpuc::schedule::reference
