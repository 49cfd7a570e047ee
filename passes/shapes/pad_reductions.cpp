// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that add up, or otherwise combine, what lies along a dimension: what padding they meet becomes neutral first.
#include "llvm/ADT/StringExtras.h"
#include "passes/shapes/chosen_places.h"
#include "passes/shapes/neutral.h"
#include "passes/shapes/padder.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

std::string text(ArrayRef<int64_t> dims) {
  return llvm::join(llvm::map_range(dims, [](int64_t dim) { return std::to_string(dim); }), ", ");
}

// Those along which the padding of a sum's operand has to become zero.
SmallVector<int64_t> notZero(Value value, ArrayRef<int64_t> dims, Padder &padder) {
  return llvm::filter_to_vector(dims, [&](int64_t dim) { return !padder.rows.isZero(value, dim); });
}

bool isZeroFloat(Value scalar) {
  auto number = simplify::splatScalar(scalar);
  return number && std::holds_alternative<APFloat>(*number) && simplify::isZero(*number);
}

// What a maximum is taken of along one dimension is -inf behind the true end for whatever comes after it too: a softmax
// needs no further mask then.
void keepLow(hlo::ReduceOp reduce, Padder &padder, Value before, Value lowest, ArrayRef<int64_t> padded) {
  Value after = reduce.getInputs()[0];
  auto number = simplify::splatScalar(lowest);
  if (reduce.getInputs().size() != 1 || padded.size() != 1 || reduce.getDimensions().size() != 1 || !number ||
      !std::holds_alternative<APFloat>(*number) || !simplify::isLeast(*number, tensor(after).getElementType()) ||
      padder.space.range(padder.extents(after)[padded[0]]).least < 1)
    return;
  if (after != before)
    before.replaceUsesWithIf(after, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return user->getBlock() == reduce->getBlock() && reduce->isBeforeInBlock(user);
    });
  padder.rows.setLow(after, padded[0]);
}

LogicalResult reduce(Operation *op, Padder &padder) {
  auto reduce = cast<hlo::ReduceOp>(op);
  const unsigned count = reduce.getInputs().size();
  Extents extents = padder.extents(reduce.getInputs()[0]), result;
  for (Value input : reduce.getInputs())
    for (auto [a, b] : llvm::zip_equal(extents, padder.extents(input)))
      if (failed(padder.requireEqual(op, a, b, "operands' sizes"))) return failure();
  SmallVector<int64_t> padded = padder.paddedAmong(reduce.getInputs()[0], reduce.getDimensions());
  if (!padded.empty()) {
    OpBuilder builder(op);
    auto neutral = neutralElements(reduce.getBody().front(), reduce.getInitValues(), builder, op->getLoc());
    if (!neutral) return padder.refuse(op, "no value is known that its reducer leaves out");
    Value before = op->getOperand(0);
    for (unsigned i = 0; i < count; ++i) {
      Value input = op->getOperand(i);
      SmallVector<int64_t> dims = isZeroFloat((*neutral)[i]) ? notZero(input, padded, padder) : padded;
      const std::string why = "a reduction along dimension " + text(dims);
      op->setOperand(i, dims.size() == 1 ? maskedInRows(op, input, dims[0], (*neutral)[i], why, padder)
                                         : padder.masked(op, input, dims, (*neutral)[i], why));
    }
    keepLow(reduce, padder, before, neutral->front(), padded);
  }
  for (auto [dim, extent] : llvm::enumerate(extents))
    if (!llvm::is_contained(reduce.getDimensions(), static_cast<int64_t>(dim))) result.push_back(extent);
  return padder.retype(op, SmallVector<Extents>(count, result));
}

// Zeros along what is summed. A transpose stays the product's, which reads any order: the mask is below it.
Value summable(Operation *op, Value value, ArrayRef<int64_t> dims, StringRef why, Padder &padder) {
  OpBuilder builder(op);
  auto transpose = value.getDefiningOp<hlo::TransposeOp>();
  if (!transpose)
    return padder.masked(op, value, dims, zeroOf(builder, op->getLoc(), tensor(value).getElementType()), why);
  SmallVector<int64_t> below = llvm::map_to_vector(dims, [&](int64_t dim) { return transpose.getPermutation()[dim]; });
  Value masked = summable(op, transpose.getOperand(), below, why, padder);
  auto result =
      hlo::TransposeOp::create(builder, op->getLoc(), value.getType(), masked, transpose.getPermutationAttr());
  padder.setExtents(result, padder.extents(value));
  return result;
}

// Zero times NaN is NaN: floats need zeros on both sides.
LogicalResult dot(Operation *op, Padder &padder) {
  auto dot = cast<hlo::DotGeneralOp>(op);
  auto dims = dot.getDotDimensionNumbers();
  Extents left = padder.extents(dot.getLhs()), right = padder.extents(dot.getRhs()), result;
  auto same = [&](ArrayRef<int64_t> l, ArrayRef<int64_t> r) {
    for (auto [a, b] : llvm::zip_equal(l, r))
      if (failed(padder.requireEqual(op, left[a], right[b], "sizes of the sides"))) return failure();
    return success();
  };
  if (failed(same(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions())) ||
      failed(same(dims.getLhsContractingDimensions(), dims.getRhsContractingDimensions())))
    return failure();
  Type element = tensor(dot.getLhs()).getElementType(), other = tensor(dot.getRhs()).getElementType();
  if (hlo::isQuantized(dot.getLhs().getType())) return padder.refuse(op, "its elements are quantised");
  auto mask = [&](int side, ArrayRef<int64_t> all) {
    Value value = op->getOperand(side);
    SmallVector<int64_t> contracted = notZero(value, all, padder);
    if (padder.paddedAmong(value, contracted).empty()) return;
    op->setOperand(side,
                   summable(op, value, contracted, "a product summed along dimension " + text(contracted), padder));
  };
  mask(0, dims.getLhsContractingDimensions());
  if (!isa<IntegerType>(element) || !isa<IntegerType>(other)) mask(1, dims.getRhsContractingDimensions());
  for (int64_t dim : dims.getLhsBatchingDimensions()) result.push_back(left[dim]);
  auto append = [&](const Extents &side, ArrayRef<int64_t> batching, ArrayRef<int64_t> contracting) {
    for (auto [dim, extent] : llvm::enumerate(side))
      if (!llvm::is_contained(batching, static_cast<int64_t>(dim)) &&
          !llvm::is_contained(contracting, static_cast<int64_t>(dim)))
        result.push_back(extent);
  };
  append(left, dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions());
  append(right, dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions());
  return padder.retype(op, {result});
}

}  // namespace

void addReductionRules(PadRules &rules) {
  rules["stablehlo.reduce"] = reduce;
  rules["stablehlo.dot_general"] = dot;
}

}  // namespace tpuc::shapes
