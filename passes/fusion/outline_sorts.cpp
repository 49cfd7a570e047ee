// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of a sort has what is around it that needs no array: positions that it carries, and slices that keep its
// first results.
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/sorts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "passes/analysis/sorts.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

struct Yielded {
  Value sorted, value;  // a result of the sort, and what its users read
  SmallVector<Operation *> slices;
};

// What is read of a sort, each once.
SmallVector<Yielded> resultsOf(stablehlo::SortOp sort) {
  SmallVector<Yielded> out;
  for (Value v : sort.getResults()) {
    if (v.use_empty()) continue;
    Yielded y{v, v, {}};
    if (analysis::keptFirst(v, stablehlo::sortedDim(sort))) y.slices.assign(v.getUsers().begin(), v.getUsers().end());
    if (!y.slices.empty()) y.value = y.slices.front()->getResult(0);
    out.push_back(y);
  }
  return out;
}

void outline(stablehlo::SortOp sort) {
  SmallVector<Yielded> results = resultsOf(sort);
  const int64_t dim = stablehlo::sortedDim(sort);
  llvm::SetVector<Value> inputs;
  for (Value v : sort.getInputs())
    if (!analysis::isPositions(v, dim)) inputs.insert(v);
  if (inputs.empty()) return;
  OpBuilder b(sort);
  auto types = llvm::map_to_vector(results, [](const Yielded &y) { return y.value.getType(); });
  auto fusion = kernel::FusionOp::create(b, sort.getLoc(), types, b.getStringAttr("copy"), inputs.getArrayRef(),
                                         ArrayAttr(), ArrayAttr());
  Block *body = b.createBlock(&fusion.getBody());
  IRMapping map;
  for (Value v : inputs) map.map(v, body->addArgument(v.getType(), v.getLoc()));
  b.setInsertionPointToEnd(body);
  for (Value v : sort.getInputs())
    if (!map.contains(v))
      map.map(v,
              stablehlo::IotaOp::create(b, sort.getLoc(), cast<RankedTensorType>(v.getType()), b.getI64IntegerAttr(dim))
                  .getResult());
  b.clone(*sort, map);
  SmallVector<Value> yielded;
  for (const Yielded &y : results) {
    if (y.value != y.sorted) b.clone(*y.value.getDefiningOp(), map);
    yielded.push_back(map.lookup(y.value));
  }
  kernel::YieldOp::create(b, sort.getLoc(), yielded);
  for (auto [y, made] : llvm::zip(results, fusion.getResults())) {
    y.sorted.replaceAllUsesWith(made);
    for (Operation *slice : y.slices) {
      slice->getResult(0).replaceAllUsesWith(made);
      slice->erase();
    }
  }
  sort.erase();
}

}  // namespace

void outlineSorts(func::FuncOp func) {
  SmallVector<stablehlo::SortOp> sorts;
  func.walk([&](stablehlo::SortOp sort) { sorts.push_back(sort); });
  for (auto sort : sorts)
    if (isCopyOp(sort) && !sort->use_empty()) outline(sort);
}

}  // namespace tpuc::fusion
