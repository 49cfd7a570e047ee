//===- dialect.cpp - the stablehlo dialect -----------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/attributes.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Quant/IR/Quant.h"

using namespace mlir;

#include "dialects/stablehlo/dialect.cpp.inc"
#include "dialects/stablehlo/enums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/stablehlo/typedefs.cpp.inc"

namespace tpuc::stablehlo {

LogicalResult FutureType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<Type> types) {
  for (Type type : types)
    if (!isa<RankedTensorType>(type)) return emitError() << "expects a future of ranked tensors, but got " << type;
  return success();
}

void StablehloDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/stablehlo/typedefs.cpp.inc"
      >();
}

void StablehloDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/reduction.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/elementwise.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/shape.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/contraction.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/indexing.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/control.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/collective.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/linalg.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/stablehlo/dynamic.cpp.inc"
      >();
}

Operation *StablehloDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getShapedType() != type) return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}

}  // namespace tpuc::stablehlo
