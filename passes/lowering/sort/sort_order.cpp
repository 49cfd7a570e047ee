// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of elements, and comparisons of keys.
#include "passes/lowering/sort/sort_order.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::lowering {

using stablehlo::ComparisonDirection;

Value mirrorNegative(Code &c, Value v) {
  Value sign = c.inst("v.shr.s32", {v, c.splatI(31)});
  return c.inst("v.xor", {v, c.inst("v.and", {sign, c.splatBits(0x7fffffff)})});
}

// An op of the comparator on lanes; `at` gives its operands'.
static Value emitOp(Code &c, Operation *op, function_ref<Value(Value)> at) {
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    auto value = cast<DenseElementsAttr>(constant.getValue());
    return emitConstant(c, value.getElementType(), *value.getValues<Attribute>().begin());
  }
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), at);
  return emitElementwise(c, op, operands);
}

Value keyOf(Code &c, const SortOrder &order, int64_t k, ArrayRef<Value> operands) {
  const SortOrder::Key &key = order.keys()[k];
  if (key.total && key.operand >= 0) return mirrorNegative(c, operands[key.operand]);
  DenseMap<Value, Value> lanes;
  std::function<Value(Value)> at = [&](Value v) {
    v = SortOrder::source(v);
    if (Value known = lanes.lookup(v)) return known;
    if (auto argument = dyn_cast<BlockArgument>(v)) {
      Value bits = operands[argument.getArgNumber() / 2];
      Type element = getElementTypeOrSelf(v.getType());
      return lanes[v] = element.isF16()    ? c.inst("v.cvt.f16.f32", {bits})
                        : element.isBF16() ? c.inst("v.shl", {bits, c.splatI(16)})
                                           : bits;
    }
    Value made = emitOp(c, v.getDefiningOp(), at);
    return lanes[v] = made;
  };
  Value v = at(key.value);
  if (key.total) return mirrorNegative(c, v);
  return getElementTypeOrSelf(key.value.getType()).isInteger(1) ? maskToInt(c, v) : v;
}

// A comparison of keys that are kept as integers.
static Value emitTotal(Code &c, ComparisonDirection d, Value a, Value b) {
  switch (d) {
    case ComparisonDirection::EQ:
      return c.inst("v.eq.i32", {a, b});
    case ComparisonDirection::NE:
      return c.inst("v.ne.i32", {a, b});
    case ComparisonDirection::LT:
      return c.inst("v.lt.s32", {a, b});
    case ComparisonDirection::LE:
      return c.inst("v.le.s32", {a, b});
    case ComparisonDirection::GT:
      return c.inst("v.lt.s32", {b, a});
    case ComparisonDirection::GE:
      return c.inst("v.le.s32", {b, a});
  }
  return {};
}

Value comparesBefore(Code &c, const SortOrder &order, ArrayRef<Value> a, ArrayRef<Value> b) {
  DenseMap<Value, Value> lanes;
  std::function<Value(Value)> at = [&](Value v) {
    v = SortOrder::source(v);
    if (Value known = lanes.lookup(v)) return known;
    SortOrder::Side side = order.sideOf(v);
    if (side == SortOrder::kLeft || side == SortOrder::kRight) {
      int64_t k = order.keyNumber(v);
      Value key = (side == SortOrder::kLeft ? a : b)[k];
      bool mask = !order.keys()[k].total && getElementTypeOrSelf(v.getType()).isInteger(1);
      return lanes[v] = mask ? intToMask(c, key) : key;
    }
    Operation *op = v.getDefiningOp();
    auto compare = dyn_cast<stablehlo::CompareOp>(op);
    auto isKept = [&](Value w) {
      const SortOrder::Side of = order.sideOf(w);
      return side == SortOrder::kBoth && of != SortOrder::kNone && of != SortOrder::kBoth &&
             order.keys()[order.keyNumber(SortOrder::source(w))].total;
    };
    bool total = compare && isKept(compare.getLhs()) && isKept(compare.getRhs());
    Value made = total ? emitTotal(c, compare.getComparisonDirection(), at(compare.getLhs()), at(compare.getRhs()))
                       : emitOp(c, op, at);
    return lanes[v] = made;
  };
  return at(order.comparator().getTerminator()->getOperand(0));
}

}  // namespace tpuc::lowering
