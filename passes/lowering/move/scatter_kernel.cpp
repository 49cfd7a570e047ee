// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatter: one window of updates after the other, in the order of the indices.
//
//  1. The operands become the results (a copy, unless they lie in the same place).
//  2. For each index vector whose window lies inside of the operand: updates that replace go straight into place;
//     others meet the old contents in VMEM, where the update computation runs on whole vregs, and go back.
#include "passes/analysis/sorted_rows.h"
#include "passes/lowering/body/region.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/move/op_kernel.h"
#include "passes/lowering/move/row_transfers.h"
#include "passes/plan/move/scatter_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class ScatterKernel : ScatterPlan {
 public:
  ScatterKernel(KernelContext &context, Code &code, stablehlo::ScatterOp op) : ScatterPlan(context, op), c_(code) {}
  LogicalResult run();

 private:
  bool findsApart();
  Value startsOf(ArrayRef<Linear> batch, IndexArray &indices, SmallVectorImpl<Linear> &starts);
  void forEachInside(IndexArray &indices, function_ref<void(ArrayRef<Linear> starts, ArrayRef<Linear> batch)> body);
  void apply(ArrayRef<Linear> starts, ArrayRef<Linear> batch);
  void move(ArrayRef<Linear> starts, ArrayRef<Linear> batch);
  void combine(ArrayRef<Linear> starts, ArrayRef<Linear> batch, ArrayRef<Linear> within);
  SmallVector<BoxDim> box(bool operandSide, ArrayRef<Linear> starts, ArrayRef<Linear> batch, ArrayRef<Linear> within);

  Code &c_;
  int64_t started_ = 0;  // transfers of a window that is moved
  bool apart_ = false;   // see findsApart; windows are waited for after the last one
};

// A window of the operand (or of the updates) and its image in VMEM.
SmallVector<BoxDim> ScatterKernel::box(bool ofOperand, ArrayRef<Linear> starts, ArrayRef<Linear> batch,
                                       ArrayRef<Linear> within) {
  SmallVector<BoxDim> out;
  auto operand = cast<RankedTensorType>(op_.getInputs()[0].getType());
  auto updates = cast<RankedTensorType>(op_.getUpdates()[0].getType());
  auto windowPart = [&](int64_t w, int64_t dim, Linear start) {
    auto *loop = llvm::find(loopDims_, w);
    if (loop != loopDims_.end())
      out.push_back({dim, -1, 1, start + within[loop - loopDims_.begin()], {}});
    else
      out.push_back({dim, llvm::find(held_, w) - held_.begin(), updates.getDimSize(windowDims_[w]), start, {}});
  };
  if (!ofOperand) {
    for (auto [d, at] : llvm::zip(batchDims_, batch)) out.push_back({d, -1, 1, at, {}});
    for (auto [w, d] : llvm::enumerate(windowDims_)) windowPart(w, d, {});
    return out;
  }
  for (int64_t d = 0; d < operand.getRank(); ++d) {
    auto *it = llvm::find(operandDim_, d);
    if (it == operandDim_.end())
      out.push_back({d, -1, 1, starts[d], {}});
    else
      windowPart(it - operandDim_.begin(), d, starts[d]);
  }
  return out;
}

static SmallVector<BoxDim> reversed(SmallVector<BoxDim> box) {
  for (BoxDim &d : box) {
    std::swap(d.src, d.dst);
    std::swap(d.srcStart, d.dstStart);
  }
  return box;
}

void ScatterKernel::combine(ArrayRef<Linear> starts, ArrayRef<Linear> batch, ArrayRef<Linear> within) {
  SmallVector<Side, 4> old, fresh;
  int64_t word = context_.firstWord, started = 0;
  for (bool updates : {false, true})
    for (size_t i = 0; i < count_; ++i) {
      Type element = cast<RankedTensorType>(op_.getInputs()[i].getType()).getElementType();
      Array array(RankedTensorType::get(heldExtents_, element), llvm::to_vector(llvm::seq<int64_t>(0, held_.size())));
      Side side{"vmem", "", array, false, Linear(word * isa::kWordBytes)};
      started += emitBoxCopy(c_, updates ? operandSide(context_, op_.getUpdates()[i]) : resultSide(context_, i), side,
                             box(!updates, starts, batch, within));
      word += llvm::alignTo(array.hbmBytes() / isa::kWordBytes, 8);
      (updates ? fresh : old).push_back(side);
    }
  emitWait(c_, started);
  int64_t pack = old[0].array.pack, vregs = llvm::divideCeil(old[0].array.hbmBytes() / isa::kWordBytes, 8);
  c_.loop(c_.i64(0), c_.i64(vregs), 1, {}, [&](Value iv, ValueRange) {
    auto address = [&](const Side &s) { return Linear(s.base.constant / isa::kWordBytes) + Linear(iv) * 8; };
    SmallVector<SmallVector<Value>> lanes;
    for (auto [i, s] : llvm::enumerate(llvm::concat<Side>(old, fresh)))
      lanes.push_back(unpackLanes(c_, s.array.type.getElementType(), c_.load(address(s), 1, i)));
    SmallVector<SmallVector<Value>> results(count_);
    for (int64_t g = 0; g < pack; ++g) {
      SmallVector<Value> arguments = llvm::map_to_vector(lanes, [&](auto &l) { return l[g]; });
      for (auto [i, v] : llvm::enumerate(emitRegion(c_, op_.getUpdateComputation().front(), arguments)))
        results[i].push_back(v);
    }
    for (auto [i, s] : llvm::enumerate(old))
      c_.store(packLanes(c_, s.array.type.getElementType(), results[i]), address(s), 1, i);
    return SmallVector<Value>();
  });
  started = 0;
  for (size_t i = 0; i < count_; ++i)
    started += emitBoxCopy(c_, old[i], resultSide(context_, i), reversed(box(true, starts, batch, within)));
  emitWait(c_, started);
}

