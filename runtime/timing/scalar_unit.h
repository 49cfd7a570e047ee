// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar unit in function: registers and SMEM, without tensor data. What comes from data is marked unknown.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/timing/decode.h"

namespace tpuc::timing {

class ScalarUnit {
 public:
  ScalarUnit(int64_t smemBytes, const std::vector<uint8_t> &initial);

  int64_t value(uint8_t reg) const { return s_[reg]; }
  bool known(uint8_t reg) const { return !(unknown_ >> reg & 1); }
  void set(uint8_t reg, int64_t value);
  void clear();  // all registers zero

  // The scalar instructions of one bundle: all read before any writes. False with `error()`.
  bool execute(const isa::Inst *first, const isa::Inst *last);
  // A DMA to SMEM, `offset` bytes from the descriptor's destination.
  bool receive(const isa::DmaDescriptor &d, int64_t offset);
  // The loop's registers after `count` more iterations of the body.
  bool advance(const DecodedProgram &program, const DecodedLoop &loop, int64_t count);

  // Going back: everything since `mark` is undone. Marks nest. A mark that is dropped keeps what was done.
  struct Mark {
    int64_t s[isa::kNumScalars];
    uint32_t unknown;
    size_t undo;
  };
  Mark mark();
  void rollback(const Mark &mark);
  void drop(const Mark &mark);

  const std::string &error() const { return error_; }

 private:
  struct Undo {
    int64_t at;
    uint8_t byte, unknown;
  };
  bool load(int64_t at, int bytes, int64_t &value, bool &known);
  bool store(int64_t at, int bytes, int64_t value, bool known);
  void put(int64_t at, uint8_t byte, bool unknown);
  bool outside(int64_t at, int64_t bytes);
  int64_t compute(const isa::Inst &inst, bool &known);
  int64_t operandB(const isa::Inst &inst) const;

  int64_t s_[isa::kNumScalars] = {};
  uint32_t unknown_ = 0;  // a bit a register
  std::vector<uint8_t> smem_, smemUnknown_;
  std::vector<Undo> undo_;
  int marks_ = 0;
  std::string error_;
};

}  // namespace tpuc::timing
