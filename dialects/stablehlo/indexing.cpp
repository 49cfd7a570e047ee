//===- indexing.cpp - verifiers of slices, gathers and scatters ------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// Dynamic slices
//===-----------------------------------------------------------------------------===//

// One scalar index a dimension, all of one type.
// dynamic_slice_c2, dynamic_slice_c3, dynamic_update_slice_c4, dynamic_update_slice_c5
static LogicalResult checkStartIndices(Emit emit, OperandRange indices, int64_t rank) {
  if (failed(checkSize(emit, "start_indices", indices.size(), rank))) return failure();
  for (Value index : indices)
    if (index.getType() != indices.front().getType())
      return emit() << "expects start indices of one type, but got " << indices.front().getType() << " and "
                    << index.getType();
  return success();
}

// Sizes of a slice within a shape: dynamic_slice_c4, dynamic_update_slice_c6, gather_c21
static LogicalResult checkSliceSizes(Emit emit, ArrayRef<int64_t> sizes, ArrayRef<int64_t> shape) {
  for (auto [dim, size, most] : llvm::enumerate(sizes, shape))
    if (!ShapedType::isDynamic(size) && (size < 0 || (!ShapedType::isDynamic(most) && size > most)))
      return emit() << "expects a slice of a size in [0, " << most << "] in dimension " << dim << ", but got " << size;
  return success();
}

LogicalResult inferDynamicSlice(Emit emit, Type type, ArrayRef<int64_t> sizes, Types &types) {
  auto operand = dyn_cast<RankedTensorType>(type);
  if (!operand) return failure();
  // dynamic_slice_c2, dynamic_slice_c4
  if (failed(checkSize(emit, "slice_sizes", sizes.size(), operand.getRank())) ||
      failed(checkSliceSizes(emit, sizes, upperBounds(operand))) || failed(checkAtLeast(emit, "slice_sizes", sizes, 0)))
    return failure();
  // dynamic_slice_c1, dynamic_slice_c5
  types.push_back(RankedTensorType::get(sizes, operand.getElementType()));
  return success();
}

LogicalResult DynamicSliceOp::verify() {
  return checkStartIndices(errorsOf(*this), getStartIndices(), getOperand().getType().getRank());
}

LogicalResult DynamicUpdateSliceOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType operand = getOperand().getType(), update = getUpdate().getType();
  // dynamic_update_slice_c2, dynamic_update_slice_c3
  if (failed(checkElement(emit, "update", update.getElementType(), operand.getElementType())) ||
      failed(checkSize(emit, "the update's shape", update.getRank(), operand.getRank())))
    return failure();
  if (failed(checkStartIndices(emit, getStartIndices(), operand.getRank()))) return failure();
  return checkSliceSizes(emit, update.getShape(), upperBounds(operand));
}

//===-----------------------------------------------------------------------------===//
// Gather and scatter: the part of their dimension numbers that is alike
//===-----------------------------------------------------------------------------===//

namespace {
// Which dimensions of the operand a slice spans, and where the indices say its place.
struct WindowNumbers {
  ArrayRef<int64_t> windowDims;     // offset_dims, update_window_dims: in the result or update
  ArrayRef<int64_t> collapsedDims;  // collapsed_slice_dims, inserted_window_dims
  ArrayRef<int64_t> operandBatching, indicesBatching;
  ArrayRef<int64_t> indexMap;  // start_index_map, scatter_dims_to_operand_dims
  int64_t indexVectorDim;
};
}  // namespace

static SmallVector<int64_t> concat(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> both(a);
  llvm::append_range(both, b);
  return both;
}

