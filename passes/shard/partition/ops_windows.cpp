//===- ops_windows.cpp - reductions of windows that slide along sharded dimensions --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/cumulative.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/window.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

int64_t at(std::optional<ArrayRef<int64_t>> list, size_t dim) { return list ? (*list)[dim] : 1; }

// A device's windows see a range of each input; padding and dilation are part of it.
LogicalResult reduceWindow(Operation *op, Partitioner &p) {
  auto reduce = cast<hlo::ReduceWindowOp>(op);
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  factors->allow(FactorKind::Permutation);
  Choice choice = p.choose(op, *factors);
  if (cumulative(reduce, p, *factors, choice)) return success();
  Layout result = choice.results(*factors)[0];
  size_t count = reduce.getInputs().size(), rank = result.dims.size();
  SmallVector<Value> inputs, fills;
  for (Value init : reduce.getInitValues()) fills.push_back(p.whole(init));
  SmallVector<int64_t> padding(2 * rank, 0), dilations(rank, 1);
  SmallVector<Layout, 2> layouts;
  for (size_t i = 0; i < count; ++i) {
    layouts.push_back(choice.layouts[i]);
    for (size_t dim = 0; dim < rank; ++dim)
      if (factors->kinds[factors->rule.dims[0][dim][0]] == FactorKind::Permutation &&
          p.current(op->getOperand(i)).layout.dims[dim].axes.empty())
        layouts[i].dims[dim] = {{}, shapeOf(op->getOperand(i))[dim]};
    inputs.push_back(p.get(op->getOperand(i), layouts[i]));
  }
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t low = 0, high = 0, dilation = at(reduce.getBaseDilations(), dim);
    if (reduce.getPadding()) {
      auto values = reduce.getPadding()->getValues<int64_t>();
      low = values[2 * dim], high = values[2 * dim + 1];
    }
    bool moves = factors->kinds[factors->rule.dims[0][dim][0]] == FactorKind::Permutation;
    if (!moves || result.dims[dim].axes.empty()) {
      dilations[dim] = dilation, padding[2 * dim] = low, padding[2 * dim + 1] = high;
      continue;
    }
    int64_t block = result.dims[dim].block, stride = at(reduce.getWindowStrides(), dim);
    int64_t seen = (reduce.getWindowDimensions()[dim] - 1) * at(reduce.getWindowDilations(), dim) + 1;
    Window wanted{result.mesh, result.dims[dim].axes, [=](int64_t part) { return part * block * stride - low; },
                  (block - 1) * stride + seen};
    for (size_t i = 0; i < count; ++i)
      inputs[i] = dilatedWindow(p.emit, inputs[i], dim, layouts[i].dims[dim], shapeOf(op->getOperand(i))[dim], dilation,
                                wanted, fills[i]);
  }
  llvm::append_range(inputs, fills);
  SmallVector<Type> types;
  for (auto [value, layout] : llvm::zip_equal(op->getResults(), choice.results(*factors)))
    types.push_back(localType(value.getType(), layout));
  auto local = cast<hlo::ReduceWindowOp>(p.clone(op, inputs, types));
  OpBuilder &builder = p.emit.builder;
  auto pairs = RankedTensorType::get({static_cast<int64_t>(rank), 2}, builder.getI64Type());
  local.setPaddingAttr(cast<DenseIntElementsAttr>(DenseElementsAttr::get(pairs, ArrayRef(padding))));
  local.setBaseDilationsAttr(builder.getDenseI64ArrayAttr(dilations));
  p.setResults(op, local, *factors, choice);
  return success();
}

}  // namespace

void addWindows(Handlers &handlers) { handlers["stablehlo.reduce_window"] = reduceWindow; }

}  // namespace tpuc::shard
