// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/neutral.h"

#include "llvm/ADT/TypeSwitch.h"
#include "passes/shapes/padder.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;
using simplify::Scalar;

namespace {

std::optional<Scalar> greatest(Type element, bool least) {
  if (auto type = dyn_cast<FloatType>(element)) {
    if (!APFloat::semanticsHasInf(type.getFloatSemantics())) return std::nullopt;
    return Scalar(APFloat::getInf(type.getFloatSemantics(), least));
  }
  auto type = cast<IntegerType>(element);
  const unsigned bits = type.getWidth();
  const bool isUnsigned = type.isUnsigned() || bits == 1;
  if (least) return Scalar(isUnsigned ? APInt::getMinValue(bits) : APInt::getSignedMinValue(bits));
  return Scalar(isUnsigned ? APInt::getMaxValue(bits) : APInt::getSignedMaxValue(bits));
}

}  // namespace

Scalar numberScalar(Type element, int64_t value) {
  auto type = dyn_cast<FloatType>(element);
  if (!type) return APInt(element.getIntOrFloatBitWidth(), value, true, true);
  APFloat result(static_cast<double>(value));
  bool lost;
  result.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
  return result;
}

Scalar zeroScalar(Type element) { return numberScalar(element, 0); }

Scalar leastInTotalOrder(Type element) {
  auto type = dyn_cast<FloatType>(element);
  if (!type) return *greatest(element, true);
  return APFloat(type.getFloatSemantics(), APInt::getAllOnes(type.getWidth()));
}

std::optional<Scalar> neutralScalar(Operation *op, Type element) {
  using Result = std::optional<Scalar>;
  if (!isa<FloatType, IntegerType>(element)) return std::nullopt;
  return TypeSwitch<Operation *, Result>(op)
      // -0: it leaves +0 and -0 as they are.
      .Case([&](hlo::AddOp) {
        auto type = dyn_cast<FloatType>(element);
        return type && APFloat::semanticsHasSignedRepr(type.getFloatSemantics()) &&
                       APFloat::semanticsHasZero(type.getFloatSemantics())
                   ? Result(APFloat::getZero(type.getFloatSemantics(), true))
                   : Result(numberScalar(element, 0));
      })
      .Case([&](hlo::MulOp) { return numberScalar(element, 1); })
      .Case([&](hlo::MaxOp) { return greatest(element, true); })
      .Case([&](hlo::MinOp) { return greatest(element, false); })
      .Case([&](hlo::AndOp) { return numberScalar(element, -1); })
      .Case<hlo::OrOp, hlo::XorOp>([&](auto) { return numberScalar(element, 0); })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {

// The block's argument that `value` is, or -1.
int64_t argumentOf(Value value, Block &body) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &body ? static_cast<int64_t>(argument.getArgNumber()) : -1;
}

// Is it one of the operands `i` of both sides, by selects?
bool choosesAmong(Value value, Block &body, unsigned i, unsigned count, int depth = 0) {
  const int64_t argument = argumentOf(value, body);
  if (argument >= 0) return argument == i || argument == i + count;
  auto select = value.getDefiningOp<hlo::SelectOp>();
  return select && depth < 8 && choosesAmong(select.getOnTrue(), body, i, count, depth + 1) &&
         choosesAmong(select.getOnFalse(), body, i, count, depth + 1);
}

// Does the body look for the largest (1) or the smallest (-1) of its first operands? 0 where comparisons say neither,
// or both. The other operands may decide between equal ones.
int directionOf(Block &body, unsigned count) {
  int direction = 0;
  for (Operation &op : body.without_terminator()) {
    if (!isa<hlo::CompareOp, hlo::SelectOp, hlo::OrOp, hlo::AndOp>(op)) return 0;
    auto compare = dyn_cast<hlo::CompareOp>(op);
    if (!compare) continue;
    const int64_t left = argumentOf(compare.getLhs(), body), right = argumentOf(compare.getRhs(), body);
    if (left < 0 || right < 0) return 0;
    if (left % count != 0 || right % count != 0 || left == right) continue;
    using Is = hlo::ComparisonDirection;
    const Is is = compare.getComparisonDirection();
    if (is == Is::EQ || is == Is::NE) continue;
    const int found = ((is == Is::GT || is == Is::GE) == (left < right)) ? 1 : -1;
    if (direction && direction != found) return 0;
    direction = found;
  }
  return direction;
}

// The number that a value of one element is, through broadcasts that change nothing.
std::optional<Scalar> scalarOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<hlo::BroadcastInDimOp, hlo::ReshapeOp>(op)) break;
    value = op->getOperand(0);
  }
  return simplify::splatScalar(value);
}

std::optional<SmallVector<Value>> chosen(Block &body, ValueRange initials) {
  const unsigned count = initials.size();
  for (auto [i, result] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (!choosesAmong(result, body, i, count)) return std::nullopt;
  const int direction = directionOf(body, count);
  auto first = scalarOf(initials[0]);
  Type element = cast<RankedTensorType>(initials[0].getType()).getElementType();
  if (!first || !direction) return std::nullopt;
  const bool worst = direction > 0 ? simplify::isLeast(*first, element) : simplify::isGreatest(*first, element);
  return worst ? std::optional(llvm::to_vector(initials)) : std::nullopt;
}

}  // namespace

bool areNeutral(Block &body, ValueRange initials, OpBuilder &builder, Location location) {
  auto neutral = neutralElements(body, initials, builder, location);
  if (!neutral) return false;
  return llvm::all_of(llvm::zip_equal(*neutral, initials), [](auto pair) {
    auto [wanted, given] = pair;
    auto a = scalarOf(wanted), b = scalarOf(given);
    return wanted == given || (a && b && (*a == *b || (simplify::isZero(*a) && simplify::isZero(*b))));
  });
}

// The number that sums and products of complex ones leave out.
static Value neutralComplex(Operation *op, ComplexType element, OpBuilder &builder, Location location) {
  const llvm::fltSemantics &kind = cast<FloatType>(element.getElementType()).getFloatSemantics();
  if (isa<hlo::AddOp>(op)) return zeroOf(builder, location, element);
  return isa<hlo::MulOp>(op) ? complexNumber(builder, location, element, APFloat::getOne(kind)) : Value();
}

std::optional<SmallVector<Value>> neutralElements(Block &body, ValueRange initials, OpBuilder &builder,
                                                  Location location) {
  const unsigned count = initials.size();
  SmallVector<Value> result;
  for (auto [i, end] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Operation *op = end.getDefiningOp();
    const bool simple =
        op && op->getBlock() == &body && op->getNumOperands() == 2 &&
        llvm::all_of(op->getOperands(),
                     [&](Value operand) {
                       const int64_t argument = argumentOf(operand, body);
                       return argument == static_cast<int64_t>(i) || argument == static_cast<int64_t>(i + count);
                     }) &&
        op->getOperand(0) != op->getOperand(1);
    Type element = cast<RankedTensorType>(initials[i].getType()).getElementType();
    if (auto complex = dyn_cast<ComplexType>(element); complex && simple) {
      Value value = neutralComplex(op, complex, builder, location);
      if (!value) return std::nullopt;
      result.push_back(value);
      continue;
    }
    auto scalar = simple ? neutralScalar(op, element) : std::nullopt;
    if (!scalar || cast<RankedTensorType>(end.getType()).getElementType() != element) return chosen(body, initials);
    result.push_back(simplify::makeSplat(builder, location, RankedTensorType::get({}, element), *scalar));
  }
  return result;
}

}  // namespace tpuc::shapes
