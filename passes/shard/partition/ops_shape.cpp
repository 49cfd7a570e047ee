//===- ops_shape.cpp - ops that move elements ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result's dimension along axes takes a range of the operand's that depends on the device: a window (window.h).
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/reshard.h"
#include "passes/shard/partition/window.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

// Made where it is used, or with the dimensions that it only repeats along any axes.
LogicalResult broadcast(Operation *op, Partitioner &p) {
  auto broadcast = cast<hlo::BroadcastInDimOp>(op);
  if (typeOf(broadcast.getOperand()).getRank() == 0) return success();
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  for (int factor = 0, end = factors->kinds.size(); factor < end; ++factor)
    if (factors->inResults(factor)) factors->allowed.set(factor);
  Choice choice = p.choose(op, *factors);
  Value operand = p.get(op->getOperand(0), choice.layouts[0]);
  Type type = localType(op->getResult(0).getType(), choice.layouts[1]);
  Operation *local = p.clone(op, operand, TypeRange(type));
  p.setResults(op, local, *factors, choice);
  return success();
}

// Along the dimensions that the op moves elements in, operand and result have a factor each, of one name.
Factors movingFactors(Operation *op, ArrayRef<int64_t> moved) {
  RuleBuilder builder(op);
  for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(0))))
    builder.addEverywhere(dim, size, llvm::is_contained(moved, dim) ? Kind::Permutation : Kind::PassThrough);
  Factors factors(builder.build());
  factors.allow(FactorKind::Permutation);
  return factors;
}

// The layout in which an operand is asked for. Along a moved dimension the operand stays whole where it is whole.
Layout operandLayout(Partitioner &p, Value operand, Layout layout, ArrayRef<int64_t> moved) {
  const Layout &now = p.current(operand).layout;
  for (int64_t dim : moved)
    if (now.dims[dim].axes.empty()) layout.dims[dim] = {{}, typeOf(operand).getDimSize(dim)};
  return layout;
}

Window windowOn(const Layout &result, int64_t dim, std::function<int64_t(int64_t)> start, int64_t length) {
  return {result.mesh, result.dims[dim].axes, std::move(start), length};
}

// Each device gives what it has of the slice; the rest is neutral, and the parts are summed.
class PartialSlice {
 public:
  PartialSlice(hlo::SliceOp op, Partitioner &p) : op(op), p(p), factors(rule(op)) {
    factors.allow(FactorKind::Reduction);
    choice = p.choose(op, factors);
  }
  double cost() const { return choice.reduced.empty() ? std::numeric_limits<double>::infinity() : choice.cost; }

  void run() {
    const Layout &layout = choice.layouts[0];
    Emitter &emit = p.emit;
    Value local = p.get(op.getOperand(), layout), fill = emit.neutral(Reducer::Sum, typeOf(local).getElementType());
    for (int64_t dim = 0, rank = layout.dims.size(); dim < rank; ++dim) {
      int64_t start = op.getStartIndices()[dim], size = shapeOf(op.getResult())[dim], block = layout.dims[dim].block;
      if (size == shapeOf(op.getOperand())[dim]) continue;
      if (layout.dims[dim].axes.empty()) {
        local = emit.slice(local, dim, start, op.getLimitIndices()[dim], op.getStrides()[dim]);
        continue;
      }
      // Where no element of the block is part of it, either of the paddings.
      Value at = emit.perIndex(layout.mesh, layout.dims[dim].axes, [&](int64_t i) {
        return std::clamp<int64_t>(size + start - i * block, 0, block + size);
      });
      local = emit.dynamicSlice(emit.pad(local, dim, size, size, 0, fill), dim, at, size);
    }
    Layout result = choice.layouts[1];
    result.unreduced = choice.reduced;
    p.set(op.getResult(), local, result);
  }

 private:
  static sdy::OpShardingRuleAttr rule(hlo::SliceOp op) {
    RuleBuilder builder(op);
    for (int64_t dim = 0, rank = typeOf(op.getOperand()).getRank(); dim < rank; ++dim) {
      int64_t size = shapeOf(op.getOperand())[dim];
      if (size == shapeOf(op.getResult())[dim])
        builder.add({dim}, {dim}, size);
      else
        builder.add({dim}, {}, size, op.getStrides()[dim] == 1 ? Kind::Reduction : Kind::NeedReplication);
    }
    return builder.build();
  }

  hlo::SliceOp op;
  Partitioner &p;
  Factors factors;
  Choice choice;
};

LogicalResult slice(Operation *op, Partitioner &p) {
  auto slice = cast<hlo::SliceOp>(op);
  Value operand = slice.getOperand();
  SmallVector<int64_t> moved;
  for (auto [dim, size] : llvm::enumerate(shapeOf(operand)))
    if (size != shapeOf(op->getResult(0))[dim]) moved.push_back(dim);
  Factors factors = movingFactors(op, moved);
  Choice choice = p.choose(op, factors);
  if (PartialSlice partial(slice, p); partial.cost() < choice.cost) {
    partial.run();
    return success();
  }
  const Layout &result = choice.layouts[1];
  Layout layout = operandLayout(p, operand, choice.layouts[0], moved);
  Value local = p.get(operand, layout);
  for (int64_t dim : moved) {
    int64_t start = slice.getStartIndices()[dim], stride = slice.getStrides()[dim], block = result.dims[dim].block;
    int64_t length = block == 0 ? 0 : (block - 1) * stride + 1;
    Window wanted = windowOn(result, dim, [=](int64_t i) { return start + i * block * stride; }, length);
    local = window(p.emit, local, dim, layout.dims[dim], shapeOf(operand)[dim], wanted);
    local = p.emit.slice(local, dim, 0, length, stride);
  }
  p.set(op->getResult(0), local, result);
  return success();
}

