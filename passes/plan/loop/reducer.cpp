// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which reductions ops make.
#include "passes/plan/loop/reducer.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::plan {

std::optional<Reducer> reducerOf(Operation *op) {
  return llvm::StringSwitch<std::optional<Reducer>>(op->getName().getStringRef())
      .Case("stablehlo.add", Reducer::Add)
      .Case("stablehlo.multiply", Reducer::Mul)
      .Case("stablehlo.minimum", Reducer::Min)
      .Case("stablehlo.maximum", Reducer::Max)
      .Case("stablehlo.and", Reducer::And)
      .Case("stablehlo.or", Reducer::Or)
      .Case("stablehlo.xor", Reducer::Xor)
      .Default(std::nullopt);
}

}  // namespace tpuc::plan
