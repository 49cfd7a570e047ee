// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/elementary.h"

#include "llvm/ADT/StringSwitch.h"

namespace tpuc::analysis {

int64_t elementaryCost(mlir::Operation *op) {
  return llvm::StringSwitch<int64_t>(op->getName().getStringRef())
      .Cases({"stablehlo.power", "stablehlo.atan2"}, 60)
      .Cases({"stablehlo.sine", "stablehlo.cosine", "stablehlo.tan", "stablehlo.log_plus_one",
              "stablehlo.exponential_minus_one", "stablehlo.cbrt"},
             30)
      .Cases({"stablehlo.exponential", "stablehlo.log", "stablehlo.logistic", "stablehlo.tanh"}, 15)
      .Default(0);
}

}  // namespace tpuc::analysis
