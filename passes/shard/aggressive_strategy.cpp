//===- aggressive_strategy.cpp - each array gets the axes that it can have -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Along each factor the longest axes that some array has and none contradicts; closed dimensions are no limit to the
// others.
// 2. Factors in the order in which they win conflicts: those from larger arrays first; of an elementwise op those of
// more
//    parts; then those from earlier arrays.
// 3. In this order each array gets what it can have beside its other factors. From operand to operand only goes what a
//    result can have too, else the op would compute more than its result needs.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/strategy.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

struct Candidate {
  int factor;
  Majors majors;
  int64_t elements, parts;
};

std::vector<Candidate> candidatesOf(const Step &step) {
  std::vector<Candidate> candidates;
  for (int factor = 0, end = step.rule.sizes.size(); factor < end; ++factor) {
    if (step.rule.blocked.test(factor)) continue;
    Majors majors = majorAxes(step, factor, /*respectClosed=*/false);
    if (majors.source >= 0 && !majors.axes.empty())
      candidates.push_back({factor, majors, step.views[majors.source].elements, sdy::shardedSize(majors.axes)});
  }
  llvm::stable_sort(candidates, [&](const Candidate &a, const Candidate &b) {
    if (a.elements != b.elements) return a.elements > b.elements;
    if (step.elementwise && a.parts != b.parts) return a.parts > b.parts;
    return a.majors.source < b.majors.source;
  });
  return candidates;
}

// Gives `view` what it can have; true where that is all of `axes`.
bool give(const Step &step, View &view, int factor, ArrayRef<Axis> axes) {
  Factor *mine = view.present ? view.find(factor) : nullptr;
  if (!mine) return true;
  Axes possible = compatible(step, view, factor, axes);
  if (!mine->closed && mine->overflow.empty() && sdy::isStrictPrefix(mine->axes, possible)) mine->axes = possible;
  return ArrayRef<Axis>(mine->axes) == axes || !sdy::isStrictPrefix(mine->axes, axes);
}

// What results have of `axes` along the factor: of several the longest; all where none has the factor.
Axes limitByResults(const Step &step, int factor, ArrayRef<Axis> axes) {
  Axes longest;
  bool any = false;
  for (int array = step.rule.operands, end = step.views.size(); array < end; ++array)
    if (const Factor *mine = step.views[array].present ? step.views[array].find(factor) : nullptr) {
      Axes common = sdy::commonPrefix(mine->axes, axes);
      if (!any || sdy::shardedSize(common) > sdy::shardedSize(longest)) longest = common;
      any = true;
    }
  return any ? longest : Axes(axes);
}

}  // namespace

void propagateAggressive(Step &step, SmallVectorImpl<Decision> &decisions) {
  if (step.direction == Direction::NONE) return;
  for (const Candidate &candidate : candidatesOf(step)) {
    bool all = true;
    for (int array = step.rule.operands, end = step.views.size(); array < end; ++array)
      all &= give(step, step.views[array], candidate.factor, candidate.majors.axes);
    Axes axes = candidate.majors.axes;
    if (step.isOperand(candidate.majors.source)) axes = limitByResults(step, candidate.factor, axes);
    for (int array = 0; array < step.rule.operands; ++array)
      all &= give(step, step.views[array], candidate.factor, axes);
    decisions.push_back({candidate.factor, candidate.majors.source, !all, candidate.majors.axes});
  }
}

}  // namespace tpuc::shard
