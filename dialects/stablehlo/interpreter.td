//===- interpreter.td - test programs of several processes --------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_STABLEHLO_INTERPRETER_TD
#define TPUC_STABLEHLO_INTERPRETER_TD

include "dialects/stablehlo/attributes.td"

def InterpreterDialect : Dialect {
  let name = "interpreter";
  let summary = "runs functions side by side inside a test program";
  let cppNamespace = "::tpuc::interpreter";
}

// A grid of replicas by partitions; the operands are those of each process after the other, and so are the results.
def RunParallelOp : Op<InterpreterDialect, "run_parallel"> {
  let arguments = (ins Variadic<AnyType>:$inputs, OptionalAttr<ArrayAttr>:$infeed, ArrayAttr:$programs);
  let results = (outs Variadic<AnyType>);
  let hasVerifier = 1;
}

#endif
