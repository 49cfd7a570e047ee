// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that a program gave the axes of its devices, for reports: `tpuc.axes` on a function of one device's part.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::stablehlo {

// Devices count from the first axis, major, to the last.
void setMeshAxes(mlir::func::FuncOp function, llvm::ArrayRef<llvm::StringRef> names, llvm::ArrayRef<int64_t> sizes);

// The axes that groups of devices lie along, as `data` or `data,model`, parts of one as Shardy writes them,
// `model:(2)4`; empty where there are none.
std::string axesOf(mlir::func::FuncOp function, mlir::DenseIntElementsAttr groups);
// The axes in whose places the two of any pair differ.
std::string axesBetween(mlir::func::FuncOp function, mlir::DenseIntElementsAttr pairs);

}  // namespace tpuc::stablehlo
