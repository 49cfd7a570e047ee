// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of gathers and scatters of one component each are a number, not a vector of one: as [n, 1] each would be a
// row of 128 lanes, of which the scalar unit's memory holds few.
#include "passes/builders/build.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_DROPINDEXDIMSPASS
#include "passes/layout/passes.h.inc"
namespace {

// The array without its last dim, of one element: what it was made of, where that has no such dim.
Value dropLast(OpBuilder &b, Value v) {
  ArrayRef<int64_t> shape = typeOf(v).getShape().drop_back();
  if (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>();
      reshape && typeOf(reshape.getOperand()).getShape() == shape)
    return reshape.getOperand();
  return Build{b, v.getLoc()}.reshape(v, shape);
}

// Whether the index vectors lie along the last dim, and have one component.
bool isVectorOfOne(RankedTensorType indices, int64_t vectorDim) {
  return indices.getRank() > 1 && vectorDim == indices.getRank() - 1 && indices.getDimSize(vectorDim) == 1;
}

struct DropIndexDims : impl::DropIndexDimsPassBase<DropIndexDims> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      OpBuilder b(op);
      if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
        Value indices = gather.getStartIndices();
        if (isVectorOfOne(typeOf(indices), gather.getDimensionNumbers().getIndexVectorDim()))
          gather.getStartIndicesMutable().assign(dropLast(b, indices));
      } else if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
        Value indices = scatter.getScatterIndices();
        if (isVectorOfOne(typeOf(indices), scatter.getScatterDimensionNumbers().getIndexVectorDim()))
          scatter.getScatterIndicesMutable().assign(dropLast(b, indices));
      }
    });
  }
};

}  // namespace
}  // namespace tpuc::layout
