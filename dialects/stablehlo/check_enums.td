//===- check_enums.td - enumerations of the check dialect ----------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of its own, as mlir-tblgen writes every enumeration that a file includes.
#ifndef TPUC_STABLEHLO_CHECK_ENUMS_TD
#define TPUC_STABLEHLO_CHECK_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def ExpectationKindEnum : I32EnumAttr<"ExpectationKind", "kind of expectation", [
    I32EnumAttrCase<"Equal", 0, "equal">, I32EnumAttrCase<"AlmostEqual", 1, "almost_equal">,
    I32EnumAttrCase<"Close", 2, "close">]> {
  let cppNamespace = "::tpuc::check";
  let genSpecializedAttr = 0;
}

#endif
