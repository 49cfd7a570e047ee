// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the planner asks of kernels whose plans are no attributes yet.
#include "passes/lowering/kinds.h"

#include "passes/lowering/kernels.h"
#include "passes/lowering/move/indices.h"
#include "passes/plan/planner.h"

using namespace mlir;

namespace tpuc::lowering {

// Whether the kernel fits: its lowering as far as its blocks, which makes no code.
template <auto lower>
static LogicalResult checkFit(KernelContext &context) {
  Block scratch;
  OpBuilder b(context.op->getContext());
  b.setInsertionPointToEnd(&scratch);
  Code code(b, context.op.getLoc());
  context.plan = {};
  return lower(context, code, Value(), Value());
}

void registerKinds(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, kernel::KernelDialect *dialect) {
    addKind(*dialect, {"conv", checkFit<lowerConvKernel>});
    addKind(*dialect, {"window", checkFit<lowerWindowKernel>});
    addKind(*dialect, {"copy", checkFit<lowerOpKernel>, false, sortScratchBytes});
  });
}

}  // namespace tpuc::lowering
