//===- trip_counts.cpp - how often loops run, where no data decides it --------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. The slice: which carried values a loop's condition depends on, over iterations, branches and inner loops.
// 2. These are computed iteration by iteration until the condition fails. An unknown one, a state that comes back and
//    too much work end the attempt.
// 3. A counter of more iterations than that is counted in closed form, where nothing but it and constants are in the
//    condition.
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/trip_counts.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

// Evaluated ops of a loop and all loops within it: a fraction of a second.
static constexpr int64_t kMostWork = 1 << 20;
// Ops between a value and what it is computed from; recursion goes as deep.
static constexpr int kMostDepth = 2000;
// Iterations before the closed form is tried.
static constexpr int64_t kMostSteps = 1 << 12;

//===-----------------------------------------------------------------------------===//
// The slice of a condition
//===-----------------------------------------------------------------------------===//

namespace {

class Slice {
 public:
  // `result`: of the loop's results, one whose value is asked for too.
  Slice(WhileOp loop, std::optional<unsigned> result) {
    addResult(loop.getCond(), 0);
    if (result) addCarried(loop, *result, false);
    while (!pending_.empty()) {
      Value value = pending_.pop_back_val();
      if (!loop->isAncestor(value.getParentRegion()->getParentOp())) continue;
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument)
        addOperands(cast<OpResult>(value));
      else if (auto owner = dyn_cast<WhileOp>(argument.getOwner()->getParentOp()))
        addCarried(owner, argument.getArgNumber(), owner != loop);
    }
  }

  bool needs(WhileOp loop, unsigned carried) const { return carried_.contains({loop, carried}); }

 private:
  void add(Value value) {
    if (seen_.insert(value).second) pending_.push_back(value);
  }
  void addResult(Region &region, unsigned i) { add(region.front().getTerminator()->getOperand(i)); }

  void addCarried(WhileOp loop, unsigned i, bool isInner) {
    if (!carried_.insert({loop, i}).second) return;
    addResult(loop.getBody(), i);
    if (!isInner) return;
    add(loop->getOperand(i));
    addResult(loop.getCond(), 0);
  }

  void addOperands(OpResult value) {
    Operation *op = value.getOwner();
    if (auto loop = dyn_cast<WhileOp>(op)) return addCarried(loop, value.getResultNumber(), true);
    if (isa<IfOp, CaseOp>(op))
      for (Region &region : op->getRegions()) addResult(region, value.getResultNumber());
    if (isa<OptimizationBarrierOp>(op)) return add(op->getOperand(value.getResultNumber()));
    for (Value operand : op->getOperands()) add(operand);
  }

  DenseSet<Value> seen_;
  SmallVector<Value> pending_;
  DenseSet<std::pair<Operation *, unsigned>> carried_;
};

}  // namespace

//===-----------------------------------------------------------------------------===//
// Values
//===-----------------------------------------------------------------------------===//

// One integer, or one float of a type whose arithmetic is the machine's bit for bit.
static bool isCountable(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() != 1) return false;
  Type element = tensor.getElementType();
  return isa<IntegerType>(element) || element.isF32() || element.isF64();
}

std::optional<Scalar> TripCounts::valueOf(Value value, Frame *frame) {
  if (!isCountable(value.getType())) return std::nullopt;
  // A value's frame is the innermost one that it lies in.
  while (frame && !frame->region->isAncestor(value.getParentRegion())) frame = frame->outer;
  auto &known = frame ? frame->known : outside_;
  if (auto it = known.find(value); it != known.end()) return it->second;
  if (++work_ > kMostWork || depth_ >= kMostDepth) return std::nullopt;
  ++depth_;
  auto fixed = dyn_cast<BlockArgument>(value);
  std::optional<Scalar> result = fixed ? argument(fixed, frame) : compute(cast<OpResult>(value), frame);
  --depth_;
  (frame ? frame->known : outside_)[value] = result;
  return result;
}

// A value that a loop hands on unchanged is what the loop begins with, also where that loop is not run here.
std::optional<Scalar> TripCounts::argument(BlockArgument argument, Frame *frame) {
  auto loop = dyn_cast_or_null<WhileOp>(argument.getOwner()->getParentOp());
  if (!loop) return std::nullopt;
  unsigned i = argument.getArgNumber();
  if (loop.getBody().front().getTerminator()->getOperand(i) != loop.getBody().getArgument(i)) return std::nullopt;
  return valueOf(loop->getOperand(i), frame);
}

std::optional<Scalar> TripCounts::compute(OpResult value, Frame *frame) {
  Operation *op = value.getOwner();
  if (auto constant = dyn_cast<ConstantOp>(op)) return splatScalar(constant.getResult());
  if (auto loop = dyn_cast<WhileOp>(op)) {
    Run inner = run(loop, value.getResultNumber(), frame);
    return inner.trips ? inner.finals[value.getResultNumber()] : std::nullopt;
  }
  if (isa<IfOp, CaseOp>(op)) return branch(op, value.getResultNumber(), frame);
  if (isa<OptimizationBarrierOp>(op)) return valueOf(op->getOperand(value.getResultNumber()), frame);
  // Ops that make one element of one element.
  if (isa<ReshapeOp, BroadcastInDimOp, TransposeOp, ReverseOp, SliceOp>(op)) return valueOf(op->getOperand(0), frame);
  return elementwise(op, frame);
}

