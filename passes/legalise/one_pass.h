// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::legalise {

// Whether the matrix unit takes the dot's f32 and bf16 operands in one bf16 pass, as lowering chooses its mode.
// `precision`: what the user asks for, or empty.
bool takesOnePass(stablehlo::DotGeneralOp dot, llvm::StringRef precision);

}  // namespace tpuc::legalise
