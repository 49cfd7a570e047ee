//===- flops.h - the operations of products that a program asks for, and where they went --------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_STABLEHLO_FLOPS_H
#define TPUC_STABLEHLO_FLOPS_H

#include "mlir/IR/Operation.h"

namespace tpuc::stablehlo {

// Operations of one execution, 2 a multiply-add: of dot_general, dot, einsum, convolution and chlo.ragged_dot; 0 of
// others, and of shapes that are not static. Padding and holes of dilation are multiplied by nothing; of a ragged dot
// each row meets one group.
double flopsOf(mlir::Operation *op);
// Whether it multiplies integers of 8 bits or less.
bool multipliesBytes(mlir::Operation *op);

// A product of the source program, in the location of whatever passes make of it.
struct SourceProduct {
  int64_t number = 0;    // of the op in the program
  double flops = 0;      // of all its executions, as far as loops are counted
  bool ofBytes = false;  // multiplies 8-bit integers
};
mlir::Location withProduct(mlir::Location location, const SourceProduct &product);
// The products of a location with `share` of their operations each: one device's of several.
mlir::Location withShare(mlir::Location location, double share);
// Those that a location tells of.
llvm::SmallVector<SourceProduct, 1> productsIn(mlir::Location location);

}  // namespace tpuc::stablehlo

#endif  // TPUC_STABLEHLO_FLOPS_H
