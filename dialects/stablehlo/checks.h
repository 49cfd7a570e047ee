//===- checks.h - what the verifiers of several ops check -------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers name the constraint of the specification that they check: // slice_c3.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_CHECKS_H
#define TPUC_DIALECTS_STABLEHLO_CHECKS_H

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::stablehlo {

using mlir::InFlightDiagnostic;
using mlir::LogicalResult;
using Emit = llvm::function_ref<InFlightDiagnostic()>;

// Errors of an op that may not exist yet; silent without a place.
inline auto errorsOf(llvm::StringRef opName, std::optional<mlir::Location> location) {
  return [=]() -> InFlightDiagnostic {
    if (!location) return InFlightDiagnostic();
    return mlir::emitError(*location) << "'" << opName << "' op ";
  };
}
inline auto errorsOf(mlir::Operation *op) {
  return [=]() { return op->emitOpError(); };
}

// Each of `dims` names a dimension of a rank.
LogicalResult checkInRange(Emit emit, llvm::StringRef name, llvm::ArrayRef<int64_t> dims, int64_t rank);
LogicalResult checkUnique(Emit emit, llvm::StringRef name, llvm::ArrayRef<int64_t> dims);
LogicalResult checkSorted(Emit emit, llvm::StringRef name, llvm::ArrayRef<int64_t> dims);
LogicalResult checkSize(Emit emit, llvm::StringRef name, int64_t size, int64_t expected);
LogicalResult checkAtLeast(Emit emit, llvm::StringRef name, llvm::ArrayRef<int64_t> values, int64_t least);

LogicalResult checkShape(Emit emit, llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> expected);
LogicalResult checkElement(Emit emit, llvm::StringRef name, mlir::Type element, mlir::Type expected);
// Shape and element type, up to what is dynamic; bounds too where both have them.
LogicalResult checkType(Emit emit, llvm::StringRef name, mlir::Type type, mlir::Type expected);
LogicalResult checkTypes(Emit emit, llvm::StringRef name, mlir::TypeRange types, mlir::TypeRange expected);
// The one row of two columns a dimension that `padding` holds; zeros where there is none.
mlir::FailureOr<llvm::SmallVector<std::pair<int64_t, int64_t>>> readPadding(
    Emit emit, std::optional<mlir::DenseIntElementsAttr> padding, int64_t rank);

// What a window does along one dimension, and how many places it has.
struct WindowDim {
  int64_t size = 1, stride = 1, padLow = 0, padHigh = 0, baseDilation = 1, windowDilation = 1;
};
// kDynamic where the size is; nullopt where the numbers leave 64 bits.
std::optional<int64_t> numWindows(int64_t size, const WindowDim &window);

// Pairs of devices; a device sends once and receives once: collective_permute_c1..c3, send_c1..c3, recv_c1..c3.
LogicalResult checkSourceTargetPairs(Emit emit, mlir::DenseIntElementsAttr pairs);

// The arguments and the values returned by a region of one block.
LogicalResult checkBody(Emit emit, llvm::StringRef name, mlir::Region &region, mlir::TypeRange arguments,
                        mlir::TypeRange results);
// Takes 2 N values E0.., E0.., returns N: reduce_c6 and its like. Fills `types` with Ei. The values have the
// shapes of the initial ones, scalars where there are none.
LogicalResult checkReducer(Emit emit, llvm::StringRef name, mlir::Region &region, mlir::TypeRange inputs,
                           llvm::SmallVectorImpl<mlir::Type> &types, mlir::TypeRange inits = {});
// The values of a constant vector of integers; nothing where it is none.
std::optional<llvm::SmallVector<int64_t>> constantVector(mlir::Value value);
// The terminator; null where it is no stablehlo.return.
ReturnOp bodyReturn(mlir::Region &region);

}  // namespace tpuc::stablehlo

#endif  // TPUC_DIALECTS_STABLEHLO_CHECKS_H
