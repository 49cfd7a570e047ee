// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers and scatters whose indices count along a dim of their own: that dim is a batch.
//
//  1. x[arange(n)[:, None], i] has index vectors (row, i[row, k]): the row's number is an iota, as it is, broadcast, or
//     brought into range as negative indices are.
//  2. The component goes; the operand's dim is a batching dim, and so is the dim of the indices along which it counts.
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_FINDBATCHESPASS
#include "passes/decompose/passes.h.inc"
namespace {

// Whether 0 to n - 1 are numbers of the type that are not negative.
bool counts(Type element, int64_t n) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type) return false;
  const unsigned bits = type.getWidth() - !type.isUnsigned();
  return bits >= 63 || n <= int64_t{1} << bits;
}

bool isZero(Value v) {
  DenseIntElementsAttr value;
  return matchPattern(v, m_Constant(&value)) && value.isSplat() && value.getSplatValue<APInt>().isZero();
}

// The dim along which an array has the numbers from 0 on; -1: none.
int64_t countedDim(Value v) {
  auto type = typeOf(v);
  Operation *op = v.getDefiningOp();
  if (auto iota = dyn_cast_or_null<stablehlo::IotaOp>(op)) {
    const auto dim = static_cast<int64_t>(iota.getIotaDimension());
    return counts(type.getElementType(), type.getDimSize(dim)) ? dim : -1;
  }
  if (auto broadcast = dyn_cast_or_null<stablehlo::BroadcastInDimOp>(op)) {
    const int64_t dim = countedDim(broadcast.getOperand());
    if (dim < 0) return -1;
    const int64_t to = broadcast.getBroadcastDimensions()[dim];
    return typeOf(broadcast.getOperand()).getDimSize(dim) == type.getDimSize(to) ? to : -1;
  }
  if (auto reshape = dyn_cast_or_null<stablehlo::ReshapeOp>(op)) {
    auto from = typeOf(reshape.getOperand());
    const int64_t dim = countedDim(reshape.getOperand());
    if (dim < 0 || from.getDimSize(dim) == 1) return -1;
    // Dims of one element come and go; the others stay in their order.
    SmallVector<int64_t> before, after;
    for (int64_t d = 0; d < from.getRank(); ++d)
      if (from.getDimSize(d) != 1) before.push_back(d);
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (type.getDimSize(d) != 1) after.push_back(d);
    const bool same =
        llvm::equal(before, after, [&](int64_t a, int64_t b) { return from.getDimSize(a) == type.getDimSize(b); });
    return same ? after[llvm::find(before, dim) - before.begin()] : -1;
  }
  if (auto convert = dyn_cast_or_null<stablehlo::ConvertOp>(op)) {
    const int64_t dim = countedDim(convert.getOperand());
    return dim >= 0 && counts(type.getElementType(), type.getDimSize(dim)) ? dim : -1;
  }
  // What is below zero, which nothing is, would count from the end.
  if (auto select = dyn_cast_or_null<stablehlo::SelectOp>(op))
    if (auto compare = select.getPred().getDefiningOp<stablehlo::CompareOp>())
      if (compare.getComparisonDirection() == stablehlo::ComparisonDirection::LT && isZero(compare.getRhs()) &&
          countedDim(compare.getLhs()) >= 0)
        return countedDim(select.getOnFalse());
  return -1;
}

// The dims of an op's numbers that change.
struct Dims {
  SmallVector<int64_t> inserted, indexed, batches, indexBatches;
};

