// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planner: each kind of kernel, and who plans it.
#pragma once
#include "passes/plan/kernels.h"

namespace tpuc::plan {

struct Kind {
  // Sets context.plan, or follows it. A located diagnostic, and context.isOverVmem for a kernel that does not fit, on
  // failure.
  using Plan = mlir::LogicalResult (*)(KernelContext &context);
  // HBM that a kernel needs beside its arrays; 0: none.
  using ScratchBytes = int64_t (*)(kernel::FusionOp op, const target::Target &target);

  llvm::StringRef name;  // of the fusion
  Plan plan;
  ScratchBytes scratchBytes = nullptr;
};

// Null for a name that no kind has.
const Kind *findKind(llvm::StringRef name);

}  // namespace tpuc::plan
