// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// True sizes of a program that runs for several.
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tpuc::kernel {

// On an argument or result of main: its dims as expressions of the program's symbols, ["b", "2*s", "300"].
inline constexpr llvm::StringLiteral kDimsAttr = "shapes.dims";

// On an argument of main: the symbol whose true size it is. The runtime has it in SMEM too, the symbols in this order.
inline constexpr llvm::StringLiteral kExtentAttr = "shapes.extent";

// On such an argument: no run has a smaller size.
inline constexpr llvm::StringLiteral kLeastAttr = "shapes.least";

// On the module: what scalar arguments have to hold, since shapes were computed from it: {argument, size, name, place}.
inline constexpr llvm::StringLiteral kHeldSizesAttr = "shapes.held_sizes";

}  // namespace tpuc::kernel
