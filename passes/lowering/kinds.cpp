// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds whose blocks are chosen beside their lowering.
#include "passes/lowering/kinds.h"

#include "passes/lowering/kernels.h"
#include "passes/plan/planner.h"
#include "passes/plan/sort/sort_plan.h"

using namespace mlir;

namespace tpuc::lowering {

// The lowering as far as its blocks, which makes no code.
template <auto lower>
static LogicalResult planBlocks(KernelContext &context) {
  Block scratch;
  OpBuilder b(context.op->getContext());
  b.setInsertionPointToEnd(&scratch);
  Code code(b, context.op.getLoc());
  context.plan = {};
  return lower(context, code, Value(), Value());
}

void registerKinds(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, kernel::KernelDialect *dialect) {
    addKind(*dialect, {"copy", planBlocks<lowerOpKernel>, plan::sortScratchBytes});
  });
}

}  // namespace tpuc::lowering
