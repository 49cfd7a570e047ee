// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters that put one window into each row, where it begins along the lanes (a vmapped dynamic_update_slice, the
// gradient of a vmapped dynamic_slice), as lookups: every element of a row finds what the window has for it, and a
// select keeps the others.
//
//  found = updates[row, clamp(lane - start)];  result = 0 <= lane - start < window ? combine(x, found) : x
#include "passes/analysis/target_option.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/words.h"
#include "passes/plan/move/lookup_plan.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDROWUPDATESPASS
#include "passes/decompose/passes.h.inc"
namespace {

class RowUpdate {
 public:
  RowUpdate(stablehlo::ScatterOp op, const timing::MachineModel &model)
      : model_(model),
        op_(op),
        b_(op),
        build_{b_, op.getLoc()},
        numbers_(op.getScatterDimensionNumbers()),
        type_(typeOf(op.getInputs()[0])) {}

  bool pays() {
    if (!readDims()) return false;
    SmallVector<int64_t> rows = longSizes(type_.getShape()), table(rows);
    if (rows.size() < 2) return false;
    table.back() = window_;
    const Type word = b_.getI32Type();
    auto lookups = plan::cyclesOfLookups(model_, RankedTensorType::get(table, word), RankedTensorType::get(rows, word));
    // An element of a window at a time, a granule each.
    const auto granule = static_cast<int64_t>(model_.target().memory().hbm_granule_bytes());
    const auto moved = static_cast<double>(typeOf(op_.getUpdates()[0]).getNumElements());
    return lookups && *lookups <= moved * static_cast<double>(model_.hbmCycles(2 * granule, 1));
  }

  void rewrite() {
    ArrayRef<int64_t> shape = type_.getShape();
    const int64_t lanes = type_.getRank() - 1, last = shape[lanes] - window_;
    // A window that is not inside leaves its row alone.
    Value given = build_.component(op_.getScatterIndices(), numbers_.getIndexVectorDim(), 0),
          clamped = clampedIndex(build_, given, last), isInside = areEqual(given, clamped),
          start = build_.convert(clamped, b_.getI32Type());
    const SmallVector<int64_t> batches = batchDims();
    auto positions = type_.clone(b_.getI32Type());
    Value lane = stablehlo::IotaOp::create(b_, op_.getLoc(), positions, lanes);
    Value at = stablehlo::SubtractOp::create(b_, op_.getLoc(), lane, build_.broadcast(start, shape, batches));
    Value end = build_.splat(positions, window_ - 1), zero = build_.splat(positions, int64_t{0});
    Value inside = stablehlo::ClampOp::create(b_, op_.getLoc(), zero, at, end);
    Value takes =
        stablehlo::AndOp::create(b_, op_.getLoc(), areEqual(at, inside), build_.broadcast(isInside, shape, batches));
    Value x = op_.getInputs()[0], found = foundAt(inside);
    Value combined = inlineElementwise(b_, op_.getUpdateComputation().front(), {x, found})[0];
    op_.getResult(0).replaceAllUsesWith(stablehlo::SelectOp::create(b_, op_.getLoc(), takes, combined, x));
    op_.erase();
  }

 private:
  Value areEqual(Value a, Value b) {
    return stablehlo::CompareOp::create(b_, op_.getLoc(), a, b, stablehlo::ComparisonDirection::EQ);
  }

  // Whether each batch has one index, which is a position along lanes. Other dims than batches and lanes are whole.
  bool readDims() {
    const int64_t rank = type_.getRank(), lanes = rank - 1, vectorDim = numbers_.getIndexVectorDim();
    RankedTensorType indices = typeOf(op_.getScatterIndices()), updates = typeOf(op_.getUpdates()[0]);
    Type element = type_.getElementType();
    if (op_.getInputs().size() != 1 || rank < 2 || !type_.hasStaticShape() || type_.getNumElements() == 0 ||
        updates.getNumElements() == 0 || !isKnownElement(element) || element.getIntOrFloatBitWidth() > 32 ||
        numbers_.getScatterDimsToOperandDims() != ArrayRef(lanes) || !numbers_.getInsertedWindowDims().empty() ||
        !isElementwiseRegion(op_.getUpdateComputation().front()) ||
        !capturesOf(op_.getUpdateComputation().front()).empty())
      return false;
    // The indices have no dims of their own but the batches.
    const int64_t own = indices.getRank() - (vectorDim < indices.getRank());
    if (own != static_cast<int64_t>(numbers_.getScatterIndicesBatchingDims().size())) return false;
    ArrayRef<int64_t> windows = numbers_.getUpdateWindowDims();
    int64_t next = 0;
    for (int64_t d = 0; d < rank; ++d) {
      if (auto *it = llvm::find(numbers_.getInputBatchingDims(), d); it != numbers_.getInputBatchingDims().end()) {
        int64_t i = numbers_.getScatterIndicesBatchingDims()[it - numbers_.getInputBatchingDims().begin()];
        order_.push_back(updateBatch(i - (i > vectorDim), updates.getRank()));
        continue;
      }
      order_.push_back(windows[next++]);
      if (d != lanes && updates.getDimSize(order_.back()) != type_.getDimSize(d)) return false;
    }
    window_ = updates.getDimSize(order_.back());
    return !llvm::is_contained(numbers_.getInputBatchingDims(), lanes) && window_ <= type_.getDimSize(lanes);
  }
  // The dim of the updates that is the i-th of the indices'.
  int64_t updateBatch(int64_t i, int64_t rank) const {
    for (int64_t d = 0; d < rank; ++d)
      if (!llvm::is_contained(numbers_.getUpdateWindowDims(), d) && i-- == 0) return d;
    return -1;
  }
  // The operand's batching dim for each dim of the indices.
  SmallVector<int64_t> batchDims() const {
    const int64_t vectorDim = numbers_.getIndexVectorDim();
    SmallVector<int64_t> out(numbers_.getInputBatchingDims().size());
    for (auto [d, i] : llvm::zip(numbers_.getInputBatchingDims(), numbers_.getScatterIndicesBatchingDims()))
      out[i - (i > vectorDim)] = d;
    return out;
  }

  Value foundAt(Value positions) {
    Words words(b_, op_.getLoc(), type_.getElementType());
    SmallVector<int64_t> rows = longSizes(type_.getShape()), table(rows);
    table.back() = window_;
    Value updates = build_.reshape(build_.transpose(words.of(op_.getUpdates()[0]), order_), table);
    Value found = build_.elementsAt(updates, build_.reshape(positions, rows));
    return words.back(build_.reshape(found, SmallVector<int64_t>(type_.getShape())));
  }

  const timing::MachineModel &model_;
  stablehlo::ScatterOp op_;
  OpBuilder b_;
  Build build_;
  stablehlo::ScatterDimensionNumbersAttr numbers_;
  RankedTensorType type_;
  SmallVector<int64_t> order_;  // the updates' dims in the operand's order
  int64_t window_ = 0;
};

struct ExpandRowUpdates : impl::ExpandRowUpdatesPassBase<ExpandRowUpdates> {
  using ExpandRowUpdatesPassBase::ExpandRowUpdatesPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    getOperation().walk([&](stablehlo::ScatterOp op) {
      if (RowUpdate update(op, model); update.pays()) update.rewrite();
    });
  }
};

}  // namespace
}  // namespace tpuc::decompose