// Whether no window lies over another, so that none waits for those before: each has its own place in the batches.
bool ScatterKernel::findsApart() {
  if (!replaces_) return false;
  if (op_.getUniqueIndices()) return true;
  const int64_t vectorDim = numbers_.getIndexVectorDim();
  return llvm::all_of(llvm::enumerate(batchExtents_), [&](auto it) {
    const auto d = static_cast<int64_t>(it.index());
    return it.value() == 1 || llvm::is_contained(numbers_.getScatterIndicesBatchingDims(), d + (d >= vectorDim));
  });
}

// Starts the transfers of a window to where it goes.
void ScatterKernel::move(ArrayRef<Linear> starts, ArrayRef<Linear> batch) {
  started_ = 0;
  for (size_t i = 0; i < count_; ++i) {
    SmallVector<BoxDim> move = box(false, starts, batch, {});
    for (BoxDim &d : move) d.dst = -1;
    for (auto [w, d] : llvm::enumerate(operandDim_))
      for (BoxDim &m : move)
        if (m.src == windowDims_[w]) {
          m.dst = d;
          m.dstStart = starts[d];
        }
    for (int64_t d = 0; d < static_cast<int64_t>(starts.size()); ++d)
      if (!llvm::is_contained(operandDim_, d)) move.push_back({-1, d, 1, {}, starts[d]});
    started_ += emitBoxCopy(c_, operandSide(context_, op_.getUpdates()[i]), resultSide(context_, i), move);
  }
}

void ScatterKernel::apply(ArrayRef<Linear> starts, ArrayRef<Linear> batch) {
  if (replaces_) {
    move(starts, batch);
    if (!apart_) emitWait(c_, started_);
    return;
  }
  auto updates = cast<RankedTensorType>(op_.getUpdates()[0].getType());
  SmallVector<int64_t> extents =
      llvm::map_to_vector(loopDims_, [&](int64_t w) { return updates.getDimSize(windowDims_[w]); });
  emitBatchLoops(c_, extents, [&](ArrayRef<Linear> within) {
    combine(starts, batch, within);
    return 0;
  });
}

// Where the window at a point of the batches begins, and whether it lies inside of the operand; null: always.
Value ScatterKernel::startsOf(ArrayRef<Linear> batch, IndexArray &indices, SmallVectorImpl<Linear> &starts) {
  auto operand = cast<RankedTensorType>(op_.getInputs()[0].getType());
  auto updates = cast<RankedTensorType>(op_.getUpdates()[0].getType());
  int64_t vectorDim = numbers_.getIndexVectorDim();
  starts.assign(operand.getRank(), Linear());
  SmallVector<int64_t> extents(operand.getRank(), 1);
  for (auto [w, d] : llvm::enumerate(operandDim_)) extents[d] = updates.getDimSize(windowDims_[w]);
  Value inside;
  for (auto [k, d] : llvm::enumerate(numbers_.getScatterDimsToOperandDims())) {
    Value index = indices.at(batch, k);
    starts[d] = Linear(index);
    // The comparison is unsigned: negative indices are outside too.
    Value fits = c_.cmp(arith::CmpIPredicate::ult, index, c_.i64(operand.getDimSize(d) - extents[d] + 1));
    inside = inside ? c_.b.createOrFold<arith::AndIOp>(c_.loc, inside, fits) : fits;
  }
  for (auto [d, b] : llvm::zip(numbers_.getInputBatchingDims(), numbers_.getScatterIndicesBatchingDims()))
    starts[d] = batch[b - (b > vectorDim)];
  return inside;
}

// Runs `body` for each window that lies inside of the operand.
void ScatterKernel::forEachInside(IndexArray &indices,
                                  function_ref<void(ArrayRef<Linear> starts, ArrayRef<Linear> batch)> body) {
  emitBatchLoops(c_, batchExtents_, [&](ArrayRef<Linear> batch) {
    SmallVector<Linear> starts;
    if (Value inside = startsOf(batch, indices, starts))
      c_.ifThen(inside, [&] { body(starts, batch); });
    else
      body(starts, batch);
    return 0;
  });
}

LogicalResult ScatterKernel::run() {
  if (!replaces_ && !isLaneRegion(op_.getUpdateComputation().front())) return refuseRegion();
  for (size_t i = 0; i < count_; ++i) {
    Side from = operandSide(context_, op_.getInputs()[i]), to = resultSide(context_, i);
    if (!from.isAt(to)) emitWait(c_, emitArrayCopy(c_, from, to));
  }
  if (cast<RankedTensorType>(op_.getUpdates()[0].getType()).getNumElements() == 0) return success();
  if (failed(plan())) return failure();
  IndexArray indices(context_, c_, op_.getScatterIndices(), numbers_.getIndexVectorDim(), indexParts_);
  apart_ = findsApart();
  forEachInside(indices, [&](ArrayRef<Linear> starts, ArrayRef<Linear> batch) { apply(starts, batch); });
  // Windows outside have no transfers to wait for, so the indices are looked at again.
  if (apart_) forEachInside(indices, [&](auto, auto) { emitWait(c_, started_); });
  return success();
}

}  // namespace

LogicalResult lowerScatter(KernelContext &context, Code &code, stablehlo::ScatterOp op) {
  return ScatterKernel(context, code, op).run();
}

}  // namespace tpuc::lowering
