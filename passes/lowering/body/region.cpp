// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/body/region.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::lowering {

static bool movesNothing(Operation *op) {
  return mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp, stablehlo::TransposeOp>(op);
}

bool isLaneRegion(Block &block) {
  return isOfLanes(block) && llvm::all_of(block.without_terminator(), [](Operation &op) {
           return mlir::isa<stablehlo::ConstantOp>(op) || movesNothing(&op) || hasInstructions(&op);
         });
}

// The operand that a mask or a choice is where one of its masks is known; null where it is known itself, or asks more.
static Value sameAs(Operation &op, KnownMasks &known) {
  if (auto select = dyn_cast<stablehlo::SelectOp>(op)) {
    auto it = known.find(select.getPred());
    return it == known.end() ? Value() : it->second ? select.getOnTrue() : select.getOnFalse();
  }
  if (!mlir::isa<stablehlo::AndOp, stablehlo::OrOp>(op)) return {};
  const bool decides = mlir::isa<stablehlo::OrOp>(op);
  for (unsigned i : {0, 1}) {
    auto it = known.find(op.getOperand(i));
    if (it == known.end()) continue;
    if (it->second != decides && !known.contains(op.getOperand(1 - i))) return op.getOperand(1 - i);
    const auto other = known.find(op.getOperand(1 - i));
    known[op.getResult(0)] = it->second == decides ? decides : other->second;
    return {};
  }
  return {};
}

SmallVector<Value> emitRegion(Code &c, Block &block, ValueRange arguments, KnownMasks known) {
  DenseMap<Value, Value> lanes;
  for (auto [arg, v] : llvm::zip(block.getArguments(), arguments)) lanes[arg] = v;
  for (Operation &op : block.without_terminator()) {
    Value result = op.getResult(0);
    if (known.contains(result)) continue;
    if (Value same = sameAs(op, known)) {
      lanes[result] = lanes.lookup(same);
      continue;
    }
    if (known.contains(result)) continue;
    auto operands = [&] { return llvm::map_to_vector(op.getOperands(), [&](Value v) { return lanes.lookup(v); }); };
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      auto value = cast<DenseElementsAttr>(constant.getValue());
      lanes[result] = emitConstant(c, value.getElementType(), *value.getValues<Attribute>().begin());
    } else if (movesNothing(&op)) {
      lanes[result] = lanes.lookup(op.getOperand(0));
    } else if (auto apply = dyn_cast<kernel::ApplyOp>(op)) {
      for (auto [to, v] : llvm::zip(apply.getOutputs(), emitFunction(c, apply, operands()))) lanes[to] = v;
    } else {
      lanes[result] = emitElementwise(c, &op, operands());
    }
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value v) { return lanes.lookup(v); });
}

SmallVector<Value> emitFunction(Code &c, kernel::ApplyOp apply, ValueRange operands) {
  return emitRegion(c, kernel::functionOf(apply).getBlock(), operands);
}

SmallVector<Value> unpackLanes(Code &c, Type t, Value packed) {
  unsigned bits = t.isInteger(1) ? 8 : t.getIntOrFloatBitWidth();
  if (bits == 32) return {packed};
  bool sign = !t.isUnsignedInteger() && !t.isInteger(1) && mlir::isa<IntegerType>(t);
  SmallVector<Value> out;
  for (int64_t part = 0; part < 32 / bits; ++part) {
    Value v = t.isBF16()   ? c.inst("v.unpack.bf16", {packed}, {{"part", part}})
              : bits == 16 ? c.inst("v.unpack.b16", {packed}, {{"part", part}, {"sext", sign}})
                           : c.inst("v.unpack.b8", {packed}, {{"part", part}, {"sext", sign}});
    out.push_back(t.isF16() ? c.inst("v.cvt.f16.f32", {v}) : t.isInteger(1) ? intToMask(c, v) : v);
  }
  return out;
}

Value packLanes(Code &c, Type t, ArrayRef<Value> groups) {
  unsigned bits = t.isInteger(1) ? 8 : t.getIntOrFloatBitWidth();
  if (bits == 32) return groups[0];
  if (t.isBF16()) return c.inst("v.pack.bf16", {groups[0], groups[1]});
  SmallVector<Value> raw = llvm::map_to_vector(groups, [&](Value v) {
    return t.isF16() ? c.inst("v.cvt.f32.f16", {v}) : t.isInteger(1) ? maskToInt(c, v) : v;
  });
  Value low = c.inst("v.pack.b16", {raw[0], raw[1]});
  return bits == 16 ? low : c.inst("v.pack.b8", {low, c.inst("v.pack.b16", {raw[2], raw[3]})});
}

}  // namespace tpuc::lowering
