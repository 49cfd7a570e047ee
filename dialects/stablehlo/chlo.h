//===- chlo.h - the chlo dialect ------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_CHLO_H
#define TPUC_DIALECTS_STABLEHLO_CHLO_H

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::chlo {
// The enumerations are shared.
using stablehlo::ComparisonDirection;
using stablehlo::ComparisonType;
using stablehlo::IsElementwise;
using stablehlo::Precision;
}  // namespace tpuc::chlo

#include "dialects/stablehlo/chlo_dialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/chlo_attributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/chlo.h.inc"

#endif  // TPUC_DIALECTS_STABLEHLO_CHLO_H