// gather_c1..c4, c6..c8, c10, c11, c13..c19; scatter_c2, c7, c9..c22
static LogicalResult checkNumbers(Emit emit, const WindowNumbers &n, RankedTensorType operand,
                                  RankedTensorType indices) {
  int64_t rank = operand.getRank(), indicesRank = indices.getRank();
  // gather_c2, scatter_c22
  if (n.indexVectorDim < 0 || n.indexVectorDim > indicesRank)
    return emit() << "expects index_vector_dim in [0, " << indicesRank << "], but got " << n.indexVectorDim;
  // gather_c4, scatter_c7
  if (failed(checkUnique(emit, "window dimensions", n.windowDims)) ||
      failed(checkSorted(emit, "window dimensions", n.windowDims)))
    return failure();
  // gather_c6..c8, c10, c11; scatter_c9..c13
  SmallVector<int64_t> dropped = concat(n.collapsedDims, n.operandBatching);
  if (failed(checkUnique(emit, "collapsed and batching dimensions", dropped)) ||
      failed(checkSorted(emit, "collapsed dimensions", n.collapsedDims)) ||
      failed(checkSorted(emit, "batching dimensions", n.operandBatching)) ||
      failed(checkInRange(emit, "collapsed and batching dimensions", dropped, rank)))
    return failure();
  // gather_c1, scatter_c2
  if (static_cast<int64_t>(n.windowDims.size() + dropped.size()) != rank)
    return emit() << "expects as many window, collapsed and batching dimensions as the operand has, " << rank
                  << ", but got " << n.windowDims.size() + dropped.size();
  // gather_c13..c16, scatter_c14..c17
  if (failed(checkUnique(emit, "batching dimensions of the indices", n.indicesBatching)) ||
      failed(checkInRange(emit, "batching dimensions of the indices", n.indicesBatching, indicesRank)) ||
      failed(checkSize(emit, "batching dimensions of the indices", n.indicesBatching.size(), n.operandBatching.size())))
    return failure();
  if (llvm::is_contained(n.indicesBatching, n.indexVectorDim))
    return emit() << "expects an index_vector_dim that is no batching dimension, but got " << n.indexVectorDim;
  // gather_c17, scatter_c18
  for (auto [o, i] : llvm::zip_equal(n.operandBatching, n.indicesBatching))
    if (!sameDim(operand.getDimSize(o), indices.getDimSize(i)))
      return emit() << "expects batching dimensions of the same size, but got " << operand.getDimSize(o) << " and "
                    << indices.getDimSize(i);
  // gather_c3, scatter_c19
  int64_t indexSize = n.indexVectorDim < indicesRank ? indices.getDimSize(n.indexVectorDim) : 1;
  if (!sameDim(n.indexMap.size(), indexSize))
    return emit() << "expects one operand dimension for each of " << indexSize << " index components, but got "
                  << n.indexMap.size();
  // gather_c18, c19; scatter_c20, c21
  if (failed(checkUnique(emit, "indexed and batching dimensions", concat(n.indexMap, n.operandBatching))))
    return failure();
  return checkInRange(emit, "indexed dimensions", n.indexMap, rank);
}

// The shape of the indices without the dimension of their components.
static SmallVector<int64_t> batchSizes(RankedTensorType indices, int64_t indexVectorDim) {
  SmallVector<int64_t> sizes(indices.getShape());
  if (indexVectorDim < indices.getRank()) sizes.erase(sizes.begin() + indexVectorDim);
  return sizes;
}

// Window sizes at the window dimensions, batch sizes at the others: gather_c22, scatter_c4
static SmallVector<int64_t> combine(ArrayRef<int64_t> batch, ArrayRef<int64_t> window, ArrayRef<int64_t> windowDims) {
  SmallVector<int64_t> shape;
  size_t nextBatch = 0, nextWindow = 0;
  for (size_t dim = 0; dim < batch.size() + window.size(); ++dim) {
    if (llvm::is_contained(windowDims, dim))
      shape.push_back(window[nextWindow++]);
    else
      shape.push_back(batch[nextBatch++]);
  }
  return shape;
}

// The sizes of a slice that stay dimensions.
static SmallVector<int64_t> windowSizes(ArrayRef<int64_t> sizes, const WindowNumbers &n) {
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!llvm::is_contained(n.collapsedDims, dim) && !llvm::is_contained(n.operandBatching, dim)) kept.push_back(size);
  return kept;
}

static WindowNumbers numbersOf(GatherDimensionNumbersAttr dims) {
  return {dims.getOffsetDims(),          dims.getCollapsedSliceDims(),
          dims.getOperandBatchingDims(), dims.getStartIndicesBatchingDims(),
          dims.getStartIndexMap(),       dims.getIndexVectorDim()};
}

static WindowNumbers numbersOf(ScatterDimensionNumbersAttr dims) {
  return {dims.getUpdateWindowDims(),           dims.getInsertedWindowDims(),       dims.getInputBatchingDims(),
          dims.getScatterIndicesBatchingDims(), dims.getScatterDimsToOperandDims(), dims.getIndexVectorDim()};
}

//===-----------------------------------------------------------------------------===//
// Gather
//===-----------------------------------------------------------------------------===//

