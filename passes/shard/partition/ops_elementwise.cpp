//===- ops_elementwise.cpp - constants, indices and sums of partial results ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

// One value everywhere is made where it is used; of any other each device takes its part.
LogicalResult constant(Operation *op, Partitioner &p) {
  ElementsAttr value;
  if (auto own = dyn_cast<sdy::ConstantOp>(op)) value = own.getValue();
  if (auto plain = dyn_cast<hlo::ConstantOp>(op)) value = plain.getValue();
  auto dense = dyn_cast<DenseElementsAttr>(Attribute(value));
  if (dense && dense.isSplat()) return success();
  Value local = p.emit.create<hlo::ConstantOp>(value.getType(), value);
  p.set(op->getResult(0), local, Layout::whole(cast<RankedTensorType>(value.getType()).getShape()));
  return success();
}

LogicalResult madeWhereUsed(Operation *, Partitioner &) { return success(); }

// The sum of two partial results is partial: reduced once, not twice.
LogicalResult sum(Operation *op, Partitioner &p) {
  Value a = op->getOperand(0), b = op->getOperand(1);
  auto isPartial = [&](Value value) { return value.hasOneUse() && p.isPartial(value); };
  if (a == b || !isPartial(a) || !isPartial(b)) return p.byFactors(op);
  Layout layout = p.current(a).layout;
  if (!(layout == p.current(b).layout) || layout.reducer != Reducer::Sum) return p.byFactors(op);
  Type type = localType(op->getResult(0).getType(), layout);
  Operation *local = p.clone(op, {p.get(a, layout), p.get(b, layout)}, TypeRange(type));
  p.set(op->getResult(0), local->getResult(0), layout);
  return success();
}

// What becomes narrower is rounded before it travels, where one device has it and the others have nothing (rows of a
// table in blocks): of such a sum nothing is rounded twice.
LogicalResult convert(Operation *op, Partitioner &p) {
  Value operand = op->getOperand(0);
  auto elementOf = [](Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); };
  auto isReal = [](Type type) { return type.isF32() || type.isBF16() || type.isF16(); };
  const Type from = elementOf(operand), to = elementOf(op->getResult(0));
  const bool narrows = isReal(from) && isReal(to) && to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth();
  if (!narrows || !operand.getDefiningOp<hlo::GatherOp>() || !operand.hasOneUse() || !p.isPartial(operand))
    return p.byFactors(op);
  Layout layout = p.current(operand).layout;
  if (layout.reducer != Reducer::Sum) return p.byFactors(op);
  Operation *local = p.clone(op, p.get(operand, layout), TypeRange(localType(op->getResult(0).getType(), layout)));
  p.set(op->getResult(0), local->getResult(0), layout);
  return success();
}

}  // namespace

void addElementwise(Handlers &handlers) {
  handlers["stablehlo.constant"] = constant;
  handlers["sdy.constant"] = constant;
  handlers["stablehlo.convert"] = convert;
  handlers["stablehlo.iota"] = madeWhereUsed;
  handlers["stablehlo.add"] = sum;
  handlers["stablehlo.subtract"] = sum;
}

}  // namespace tpuc::shard