LogicalResult pad(Operation *op, Partitioner &p) {
  auto pad = cast<hlo::PadOp>(op);
  Value operand = pad.getOperand();
  SmallVector<int64_t> moved;
  for (int64_t dim = 0, rank = typeOf(operand).getRank(); dim < rank; ++dim)
    if (pad.getEdgePaddingLow()[dim] || pad.getEdgePaddingHigh()[dim] || pad.getInteriorPadding()[dim])
      moved.push_back(dim);
  Factors factors = movingFactors(op, moved);
  Choice choice = p.choose(op, factors);
  const Layout &result = choice.layouts.back();
  Layout layout = operandLayout(p, operand, choice.layouts[0], moved);
  Value local = p.get(operand, layout), fill = p.whole(pad.getPaddingValue());
  for (int64_t dim : moved) {
    int64_t low = pad.getEdgePaddingLow()[dim], block = result.dims[dim].block;
    Window wanted = windowOn(result, dim, [=](int64_t i) { return i * block - low; }, block);
    local = dilatedWindow(p.emit, local, dim, layout.dims[dim], shapeOf(operand)[dim],
                          pad.getInteriorPadding()[dim] + 1, wanted, fill);
  }
  p.set(op->getResult(0), local, result);
  return success();
}

LogicalResult reverse(Operation *op, Partitioner &p) {
  ArrayRef<int64_t> moved = cast<hlo::ReverseOp>(op).getDimensions();
  Value operand = op->getOperand(0);
  Factors factors = movingFactors(op, moved);
  Choice choice = p.choose(op, factors);
  const Layout &result = choice.layouts[1];
  Layout layout = operandLayout(p, operand, choice.layouts[0], moved);
  Value local = p.get(operand, layout);
  for (int64_t dim : moved) {
    int64_t size = shapeOf(operand)[dim], block = result.dims[dim].block;
    Window wanted = windowOn(result, dim, [=](int64_t i) { return size - (i + 1) * block; }, block);
    local = p.emit.reverse(window(p.emit, local, dim, layout.dims[dim], size, wanted), dim);
  }
  p.set(op->getResult(0), local, result);
  return success();
}

// Each device takes its range of every input; those after the first are put where they begin.
LogicalResult concatenate(Operation *op, Partitioner &p) {
  auto concatenate = cast<hlo::ConcatenateOp>(op);
  int64_t along = concatenate.getDimension();
  Factors factors = movingFactors(op, {along});
  Choice choice = p.choose(op, factors);
  const Layout &result = choice.layouts.back();
  const DimLayout &dim = result.dims[along];
  SmallVector<Value> parts;
  Value joined;
  int64_t begin = 0;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    int64_t size = shapeOf(operand)[along];
    if (dim.axes.empty()) {
      parts.push_back(p.get(operand, choice.layouts[i]));
      continue;
    }
    Layout layout = operandLayout(p, operand, choice.layouts[i], along);
    Window wanted = windowOn(result, along, [&](int64_t part) { return part * dim.block - begin; }, dim.block);
    Value local = window(p.emit, p.get(operand, layout), along, layout.dims[along], size, wanted);
    if (!joined) {
      joined = local;
    } else {
      Value offset = p.emit.perIndex(result.mesh, dim.axes, [&](int64_t part) { return part * dim.block; });
      RankedTensorType type = typeOf(local);
      auto line = RankedTensorType::get({dim.block}, p.emit.builder.getI32Type());
      Value at = p.emit.create<hlo::AddOp>(p.emit.create<hlo::IotaOp>(line, 0), p.emit.broadcast(offset, line, {}));
      Value past = p.emit.compare(at, p.emit.broadcast(p.emit.scalar(begin), line, {}), hlo::ComparisonDirection::GE);
      Value mask = p.emit.broadcast(past, RankedTensorType::get(type.getShape(), p.emit.builder.getI1Type()), {along});
      joined = p.emit.select(mask, local, joined);
    }
    begin += size;
  }
  if (dim.axes.empty()) joined = p.emit.concatenate(parts, along);
  p.set(op->getResult(0), joined, result);
  return success();
}

}  // namespace

void addShape(Handlers &handlers) {
  handlers["stablehlo.broadcast_in_dim"] = broadcast;
  handlers["stablehlo.slice"] = slice;
  handlers["stablehlo.pad"] = pad;
  handlers["stablehlo.reverse"] = reverse;
  handlers["stablehlo.concatenate"] = concatenate;
}

}  // namespace tpuc::shard
