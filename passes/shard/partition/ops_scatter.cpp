//===- ops_scatter.cpp - scatters into sharded arrays and of sharded updates --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along a dimension that is scattered into, a device's indices count from its block: those of others lie outside of it
// and change nothing. Where devices have different updates, each scatters its own: the first into the input, the others
// into neutral values, and the parts are reduced.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/indices.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

class LocalScatter {
 public:
  LocalScatter(hlo::ScatterOp op, Partitioner &p, const Factors &factors, const Choice &choice, Reducer reducer)
      : op(op),
        p(p),
        emit(p.emit),
        factors(factors),
        choice(choice),
        reducer(reducer),
        numbers(op.getScatterDimensionNumbers()),
        count(op.getInputs().size()) {}

  void run() {
    SmallVector<Value> operands = p.operandsFor(op, factors, choice);
    Value &indices = operands[count];
    bool moved = false;
    if (Value relative = relativeIndices(indices, moved); moved) indices = relative;
    if (moved && isOneIndex())
      for (Value &input : MutableArrayRef(operands).take_front(count))
        input = emit.create<hlo::OptimizationBarrierOp>(TypeRange(input.getType()), ValueRange(input))->getResult(0);
    if (!choice.reduced.empty())
      for (size_t i = 0; i < count; ++i) operands[i] = onFirst(operands[i]);
    SmallVector<Type> types;
    for (auto [result, layout] : llvm::zip_equal(op->getResults(), choice.results(factors)))
      types.push_back(localType(result.getType(), layout));
    auto local = cast<hlo::ScatterOp>(p.clone(op, operands, types));
    if (moved) local.setIndicesAreSorted(false);
    p.setResults(op, local, factors, choice, reducer);
  }

 private:
  // XLA makes a slice and an update of it. Where the input is a slice itself it slices once, by the sum of both places,
  // which is another element where the second one lies outside of the block.
  bool isOneIndex() const {
    int64_t indices = 1;
    for (auto [dim, own] : llvm::enumerate(choice.layouts[count].dims))
      if (static_cast<int64_t>(dim) != numbers.getIndexVectorDim()) indices *= own.block;
    return indices == 1;
  }

  // The first device of those that share a result starts from the input.
  Value onFirst(Value input) {
    RankedTensorType type = typeOf(input);
    Value first = emit.compare(emit.index(choice.mesh, choice.reduced), emit.scalar(0), hlo::ComparisonDirection::EQ);
    return emit.select(first, input, emit.broadcast(emit.neutral(reducer, type.getElementType()), type, {}));
  }

  Value relativeIndices(Value indices, bool &moved) {
    ArrayRef<int64_t> targets = numbers.getScatterDimsToOperandDims();
    const Layout &input = choice.layouts[0], &layout = choice.layouts[count];
    IndexVectors vectors(emit, indices, numbers.getIndexVectorDim(), targets.size());
    SmallVector<Value> offsets;
    for (int64_t dim : targets) {
      const DimLayout &own = input.dims[dim];
      bool parted = !own.axes.empty() && llvm::is_contained(numbers.getInsertedWindowDims(), dim);
      moved |= parted;
      offsets.push_back(parted ? emit.perIndex(choice.mesh, own.axes, [&](int64_t i) { return i * own.block; })
                               : emit.scalar(0));
    }
    // Padding among the indices writes nowhere.
    SmallVector<int64_t> padded;
    for (auto [dim, own] : llvm::enumerate(layout.dims))
      if (!own.axes.empty() && own.parts() * own.block != shapeOf(op.getScatterIndices())[dim]) padded.push_back(dim);
    bool relative = moved;
    moved |= !padded.empty();
    if (!moved || targets.empty()) return indices;
    indices = vectors.narrowed(indices);
    if (relative) indices = emit.create<hlo::SubtractOp>(indices, vectors.spread(offsets));
    return p.maskPadding(indices, layout, shapeOf(op.getScatterIndices()), padded, emit.scalar(-1));
  }

  hlo::ScatterOp op;
  Partitioner &p;
  Emitter &emit;
  const Factors &factors;
  const Choice &choice;
  Reducer reducer;
  hlo::ScatterDimensionNumbersAttr numbers;
  size_t count;
};

LogicalResult scatter(Operation *op, Partitioner &p) {
  auto scatter = cast<hlo::ScatterOp>(op);
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  std::optional<Reducer> reducer = reducerOf(scatter.getUpdateComputation());
  bool complex = isa<ComplexType>(typeOf(op->getOperand(0)).getElementType());
  if (reducer && (!complex || *reducer == Reducer::Sum)) factors->allow(FactorKind::Reduction);
  Choice choice = p.choose(op, *factors);
  LocalScatter(scatter, p, *factors, choice, reducer.value_or(Reducer::Sum)).run();
  return success();
}

}  // namespace

void addScatter(Handlers &handlers) { handlers["stablehlo.scatter"] = scatter; }

}  // namespace tpuc::shard
