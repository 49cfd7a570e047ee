// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that put a register's value into memory and bring it back.
#pragma once
#include <vector>

#include "passes/schedule/flow.h"
#include "passes/schedule/spill.h"

namespace tpuc::schedule {

class SpillCode {
 public:
  SpillCode(Flow &flow, RegKind kind, SpillFrame &frame);

  // The register holds the same constant wherever it is assigned: it is made again instead of stored.
  bool remakable(Reg r) const { return r < static_cast<Reg>(constant_.size()) && constant_[r]; }
  void store(Reg r, std::vector<MInst> &out);
  void load(Reg r, std::vector<MInst> &out);

 private:
  int slotOf(Reg r);
  MInst vectorAccess(Op op, Reg value, int slot) const;
  Reg constantVreg(int64_t bits, std::vector<MInst> &out);

  Flow &flow_;
  RegKind kind_;
  SpillFrame &frame_;
  std::vector<char> constant_;
  std::vector<MInst> maker_;  // by register, where constant_
};

}  // namespace tpuc::schedule
