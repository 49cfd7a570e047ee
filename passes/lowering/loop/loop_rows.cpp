// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a few vregs that are reduced and walked again: a softmax or a normalisation in one pass, between whose
// reductions the row stays in registers.
//
//  for each unit of rows, pipelined:
//    each reduction: what it walks, computed once; across lanes
//    the results
#include "dialects/kernel/function.h"
#include "passes/lowering/grid/flat_nest.h"
#include "passes/lowering/loop/loop_kernel.h"

using namespace mlir;

namespace tpuc::lowering {

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

// Lanes of `tile` and a group of the unit's rows, among the row's vregs.
void LoopKernel::reduceRow(Reduction &r, const Point &row) {
  Code::InNameOf named(c_, r.op.getLoc());
  const Domain &d = space_.domain;
  Value input = r.op.getInputs()[0], result = r.op.getResult(0);
  bool isNew = !body_->providers.contains(input);
  SmallVector<Value> values, sums(d.groups());
  Point p = row;
  for (int64_t tile = 0, tiles = llvm::divideCeil(d.dims[d.c()], 128); tile < tiles; ++tile) {
    p.at[d.c()] = Linear(tile);
    bool ragged = tile + 1 == tiles && d.dims[d.c()] % 128 != 0;
    for (int64_t sub = 0; sub < d.groups(); ++sub) {
      p.sub = sub;
      Value v = body_->evaluate(input, space_.mapOf(input), p);
      values.push_back(v);
      v = neutralOutside(r, 0, v, p, ragged);
      sums[sub] = sums[sub] ? combine(r, {sums[sub]}, {v})[0] : v;
    }
    body_->nextPoint();
  }
  if (isNew) rowValues_[input] = values;
  if (isNew)
    body_->providers[input] = [this, input](const Point &at) {
      return rowValues_[input][at.at[space_.domain.c()].constant * space_.domain.groups() + at.sub];
    };
  for (p.sub = 0; p.sub < d.groups(); ++p.sub) rowValues_[result].push_back(finished(r, p, {sums[p.sub]})[0]);
  body_->nextPoint();
  bool pred = elementOf(result).isInteger(1);
  body_->providers[result] = [this, result, pred](const Point &at) {
    Value v = rowValues_[result][at.sub];
    return pred ? intToMask(c_, v) : v;
  };
}

void LoopKernel::storeRow(const Point &row) {
  const Domain &d = space_.domain;
  for (auto [i, v] : llvm::enumerate(context_.op.getBlock().getTerminator()->getOperands())) {
    DimMap map = space_.mapOf(v);
    int64_t tiles = llvm::is_contained(map, d.c()) ? llvm::divideCeil(d.dims[d.c()], 128) : 1;
    for (int64_t tile = 0; tile < tiles; ++tile) {
      Point p = row;
      p.at[d.c()] = Linear(tile);
      SmallVector<Value> values;
      for (p.sub = 0; p.sub < d.groups(); ++p.sub) values.push_back(body_->evaluate(v, map, p));
      p.sub = 0;
      space_.results[i]->map = map;
      values.resize(llvm::alignTo(values.size(), space_.results[i]->array.pack), values.front());
      body_->store(*space_.results[i], values, p);
      body_->nextPoint();
    }
  }
}

void LoopKernel::emitRows() {
  const Domain &d = space_.domain;
  SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, d.c()));
  auto emit = [&](const Point &row) {
    rowValues_.clear();
    for (Reduction &r : reductions_) reduceRow(r, row);
    storeRow(row);
    for (auto &[v, values] : rowValues_) body_->providers.erase(v);
  };
  if (emitFlatNest(c_, d, body_->tripIndex, rows, 1, emit)) return;
  emitNest(c_, d, body_->tripIndex, rows, 1, {}, [&](const Point &row, ValueRange) {
    emit(row);
    return SmallVector<Value>();
  });
}

}  // namespace tpuc::lowering
