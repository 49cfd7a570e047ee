//===- strategy.h - one step of propagation, through one op -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published algorithm (Shardy's documentation, "Propagation"). Basic: along each factor the longest axes that all
// arrays of the op can have. Aggressive: each array gets what it can have; a conflict between factors goes to the
// larger array.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_STRATEGY_H
#define TPUC_PASSES_SHARD_STRATEGY_H

#include "passes/shard/rule.h"

namespace tpuc::shard {

using Direction = sdy::PropagationDirection;

enum class Strategy { Basic, Aggressive };

struct Step {
  const Rule &rule;
  Views &views;
  Direction direction;
  bool elementwise;   // of operands and results alike: the factor with more parts wins
  bool conservative;  // no parts of axes, no axes that do not divide

  bool isOperand(int array) const { return array < rule.operands; }
};

// For explanations: where each factor's axes came from, and the factor that lost axes in a conflict.
struct Decision {
  int factor;
  int source;        // the array that had the axes
  bool cut = false;  // whether some array could not have all of them
  Axes axes = {};
};

void propagateBasic(Step &step, llvm::SmallVectorImpl<Decision> &decisions);
void propagateAggressive(Step &step, llvm::SmallVectorImpl<Decision> &decisions);

// What both share.
// The longest axes along `factor` that some array has and all agree on. `respectClosed`: no longer than a closed array
// has.
struct Majors {
  Axes axes;
  int source = -1;
};
Majors majorAxes(const Step &step, int factor, bool respectClosed);
// What `view` can have of `axes` along `factor`, beside its other factors.
Axes compatible(const Step &step, const View &view, int factor, llvm::ArrayRef<Axis> axes);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_STRATEGY_H
