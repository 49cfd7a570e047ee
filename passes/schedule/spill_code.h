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

  // The register is assigned once, and holds a constant or what few instructions make of constants: it is made again
  // instead of stored.
  bool remakable(Reg r) {
    return r < static_cast<Reg>(made_.size()) && flow_.regs[r] == kind_ && lengthOf(r) != kNotMade;
  }
  // `isLocal`: it lives within one block. It may then have the place of another such register that is read no more. One
  // that lives longer has a place of its own, which no block within its life writes to.
  void store(Reg r, std::vector<MInst> &out, bool isLocal = false);
  void load(Reg r, std::vector<MInst> &out);
  // What a local one held is read no more.
  void release(Reg r);

 private:
  int slotOf(Reg r, bool isLocal);
  MInst vectorAccess(Op op, Reg value, int slot) const;
  Reg constantVreg(int64_t bits, std::vector<MInst> &out);

  static constexpr int kMostMade = 5, kNotMade = 1000, kUnknown = 0;
  int lengthOf(Reg r);
  void make(Reg r, Reg into, std::vector<MInst> &out);

  Flow &flow_;
  RegKind kind_;
  SpillFrame &frame_;
  std::vector<int> free_;     // slots of local registers that are read no more
  std::vector<int> made_;     // by register: lengthOf
  std::vector<MInst> maker_;  // of those that are assigned
};

}  // namespace tpuc::schedule
