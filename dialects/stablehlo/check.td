//===- check.td - what a program expects of its own values ------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_CHECK_TD
#define TPUC_STABLEHLO_CHECK_TD

include "dialects/stablehlo/attributes.td"
include "dialects/stablehlo/check_enums.td"

def CheckDialect : Dialect {
  let name = "check";
  let summary = "expectations inside a test program";
  let cppNamespace = "::tpuc::check";
  let dependentDialects = ["::tpuc::stablehlo::StablehloDialect"];
  let useDefaultAttributePrinterParser = 1;
}

//===-----------------------------------------------------------------------------===//
// Expectations: what the ops become (tpuc-extract-checks), in the module's attribute check.expectations
//===-----------------------------------------------------------------------------===//

// Result `actual` of main against its result `expected`; `place` is the op's.
def ExpectationAttr : AttrDef<CheckDialect, "Expectation"> {
  let mnemonic = "expectation";
  let parameters = (ins EnumParameter<ExpectationKindEnum>:$kind, "int64_t":$actual, "int64_t":$expected,
    ZeroFloat:$tolerance, DefaultValuedParameter<"uint64_t", "0">:$min_ulps,
    DefaultValuedParameter<"uint64_t", "0">:$max_ulps, FullAttr<"::mlir::LocationAttr">:$place);
  let assemblyFormat = "`<` $kind `,` struct($actual, $expected, $tolerance, $min_ulps, $max_ulps, $place) `>`";
}

class Check<string mnemonic> : Op<CheckDialect, mnemonic> {
  let hasVerifier = 1;
}
defvar CheckTolerance = DefaultValuedOptionalAttr<F64Attr, "1e-4">;
defvar Approximate = TensorOfKinds<[FloatKind, ComplexKind]>;

// Equal numbers: zeros of either sign are one, and so are NaNs.
def ExpectEqOp : Check<"expect_eq"> {
  let arguments = (ins AnyHloTensor:$lhs, AnyHloTensor:$rhs);
  let assemblyFormat = "operands attr-dict `:` custom<SameOperands>(type($lhs), type($rhs))";
}
def ExpectEqConstOp : Check<"expect_eq_const"> {
  let arguments = (ins AnyHloTensor:$lhs, ElementsAttr:$value);
  let assemblyFormat = "$lhs `,` custom<ValueOf>($value, type($lhs)) attr-dict";
}

// An absolute tolerance.
def ExpectAlmostEqOp : Check<"expect_almost_eq"> {
  let arguments = (ins Approximate:$lhs, Approximate:$rhs, CheckTolerance:$tolerance);
  let assemblyFormat = "$lhs `,` $rhs (`,` `tolerance` `=` $tolerance^)? attr-dict"
                       " `:` custom<SameOperands>(type($lhs), type($rhs))";
}
def ExpectAlmostEqConstOp : Check<"expect_almost_eq_const"> {
  let arguments = (ins Approximate:$lhs, ElementsAttr:$value, CheckTolerance:$tolerance);
  let assemblyFormat = "$lhs `,` custom<ValueOf>($value, type($lhs))"
                       " (`,` `tolerance` `=` $tolerance^)? attr-dict";
}

// The operands may be as many representable values apart as the op allows.
def ExpectCloseOp : Check<"expect_close"> {
  let arguments = (ins Approximate:$actual, Approximate:$expected,
                       DefaultValuedOptionalAttr<UI64Attr, "3">:$max_ulp_difference,
                       DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference);
  let assemblyFormat = "$actual `,` $expected"
                       " (`,` `max_ulp_difference` `=` $max_ulp_difference^)?"
                       " (`,` `min_ulp_difference` `=` $min_ulp_difference^)?"
                       " attr-dict `:` type($actual) `,` type($expected)";
}

#endif