// Turns components into batches; the indices that are left, null where nothing changes.
Value takeBatches(OpBuilder &b, RankedTensorType operand, Value indices, int64_t vectorDim, Dims &dims) {
  auto parts = indices.getDefiningOp<stablehlo::ConcatenateOp>();
  if (!parts || static_cast<int64_t>(parts.getDimension()) != vectorDim ||
      llvm::any_of(parts.getInputs(), [&](Value v) { return typeOf(v).getDimSize(vectorDim) != 1; }))
    return {};
  SmallVector<std::pair<int64_t, int64_t>> batches;
  for (auto pair : llvm::zip(dims.batches, dims.indexBatches))
    batches.push_back({std::get<0>(pair), std::get<1>(pair)});
  SmallVector<Value> left;
  SmallVector<int64_t> indexed;
  for (auto [k, part] : llvm::enumerate(parts.getInputs())) {
    const int64_t dim = dims.indexed[k], along = countedDim(part);
    const bool isLast = left.empty() && k + 1 == dims.indexed.size();  // an index is left
    const bool isBatch = along >= 0 && along != vectorDim && !isLast && llvm::is_contained(dims.inserted, dim) &&
                         typeOf(part).getDimSize(along) == operand.getDimSize(dim) &&
                         llvm::none_of(batches, [&](auto pair) { return pair.second == along; });
    if (isBatch) {
      batches.push_back({dim, along});
      llvm::erase(dims.inserted, dim);
      continue;
    }
    left.push_back(part);
    indexed.push_back(dim);
  }
  if (left.size() == parts.getInputs().size()) return {};
  llvm::sort(batches);
  dims.indexed = indexed;
  dims.batches.clear();
  dims.indexBatches.clear();
  for (auto [dim, along] : batches) {
    dims.batches.push_back(dim);
    dims.indexBatches.push_back(along);
  }
  return left.size() == 1 ? left[0] : Build{b, indices.getLoc()}.concatenate(left, vectorDim);
}

void findBatches(stablehlo::GatherOp op) {
  auto n = op.getDimensionNumbers();
  Dims dims{SmallVector<int64_t>(n.getCollapsedSliceDims()), SmallVector<int64_t>(n.getStartIndexMap()),
            SmallVector<int64_t>(n.getOperandBatchingDims()), SmallVector<int64_t>(n.getStartIndicesBatchingDims())};
  OpBuilder b(op);
  Value left = takeBatches(b, typeOf(op.getOperand()), op.getStartIndices(), n.getIndexVectorDim(), dims);
  if (!left) return;
  op.getStartIndicesMutable().assign(left);
  if (op.getIndicesAreSorted()) op.setIndicesAreSorted(false);  // what is left of them need not be
  op.setDimensionNumbersAttr(stablehlo::GatherDimensionNumbersAttr::get(op.getContext(), n.getOffsetDims(),
                                                                        dims.inserted, dims.batches, dims.indexBatches,
                                                                        dims.indexed, n.getIndexVectorDim()));
}

void findBatches(stablehlo::ScatterOp op) {
  auto n = op.getScatterDimensionNumbers();
  Dims dims{SmallVector<int64_t>(n.getInsertedWindowDims()), SmallVector<int64_t>(n.getScatterDimsToOperandDims()),
            SmallVector<int64_t>(n.getInputBatchingDims()), SmallVector<int64_t>(n.getScatterIndicesBatchingDims())};
  OpBuilder b(op);
  Value left = takeBatches(b, typeOf(op.getInputs()[0]), op.getScatterIndices(), n.getIndexVectorDim(), dims);
  if (!left) return;
  op.getScatterIndicesMutable().assign(left);
  if (op.getIndicesAreSorted()) op.setIndicesAreSorted(false);
  op.setScatterDimensionNumbersAttr(
      stablehlo::ScatterDimensionNumbersAttr::get(op.getContext(), n.getUpdateWindowDims(), dims.inserted, dims.batches,
                                                  dims.indexBatches, dims.indexed, n.getIndexVectorDim()));
}

struct FindBatches : impl::FindBatchesPassBase<FindBatches> {
  void runOnOperation() override {
    getOperation().walk([](stablehlo::GatherOp op) { findBatches(op); });
    getOperation().walk([](stablehlo::ScatterOp op) { findBatches(op); });
  }
};

}  // namespace
}  // namespace tpuc::decompose
