// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The back end's program: routines of structured machine code over virtual registers. `lower` produces it, the
// scheduler turns each routine into bundles over physical registers. No MLIR here.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "runtime/isa/isa.h"

namespace tpuc::machine {

// A virtual register of one kind; it may be assigned more than once (loop-carried values are assigned before the loop
// and again in its body).
using Reg = int32_t;
inline constexpr Reg kNone = -1;

// One instruction. Slots as in isa::Inst; `imm` is already encoded by isa::setField (branch targets excepted:
// structured).
struct MInst {
  isa::Op op;
  Reg dst = kNone;
  Reg src[3] = {kNone, kNone, kNone};
  Reg mask = kNone;
  int64_t imm = 0;
  int32_t loc = -1;     // index into Program::locations
  int32_t callee = -1;  // Call, Grid: index of the routine
  // Memory accesses (v.ld, v.st): accesses of different regions never overlap. -1: may overlap anything. Pushes and
  // pops: the same of their sums, within an iteration of every loop around; where iterations meet, it is gone.
  int32_t region = -1;
};

struct Node;
using Region = std::vector<Node>;

// `count` iterations (register or, when kNone, `countImm`). No induction variable: it is an ordinary register that the
// body advances.
struct LoopNode {
  Reg count = kNone;
  int64_t countImm = 0;
  // Accesses of the same region in different iterations never overlap, nor do different parts of the sums: the loop may
  // be software-pipelined freely.
  bool independent = false;
  Region body;
};
struct IfNode {  // cond != 0 ? then : otherwise
  Reg cond = kNone;
  Region then, otherwise;
};
struct WhileNode {  // run `before`, leave if cond = 0, run `body`, again
  Region before;
  Reg cond = kNone;
  Region body;
};
struct Node {
  std::variant<MInst, LoopNode, IfNode, WhileNode> value;
};

struct Routine {
  std::string name;
  Region body;
  std::vector<isa::RegKind> regs;            // kind of each virtual register
  bool isEntry = false;                      // ends with halt instead of ret
  Reg gridStart = kNone, gridCount = kNone;  // virtual registers that receive s0 and s1 at entry
  int64_t spillVmemWord = 0;                 // first VMEM word free for spilled vregs and masks
  int64_t spillSmemByte = 0;                 // first SMEM byte free for spilled scalars

  Reg newReg(isa::RegKind kind) {
    regs.push_back(kind);
    return static_cast<Reg>(regs.size() - 1);
  }
};

struct Program {
  std::vector<Routine> routines;
  std::vector<std::string> locations;
};

// Calling convention: s31 is zero in every routine (set once at entry, never written again); a routine may clobber
// every other register; whoever calls keeps what it needs in SMEM.
inline constexpr int kZeroReg = 31;

// A scheduled routine: instructions with bundle marks, branch targets relative to the routine's first bundle; Call and
// Grid targets are routine indices until the encoder links them.
struct Scheduled {
  std::vector<isa::Inst> code;
  std::vector<int32_t> bundleLoc;                  // a location per bundle (index into Program::locations, -1 none)
  int64_t spillVmemWords = 0, spillSmemBytes = 0;  // used
  int64_t pipelinedLoops = 0, spilledRegs = 0;     // statistics
};

}  // namespace tpuc::machine
