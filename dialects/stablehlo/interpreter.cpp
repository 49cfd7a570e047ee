//===- interpreter.cpp - test programs of several processes -------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/interpreter.h"

using namespace mlir;

namespace tpuc::interpreter {

// A grid of functions.
LogicalResult RunParallelOp::verify() {
  size_t columns = 0;
  for (Attribute row : getPrograms()) {
    auto functions = dyn_cast<ArrayAttr>(row);
    if (!functions || functions.empty() || !llvm::all_of(functions, llvm::IsaPred<FlatSymbolRefAttr>))
      return emitOpError("expects rows of functions as programs, but got ") << row;
    if (columns && functions.size() != columns)
      return emitOpError("expects rows of ") << columns << " programs, but got one of " << functions.size();
    columns = functions.size();
  }
  return columns ? success() : emitOpError("expects a program at least");
}

}  // namespace tpuc::interpreter

using namespace tpuc::interpreter;
#include "dialects/stablehlo/interpreter_dialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/interpreter.cpp.inc"

void InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/interpreter.cpp.inc"
      >();
}
