// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise StableHLO ops on vregs: the instruction sequence of each.
//
// How an element lies in a 32-bit lane: f32 as itself; bf16 as f32, rounded where it is stored or converted; f16 as the
// f32 of the same value, rounded after each op; integers sign- or zero-extended by their type; i1 in a mask register.
#pragma once
#include <functional>

#include "passes/lowering/code.h"
#include "passes/plan/lanes.h"
#include "passes/plan/loop/reducer.h"

namespace tpuc::lowering {

// The instruction sequence for an elementwise op; operands in lanes as above. Null when the op has none (or none for
// these types): the caller reports it.
mlir::Value emitElementwise(Code &code, mlir::Operation *op, mlir::ValueRange operands);
// Whether emitElementwise would succeed.
bool hasInstructions(mlir::Operation *op);

// A splat of an attribute's scalar.
mlir::Value emitConstant(Code &code, mlir::Type element, mlir::Attribute scalar);

mlir::Value emitBitcast(Code &code, mlir::Type from, mlir::Type to, mlir::Value v);
// Conversions between lane forms (StableHLO convert).
mlir::Value emitConvert(Code &code, mlir::Type from, mlir::Type to, mlir::Value v);
// Brings the result of a 32-bit op back to the precision or width of `element`.
mlir::Value normalise(Code &code, mlir::Type element, mlir::Value v);
// The result of an arithmetic op: bf16 stays f32 within a kernel, rounded where it is stored or converted, as XLA's
// excess precision allows; other types are normalised.
mlir::Value rounded(Code &code, mlir::Type element, mlir::Value v);

// Reductions by a two-operand op (plan/loop/reducer.h). `identity` leaves every x unchanged; i1 values are handled as
// 0/1 integers here.
mlir::Value emitIdentity(Code &code, Reducer r, mlir::Type element);
mlir::Value emitCombine(Code &code, Reducer r, mlir::Type element, mlir::Value a, mlir::Value b);
mlir::Value emitReduceLanes(Code &code, Reducer r, mlir::Type element, mlir::Value v);
mlir::Value emitReduceSublanes(Code &code, Reducer r, mlir::Type element, mlir::Value v);
// i1 reductions run on integers.
mlir::Value maskToInt(Code &code, mlir::Value mask);
mlir::Value intToMask(Code &code, mlir::Value v);

// The sequence of instructions on f32 lanes for an op from floats to floats, by the op's name in the table of
// elementary.cpp; null for others.
using FloatFunction = std::function<mlir::Value(Code &, mlir::ValueRange)>;
const FloatFunction *floatFunction(llvm::StringRef name);

// Two functions with hints, which say what is known of the operands and the result (elementary.cpp).
struct DivideHints {
  bool toBf16 = false;     // the quotient is rounded to bf16 next
  bool byNearOne = false;  // the divisor is within 2^-24 and 2^24, or NaN
};
mlir::Value emitDivide(Code &c, mlir::Value a, mlir::Value b, DivideHints hints = {});
mlir::Value emitExp(Code &c, mlir::Value x, bool atMostZero = false);

}  // namespace tpuc::lowering
