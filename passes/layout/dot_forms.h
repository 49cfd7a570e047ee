// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots on the matrix unit, or as products and sums on the vector unit.
#pragma once
#include <map>

#include "passes/plan/question.h"

namespace tpuc::layout {

// Both forms of batches of small products, of which the matrix unit takes each by itself, by the planner's estimates.
class DotForms {
 public:
  explicit DotForms(const target::Target &target) : question_(target) {}
  // Whether products and sums are sooner. `toMatrixUnit` gives a dot the form that the matrix unit takes.
  bool paysAsSums(stablehlo::DotGeneralOp dot, llvm::function_ref<void(stablehlo::DotGeneralOp)> toMatrixUnit);

 private:
  std::optional<double> cyclesOfSums(stablehlo::DotGeneralOp dot) const;
  std::optional<double> cyclesOfMatrices(stablehlo::DotGeneralOp dot,
                                         llvm::function_ref<void(stablehlo::DotGeneralOp)> toMatrixUnit) const;

  plan::Question question_;
  std::map<std::vector<const void *>, bool> known_;  // by types and attributes
};

}  // namespace tpuc::layout
