// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants as arguments of main whose values no pass sees.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// For tests: a program whose operands are constants, splats most of all, is else computed by folding, and its
// expectations say nothing of the machine. Each constant in main, loops and branches included, becomes an argument
// behind the program's own, with its value in an attribute that the encoder alone reads: an array in HBM. Constants
// stay in the computations of reductions, sorts and scatters, and where an op's meaning needs the number itself:
// shapes, slices' bounds, sizes. Calls and checks come first: they are gone afterwards.
mlir::LogicalResult keepConstants(mlir::ModuleOp module);

}  // namespace tpuc
