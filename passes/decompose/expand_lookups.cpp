// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers from small arrays as lookups in a vector, which one kernel does for whole vregs
// (passes/lowering/lookup_kernel.cpp).
//
//  1. The operand is a vector, its dims joined; elements below 32 bits are widened as bits.
//  2. Each element of the result has an index of its own: where its window starts, clamped, and where it lies in it.
#include "dialects/kernel/kernel.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDLOOKUPSPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr int64_t kFewest = 32;      // windows: fewer are as soon fetched one by one
constexpr int64_t kMostRows = 2048;  // that a window's elements walk; a window of more is a row for a transfer to fetch
// Rows that a vreg of the result walks while a window is fetched: with the indices in SMEM, and through parts of it.
constexpr int64_t kRowsAWindow = 5, kRowsAFarWindow = 32, kNear = 65536;

class Lookup {
 public:
  explicit Lookup(stablehlo::GatherOp op)
      : op_(op),
        b_(op),
        build_{b_, op.getLoc()},
        numbers_(op.getDimensionNumbers()),
        table_(typeOf(op.getOperand())),
        shape_(typeOf(op).getShape()) {
    for (int64_t d = 0; d < static_cast<int64_t>(shape_.size()); ++d)
      if (!llvm::is_contained(numbers_.getOffsetDims(), d)) batchDims_.push_back(d);
  }

  bool pays() {
    int64_t window = 1, rows = llvm::divideCeil(table_.getNumElements(), 128);
    for (int64_t n : op_.getSliceSizes()) window *= n;
    Type element = table_.getElementType();
    bool known = mlir::isa<ComplexType>(element) ||
                 (element.isIntOrFloat() && (element.isInteger(1) || element.getIntOrFloatBitWidth() >= 8));
    bool small = known && table_.getNumElements() > 0 && table_.getNumElements() <= kernel::kLargestTable &&
                 window > 0 && rows * window <= kMostRows;
    if (!small || typeOf(op_).getNumElements() < kFewest * window) return false;
    int64_t windows = typeOf(op_).getNumElements() / window;
    return vregs() * rows <= windows * (windows <= kNear ? kRowsAWindow : kRowsAFarWindow);
  }

  void rewrite() {
    Type element = table_.getElementType(), word = b_.getI32Type();
    Value vector = op_.getOperand();
    bool narrow = element.isIntOrFloat() && element.getIntOrFloatBitWidth() < 32;
    Type bits = !narrow || element.isInteger() ? element : Type(b_.getIntegerType(element.getIntOrFloatBitWidth()));
    if (bits != element)
      vector = stablehlo::BitcastConvertOp::create(b_, op_.getLoc(), typeOf(vector).clone(bits), vector);
    if (narrow) vector = build_.convert(vector, word);
    vector = build_.reshape(vector, {table_.getNumElements()});
    SmallVector<int64_t> shape = longDims();
    Value index = build_.reshape(indices(), shape);
    auto numbers = stablehlo::GatherDimensionNumbersAttr::get(op_.getContext(), {}, {0}, {}, {}, {0}, shape.size());
    auto type = RankedTensorType::get(shape, typeOf(vector).getElementType());
    Value found = stablehlo::GatherOp::create(b_, op_.getLoc(), type, vector, index, numbers,
                                              b_.getDenseI64ArrayAttr({1}), b_.getBoolAttr(false));
    if (narrow) found = build_.convert(found, bits);
    if (bits != element)
      found = stablehlo::BitcastConvertOp::create(b_, op_.getLoc(), typeOf(found).clone(element), found);
    op_.replaceAllUsesWith(build_.reshape(found, typeOf(op_).getShape()));
    op_.erase();
  }

 private:
  SmallVector<int64_t> longDims() {
    return llvm::to_vector(llvm::make_filter_range(shape_, [](int64_t n) { return n != 1; }));
  }
  // That the result takes, padding and all: pairs are two lanes of 128.
  int64_t vregs() {
    SmallVector<int64_t> shape = longDims();
    if (shape.size() < 2) return llvm::divideCeil(typeOf(op_).getNumElements(), 1024);
    int64_t n = llvm::divideCeil(shape.pop_back_val(), 128);
    n *= llvm::divideCeil(shape.pop_back_val(), 8);
    for (int64_t extent : shape) n *= extent;
    return n;
  }
  Value add(Value sum, Value v, int64_t stride) {
    if (stride != 1) v = stablehlo::MulOp::create(b_, op_.getLoc(), v, build_.splat(typeOf(v), stride));
    return sum ? Value(stablehlo::AddOp::create(b_, op_.getLoc(), sum, v)) : v;
  }
  Value along(int64_t dim) {
    return stablehlo::IotaOp::create(b_, op_.getLoc(), RankedTensorType::get(shape_, b_.getI32Type()), dim);
  }

  // Component k of the index vectors, clamped, for each element of the result.
  Value start(int64_t k, int64_t high) {
    Value v = build_.component(op_.getStartIndices(), numbers_.getIndexVectorDim(), k);
    auto type = cast<IntegerType>(typeOf(v).getElementType());
    unsigned magnitude = type.getWidth() - !type.isUnsigned();
    if (magnitude < 31) high = std::min(high, (int64_t{1} << magnitude) - 1);
    v = stablehlo::ClampOp::create(b_, op_.getLoc(), build_.splat(typeOf(v), 0), v, build_.splat(typeOf(v), high));
    return build_.broadcast(build_.convert(v, b_.getI32Type()), shape_, batchDims_);
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

  stablehlo::GatherOp op_;
  OpBuilder b_;
  Build build_;
  stablehlo::GatherDimensionNumbersAttr numbers_;
  RankedTensorType table_;
  ArrayRef<int64_t> shape_;
  SmallVector<int64_t> batchDims_;  // of the result
};

struct ExpandLookups : impl::ExpandLookupsPassBase<ExpandLookups> {
  void runOnOperation() override {
    getOperation().walk([](stablehlo::GatherOp op) {
      if (Lookup lookup(op); lookup.pays()) lookup.rewrite();
    });
  }
};

}  // namespace
}  // namespace tpuc::decompose
