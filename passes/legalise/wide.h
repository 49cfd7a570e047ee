// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops on types wider than a lane, written on their planes (kernel.split).
#pragma once
#include "passes/builders/pair.h"

namespace tpuc::legalise {
using namespace builders;

using Planes = llvm::SmallVector<mlir::Value, 4>;

// The planes of the op's result (one value when a lane holds it), or none for an op without a rule. `operands` holds
// the planes of each operand.
Planes expandWideInteger(Lanes &l, mlir::Operation *op, llvm::ArrayRef<Planes> operands);
Planes expandWideFloat(Lanes &l, mlir::Operation *op, llvm::ArrayRef<Planes> operands);
Planes expandComplex(Lanes &l, mlir::Operation *op, llvm::ArrayRef<Planes> operands);

// Conversions where either side is wide; complex apart.
Planes expandConvert(Lanes &l, mlir::Type from, mlir::Type to, const Planes &v);

inline bool isWideInteger(mlir::Type t) { return t.isInteger() && t.getIntOrFloatBitWidth() == 64; }
inline Pair pairOf(const Planes &p) { return {p[0], p[1]}; }
inline Planes planesOf(Pair p) { return {p.lo, p.hi}; }

}  // namespace tpuc::legalise
