// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of kernels.
#include "passes/plan/planner.h"

#include "passes/plan/conv/conv_plan.h"
#include "passes/plan/conv/window_plan.h"
#include "passes/plan/dot/dot_plan.h"
#include "passes/plan/grid/grid_plan.h"
#include "passes/plan/loop/loop_plan.h"
#include "passes/plan/move/op_plan.h"
#include "passes/plan/move/relayout_plan.h"
#include "passes/plan/sort/sort_plan.h"

using namespace mlir;

namespace tpuc::plan {

const Kind *findKind(StringRef name) {
  static const Kind kinds[] = {
      {"loop", planLoop},                  // elementwise ops and reductions
      {"dot", planDot},                    // matmuls
      {"conv", planConv},                  // convolutions on the matrix unit
      {"window", planWindow},              // windows on the vector unit, scans
      {"copy", planOp, sortScratchBytes},  // one op that moves elements, or a transpose with work around it
      {"relayout", planRelayout},  // reshapes that move elements, with the transposes and broadcasts around them
      {"fetch", planTransfers},    // what the kernels behind read, into VMEM
  };
  const auto *kind = llvm::find_if(kinds, [&](const Kind &k) { return k.name == name; });
  return kind == std::end(kinds) ? nullptr : kind;
}

}  // namespace tpuc::plan
