// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of one feature in and one out, image and signal filters, as sums of shifted images: the matrix unit
// would use one lane of 128, and its images would have their one feature, or the few of a batch, along lanes.
#include "passes/analysis/convolution_form.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_EXPANDFILTERSPASS
#include "passes/decompose/passes.h.inc"
namespace {

// A vreg's lanes and sublanes, which images have to fill; fewer elements, or more positions, may take longer than a
// convolution does.
constexpr int64_t kLeastColumns = 128, kLeastRows = 8, kLeastElements = 1 << 15, kMostPositions = 49;

bool isNarrowFloat(Value v) {
  const Type t = typeOf(v).getElementType();
  return t.isF32() || t.isBF16() || t.isF16();
}

bool isFilter(stablehlo::ConvolutionOp op) {
  const stablehlo::ConvDimensionNumbersAttr numbers = op.getDimensionNumbers();
  const RankedTensorType result = typeOf(op.getResult());
  const int64_t positions = typeOf(op.getRhs()).getNumElements();
  if (typeOf(op.getLhs()).getDimSize(numbers.getInputFeatureDimension()) != 1 ||
      result.getDimSize(numbers.getOutputFeatureDimension()) != 1 || op.getBatchGroupCount() != 1 ||
      numbers.getInputSpatialDimensions().empty() || positions == 0 || positions > kMostPositions)
    return false;
  if (!isNarrowFloat(op.getLhs()) || !isNarrowFloat(op.getRhs()) || !isNarrowFloat(op.getResult())) return false;
  if (llvm::any_of(axesOf(op), [](const ConvAxis &axis) { return axis.stride != 1 || axis.baseDilation != 1; }))
    return false;
  const int64_t columns = result.getDimSize(numbers.getOutputSpatialDimensions().back());
  return columns >= kLeastColumns && result.getNumElements() >= std::max(kLeastRows * columns, kLeastElements);
}

class Filter {
 public:
  Filter(stablehlo::ConvolutionOp op, OpBuilder &b) : op_(op), build_{b, op.getLoc()}, axes_(axesOf(op)) {}

  void run() {
    const Value images = paddedImages(), numbers = numbersOfPositions();
    Value sum;
    for (int64_t i = 0; i < typeOf(numbers).getNumElements(); ++i) {
      const Value image = shifted(images, i), number = build_.reshape(build_.slice(numbers, {i}, {i + 1}, {1}), {});
      const Value product =
          stablehlo::MulOp::create(build_.b, build_.loc, image, build_.broadcast(number, typeOf(image).getShape(), {}));
      sum = sum ? Value(stablehlo::AddOp::create(build_.b, build_.loc, sum, product)) : product;
    }
    replaceBy(build_.convert(sum, typeOf(op_.getResult()).getElementType()));
  }

 private:
  // [batch, space..], in f32 before it is shifted: several rows of a packed type share sublanes.
  Value paddedImages() {
    const auto n = op_.getDimensionNumbers();
    SmallVector<int64_t> dims{n.getInputBatchDimension()}, low{0}, high{0};
    llvm::append_range(dims, n.getInputSpatialDimensions());
    dims.push_back(n.getInputFeatureDimension());
    for (const ConvAxis &axis : axes_) low.push_back(axis.low), high.push_back(axis.high);
    const Value images = build_.convert(build_.transpose(op_.getLhs(), dims), build_.b.getF32Type());
    return build_.pad(build_.reshape(images, typeOf(images).getShape().drop_back()),
                      build_.zero(typeOf(images).getElementType()), low, high, SmallVector<int64_t>(low.size(), 0));
  }

  // A vector in f32, the last axis' positions side by side, in the order in which they meet the images.
  Value numbersOfPositions() {
    const auto n = op_.getDimensionNumbers();
    SmallVector<int64_t> dims(n.getKernelSpatialDimensions()), reversed;
    dims.append({n.getKernelInputFeatureDimension(), n.getKernelOutputFeatureDimension()});
    for (auto [i, axis] : llvm::enumerate(axes_))
      if (axis.reversed) reversed.push_back(static_cast<int64_t>(i));
    Value numbers = build_.transpose(op_.getRhs(), dims);
    if (!reversed.empty())
      numbers = stablehlo::ReverseOp::create(build_.b, build_.loc, numbers.getType(), numbers, reversed);
    return build_.convert(build_.reshape(numbers, {typeOf(numbers).getNumElements()}), build_.b.getF32Type());
  }

  // What position `i` of the window sees.
  Value shifted(Value images, int64_t i) {
    SmallVector<int64_t> start(axes_.size() + 1, 0), limit(start), stride(start.size(), 1);
    limit[0] = typeOf(images).getDimSize(0);
    for (size_t d = axes_.size(); d-- > 0; i /= axes_[d].window) {
      start[d + 1] = i % axes_[d].window * axes_[d].dilation;
      limit[d + 1] = start[d + 1] + axes_[d].out;
    }
    return build_.slice(images, start, limit, stride);
  }

  // [batch, space..] to the result's order.
  void replaceBy(Value images) {
    const auto n = op_.getDimensionNumbers();
    SmallVector<int64_t> shape(typeOf(images).getShape()), dims(shape.size() + 1);
    shape.push_back(1);
    dims[n.getOutputBatchDimension()] = 0;
    dims[n.getOutputFeatureDimension()] = static_cast<int64_t>(shape.size()) - 1;
    for (auto [i, d] : llvm::enumerate(n.getOutputSpatialDimensions())) dims[d] = static_cast<int64_t>(i) + 1;
    op_.replaceAllUsesWith(build_.transpose(build_.reshape(images, shape), dims));
    op_.erase();
  }

  stablehlo::ConvolutionOp op_;
  Build build_;
  const SmallVector<ConvAxis> axes_;
};

struct ExpandFilters : impl::ExpandFiltersPassBase<ExpandFilters> {
  void runOnOperation() override {
    SmallVector<stablehlo::ConvolutionOp> filters;
    getOperation().walk([&](stablehlo::ConvolutionOp op) {
      if (isFilter(op)) filters.push_back(op);
    });
    for (stablehlo::ConvolutionOp op : filters) {
      OpBuilder b(op);
      Filter(op, b).run();
    }
  }
};

}  // namespace
}  // namespace tpuc::decompose
