// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of a comparator.
//
//  1. A value of the comparator is of one side when all that it comes from are arguments of that side.
//  2. What ops of both sides read of one is a key, the same one for both when it is the same function. It is computed
//     once an element: a comparator is evaluated log(n)^2 / 2 times for each.
#include "passes/plan/sort/sort_order.h"

#include <map>
#include <vector>

#include "dialects/stablehlo/stablehlo.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tpuc::plan {

using stablehlo::ComparisonDirection;

static bool isTotal(Operation *op) {
  auto compare = dyn_cast<stablehlo::CompareOp>(op);
  if (!compare || !mlir::isa<FloatType>(getElementTypeOrSelf(compare.getLhs().getType()))) return false;
  auto kind = compare.getCompareType();
  return kind && *kind == stablehlo::ComparisonType::TOTALORDER;
}

Value SortOrder::source(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp, stablehlo::TransposeOp>(op)) break;
    v = op->getOperand(0);
  }
  return v;
}

SortOrder::SortOrder(Block &comparator) : block_(comparator) {
  for (BlockArgument argument : block_.getArguments()) sides_[argument] = argument.getArgNumber() % 2 ? kRight : kLeft;
  for (Operation &op : block_.without_terminator()) {
    int side = kNone;
    for (Value v : op.getOperands()) side |= sides_.lookup(v);
    for (Value result : op.getResults()) sides_[result] = static_cast<Side>(side);
  }
  findSame();
  findKeys();
  findSimple();
}

SortOrder::Side SortOrder::sideOf(Value v) const { return sides_.lookup(v); }

// Each op is looked at once: values are shared, and walks of all paths to them would have no end.
void SortOrder::findSame() {
  auto firstOf = [&](Value v) {
    v = source(v);
    Value first = same_.lookup(v);
    return (first ? first : v).getAsOpaquePointer();
  };
  for (BlockArgument argument : block_.getArguments())
    same_[argument] = block_.getArgument(argument.getArgNumber() / 2 * 2);
  std::map<std::vector<const void *>, Value> seen;
  for (Operation &op : block_.without_terminator()) {
    std::vector<const void *> form{op.getName().getAsOpaquePointer(), op.getAttrDictionary().getAsOpaquePointer()};
    for (Type t : op.getResultTypes()) form.push_back(t.getAsOpaquePointer());
    for (Value v : op.getOperands()) form.push_back(firstOf(v));
    if (op.getNumResults() == 1 && op.getNumRegions() == 0)
      same_[op.getResult(0)] = seen.try_emplace(form, op.getResult(0)).first->second;
  }
}

bool SortOrder::isSame(Value a, Value b) const {
  auto firstOf = [&](Value v) {
    Value first = same_.lookup(v);
    return first ? first : v;
  };
  return firstOf(source(a)) == firstOf(source(b));
}

int64_t SortOrder::addKey(Value v) {
  v = source(v);
  if (auto found = keyAt_.find(v); found != keyAt_.end()) return found->second;
  auto *same = llvm::find_if(keys_, [&](const Key &k) { return isSame(k.value, v); });
  int64_t k = same - keys_.begin();
  keyAt_[v] = k;
  if (same != keys_.end()) return k;
  Key key;
  key.value = v;
  if (auto argument = dyn_cast<BlockArgument>(v)) key.operand = argument.getArgNumber() / 2;
  keys_.push_back(key);
  return k;
}

void SortOrder::findKeys() {
  auto meet = [&](Operation *op, bool all) {
    for (Value v : op->getOperands()) {
      Side side = sideOf(v);
      if (side == kLeft || side == kRight) {
        Key &key = keys_[addKey(v)];
        key.total &= all;
      }
    }
  };
  for (Operation &op : block_.without_terminator())
    if (sideOf(op.getResult(0)) == kBoth)
      meet(&op, isTotal(&op) && llvm::none_of(op.getOperands(), [&](Value v) { return sideOf(v) == kBoth; }));
  meet(block_.getTerminator(), false);
}

void SortOrder::findSimple() {
  auto compare = source(block_.getTerminator()->getOperand(0)).getDefiningOp<stablehlo::CompareOp>();
  if (!compare || sideOf(compare) != kBoth || keys_.size() != 1) return;
  Side left = sideOf(compare.getLhs()), right = sideOf(compare.getRhs());
  if (left == kBoth || right == kBoth || left == right || left == kNone || right == kNone) return;
  bool less = compare.getComparisonDirection() == ComparisonDirection::LT,
       greater = compare.getComparisonDirection() == ComparisonDirection::GT;
  if (!(less || greater) || getElementTypeOrSelf(keys_[0].value.getType()).isInteger(1)) return;
  simple_ = true;
  descending_ = greater == (left == kLeft);
  if (keys_[0].total) keys_[0].canonical = canonicalOf(keys_[0].value);
}

// select(x != x, NaN, select(x == 0, 0, x)), the selects in any order.
int64_t SortOrder::canonicalOf(Value key) const {
  bool zeros = false, nans = false;
  SmallVector<Value> tested;
  Value v = source(key);
  while (auto select = v.getDefiningOp<stablehlo::SelectOp>()) {
    auto compare = source(select.getPred()).getDefiningOp<stablehlo::CompareOp>();
    APFloat chosen(0.0);
    if (!compare || isTotal(compare) || !matchPattern(source(select.getOnTrue()), m_ConstantFloat(&chosen))) return -1;
    Value x = source(compare.getLhs()), y = source(compare.getRhs());
    tested.push_back(x);
    if (compare.getComparisonDirection() == ComparisonDirection::NE && isSame(x, y)) {
      if (!chosen.isNaN() || chosen.isNegative()) return -1;
      nans = true;
    } else if (compare.getComparisonDirection() == ComparisonDirection::EQ) {
      if (!matchPattern(y, m_AnyZeroFloat()) || !chosen.isPosZero()) return -1;
      zeros = true;
    } else {
      return -1;
    }
    v = source(select.getOnFalse());
  }
  auto argument = dyn_cast<BlockArgument>(v);
  bool all = zeros && nans && argument && llvm::all_of(tested, [&](Value x) { return x == v; });
  return all ? static_cast<int64_t>(argument.getArgNumber() / 2) : -1;
}

bool SortOrder::isInteger() const {
  return keys_[0].total || mlir::isa<IntegerType>(getElementTypeOrSelf(keys_[0].value.getType()));
}

bool SortOrder::isUnsigned() const {
  Type t = getElementTypeOrSelf(keys_[0].value.getType());
  return t.isUnsignedInteger();
}

bool SortOrder::isBelowMost() const {
  Type t = getElementTypeOrSelf(keys_[0].value.getType());
  return isInteger() && !isUnsigned() && (keys_[0].canonical >= 0 || t.getIntOrFloatBitWidth() < 32);
}

uint32_t SortOrder::lastKey() const {
  if (!isInteger()) return descending_ ? 0xff800000u : 0x7f800000u;
  if (isUnsigned()) return descending_ ? 0u : 0xffffffffu;
  return descending_ ? 0x80000000u : 0x7fffffffu;
}

Type SortOrder::keptType(Type element) {
  return element.isF16() || element.isBF16() ? IntegerType::get(element.getContext(), 16) : element;
}

bool SortOrder::isOperand(const Key &key) const {
  Type element = getElementTypeOrSelf(key.value.getType());
  return key.operand >= 0 && (key.total || keptType(element) == element);
}

}  // namespace tpuc::plan
