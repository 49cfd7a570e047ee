// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/legalise/one_pass.h"

using namespace mlir;

namespace tpuc::legalise {

bool takesOnePass(stablehlo::DotGeneralOp dot, StringRef precision) {
  auto isReal = [](Value v) {
    Type element = getElementTypeOrSelf(v.getType());
    return element.isF32() || element.isBF16();
  };
  if (dot.getAlgorithm() || !isReal(dot.getResult()) || !isReal(dot.getLhs()) || !isReal(dot.getRhs())) return false;
  if (precision == "default" || !dot.getPrecisionConfig()) return true;
  return llvm::all_of(*dot.getPrecisionConfig(), [](Attribute a) {
    return cast<stablehlo::PrecisionAttr>(a).getValue() == stablehlo::Precision::DEFAULT;
  });
}

}  // namespace tpuc::legalise
