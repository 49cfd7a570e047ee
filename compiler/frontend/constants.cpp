//===- constants.cpp - constants of other dialects, and those whose bytes lie beside the module -------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/constants.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace tpuc::frontend {
namespace {

// Null where the resource does not hold the type's elements.
DenseElementsAttr elementsOf(DenseResourceElementsAttr attribute) {
  AsmResourceBlob *blob = attribute.getRawHandle().getBlob();
  auto type = dyn_cast<ShapedType>(attribute.getType());
  if (!blob || !type || !type.hasStaticShape()) return {};
  ArrayRef<char> bytes = blob->getData();
  // A byte an element at least.
  Type element = type.getElementType();
  auto complex = dyn_cast<ComplexType>(element);
  Type part = complex ? complex.getElementType() : element;
  if (!part.isIntOrFloat()) return {};
  uint64_t size = llvm::divideCeil(part.getIntOrFloatBitWidth(), 8) * (complex ? 2 : 1), count = type.getNumElements();
  if (bytes.size() != size * count) return {};
  if (count == 0) return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  if (!element.isInteger(1)) return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> bits(llvm::map_range(bytes, [](char byte) { return byte != 0; }));
  return DenseElementsAttr::get(type, ArrayRef<bool>(bits));
}

LogicalResult bringResources(Operation *op) {
  for (NamedAttribute named : op->getAttrs()) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(named.getValue());
    if (!resource) continue;
    DenseElementsAttr elements = elementsOf(resource);
    if (!elements)
      return diagnose(op, codes::kMalformed)
             << "expects a resource '" << resource.getRawHandle().getKey() << "' with the bytes of "
             << resource.getType() << ", but got "
             << (resource.getRawHandle().getBlob() ? "another number of them" : "none of that name");
    op->setAttr(named.getName(), elements);
  }
  return success();
}

}  // namespace

LogicalResult bringConstants(ModuleOp module) {
  SmallVector<arith::ConstantOp> constants;
  WalkResult walked = module.walk([&](Operation *op) {
    if (failed(bringResources(op))) return WalkResult::interrupt();
    if (auto constant = dyn_cast<arith::ConstantOp>(op);
        constant && isa<RankedTensorType>(constant.getType()) && isa<DenseElementsAttr>(constant.getValue()))
      constants.push_back(constant);
    return WalkResult::advance();
  });
  if (!constants.empty()) module.getContext()->getOrLoadDialect<stablehlo::StablehloDialect>();
  for (arith::ConstantOp op : constants) {
    OpBuilder b(op);
    auto made = stablehlo::ConstantOp::create(b, op.getLoc(), op.getType(), cast<ElementsAttr>(op.getValue()));
    op.replaceAllUsesWith(made.getResult());
    op.erase();
  }
  return failure(walked.wasInterrupted());
}

}  // namespace tpuc::frontend
