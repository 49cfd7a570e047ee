//===- strategy.cpp - what the strategies of propagation share ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/strategy.h"

#include <numeric>

using namespace mlir;

namespace tpuc::shard {

Majors majorAxes(const Step &step, int factor, bool respectClosed) {
  Majors best;
  bool canGrow = true;
  int64_t largest = -1;
  auto visit = [&](int array, bool isSource) {
    const View &view = step.views[array];
    const Factor *mine = view.present ? view.find(factor) : nullptr;
    if (!mine) return;
    Axes common = sdy::commonPrefix(best.axes, mine->axes);
    if (common != best.axes && common != mine->axes) {  // they part ways
      best.axes = common;
      canGrow = false;
    } else if (isSource && !mine->axes.empty() && common == best.axes &&
               ((mine->axes != best.axes && canGrow) || (mine->axes == best.axes && view.elements > largest))) {
      best.axes = mine->axes;
      best.source = array, largest = view.elements;
    }
    if (respectClosed && mine->closed && sdy::commonPrefix(best.axes, mine->axes) == mine->axes) {
      best.axes = mine->axes;
      canGrow = false;
    }
  };
  auto isSource = [&](int array) {
    return step.direction != (step.isOperand(array) ? Direction::BACKWARD : Direction::FORWARD);
  };
  for (bool sources : {true, false})  // the others only object
    for (int array = 0, end = step.views.size(); array < end; ++array)
      if (isSource(array) == sources) visit(array, sources);
  return best;
}

// The part of `axis` that divides what is left of the factor; nothing where there is none.
static std::optional<Axis> dividing(Axis axis, int64_t left) {
  int64_t part = std::gcd(axis.size, left);
  if (part == axis.size) return axis;
  return part > 1 ? std::optional(Axis{axis.index, axis.pre, part}) : std::nullopt;
}

Axes compatible(const Step &step, const View &view, int factor, ArrayRef<Axis> axes) {
  const Factor *mine = view.find(factor);
  Axes result, common = sdy::commonPrefix(axes, mine->axes);
  int64_t left = step.rule.sizes[factor];
  auto apart = [&](std::optional<Axis> &axis, ArrayRef<Axis> others) {
    for (Axis other : others)
      if (axis) axis = sdy::prefixWithout(*axis, other);
  };
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (i < common.size() && common[i] == axis) {  // it has this already
      result.push_back(axis);
      left = left % axis.size == 0 ? left / axis.size : 1;
      continue;
    }
    std::optional<Axis> prefix = axis;
    apart(prefix, view.taken);
    for (const Factor &other : view.factors) {
      if (other.id != factor) apart(prefix, other.axes);
      apart(prefix, other.overflow);
    }
    if (prefix && (!mine->minorMost || step.conservative)) prefix = dividing(*prefix, left);
    if (prefix && step.conservative && *prefix != axis) prefix = std::nullopt;
    if (prefix) {
      result.push_back(*prefix);
      left = left % prefix->size == 0 ? left / prefix->size : 1;
    }
    if (prefix != std::optional(axis)) break;
  }
  return result;
}

}  // namespace tpuc::shard
