// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instructions do to state other than registers (memories, weights, accumulators, transpose buffers), and which of
// two of them must stay in order.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "passes/schedule/flow.h"
#include "passes/schedule/resources.h"

namespace tpuc::schedule {

// A scalar as `root` + `offset`. Root 0 is the constant zero; the others stand for values whose origin is not known.
struct Affine {
  int root = 0;
  int64_t offset = 0;
};

// Follows scalar registers through straight-line code: constants and sums with constants are seen through.
class AffineValues {
 public:
  Affine read(Reg reg);             // a register not written yet has a root of its own
  void execute(const MInst &inst);  // records what `inst` does to its destination
  // What a root's register held at the start (kNone: the root arose within the code).
  Reg rootRegister(int root) const { return rootRegs_[root]; }
  const std::unordered_map<Reg, Affine> &values() const { return values_; }

 private:
  int newRoot(Reg reg) {
    rootRegs_.push_back(reg);
    return static_cast<int>(rootRegs_.size()) - 1;
  }
  std::unordered_map<Reg, Affine> values_;
  std::vector<Reg> rootRegs_{kNone};
};

// The operand that `inst` adds an immediate ("off", or "imm" of a sum) to, -1 none.
int addressSlot(const MInst &inst);
const char *addressField(const MInst &inst);
// The constant that `inst` adds to a register in place.
std::optional<int64_t> inPlaceStep(const MInst &inst);

struct Effect {
  enum Kind : uint8_t { None, VLoad, VStore, SLoad, SStore, Dma, WeightLoad, WeightSwap, Push, Pop, TrPush, TrPop };
  Kind kind = None;
  bool clears = false;  // Pop
  int32_t where = 0;    // region of VMEM, number of the array or buffer
  int32_t latency = 1;  // until a dependent reader can follow
  int32_t chain = 1;    // Push: until the same group can take another one
  Affine address;       // VMEM words, SMEM bytes, accumulator groups
  int64_t stride = 1;   // VLoad, VStore: of the eight sublanes
  int64_t size = 1;     // bytes, groups
  int32_t part = -1;    // Push, Pop: of the sums
  int64_t tile = 0;     // WeightLoad: which; Pop: column; TrPush: row

  bool isMemory() const { return kind >= VLoad && kind <= SStore; }
  bool reads() const { return kind == VLoad || kind == SLoad || kind == TrPop; }
};

// Where iterations of a loop meet in one piece of code: a push or pop may touch the sums of any other.
void forgetPart(MInst &inst);

// The effect of `inst`, whose registers hold `values` when it reads them.
Effect effectOf(const MInst &inst, AffineValues &values, const Resources &resources);

// A number for the state that an effect touches: effects of different domains never conflict, Dma with every memory.
int domainOf(const Effect &effect, bool splitRegions);
inline constexpr int kSmemDomain = -2, kAnyVmemDomain = -1;

// Cycles that should lie between `first` and a later `second` on the same domain; -1: any order will do. `shift` is
// added to the second one's address.
int orderLatency(const Effect &first, const Effect &second, int64_t shift = 0);
// Whether two pushes or pops touch different parts of the sums.
bool inOtherPart(const Effect &a, const Effect &b);
// Whether the places that two effects touch can overlap.
bool mayOverlap(const Effect &a, const Effect &b, int64_t shift);

}  // namespace tpuc::schedule
