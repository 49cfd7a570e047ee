// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/kernel/function.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/kernel/function_ops.cpp.inc"

namespace tpuc::kernel {

static bool isScalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

LogicalResult FunctionOp::verify() {
  auto *end = getBlock().empty() ? nullptr : &getBlock().back();
  if (!mlir::isa_and_nonnull<ReturnOp>(end)) return emitOpError("expects a kernel.return at its end");
  for (BlockArgument argument : getBlock().getArguments())
    if (!isScalar(argument.getType())) return emitOpError("expects scalars, but takes ") << argument.getType();
  for (Operation &op : getBlock().without_terminator())
    if (op.getNumRegions() || mlir::isa<ApplyOp>(op) || !llvm::all_of(op.getResultTypes(), isScalar))
      return op.emitOpError("expects ops on scalars in a function of lanes, and no other function");
  return success();
}

LogicalResult ApplyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOp>(*this, getCalleeAttr());
  if (!function) return emitOpError("expects a kernel.function, but finds no ") << getCalleeAttr();
  if (getOutputs().empty()) return emitOpError("expects results");
  auto shape = cast<RankedTensorType>(getOutputs().front().getType()).getShape();
  auto fit = [&](TypeRange types, TypeRange scalars) {
    return types.size() == scalars.size() && llvm::all_of_zip(types, scalars, [&](Type type, Type scalar) {
             return type == cast<RankedTensorType>(scalar).clone(shape);
           });
  };
  if (!fit(getInputs().getTypes(), function.getBlock().getArgumentTypes()) ||
      !fit(getOutputs().getTypes(), function.getBlock().getTerminator()->getOperandTypes()))
    return emitOpError("expects arrays of one shape, of the elements that ") << getCalleeAttr() << " takes and gives";
  return success();
}

FunctionOp functionOf(ApplyOp apply) {
  return SymbolTable::lookupNearestSymbolFrom<FunctionOp>(apply, apply.getCalleeAttr());
}

size_t lengthOf(Block &block) {
  size_t length = 0;
  llvm::SmallDenseMap<Attribute, size_t> known;
  for (Operation &op : block) {
    auto apply = dyn_cast<ApplyOp>(op);
    if (!apply) {
      ++length;
      continue;
    }
    auto [entry, added] = known.try_emplace(apply.getCalleeAttr(), 0);
    if (added) entry->second = functionOf(apply).getBlock().getOperations().size();
    length += entry->second;
  }
  return length;
}

}  // namespace tpuc::kernel
