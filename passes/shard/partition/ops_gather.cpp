//===- ops_gather.cpp - gathers from sharded arrays and by sharded indices ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along a dimension that the indices pick from, each device looks up what lies in its block; the others' rows are
// neutral there, and the parts are summed.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/indices.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

class LocalGather {
 public:
  LocalGather(hlo::GatherOp op, Partitioner &p, const Factors &factors, const Choice &choice)
      : op(op), p(p), emit(p.emit), factors(factors), choice(choice), numbers(op.getDimensionNumbers()) {}

  void run() {
    const Layout &operandLayout = choice.layouts[0];
    Value operand = p.get(op.getOperand(), operandLayout), indices = p.get(op.getStartIndices(), choice.layouts[1]);
    Value inBlock;
    if (!choice.reduced.empty()) indices = relative(indices, inBlock);
    RankedTensorType type = localType(op.getResult().getType(), choice.layouts.back());
    auto local = cast<hlo::GatherOp>(p.clone(op, {operand, indices}, TypeRange(type)));
    SmallVector<int64_t> sizes(op.getSliceSizes());
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (size == shapeOf(op.getOperand())[dim] && size != 1) size = operandLayout.dims[dim].block;
    local.setSliceSizes(sizes);
    Value result = local.getResult();
    if (inBlock) {
      SmallVector<int64_t> dims;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (!llvm::is_contained(numbers.getOffsetDims(), dim)) dims.push_back(dim);
      Value mask = emit.broadcast(inBlock, RankedTensorType::get(type.getShape(), emit.builder.getI1Type()), dims);
      Value neutral = emit.neutral(Reducer::Sum, type.getElementType());
      result = emit.select(mask, result, emit.broadcast(neutral, type, {}));
    }
    Layout layout = choice.layouts.back();
    layout.unreduced = choice.reduced;
    p.set(op.getResult(), result, layout);
  }

 private:
  // Indices as the specification clamps them, within the device's block, and whether they lie in it.
  Value relative(Value indices, Value &inBlock) {
    ArrayRef<int64_t> picked = numbers.getStartIndexMap(), shape = shapeOf(op.getOperand());
    IndexVectors vectors(emit, indices, numbers.getIndexVectorDim(), picked.size());
    SmallVector<int64_t> last, lows, highs;
    SmallVector<Value> offsets;
    for (int64_t dim : picked) {
      const DimLayout &own = choice.layouts[0].dims[dim];
      last.push_back(shape[dim] - op.getSliceSizes()[dim]);
      bool parted = !own.axes.empty() && op.getSliceSizes()[dim] == 1 && shape[dim] != 1;
      lows.push_back(parted ? 0 : std::numeric_limits<int32_t>::min());
      highs.push_back(parted ? own.block : std::numeric_limits<int32_t>::max());
      offsets.push_back(parted ? emit.perIndex(choice.mesh, own.axes, [&](int64_t i) { return i * own.block; })
                               : emit.scalar(0));
    }
    indices = vectors.narrowed(indices);
    indices = emit.create<hlo::MaxOp>(indices, vectors.spread(SmallVector<int64_t>(picked.size(), 0)));
    indices = emit.create<hlo::MinOp>(indices, vectors.spread(last));
    indices = emit.create<hlo::SubtractOp>(indices, vectors.spread(offsets));
    Value in = emit.create<hlo::AndOp>(emit.compare(indices, vectors.spread(lows), hlo::ComparisonDirection::GE),
                                       emit.compare(indices, vectors.spread(highs), hlo::ComparisonDirection::LT));
    inBlock = vectors.all(in);
    return indices;
  }

  hlo::GatherOp op;
  Partitioner &p;
  Emitter &emit;
  const Factors &factors;
  const Choice &choice;
  hlo::GatherDimensionNumbersAttr numbers;
};

LogicalResult gather(Operation *op, Partitioner &p) {
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  factors->allow(FactorKind::Reduction);
  Choice choice = p.choose(op, *factors);
  LocalGather(cast<hlo::GatherOp>(op), p, *factors, choice).run();
  return success();
}

}  // namespace

void addGather(Handlers &handlers) { handlers["stablehlo.gather"] = gather; }

}  // namespace tpuc::shard
