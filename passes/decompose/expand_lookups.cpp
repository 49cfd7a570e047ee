// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers from small arrays as lookups in a vector, which one kernel does for whole vregs
// (passes/lowering/lookup_kernel.cpp).
//
//  1. The operand is a vector, its dims joined; elements below 32 bits are widened as bits.
//  2. Each element of the result has an index of its own: where its window starts, clamped, and where it lies in it.
//  3. The longest dim of the result lies along lanes while it is looked up: with windows of three elements there 125
//     lanes would look nothing up.
//
// Elements of rows, each of its own row (take_along_axis, a slice of each row), stay so: batches first, one dim of
// indices, one of the rows.
#include "dialects/kernel/kernel.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/strides.h"
#include "passes/analysis/target_option.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/words.h"
#include "passes/plan/move/held_rows_plan.h"
#include "passes/plan/move/lookup_plan.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDLOOKUPSPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr int64_t kFewest = 32;  // windows: fewer are as soon fetched one by one

class Lookup {
 public:
  Lookup(stablehlo::GatherOp op, const timing::MachineModel &model)
      : model_(model),
        op_(op),
        b_(op),
        build_{b_, op.getLoc()},
        numbers_(op.getDimensionNumbers()),
        table_(typeOf(op.getOperand())),
        shape_(typeOf(op).getShape()) {
    for (int64_t d = 0; d < static_cast<int64_t>(shape_.size()); ++d)
      if (!llvm::is_contained(numbers_.getOffsetDims(), d)) batchDims_.push_back(d);
  }

  bool pays() {
    int64_t window = 1;
    for (int64_t n : op_.getSliceSizes()) window *= n;
    Type element = table_.getElementType();
    if ((!isKnownElement(element) && !mlir::isa<ComplexType>(element)) || table_.getNumElements() == 0 || window == 0 ||
        typeOf(op_).getNumElements() < kFewest * window)
      return false;
    const SmallVector<int64_t> shape = longDims(), order = orderOf(shape);
    auto lookups = plan::cyclesOfLookups(model_, RankedTensorType::get({table_.getNumElements()}, element),
                                         RankedTensorType::get(inOrder(shape, order), element));
    return lookups && *lookups <= cyclesOfWindows();
  }

  void rewrite() {
    Words words(b_, op_.getLoc(), table_.getElementType());
    Value vector = build_.reshape(words.of(op_.getOperand()), {table_.getNumElements()});
    const SmallVector<int64_t> shape = longDims(), order = orderOf(shape);
    Value index = build_.transpose(build_.reshape(indices(), shape), order);
    Value found = words.back(build_.elementsAt(vector, index));
    SmallVector<int64_t> back(order.size());
    for (auto [i, d] : llvm::enumerate(order)) back[d] = static_cast<int64_t>(i);
    op_.replaceAllUsesWith(build_.reshape(build_.transpose(found, back), typeOf(op_).getShape()));
    op_.erase();
  }

 private:
  // Of windows that are fetched one by one, or of rows of a matrix that VMEM holds.
  double cyclesOfWindows() {
    const double cycles = plan::cyclesOfTransfers(model_, op_);
    const bool isOfRows = table_.getRank() == 2 && op_.getSliceSizes() == ArrayRef<int64_t>{1, table_.getDimSize(1)} &&
                          numbers_.getOperandBatchingDims().empty() && table_.getElementType().isIntOrFloat();
    if (!isOfRows) return cycles;
    const auto held = plan::cyclesOfHeldRows(model_, table_, typeOf(op_).getNumElements() / table_.getDimSize(1));
    return held ? std::min(cycles, *held) : cycles;
  }
  SmallVector<int64_t> longDims() {
    return llvm::to_vector(llvm::make_filter_range(shape_, [](int64_t n) { return n != 1; }));
  }
  static SmallVector<int64_t> inOrder(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
    return llvm::map_to_vector(order, [&](int64_t d) { return shape[d]; });
  }
  // The order in which the result's dims are looked up: the longest along lanes, where few elements would lie along
  // them. Only where more elements are looked up than the table has: to be a vector, it moves with its padding.
  SmallVector<int64_t> orderOf(ArrayRef<int64_t> shape) {
    auto own = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
    if (shape.size() < 2 || typeOf(op_).getNumElements() < table_.getNumElements()) return own;
    SmallVector<int64_t> turned(own);
    auto *longest = turned.begin() + (llvm::max_element(shape) - shape.begin());
    std::rotate(longest, longest + 1, turned.end());
    auto bytes = [&](ArrayRef<int64_t> order) {
      return analysis::paddedBytes(RankedTensorType::get(inOrder(shape, order), b_.getI32Type()));
    };
    return 2 * bytes(turned) <= bytes(own) ? turned : own;
  }
  Value add(Value sum, Value v, int64_t stride) {
    if (stride != 1) v = stablehlo::MulOp::create(b_, op_.getLoc(), v, build_.splat(typeOf(v), stride));
    return sum ? Value(stablehlo::AddOp::create(b_, op_.getLoc(), sum, v)) : v;
  }
  Value along(int64_t dim) {
    return stablehlo::IotaOp::create(b_, op_.getLoc(), RankedTensorType::get(shape_, b_.getI32Type()), dim);
  }

