// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots on the matrix unit, or as products and sums on the vector unit.
#pragma once
#include <map>

#include "passes/plan/question.h"

namespace tpuc::layout {

// Both forms of batches of small products, of which the matrix unit takes each by itself, by the planner's estimates.
class DotForms {
 public:
  using ToMatrixUnit = llvm::function_ref<void(stablehlo::DotGeneralOp)>;

  explicit DotForms(const target::Target &target) : question_(target) {}
  // Those of a program's dots that are sooner as products and sums. `toMatrixUnit` gives a dot the form that the matrix
  // unit takes.
  llvm::DenseSet<mlir::Operation *> chooseSums(llvm::ArrayRef<stablehlo::DotGeneralOp> dots, ToMatrixUnit toMatrixUnit);

 private:
  // Whether sums are sooner; what part of the matrix unit's cycles they take where the batch of all arrays is along
  // lanes.
  struct Pays {
    bool anyhow = false;
    double withBatchLast = 1;
  };
  Pays paysAsSums(stablehlo::DotGeneralOp dot, ToMatrixUnit toMatrixUnit);
  std::optional<double> cyclesOfSums(stablehlo::DotGeneralOp dot, bool batchLast) const;
  std::optional<double> cyclesOfMatrices(stablehlo::DotGeneralOp dot, ToMatrixUnit toMatrixUnit) const;

  plan::Question question_;
  std::map<std::vector<const void *>, Pays> known_;  // by types and attributes
};

}  // namespace tpuc::layout
