//===- patterns.h - the groups of rewrites that tpuc-simplify runs, and what they share -------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SIMPLIFY_PATTERNS_H
#define TPUC_PASSES_SIMPLIFY_PATTERNS_H

#include <variant>

#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/IR/PatternMatch.h"

namespace tpuc::simplify {

// algebra.cpp: neutral and absorbing operands, signs, inverse pairs.
void populateAlgebra(mlir::RewritePatternSet &patterns);
// conversions.cpp: converts, bitcasts, complex numbers and their parts.
void populateConversions(mlir::RewritePatternSet &patterns);
// predicates.cpp: selects and comparisons.
void populatePredicates(mlir::RewritePatternSet &patterns);
// ranges.cpp: comparisons of integers that are known to lie apart.
void populateRanges(mlir::RewritePatternSet &patterns);
// moves.cpp: broadcasts, reshapes, transposes, reverses.
void populateMoves(mlir::RewritePatternSet &patterns);
// motion.cpp: computing before dimensions of size 1 are added.
void populateMotion(mlir::RewritePatternSet &patterns);
// merged_rows.cpp: computing on rows before dimensions are merged.
void populateMergedRows(mlir::RewritePatternSet &patterns);
// slices.cpp: slices, pads, concatenations, dynamic slices of known places.
void populateSlices(mlir::RewritePatternSet &patterns);
// scatters.cpp: scatters of one window to a known place.
void populateScatters(mlir::RewritePatternSet &patterns);
// joined_pads.cpp: sums of pads that do not meet, merged concatenations.
void populateJoinedPads(mlir::RewritePatternSet &patterns);
// reductions.cpp: reductions over nothing and of several operands, products over nothing and of what repeats.
void populateReductions(mlir::RewritePatternSet &patterns);
// control_flow.cpp: branches of known predicates, loops that never run, tuples.
void populateControlFlow(mlir::RewritePatternSet &patterns);
// static_forms.cpp: dynamic ops of known shape, older forms of ops, maps.
void populateStaticForms(mlir::RewritePatternSet &patterns);
// promotions.cpp: computations on wider elements than their arrays'.
void populatePromotions(mlir::RewritePatternSet &patterns);
// einsum.cpp: einsum as dots.
void populateEinsum(mlir::RewritePatternSet &patterns);
// one_device.cpp: collectives of a device alone.
void populateOneDevice(mlir::RewritePatternSet &patterns);
// splats.cpp: operations on splats.
void populateSplats(mlir::RewritePatternSet &patterns);

//===-----------------------------------------------------------------------------===//
// Scalars and splats
//===-----------------------------------------------------------------------------===//

// One element of an integer or floating-point array.
using Scalar = std::variant<llvm::APInt, llvm::APFloat>;

// The one element of a constant whose elements are all equal; nothing for complex and quantized types.
std::optional<Scalar> splatScalar(mlir::Value value);
// The constant's value where it is a splat of any type; null elsewhere.
mlir::DenseElementsAttr splatConstant(mlir::Value value);
// A splat of `type`; its element type fits the scalar.
mlir::Value makeSplat(mlir::OpBuilder &builder, mlir::Location location, mlir::RankedTensorType type,
                      const Scalar &scalar);
// What one value throughout is as an operand of `shape`, for elementwise ops: itself where it has no dimensions, else
// its splat; null elsewhere.
mlir::Value uniformAs(mlir::Value operand, llvm::ArrayRef<int64_t> shape, mlir::OpBuilder &builder,
                      mlir::Location location);

bool isZero(const Scalar &scalar);          // +0 and -0 alike
bool isNegativeZero(const Scalar &scalar);  // -0 of floats, 0 of integers
bool isPositiveZero(const Scalar &scalar);  // +0 of floats, 0 of integers
bool isOne(const Scalar &scalar);
bool isAllOnes(const Scalar &scalar);  // integers only
// No element of the type is below, or above, the scalar: -inf, INT_MIN and their opposites.
bool isLeast(const Scalar &scalar, mlir::Type element);
bool isGreatest(const Scalar &scalar, mlir::Type element);
// The result of an elementwise op on scalars; nothing where the machine decides (see scalar.cpp).
std::optional<Scalar> evaluate(mlir::Operation *op, llvm::ArrayRef<Scalar> operands);

//===-----------------------------------------------------------------------------===//
// Shapes
//===-----------------------------------------------------------------------------===//

// Whether a type has a static shape; and whether also its elements are plain (not quantized per axis).
inline bool isStatic(mlir::RankedTensorType type) {
  return type.hasStaticShape() && !(stablehlo::elementKind(type.getElementType()) & stablehlo::kQuantAxis);
}

}  // namespace tpuc::simplify

#endif  // TPUC_PASSES_SIMPLIFY_PATTERNS_H
