//===- interpreter.h - test programs of several processes ---------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_INTERPRETER_H
#define TPUC_DIALECTS_STABLEHLO_INTERPRETER_H

#include "dialects/stablehlo/interpreter_dialect.h.inc"
#include "dialects/stablehlo/stablehlo.h"
#define GET_OP_CLASSES
#include "dialects/stablehlo/interpreter.h.inc"

#endif  // TPUC_DIALECTS_STABLEHLO_INTERPRETER_H
