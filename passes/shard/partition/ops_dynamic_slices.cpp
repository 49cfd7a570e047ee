//===- ops_dynamic_slices.cpp - slices whose place is a value -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device sees the place relative to its block, between neighbours as long as the slice. What it reads there of others
// is neutral, and the parts are summed; what it writes there is cut off.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

// Where the slice begins, as the specification clamps it.
Value clampedStart(Partitioner &p, Value global, int64_t whole, int64_t size) {
  Emitter &emit = p.emit;
  Value start = p.whole(global);
  Type type = typeOf(start).getElementType();
  // An index counts as many elements as its type can.
  APInt most = type.isUnsignedInteger() ? APInt::getMaxValue(type.getIntOrFloatBitWidth())
                                        : APInt::getSignedMaxValue(type.getIntOrFloatBitWidth());
  int64_t last = std::min<uint64_t>(whole - size, most.getLimitedValue());
  start = emit.create<hlo::MinOp>(emit.create<hlo::MaxOp>(start, emit.scalar(0, type)), emit.scalar(last, type));
  return emit.convert(start, emit.builder.getI32Type());
}

// The places of the parts of `whole` in a device's block, which is padded by as much as the part is long on both sides
// wherever it is a part of the whole. As they are where no such dimension lies along axes.
void appendStarts(Partitioner &p, ValueRange starts, ArrayRef<int64_t> whole, ArrayRef<int64_t> part,
                  const Layout &layout, SmallVector<Value> &operands) {
  bool relative = false;
  for (auto [dim, size] : llvm::enumerate(whole)) relative |= size != part[dim] && !layout.dims[dim].axes.empty();
  for (auto [dim, start] : llvm::enumerate(starts)) {
    operands.push_back(relative ? clampedStart(p, start, whole[dim], part[dim]) : p.whole(start));
    const DimLayout &own = layout.dims[dim];
    if (whole[dim] == part[dim] || own.axes.empty()) continue;
    Value shift = p.emit.perIndex(layout.mesh, own.axes, [&](int64_t i) { return part[dim] - i * own.block; });
    operands.back() = p.emit.create<hlo::AddOp>(operands.back(), shift);
  }
}

LogicalResult dynamicSlice(Operation *op, Partitioner &p) {
  auto slice = cast<hlo::DynamicSliceOp>(op);
  ArrayRef<int64_t> whole = shapeOf(slice.getOperand()), part = shapeOf(slice.getResult());
  RuleBuilder builder(op);
  for (int64_t dim = 0, rank = whole.size(); dim < rank; ++dim)
    whole[dim] == part[dim] ? builder.add({dim}, {dim}, whole[dim])
                            : builder.add({dim}, {}, whole[dim], Kind::Reduction);
  Factors factors(builder.build());
  factors.allow(FactorKind::Reduction);
  Choice choice = p.choose(op, factors);
  const Layout &layout = choice.layouts[0], &result = choice.layouts.back();
  Value local = p.get(slice.getOperand(), layout);
  Value fill = p.emit.neutral(Reducer::Sum, typeOf(local).getElementType());
  SmallVector<Value> operands = {{}};
  for (int64_t dim = 0, rank = whole.size(); dim < rank; ++dim)
    if (whole[dim] != part[dim] && !layout.dims[dim].axes.empty())
      local = p.emit.pad(local, dim, part[dim], part[dim], 0, fill);
  appendStarts(p, slice.getStartIndices(), whole, part, layout, operands);
  operands[0] = local;
  RankedTensorType type = localType(slice.getResult().getType(), result);
  auto made = cast<hlo::DynamicSliceOp>(p.clone(op, operands, TypeRange(type)));
  made.setSliceSizes(type.getShape());
  p.setResults(op, made, factors, choice);
  return success();
}

LogicalResult dynamicUpdateSlice(Operation *op, Partitioner &p) {
  auto update = cast<hlo::DynamicUpdateSliceOp>(op);
  ArrayRef<int64_t> whole = shapeOf(update.getOperand()), part = shapeOf(update.getUpdate());
  RuleBuilder builder(op);
  for (int64_t dim = 0, rank = whole.size(); dim < rank; ++dim)
    builder.add({dim, whole[dim] == part[dim] ? dim : kAbsent}, {dim}, whole[dim]);
  Factors factors(builder.build());
  Choice choice = p.choose(op, factors);
  const Layout &layout = choice.layouts[0];
  Value local = p.get(update.getOperand(), layout);
  SmallVector<Value> operands = {{}, p.get(update.getUpdate(), choice.layouts[1])};
  for (int64_t dim = 0, rank = whole.size(); dim < rank; ++dim)
    if (whole[dim] != part[dim] && !layout.dims[dim].axes.empty()) local = p.emit.pad(local, dim, part[dim], part[dim]);
  appendStarts(p, update.getStartIndices(), whole, part, layout, operands);
  operands[0] = local;
  Value made = p.clone(op, operands, TypeRange(local.getType()))->getResult(0);
  for (int64_t dim = 0, rank = whole.size(); dim < rank; ++dim)
    if (whole[dim] != part[dim] && !layout.dims[dim].axes.empty())
      made = p.emit.slice(made, dim, part[dim], part[dim] + layout.dims[dim].block);
  p.set(op->getResult(0), made, choice.layouts.back());
  return success();
}

}  // namespace

void addDynamicSlices(Handlers &handlers) {
  handlers["stablehlo.dynamic_slice"] = dynamicSlice;
  handlers["stablehlo.dynamic_update_slice"] = dynamicUpdateSlice;
}

}  // namespace tpuc::shard
