//===- ops_cumulative.cpp - windows that reach to one end of a sharded dimension ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each device reduces such windows of its own block.
// 2. What a block has in all is its last result (its first, where windows reach to the end). The devices exchange
//    these, one element each.
// 3. Each reduces those of the blocks before its own, and combines that with its results.
// As in reductions, an initial value of a reducer that is no known op is neutral by the specification.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/cumulative.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

int64_t at(std::optional<ArrayRef<int64_t>> list, size_t dim) { return list ? (*list)[dim] : 1; }

// Windows of all elements up to one's own, or from one's own on.
enum class Reach { Neither, Before, After };

Reach reachOf(hlo::ReduceWindowOp op, size_t dim) {
  const int64_t size = shapeOf(op.getInputs()[0])[dim];
  const bool plain = op.getWindowDimensions()[dim] == size && at(op.getWindowStrides(), dim) == 1 &&
                     at(op.getBaseDilations(), dim) == 1 && at(op.getWindowDilations(), dim) == 1;
  if (!plain || size < 2 || !op.getPadding()) return Reach::Neither;
  auto values = op.getPadding()->getValues<int64_t>();
  const int64_t low = values[2 * dim], high = values[2 * dim + 1];
  if (low == size - 1 && high == 0) return Reach::Before;
  return low == 0 && high == size - 1 ? Reach::After : Reach::Neither;
}

class Cumulative {
 public:
  Cumulative(hlo::ReduceWindowOp op, Partitioner &p, const Factors &factors, const Choice &choice, int64_t dim)
      : op(op),
        p(p),
        emit(p.emit),
        factors(factors),
        choice(choice),
        dim(dim),
        after(reachOf(op, dim) == Reach::After),
        along(choice.results(factors)[0].dims[dim]) {
    if (op.getInputs().size() == 1) reducer = reducerOf(op.getBody());
    for (Value init : op.getInitValues()) fills.push_back(p.whole(init));
  }

  void run() {
    Operation *own = withinBlocks();
    const SmallVector<Value> before = beforeBlock(own->getResults());
    SmallVector<Value> results;
    if (reducer) {
      results.push_back(emit.combine(*reducer, before[0], own->getResult(0)));
    } else {
      SmallVector<Value> pairs;
      for (auto [first, second] : llvm::zip_equal(before, own->getResults()))
        pairs.push_back(emit.concatenate({inFront(first), inFront(second)}, 0));
      results = reduced(pairs, 0);
    }
    for (auto [global, value, layout] : llvm::zip_equal(op->getResults(), results, choice.results(factors)))
      p.set(global, value, layout);
  }

 private:
  Operation *withinBlocks() {
    SmallVector<Value> operands;
    SmallVector<Type> types;
    for (size_t i = 0; i < fills.size(); ++i) {
      const Layout &layout = choice.layouts[i];
      Value local = p.get(op->getOperand(i), layout);
      // Padding comes after all elements, so only windows that reach to the end see it.
      operands.push_back(after ? p.maskPadding(local, layout, shapeOf(op->getOperand(i)), {dim}, fills[i]) : local);
      types.push_back(localType(op->getResult(i).getType(), choice.results(factors)[i]));
    }
    llvm::append_range(operands, fills);
    auto local = cast<hlo::ReduceWindowOp>(p.clone(op, operands, types));
    SmallVector<int64_t> window(op.getWindowDimensions()), padding(op.getPadding()->getValues<int64_t>());
    window[dim] = along.block;
    padding[2 * dim + after] = along.block - 1;
    local.setWindowDimensions(window);
    local.setPaddingAttr(
        cast<DenseIntElementsAttr>(DenseElementsAttr::get(op.getPadding()->getType(), ArrayRef(padding))));
    return local;
  }

  // What all blocks before the own one have (after it), in the shape of the own one.
  SmallVector<Value> beforeBlock(ValueRange own) {
    SmallVector<Value> all;
    Value index = emit.perIndex(choice.mesh, along.axes, [](int64_t i) { return -i; });
    constexpr int64_t kLow = std::numeric_limits<int32_t>::min(), kHigh = std::numeric_limits<int32_t>::max();
    for (auto [i, value] : llvm::enumerate(own)) {
      const int64_t last = after ? 0 : along.block - 1;
      Value sums = emit.allGather(emit.slice(value, dim, last, last + 1), dim, choice.mesh, along.axes);
      all.push_back(after ? emit.keepRange(sums, dim, index, 1, kHigh, fills[i])
                          : emit.keepRange(sums, dim, index, kLow, 0, fills[i]));
    }
    SmallVector<Value> sums = reduced(all, dim);
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < typeOf(own[0]).getRank(); ++d)
      if (d != dim) dims.push_back(d);
    for (auto [sum, value] : llvm::zip_equal(sums, own)) sum = emit.broadcast(sum, typeOf(value), dims);
    return sums;
  }

  Value inFront(Value value) {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape.insert(shape.begin(), 1);
    return emit.reshape(value, shape);
  }

  SmallVector<Value> reduced(ArrayRef<Value> values, int64_t over) {
    SmallVector<Value> operands(values);
    llvm::append_range(operands, fills);
    SmallVector<Type> types;
    for (Value value : values) {
      SmallVector<int64_t> shape(typeOf(value).getShape());
      shape.erase(shape.begin() + over);
      types.push_back(typeOf(value).clone(shape));
    }
    OperationState state(emit.location, hlo::ReduceOp::getOperationName(), operands, types);
    state.addAttribute("dimensions", emit.builder.getDenseI64ArrayAttr({over}));
    p.cloneRegion(op.getBody(), *state.addRegion());
    return SmallVector<Value>(emit.builder.create(state)->getResults());
  }

  hlo::ReduceWindowOp op;
  Partitioner &p;
  Emitter &emit;
  const Factors &factors;
  const Choice &choice;
  const int64_t dim;
  const bool after;
  const DimLayout along;
  std::optional<Reducer> reducer;
  SmallVector<Value> fills;
};

// The one dimension along axes in which windows move; none where they are not cumulative there.
std::optional<int64_t> cumulativeDim(hlo::ReduceWindowOp op, const Factors &factors, const Layout &result) {
  std::optional<int64_t> found;
  for (auto [dim, own] : llvm::enumerate(result.dims)) {
    if (own.axes.empty() || factors.kinds[factors.rule.dims[0][dim][0]] != FactorKind::Permutation) continue;
    if (found || reachOf(op, dim) == Reach::Neither) return std::nullopt;
    found = static_cast<int64_t>(dim);
  }
  return found;
}

}  // namespace

bool cumulative(hlo::ReduceWindowOp op, Partitioner &p, const Factors &factors, const Choice &choice) {
  std::optional<int64_t> dim = cumulativeDim(op, factors, choice.results(factors)[0]);
  if (!dim) return false;
  std::optional<Reducer> reducer = op.getInputs().size() == 1 ? reducerOf(op.getBody()) : std::nullopt;
  if (reducer && !isNeutral(op.getInitValues()[0], *reducer)) return false;
  Cumulative(op, p, factors, choice, *dim).run();
  return true;
}

}  // namespace tpuc::shard
