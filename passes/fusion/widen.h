// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements narrower than a lane share it by rows. Where a move shifts rows out of step it is a transfer an element;
// wide elements move in runs.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/IR/Builders.h"

namespace tpuc::fusion {

// What moving one element costs, in bytes: a granule of HBM on each side. And a kernel's start.
constexpr int64_t kGranules = 1024, kStart = int64_t{1} << 22;

// The type of a lane that holds every value of a narrower one; null if a lane holds it as it is.
mlir::Type widened(mlir::Type type);
// `v` with elements of the wider type: a constant where it is one.
mlir::Value widen(mlir::OpBuilder &b, mlir::Location loc, mlir::Value v);
// The way back, exact for what was widened.
mlir::Value narrowed(mlir::OpBuilder &b, mlir::Location loc, mlir::Value wide, mlir::RankedTensorType to);

// Whether packed rows of other arrays are put together, or rows of one: slices of them would be copies first.
bool joinsRows(stablehlo::ConcatenateOp op);
// A concatenation of few parts as selections of pads, which a loop reads where the parts lie; false where it can't.
bool selectParts(stablehlo::ConcatenateOp op);

}  // namespace tpuc::fusion