std::optional<Scalar> TripCounts::branch(Operation *op, unsigned result, Frame *frame) {
  std::optional<Scalar> decides = valueOf(op->getOperand(0), frame);
  if (!decides) return std::nullopt;
  const APInt &number = std::get<APInt>(*decides);
  int64_t taken = number.isZero() ? 1 : 0, last = op->getNumRegions() - 1;
  if (isa<CaseOp>(op)) {
    taken = number.getSExtValue();
    if (taken < 0 || taken > last) taken = last;
  }
  return valueOf(op->getRegion(taken).front().getTerminator()->getOperand(result), frame);
}

std::optional<Scalar> TripCounts::elementwise(Operation *op, Frame *frame) {
  if ((!op->hasTrait<IsElementwise>() && !isa<BitcastConvertOp>(op)) || op->getNumResults() != 1 ||
      op->getNumOperands() == 0)
    return std::nullopt;
  SmallVector<Scalar> operands;
  for (Value operand : op->getOperands()) {
    std::optional<Scalar> scalar = valueOf(operand, frame);
    if (!scalar) return std::nullopt;
    operands.push_back(*scalar);
  }
  return evaluate(op, operands);
}

//===-----------------------------------------------------------------------------===//
// Loops
//===-----------------------------------------------------------------------------===//

static bool isSame(const std::optional<Scalar> &a, const std::optional<Scalar> &b) {
  if (!a || !b) return !a && !b;
  if (const APInt *integer = std::get_if<APInt>(&*a)) return *integer == std::get<APInt>(*b);
  return std::get<APFloat>(*a).bitwiseIsEqual(std::get<APFloat>(*b));
}

TripCounts::Run TripCounts::run(WhileOp loop, std::optional<unsigned> result, Frame *frame) {
  unsigned count = loop->getNumOperands();
  Slice slice(loop, result);
  SmallVector<unsigned> needed;
  for (unsigned i = 0; i < count; ++i)
    if (slice.needs(loop, i)) needed.push_back(i);
  Values now(count);
  for (unsigned i : needed) now[i] = valueOf(loop->getOperand(i), frame);
  for (int64_t trips = 0; work_ <= kMostWork; ++trips) {
    Frame condition{&loop.getCond(), frame}, body{&loop.getBody(), frame};
    for (unsigned i : needed)
      condition.known[loop.getCond().getArgument(i)] = body.known[loop.getBody().getArgument(i)] = now[i];
    std::optional<Scalar> again = valueOf(loop.getCond().front().getTerminator()->getOperand(0), &condition);
    if (!again) return {};
    if (isZero(*again)) return {trips, std::move(now)};
    if (trips == kMostSteps)
      if (std::optional<int64_t> rest = closedForm(loop, now, frame)) return {trips + *rest, Values(count)};
    bool moves = false;
    Values next(count);
    for (unsigned i : needed) {
      next[i] = valueOf(loop.getBody().front().getTerminator()->getOperand(i), &body);
      moves |= !isSame(next[i], now[i]);
    }
    if (!moves) return {};
    now = std::move(next);
  }
  return {};
}

// compare(counter, bound) with counter + step in the body: iterations from `now` on, the condition being true.
std::optional<int64_t> TripCounts::closedForm(WhileOp loop, const Values &now, Frame *frame) {
  using D = ComparisonDirection;
  auto compare = loop.getCond().front().getTerminator()->getOperand(0).getDefiningOp<CompareOp>();
  auto counter = compare ? dyn_cast<BlockArgument>(compare.getLhs()) : BlockArgument();
  if (!counter || counter.getOwner() != &loop.getCond().front()) return std::nullopt;
  unsigned i = counter.getArgNumber();
  auto add = loop.getBody().front().getTerminator()->getOperand(i).getDefiningOp<AddOp>();
  auto type = dyn_cast<IntegerType>(cast<RankedTensorType>(counter.getType()).getElementType());
  if (!add || !type || type.getWidth() == 1 || type.getWidth() > 64 || add.getLhs() != loop.getBody().getArgument(i) ||
      !now[i])
    return std::nullopt;
  // Known without the loop's arguments: the same in every iteration.
  std::optional<Scalar> bound = valueOf(compare.getRhs(), frame), step = valueOf(add.getRhs(), frame);
  if (!bound || !step) return std::nullopt;
  unsigned wide = 130;  // no sum of these overflows
  auto number = [&](const Scalar &s) {
    return type.isUnsigned() ? std::get<APInt>(s).zext(wide) : std::get<APInt>(s).sext(wide);
  };
  APInt from = number(*now[i]), to = number(*bound), by = std::get<APInt>(*step).sext(wide);
  D direction = compare.getComparisonDirection();
  bool up = by.isStrictlyPositive(), includes = direction == D::LE || direction == D::GE;
  if (by.isZero() || (direction != D::NE && (direction == D::LT || direction == D::LE) != up) || direction == D::EQ)
    return std::nullopt;
  APInt distance = up ? to - from : from - to, stride = by.abs();
  if (includes) distance += 1;
  if (distance.isNegative() || (direction == D::NE && !distance.urem(stride).isZero())) return std::nullopt;
  APInt trips = (distance + stride - 1).udiv(stride), end = from + trips * by;
  // A counter that wraps around before the condition sees it goes on.
  APInt least = type.isUnsigned() ? APInt(wide, 0) : APInt::getSignedMinValue(type.getWidth()).sext(wide);
  APInt most = type.isUnsigned() ? APInt::getMaxValue(type.getWidth()).zext(wide)
                                 : APInt::getSignedMaxValue(type.getWidth()).sext(wide);
  if (end.slt(least) || end.sgt(most) || !trips.isSignedIntN(62)) return std::nullopt;
  return trips.getSExtValue();
}

std::optional<int64_t> TripCounts::of(WhileOp loop) {
  work_ = 0;
  return run(loop, std::nullopt, nullptr).trips;
}

}  // namespace tpuc::simplify
