//===- to_stablehlo.cpp - ops of vhlo as ops of stablehlo ------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/vhlo/artifact.h"
#include "dialects/vhlo/attributes.h"
#include "dialects/vhlo/vhlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tpuc::vhlo {
namespace {

// The op that stands for it, without vhlo's version.
std::string nameOf(Operation *op) {
  StringRef base = baseName(op->getName().getStringRef());
  if (base == "func" || base == "call")
    return ("func." + base).str();
  if (base == "return")
    return isa<func::FuncOp>(op->getParentOp()) ? "func.return" : "stablehlo.return";
  return ("stablehlo." + base).str();
}

// Files exist that compare floats as signed integers: the element type decides, only the order of NaNs is a choice.
void dropTypeOfComparison(Operation *op, NamedAttrList &attributes) {
  auto kind = dyn_cast_or_null<stablehlo::ComparisonTypeAttr>(attributes.get("compare_type"));
  if (kind && kind.getValue() != stablehlo::ComparisonType::TOTALORDER && op->getNumOperands() == 2 &&
      getElementTypeOrSelf(op->getOperand(0).getType()).isFloat() == (kind.getValue() != stablehlo::ComparisonType::FLOAT))
    attributes.erase("compare_type");
}

LogicalResult convert(Operation *op) {
  Location location = op->getLoc();
  StringRef base = baseName(op->getName().getStringRef());
  std::string name = nameOf(op);
  if (!findOp(op->getName().getStringRef()) || !RegisteredOperationName::lookup(name, op->getContext()))
    return op->emitError() << "expects an op of vhlo " << kOldest.text() << " to " << kNewest.text() << ", but got '"
                           << op->getName() << "'";
  NamedAttrList inherent, discardable(op->getDiscardableAttrDictionary());
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getValue() && !discardable.get(attribute.getName()))
      inherent.push_back(attribute);
  if (failed(toStablehlo(base, location, inherent)))
    return failure();
  if (base == "compare")
    dropTypeOfComparison(op, inherent);
  inherent.append(discardable);

  OperationState state(location, name, op->getOperands(), op->getResultTypes(), inherent.getAttrs());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  // A function without a body has a region all the same.
  OpBuilder builder(op);
  // Attributes of the wrong kind are an error here, not in the constructor.
  auto info = RegisteredOperationName::lookup(name, op->getContext());
  NamedAttrList checked(inherent);
  if (failed(info->verifyInherentAttrs(checked, [&] { return emitError(location) << "'" << name << "' "; })))
    return failure();
  Operation *result = builder.create(state);
  op->replaceAllUsesWith(result->getResults());
  op->erase();
  return success();
}

} // namespace

LogicalResult convertToStablehlo(ModuleOp module) {
  // Outer ops first: what a return becomes depends on where it stands.
  SmallVector<Operation *> worklist;
  auto push = [&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Operation &inner : block)
          worklist.push_back(&inner);
  };
  push(module);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (op->getName().getDialectNamespace() != "vhlo") {
      push(op);
      continue;
    }
    Operation *next = op->getNextNode(), *previous = op->getPrevNode();
    Block *block = op->getBlock();
    if (failed(convert(op)))
      return failure();
    Operation *result = next ? next->getPrevNode() : previous ? previous->getNextNode() : &block->front();
    push(result);
  }
  return success();
}

} // namespace tpuc::vhlo
