//===- check.h - the check dialect ----------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_CHECK_H
#define TPUC_DIALECTS_STABLEHLO_CHECK_H

#include "dialects/stablehlo/check_dialect.h.inc"
#include "dialects/stablehlo/check_enums.h.inc"
#include "dialects/stablehlo/stablehlo.h"
#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/check_attributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/check.h.inc"

namespace tpuc::check {
// The module's array of ExpectationAttr.
inline constexpr llvm::StringLiteral kExpectations = "check.expectations";
}  // namespace tpuc::check

#endif  // TPUC_DIALECTS_STABLEHLO_CHECK_H
