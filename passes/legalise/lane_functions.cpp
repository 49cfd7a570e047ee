// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/legalise/lane_functions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc::legalise {
namespace {

constexpr size_t kShortest = 32;  // ops: what has fewer costs little, and other ops may be folded with it

// The number that all elements are.
Attribute splatOf(Value v) {
  if (auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>()) v = broadcast.getOperand();
  auto constant = v.getDefiningOp<stablehlo::ConstantOp>();
  auto value = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
  return value && value.isSplat() ? value.getSplatValue<Attribute>() : Attribute();
}

bool takesFunctions(Operation *op) {
  return mlir::isa<func::FuncOp, stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp, stablehlo::ReduceOp>(
      op->getParentOp());
}

bool isOfLanes(Block &block) {
  return llvm::all_of(block, [](Operation &op) {
    return op.getNumRegions() == 0 && (op.hasTrait<stablehlo::IsElementwise>() ||
                                       mlir::isa<stablehlo::ConstantOp, stablehlo::BitcastConvertOp>(op));
  });
}

SmallVector<const void *> keyOf(Operation *op, ArrayRef<Planes> operands) {
  SmallVector<const void *> key{op->getName().getAsOpaquePointer(), op->getAttrDictionary().getAsOpaquePointer(),
                                typeOf(op->getResult(0)).getElementType().getAsOpaquePointer()};
  for (auto [v, planes] : llvm::zip(op->getOperands(), operands)) {
    key.push_back(typeOf(v).getElementType().getAsOpaquePointer());
    for (Value plane : planes) key.push_back(splatOf(plane).getAsOpaquePointer());
  }
  return key;
}

}  // namespace

std::string LaneFunctions::nameOf(Operation *op) {
  std::string name;
  llvm::raw_string_ostream text(name);
  text << op->getName().stripDialect() << '_' << typeOf(op->getOperand(0)).getElementType();
  unsigned number = names_[name]++;
  if (number) text << '_' << number;
  return name;
}

kernel::FunctionOp LaneFunctions::build(Operation *op, ArrayRef<Planes> operands, Expand expand) {
  OpBuilder b = OpBuilder::atBlockBegin(module_.getBody());
  Location loc = UnknownLoc::get(op->getContext());
  auto function = kernel::FunctionOp::create(b, loc, "");
  Block &block = function.getBody().emplaceBlock();
  b.setInsertionPointToEnd(&block);
  Lanes l(b, loc, {});
  SmallVector<Planes> inner;
  for (const Planes &planes : operands) {
    Planes &own = inner.emplace_back();
    for (Value plane : planes) {
      Type element = typeOf(plane).getElementType();
      Attribute splat = splatOf(plane);
      own.push_back(splat ? l.splat(splat, element) : block.addArgument(l.typed(element), loc));
    }
  }
  Planes made = expand(l, inner);
  // A function of constants alone has nothing to be applied to: it is folded in place.
  if (made.empty() || block.getNumArguments() == 0 || block.getOperations().size() < kShortest || !isOfLanes(block)) {
    function.erase();
    return {};
  }
  kernel::ReturnOp::create(b, loc, made);
  function.setSymName(nameOf(op));
  return function;
}

Planes LaneFunctions::apply(Lanes &l, Operation *op, ArrayRef<Planes> operands, Expand expand) {
  if (!takesFunctions(op)) return expand(l, operands);
  auto [entry, added] = functions_.try_emplace(keyOf(op, operands));
  if (added) entry->second = build(op, operands, expand);
  kernel::FunctionOp function = entry->second;
  if (!function) return expand(l, operands);
  SmallVector<Value> arguments;
  for (const Planes &planes : operands)
    llvm::copy_if(planes, std::back_inserter(arguments), [](Value plane) { return !splatOf(plane); });
  SmallVector<Type> types;
  for (Type scalar : function.getBlock().getTerminator()->getOperandTypes())
    types.push_back(l.typed(cast<RankedTensorType>(scalar).getElementType()));
  auto applied = kernel::ApplyOp::create(l.b, l.loc, types, function.getSymName(), arguments);
  return Planes(applied.getOutputs());
}

}  // namespace tpuc::legalise
