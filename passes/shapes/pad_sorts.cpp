// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts: padding comes last, whatever the comparator says.
#include "dialects/stablehlo/sorts.h"
#include "passes/shapes/neutral.h"
#include "passes/shapes/padder.h"
#include "passes/shapes/window_calls.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

// The comparator's answer, unless one of the two elements is padding: the flags are the last arguments.
void compareFlagsFirst(Block &body) {
  Operation *end = body.getTerminator();
  OpBuilder builder(end);
  Location location = end->getLoc();
  auto scalar = RankedTensorType::get({}, builder.getI32Type()), flag = RankedTensorType::get({}, builder.getI1Type());
  Value left = body.addArgument(scalar, location), right = body.addArgument(scalar, location);
  auto compare = [&](hlo::ComparisonDirection direction) {
    return hlo::CompareOp::create(builder, location, flag, left, right, direction,
                                  hlo::ComparisonTypeAttr::get(builder.getContext(), hlo::ComparisonType::SIGNED))
        .getResult();
  };
  Value less = compare(hlo::ComparisonDirection::LT), same = compare(hlo::ComparisonDirection::EQ);
  Value both = hlo::AndOp::create(builder, location, flag, same, end->getOperand(0));
  end->setOperand(0, hlo::OrOp::create(builder, location, flag, less, both));
}

// One more operand says which elements are padding.
LogicalResult sort(Operation *op, Padder &padder) {
  auto sort = cast<hlo::SortOp>(op);
  const int64_t dim = hlo::sortedDim(sort);
  Extents extents = padder.extents(sort.getInputs()[0]);
  for (Value input : sort.getInputs())
    for (auto [a, b] : llvm::zip_equal(extents, padder.extents(input)))
      if (failed(padder.requireEqual(op, a, b, "operands' sizes"))) return failure();
  if (!padder.isPadded(sort.getInputs()[0], dim))
    return padder.retype(op, SmallVector<Extents>(op->getNumResults(), extents));
  OpBuilder builder(op);
  Location location = op->getLoc();
  SmallVector<int64_t> shape = padder.capacity(extents);
  auto flags = RankedTensorType::get(shape, builder.getI32Type());
  Value inside = padder.within(builder, location, shape, {dim}, extents);
  auto behind = hlo::SelectOp::create(builder, location, flags, inside,
                                      splat(builder, location, builder.getI32Type(), int64_t{0}, shape),
                                      splat(builder, location, builder.getI32Type(), int64_t{1}, shape));
  behind->setAttr(kMaskAttr,
                  builder.getStringAttr("a sort along dimension " + std::to_string(dim) + ": padding comes last"));
  // The flags decide; what is compared beside them is zeros, so that no garbage takes part.
  SmallVector<Value> inputs;
  for (Value input : sort.getInputs()) {
    Type element = tensor(input).getElementType();
    const bool plain = isa<FloatType, IntegerType>(element);
    inputs.push_back(
        plain ? padder.masked(op, input, {dim}, zeroScalar(element), "a sort along dimension " + std::to_string(dim))
              : input);
  }
  SmallVector<Type> types(sort->getOperandTypes());
  inputs.push_back(behind);
  types.push_back(flags);
  auto made =
      hlo::SortOp::create(builder, location, types, inputs, builder.getI64IntegerAttr(dim), sort.getIsStableAttr());
  made.getComparator().takeBody(sort.getComparator());
  compareFlagsFirst(made.getComparator().front());
  return padder.replace(op, llvm::to_vector_of<Value>(made.getResults().drop_back()),
                        SmallVector<Extents>(op->getNumResults(), extents));
}

// Padding is below everything, and behind true elements that are as low.
LogicalResult largest(Operation *op, Padder &padder, Value operand, const Extent &k) {
  Extents extents = padder.extents(operand);
  const int64_t last = static_cast<int64_t>(extents.size()) - 1;
  Type element = tensor(operand).getElementType();
  if (!isa<FloatType, IntegerType>(element)) return padder.refuse(op, "its elements have no order");
  if (failed(padder.requireAtLeast(op, extents[last], k, "the last dimension")) ||
      failed(padder.requireAtLeast(op, k, Extent(), "k")))
    return failure();
  operand = padder.masked(op, operand, {last}, leastInTotalOrder(element),
                          "top_k along dimension " + std::to_string(last) + ": padding comes last");
  extents[last] = k;
  OpBuilder builder(op);
  SmallVector<int64_t> shape = padder.capacity(extents);
  if (shape[last] > tensor(operand).getDimSize(last)) return padder.refuse(op, "k may be larger than the dimension");
  OperationState state(op->getLoc(), chlo::TopKOp::getOperationName(), operand, {},
                       builder.getNamedAttr("k", builder.getI64IntegerAttr(shape[last])));
  state.addTypes({RankedTensorType::get(shape, element), RankedTensorType::get(shape, builder.getI32Type())});
  Operation *made = builder.create(state);
  return padder.replace(op, llvm::to_vector_of<Value>(made->getResults()), {extents, extents});
}

LogicalResult topK(Operation *op, Padder &padder) {
  auto top = cast<chlo::TopKOp>(op);
  return largest(op, padder, top.getOperand(), Extent::number(top.getK()));
}

}  // namespace

LogicalResult dynamicTopK(hlo::CustomCallOp call, Padder &padder) {
  if (call.getInputs().size() != 2 || call.getNumResults() != 2)
    return padder.refuse(call, "it has other operands than top_k's");
  const SizeValues::Elements *k = padder.values.of(call.getInputs()[1]);
  return k && k->size() == 1 ? largest(call, padder, call.getInputs()[0], k->front())
                             : padder.refuse(call, "k depends on data");
}

void addSortRules(PadRules &rules) {
  rules["stablehlo.sort"] = sort;
  rules["chlo.top_k"] = topK;
}

}  // namespace tpuc::shapes
