//===- ops_top_k.cpp - the largest elements along a sharded dimension ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each device takes the k largest of its block; what is padding there is smallest, and comes last.
// 2. All get what the others took. Blocks follow each other, so among equals the first stands first.
// 3. The k largest of these, and their places by the places in (2).
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/chlo.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

class TopK {
 public:
  TopK(chlo::TopKOp op, Partitioner &p)
      : op(op), p(p), emit(p.emit), operand(op.getOperand()), shape(shapeOf(operand)), last(shape.size() - 1) {}

  // Whether candidates move fewer bytes than `choice`, which has the dimension whole.
  bool plan(const Choice &choice) {
    layout = p.wanted(operand);
    if (layout.isUnsharded()) layout = p.current(operand).layout;
    layout.unreduced.clear();
    const DimLayout &along = layout.dims[last];
    if (along.axes.empty()) return false;
    taken = std::min<int64_t>(op.getK(), along.block);
    int64_t candidates = along.parts() * taken;
    for (const DimLayout &dim : ArrayRef(layout.dims).drop_back()) candidates *= dim.block;
    constexpr int64_t kIndexBytes = 4;
    const int64_t bytes = candidates * (bytesOf(typeOf(operand).getElementType()) + kIndexBytes);
    return p.bytesTo(operand, layout) + bytes < p.bytesTo(operand, choice.layouts[0]);
  }

  void run() {
    const DimLayout &along = layout.dims[last];
    Value lowest = emit.neutral(Reducer::Max, typeOf(operand).getElementType());
    auto [values, places] = largest(p.maskPadding(p.get(operand, layout), layout, shape, {last}, lowest), taken);
    Value begin = emit.perIndex(layout.mesh, along.axes, [&](int64_t i) { return i * along.block; });
    places = emit.create<hlo::AddOp>(places, emit.broadcast(begin, typeOf(places), {}));
    values = emit.allGather(values, last, layout.mesh, along.axes);
    places = emit.allGather(places, last, layout.mesh, along.axes);
    auto [best, chosen] = largest(values, op.getK());
    Layout result = layout;
    result.dims[last] = {{}, static_cast<int64_t>(op.getK())};
    p.set(op.getValues(), best, result);
    p.set(op.getIndices(), pick(places, chosen), result);
  }

 private:
  std::pair<Value, Value> largest(Value from, int64_t count) {
    SmallVector<int64_t> sizes(typeOf(from).getShape());
    sizes[last] = count;
    Type types[] = {typeOf(from).clone(sizes), RankedTensorType::get(sizes, emit.builder.getI32Type())};
    Operation *local = p.clone(op, from, types);
    local->setAttr("k", emit.builder.getI64IntegerAttr(count));
    return {local->getResult(0), local->getResult(1)};
  }

  // The places that stand where `chosen` says, row by row.
  Value pick(Value from, Value chosen) {
    const auto rows = llvm::to_vector(llvm::seq<int64_t>(0, last));
    auto numbers = hlo::GatherDimensionNumbersAttr::get(emit.builder.getContext(), {}, {last}, rows, rows, {last},
                                                        typeOf(chosen).getRank());
    OperationState state(emit.location, hlo::GatherOp::getOperationName(), {from, chosen}, chosen.getType());
    state.addAttribute("dimension_numbers", numbers);
    state.addAttribute("slice_sizes", emit.builder.getDenseI64ArrayAttr(SmallVector<int64_t>(last + 1, 1)));
    return emit.builder.create(state)->getResult(0);
  }

  chlo::TopKOp op;
  Partitioner &p;
  Emitter &emit;
  Value operand;
  ArrayRef<int64_t> shape;
  const int64_t last;
  Layout layout;
  int64_t taken = 0;  // of a block
};

LogicalResult topK(Operation *op, Partitioner &p) {
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  TopK own(cast<chlo::TopKOp>(op), p);
  if (!own.plan(p.choose(op, *factors))) return p.byFactors(op, *factors);
  own.run();
  return success();
}

}  // namespace

void addTopK(Handlers &handlers) { handlers["chlo.top_k"] = topK; }

}  // namespace tpuc::shard