// `sizes` are kDynamic where they are values.
static LogicalResult checkGather(Emit emit, GatherDimensionNumbersAttr dims, RankedTensorType operand,
                                 RankedTensorType indices, ArrayRef<int64_t> sizes, RankedTensorType result) {
  WindowNumbers n = numbersOf(dims);
  if (failed(checkNumbers(emit, n, operand, indices))) return failure();
  // gather_c20
  if (failed(checkSize(emit, "slice_sizes", sizes.size(), operand.getRank()))) return failure();
  // gather_c9, gather_c12
  for (int64_t dim : concat(n.collapsedDims, n.operandBatching))
    if (!ShapedType::isDynamic(sizes[dim]) && sizes[dim] > 1)
      return emit() << "expects a slice of size 1 at most in the collapsed or batching dimension " << dim
                    << ", but got " << sizes[dim];
  // gather_c21
  if (failed(checkSliceSizes(emit, sizes, upperBounds(operand)))) return failure();
  // gather_c5
  SmallVector<int64_t> batch = batchSizes(indices, n.indexVectorDim), window = windowSizes(sizes, n);
  if (failed(checkInRange(emit, "offset_dims", n.windowDims, batch.size() + window.size()))) return failure();
  // gather_c22, gather_c23
  if (failed(checkShape(emit, "result", result.getShape(), combine(batch, window, n.windowDims)))) return failure();
  return checkElement(emit, "result", result.getElementType(), operand.getElementType());
}

LogicalResult GatherOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkAtLeast(emit, "slice_sizes", getSliceSizes(), 0))) return failure();
  return checkGather(emit, getDimensionNumbers(), getOperand().getType(), getStartIndices().getType(), getSliceSizes(),
                     getType());
}

LogicalResult DynamicGatherOp::verify() {
  auto emit = errorsOf(*this);
  int64_t count = getSliceSizes().getType().getDimSize(0), rank = getOperand().getType().getRank();
  // dynamic_gather_c11
  if (!sameDim(count, rank)) return emit() << "expects slice_sizes of size " << rank << ", but got " << count;
  SmallVector<int64_t> sizes(rank, ShapedType::kDynamic);
  if (std::optional<SmallVector<int64_t>> known = constantVector(getSliceSizes())) {
    sizes = *known;
    // dynamic_gather_c12
    if (failed(checkAtLeast(emit, "slice_sizes", sizes, 0))) return failure();
  }
  return checkGather(emit, getDimensionNumbers(), getOperand().getType(), getStartIndices().getType(), sizes,
                     getType());
}

//===-----------------------------------------------------------------------------===//
// Scatter
//===-----------------------------------------------------------------------------===//

LogicalResult ScatterOp::verify() {
  auto emit = errorsOf(*this);
  // scatter_c5
  size_t count = getInputs().size();
  if (count == 0 || (*this)->getNumOperands() != 2 * count + 1)
    return emit() << "expects as many updates as inputs, one at least, and indices, but got "
                  << (*this)->getNumOperands() << " operands";
  if ((*this)->getNumResults() != count)
    return emit() << "expects " << count << " results, but got " << (*this)->getNumResults();
  RankedTensorType input = tensorType(getInputs().front()), update = tensorType(getUpdates().front());
  RankedTensorType indices = getScatterIndices().getType();
  // scatter_c1, scatter_c3, scatter_c6
  for (auto [in, up] : llvm::zip_equal(getInputs(), getUpdates()))
    if (failed(checkShape(emit, "inputs", tensorType(in).getShape(), input.getShape())) ||
        failed(checkShape(emit, "updates", tensorType(up).getShape(), update.getShape())) ||
        failed(checkElement(emit, "updates", tensorType(up).getElementType(), tensorType(in).getElementType())))
      return failure();
  WindowNumbers n = numbersOf(getScatterDimensionNumbers());
  if (failed(checkNumbers(emit, n, input, indices))) return failure();
  // scatter_c8
  if (failed(checkInRange(emit, "update_window_dims", n.windowDims, update.getRank()))) return failure();
  // scatter_c4
  SmallVector<int64_t> batch = batchSizes(indices, n.indexVectorDim), window;
  for (int64_t dim : n.windowDims) window.push_back(update.getDimSize(dim));
  if (batch.size() + window.size() != static_cast<size_t>(update.getRank()))
    return emit() << "expects updates of rank " << batch.size() + window.size() << ", but got " << update;
  if (failed(checkShape(emit, "updates", update.getShape(), combine(batch, window, n.windowDims))) ||
      failed(checkSliceSizes(emit, window, windowSizes(upperBounds(input), n))))
    return failure();
  // scatter_c23
  SmallVector<Type> elements;
  if (failed(checkReducer(emit, "update_computation", getUpdateComputation(), getInputs().getTypes(), elements)))
    return failure();
  // scatter_c24, scatter_c25
  for (auto [result, in, element] : llvm::zip_equal(getResults(), getInputs(), elements))
    if (failed(checkShape(emit, "result", tensorType(result).getShape(), tensorType(in).getShape())) ||
        failed(checkElement(emit, "result", tensorType(result).getElementType(), element)))
      return failure();
  return success();
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/indexing.cpp.inc"
