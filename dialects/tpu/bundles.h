// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of tpu.bundles: assembly.
#pragma once
#include "mlir/IR/OpImplementation.h"

namespace tpuc::tpu {

class BundlesOp;

mlir::ParseResult parseBundles(mlir::OpAsmParser &p, mlir::DenseI64ArrayAttr &code, mlir::ArrayAttr &places,
                               mlir::DenseI32ArrayAttr &placeStarts);
void printBundles(mlir::OpAsmPrinter &p, BundlesOp op, mlir::DenseI64ArrayAttr code, mlir::ArrayAttr places,
                  mlir::DenseI32ArrayAttr placeStarts);

}  // namespace tpuc::tpu
