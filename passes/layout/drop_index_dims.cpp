// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices of gathers and scatters of one component each are a number, not a vector of one: as [n, 1] each would be a
// row of 128 lanes, of which the scalar unit's memory holds few. So would rows of a few numbers: those of many windows
// are a vector.
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

// Whether a gather's indices are numbers, many, in rows that fill few of their lanes; its windows' dims come last.
bool hasShortRows(stablehlo::GatherOp op) {
  constexpr int64_t kMany = 4096, kLeastLanes = 32;
  auto indices = typeOf(op.getStartIndices());
  auto n = op.getDimensionNumbers();
  const int64_t rank = indices.getRank();
  return rank > 1 && n.getIndexVectorDim() == rank && indices.getShape().back() < kLeastLanes &&
         indices.getNumElements() >= kMany && n.getOperandBatchingDims().empty() &&
         llvm::equal(n.getOffsetDims(), llvm::seq<int64_t>(rank, typeOf(op.getResult()).getRank()));
}

void joinRows(OpBuilder &b, stablehlo::GatherOp op) {
  Build build{b, op.getLoc()};
  auto indices = typeOf(op.getStartIndices()), result = typeOf(op.getResult());
  auto n = op.getDimensionNumbers();
  SmallVector<int64_t> shape{indices.getNumElements()};
  llvm::append_range(shape, result.getShape().drop_front(indices.getRank()));
  auto numbers = stablehlo::GatherDimensionNumbersAttr::get(
      op.getContext(), llvm::to_vector(llvm::seq<int64_t>(1, static_cast<int64_t>(shape.size()))),
      n.getCollapsedSliceDims(), {}, {}, n.getStartIndexMap(), 1);
  auto made = stablehlo::GatherOp::create(b, op.getLoc(), result.clone(shape), op.getOperand(),
                                          build.reshape(op.getStartIndices(), {indices.getNumElements()}), numbers,
                                          op.getSliceSizesAttr(), op.getIndicesAreSortedAttr());
  op.replaceAllUsesWith(build.reshape(made.getResult(), result.getShape()));
  op.erase();
}

struct DropIndexDims : impl::DropIndexDimsPassBase<DropIndexDims> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      OpBuilder b(op);
      if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
        Value indices = gather.getStartIndices();
        if (isVectorOfOne(typeOf(indices), gather.getDimensionNumbers().getIndexVectorDim()))
          gather.getStartIndicesMutable().assign(dropLast(b, indices));
        if (hasShortRows(gather)) joinRows(b, gather);
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
