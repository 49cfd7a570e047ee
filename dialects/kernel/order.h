// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What attributes of main's arguments and results say.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tpuc::kernel {

// The order of an argument's or a result's dims in memory.
inline constexpr llvm::StringLiteral kOrderAttr("tpuc.order");
// The elements of an argument that is an array of the executable's.
inline constexpr llvm::StringLiteral kConstantAttr("tpuc.constant");
// An attribute of the module: for each result the relative error that matmuls of f32 with rounded inputs explain. It is
// 0 where no matmul reaches the result.
inline constexpr llvm::StringLiteral kMatmulErrorsAttr("tpuc.matmul_errors");
// An attribute of the module: how many of main's results the program itself returns.
inline constexpr llvm::StringLiteral kOwnResultsAttr("tpuc.own_results");

}  // namespace tpuc::kernel
