//===- basic_strategy.cpp - axes that all arrays of an op can have ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factor after factor: 1. the longest axes that some array has and none contradicts, a closed dimension being a limit;
// 2. of these, what every array can have beside its other factors; 3. arrays that have less get them.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/strategy.h"

using namespace mlir;

namespace tpuc::shard {

void propagateBasic(Step &step, SmallVectorImpl<Decision> &decisions) {
  if (step.direction == Direction::NONE) return;
  for (int factor = 0, end = step.rule.sizes.size(); factor < end; ++factor) {
    if (step.rule.blocked.test(factor)) continue;
    Majors majors = majorAxes(step, factor, /*respectClosed=*/true);
    if (majors.source < 0 || majors.axes.empty()) continue;
    Axes axes = majors.axes;
    for (View &view : step.views)
      if (const Factor *mine = view.present ? view.find(factor) : nullptr; mine && !axes.empty())
        if (!sdy::isStrictPrefix(axes, mine->axes)) axes = compatible(step, view, factor, axes);
    for (View &view : step.views)
      if (Factor *mine = view.present ? view.find(factor) : nullptr)
        if (!mine->closed && mine->overflow.empty() && sdy::isStrictPrefix(mine->axes, axes)) mine->axes = axes;
    decisions.push_back({factor, majors.source, axes != majors.axes, majors.axes});
  }
}

}  // namespace tpuc::shard