  // For each element of the result.
  Value start(int64_t k, int64_t high) {
    return build_.broadcast(startOf(build_, op_.getStartIndices(), numbers_.getIndexVectorDim(), k, high), shape_,
                            batchDims_);
  }

  Value indices() {
    Value sum;
    int64_t stride = 1, vectorDim = numbers_.getIndexVectorDim();
    auto isIn = [](ArrayRef<int64_t> dims, int64_t d) { return llvm::is_contained(dims, d); };
    for (int64_t d = table_.getRank() - 1; d >= 0; stride *= table_.getDimSize(d--)) {
      if (auto *at = llvm::find(numbers_.getStartIndexMap(), d); at != numbers_.getStartIndexMap().end())
        if (int64_t high = table_.getDimSize(d) - op_.getSliceSizes()[d])
          sum = add(sum, start(at - numbers_.getStartIndexMap().begin(), high), stride);
      if (auto *at = llvm::find(numbers_.getOperandBatchingDims(), d); at != numbers_.getOperandBatchingDims().end()) {
        int64_t i = numbers_.getStartIndicesBatchingDims()[at - numbers_.getOperandBatchingDims().begin()];
        sum = add(sum, along(batchDims_[i - (i > vectorDim)]), stride);
      } else if (!isIn(numbers_.getCollapsedSliceDims(), d) && op_.getSliceSizes()[d] > 1) {
        int64_t before = 0;
        for (int64_t e = 0; e < d; ++e)
          before += !isIn(numbers_.getCollapsedSliceDims(), e) && !isIn(numbers_.getOperandBatchingDims(), e);
        sum = add(sum, along(numbers_.getOffsetDims()[before]), stride);
      }
    }
    return sum ? sum : build_.splat(RankedTensorType::get(shape_, b_.getI32Type()), 0);
  }

  const timing::MachineModel &model_;
  stablehlo::GatherOp op_;
  OpBuilder b_;
  Build build_;
  stablehlo::GatherDimensionNumbersAttr numbers_;
  RankedTensorType table_;
  ArrayRef<int64_t> shape_;
  SmallVector<int64_t> batchDims_;  // of the result
};

// Elements of rows: indices along one dim of the operand, of an element or of several in a row; the others are batches,
// or are taken whole.
class RowLookup {
 public:
  RowLookup(stablehlo::GatherOp op, const timing::MachineModel &model)
      : model_(model),
        op_(op),
        b_(op),
        build_{b_, op.getLoc()},
        numbers_(op.getDimensionNumbers()),
        table_(typeOf(op.getOperand())) {}

  bool pays() {
    Type element = table_.getElementType();
    if (!readDims() || !isKnownElement(element) || element.getIntOrFloatBitWidth() > 32) return false;
    SmallVector<int64_t> rows = longSizes(sizesOf(table_, order_)), result(rows);
    if (rows.size() < 2 || count_ < 2 || typeOf(op_).getNumElements() < kFewest) return false;
    rows.back() = result.back() = table_.getDimSize(dim());
    result.back() = count_;
    Type word = b_.getI32Type();
    auto lookups =
        plan::cyclesOfLookups(model_, RankedTensorType::get(rows, word), RankedTensorType::get(result, word));
    return lookups && *lookups <= plan::cyclesOfTransfers(model_, op_);
  }

  void rewrite() {
    Words words(b_, op_.getLoc(), table_.getElementType());
    SmallVector<int64_t> rows = longSizes(sizesOf(table_, order_)), shape(rows);
    shape.back() = count_;
    Value table = build_.reshape(build_.transpose(words.of(op_.getOperand()), order_), rows);
    Value found = build_.elementsAt(table, build_.reshape(indices(), shape));
    // The result's dims in the order in which they were put: [batches.., taken whole.., the indices' own..].
    SmallVector<int64_t> back(resultOrder_.size());
    for (auto [i, d] : llvm::enumerate(resultOrder_)) back[d] = static_cast<int64_t>(i);
    found = build_.reshape(words.back(found), sizesOf(typeOf(op_), resultOrder_));
    op_.replaceAllUsesWith(build_.transpose(found, back));
    op_.erase();
  }

