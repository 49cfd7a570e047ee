//===- check.cpp - the check dialect ----------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/check.h"

#include "dialects/stablehlo/attributes.h"
#include "dialects/stablehlo/checks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::check {

static ParseResult parseSameOperands(OpAsmParser &parser, Type &lhs, Type &rhs) {
  if (parser.parseType(lhs)) return failure();
  rhs = lhs;
  return success();
}
static void printSameOperands(OpAsmPrinter &printer, Operation *, Type lhs, Type) { printer << lhs; }

// A constant that gives the operand its type.
static ParseResult parseValueOf(OpAsmParser &parser, ElementsAttr &value, Type &operand) {
  if (parser.parseAttribute(value)) return failure();
  operand = value.getType();
  return success();
}
static void printValueOf(OpAsmPrinter &printer, Operation *, ElementsAttr value, Type) {
  printer.printAttribute(value);
}

static LogicalResult sameTypes(Operation *op, Type type, Type expected) {
  if (type != expected)
    return op->emitOpError() << "expects values of one type, but got " << type << " and " << expected;
  return success();
}

LogicalResult ExpectEqOp::verify() { return sameTypes(*this, getLhs().getType(), getRhs().getType()); }
LogicalResult ExpectEqConstOp::verify() { return sameTypes(*this, getLhs().getType(), getValue().getType()); }
LogicalResult ExpectAlmostEqOp::verify() { return sameTypes(*this, getLhs().getType(), getRhs().getType()); }
LogicalResult ExpectAlmostEqConstOp::verify() { return sameTypes(*this, getLhs().getType(), getValue().getType()); }
LogicalResult ExpectCloseOp::verify() { return sameTypes(*this, getActual().getType(), getExpected().getType()); }

}  // namespace tpuc::check

using namespace tpuc::check;
#include "dialects/stablehlo/check_dialect.cpp.inc"
#include "dialects/stablehlo/check_enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/check_attributes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/check.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/check.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/stablehlo/check_attributes.cpp.inc"
      >();
}
