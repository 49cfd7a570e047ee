// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of instructions that work lane by lane, executed a quarter of a vreg at a time: 64 vregs do not fit in L1, the
// quarters that a run uses do.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "runtime/executor/core.h"
#include "runtime/executor/jit_compile.h"
#include "runtime/executor/live_registers.h"

namespace tpuc::exec {

// A load or store of VMEM in a run: where it lies relative to a root, a scalar register's value at some point of the
// run.
struct Access {
  uint16_t slot = 0;
  int root = 0;
  int64_t offset = 0, stride = 1;  // words
  bool isStore = false;
  int inst = 0;  // of StripProgram::insts
};

// The vector half of a run; its scalar half and the addresses are executed before as ordinary instructions.
struct StripProgram {
  std::vector<StripOp> ops;
  std::vector<Access> accesses;
  // Words around each root that its accesses take.
  struct Root {
    uint16_t slot = 0;   // an access with this root
    int64_t offset = 0;  // and its offset
    int64_t low = 0, high = 0;
    bool stores = false;
    std::vector<uint16_t> accesses;  // their numbers
  };
  std::vector<Root> roots;

  // For generating code once the run has been executed often enough.
  std::vector<DInst> insts;  // as `ops`
  LiveRegisters needed;      // after the run
  int hotAfter = 0;          // executions; 0: never
  std::atomic<int> executions{0};
  std::atomic<const jit::Compiled *> compiled{nullptr};
  std::unique_ptr<jit::Compiled> owned;
  std::vector<int> partOf;  // by instruction: `compiled` executes parts one after the other (strip_parts.h)
};

// Replaces runs in a basic block's instructions by their scalar half and a run of strips. `programs` owns what the new
// instructions refer to. hotAfter: executions after which a run is compiled; 0: never.
void fuseStrips(LiveBlock &block, const Kernels &kernels, int hotAfter,
                std::vector<std::unique_ptr<StripProgram>> &programs);

}  // namespace tpuc::exec