 private:
  static SmallVector<int64_t> sizesOf(RankedTensorType type, ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t d) { return type.getDimSize(d); });
  }
  int64_t dim() const { return numbers_.getStartIndexMap()[0]; }

  // Orders of the operand's and the result's dims, if the gather has this form.
  bool readDims() {
    if (numbers_.getStartIndexMap().size() != 1) return false;
    window_ = op_.getSliceSizes()[dim()];
    const bool isCollapsed = numbers_.getCollapsedSliceDims() == ArrayRef(dim());
    if (isCollapsed ? window_ != 1 : !numbers_.getCollapsedSliceDims().empty()) return false;
    // Dims that are taken whole come before it.
    if (!isCollapsed) windowDim_ = numbers_.getOffsetDims().back();
    const int64_t vectorDim = numbers_.getIndexVectorDim();
    llvm::append_range(order_, numbers_.getOperandBatchingDims());
    for (int64_t i : numbers_.getStartIndicesBatchingDims()) resultOrder_.push_back(batchOf(i - (i > vectorDim)));
    batches_ = static_cast<int64_t>(order_.size());
    for (int64_t d = 0; d < table_.getRank(); ++d) {
      if (d == dim() || llvm::is_contained(order_, d)) continue;
      // Whole rows of the others are for transfers.
      if (op_.getSliceSizes()[d] != table_.getDimSize(d) || dim() != table_.getRank() - 1) return false;
      resultOrder_.push_back(numbers_.getOffsetDims()[order_.size() - batches_]);
      order_.push_back(d);
    }
    order_.push_back(dim());
    for (int64_t d = 0; d < typeOf(op_).getRank(); ++d)
      if (!llvm::is_contained(resultOrder_, d)) {
        resultOrder_.push_back(d);
        count_ *= typeOf(op_).getDimSize(d);
      }
    return table_.getDimSize(dim()) > 0;
  }
  // The result's dim that is the i-th of the indices'.
  int64_t batchOf(int64_t i) {
    for (int64_t d = 0;; ++d)
      if (!llvm::is_contained(numbers_.getOffsetDims(), d) && i-- == 0) return d;
  }

  // [batches.., taken whole.., the indices' own..].
  Value indices() {
    Value start =
        startOf(build_, op_.getStartIndices(), numbers_.getIndexVectorDim(), 0, table_.getDimSize(dim()) - window_);
    // Its dims are the result's but those that are taken whole, in the result's order.
    SmallVector<int64_t> own, order, to;
    for (int64_t d = 0; d < typeOf(op_).getRank(); ++d)
      if (!llvm::is_contained(numbers_.getOffsetDims(), d)) own.push_back(d);
    for (auto [i, d] : llvm::enumerate(resultOrder_))
      if (auto *at = llvm::find(own, d); at != own.end()) {
        order.push_back(at - own.begin());
        to.push_back(static_cast<int64_t>(i));
      }
    const SmallVector<int64_t> sizes = sizesOf(typeOf(op_), resultOrder_);
    Value first = build_.broadcast(build_.transpose(start, order), sizes, to);
    if (window_ == 1) return first;
    const int64_t along = llvm::find(resultOrder_, windowDim_) - resultOrder_.begin();
    Value within = stablehlo::IotaOp::create(b_, op_.getLoc(), typeOf(first), along);
    return stablehlo::AddOp::create(b_, op_.getLoc(), first, within);
  }

  const timing::MachineModel &model_;
  stablehlo::GatherOp op_;
  OpBuilder b_;
  Build build_;
  stablehlo::GatherDimensionNumbersAttr numbers_;
  RankedTensorType table_;
  SmallVector<int64_t> order_, resultOrder_;
  int64_t batches_ = 0, count_ = 1;      // elements of a row
  int64_t window_ = 1, windowDim_ = -1;  // how many of them an index takes, and the result's dim that they are
};

struct ExpandLookups : impl::ExpandLookupsPassBase<ExpandLookups> {
  using ExpandLookupsPassBase::ExpandLookupsPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    getOperation().walk([&](stablehlo::GatherOp op) {
      if (RowLookup rows(op, model); rows.pays())
        rows.rewrite();
      else if (Lookup lookup(op, model); lookup.pays())
        lookup.rewrite();
    });
  }
};

}  // namespace
}  // namespace tpuc::decompose
