//===- attributes.h - attributes of ops as vhlo and as stablehlo have them ---------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vhlo spells out every default and every field of an attribute with several.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_VHLO_ATTRIBUTES_H
#define TPUC_DIALECTS_VHLO_ATTRIBUTES_H

#include "mlir/IR/Operation.h"

namespace tpuc::vhlo {

// Replaces the vhlo attributes of the op `base` ("dot_general"), of whatever version, by those of stablehlo. Fails with
// an error at `location` where they do not fit together.
mlir::LogicalResult toStablehlo(llvm::StringRef base, mlir::Location location, mlir::NamedAttrList &attributes);

// The other way: fields instead of the attributes that have several. Defaults stay out.
mlir::NamedAttrList toVhlo(mlir::Operation *op);

}  // namespace tpuc::vhlo

#endif  // TPUC_DIALECTS_VHLO_ATTRIBUTES_H
