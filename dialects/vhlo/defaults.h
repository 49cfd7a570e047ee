//===- defaults.h - what an attribute says where it is left out --------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vhlo spells every default out; stablehlo leaves them away.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_DEFAULTS_H
#define TPUC_DIALECTS_VHLO_DEFAULTS_H

#include "mlir/IR/BuiltinAttributes.h"

namespace tpuc::vhlo {

// Whether this is the default of an attribute of the op `base` ("dot_general").
bool isDefault(llvm::StringRef base, llvm::StringRef name, mlir::Attribute value);
// The default, of an op with a window of `dims` dimensions; null where there is none.
mlir::Attribute defaultOf(mlir::MLIRContext *context, llvm::StringRef base, llvm::StringRef name, int64_t dims);

// An empty text or list, or no elements.
bool isEmpty(mlir::Attribute value);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_DEFAULTS_H
