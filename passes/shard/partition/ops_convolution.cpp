//===- ops_convolution.cpp - convolutions along batches, features and space ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along space each device computes a block of the result, from the range of the input that its windows see: padding and
// dilation are part of that range, so that the local convolution has none.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/models.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/window.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

class LocalConvolution {
 public:
  LocalConvolution(hlo::ConvolutionOp op, Partitioner &p)
      : op(op), p(p), numbers(op.getDimensionNumbers()), factors(windowRule(op)) {
    factors.allow(FactorKind::Reduction);
    for (int factor = 0, end = factors.kinds.size(); factor < end; ++factor)
      if (factors.inResults(factor)) factors.allowed.set(factor);
    choice = p.choose(op, factors);
  }

  LogicalResult run() {
    lhsLayout = choice.layouts[0];
    for (int64_t dim : numbers.getInputSpatialDimensions())
      if (p.current(op.getLhs()).layout.dims[dim].axes.empty()) lhsLayout.dims[dim] = {{}, shapeOf(op.getLhs())[dim]};
    Value lhs = masked(p.get(op.getLhs(), lhsLayout), lhsLayout, op.getLhs(), numbers.getInputFeatureDimension());
    Value rhs = p.get(op.getRhs(), choice.layouts[1]);
    rhs = masked(rhs, choice.layouts[1], op.getRhs(), numbers.getKernelInputFeatureDimension());
    size_t spatial = numbers.getInputSpatialDimensions().size();
    SmallVector<int64_t> dilations(spatial, 1), padding;
    for (size_t i = 0; i < spatial; ++i) {
      int64_t dilation = op.getLhsDilation() ? (*op.getLhsDilation())[i] : 1;
      auto [low, high] = paddingOf(i);
      if (!choice.layouts.back().dims[numbers.getOutputSpatialDimensions()[i]].axes.empty()) {
        lhs = windowsOf(lhs, i, low, dilation);
        dilation = 1, low = high = 0;
      }
      dilations[i] = dilation;
      llvm::append_values(padding, low, high);
    }
    Type type = localType(op.getResult().getType(), choice.layouts.back());
    auto local = cast<hlo::ConvolutionOp>(p.clone(op, {lhs, rhs}, TypeRange(type)));
    OpBuilder &builder = p.emit.builder;
    auto pairs = RankedTensorType::get({static_cast<int64_t>(spatial), 2}, builder.getI64Type());
    if (spatial) local.setPaddingAttr(cast<DenseIntElementsAttr>(DenseElementsAttr::get(pairs, ArrayRef(padding))));
    if (spatial) local.setLhsDilationAttr(builder.getDenseI64ArrayAttr(dilations));
    setGroups(local);
    p.setResults(op, local, factors, choice);
    return success();
  }

 private:
  Value masked(Value local, const Layout &layout, Value global, int64_t feature) {
    Value zero = p.emit.zeros(RankedTensorType::get({}, typeOf(local).getElementType()));
    return p.maskPadding(local, layout, shapeOf(global), {feature}, zero);
  }

  std::pair<int64_t, int64_t> paddingOf(size_t i) {
    if (!op.getPadding()) return {0, 0};
    auto values = op.getPadding()->getValues<int64_t>();
    return {values[2 * i], values[2 * i + 1]};
  }

  // The padded, dilated range of the input that a device's windows see.
  Value windowsOf(Value lhs, size_t i, int64_t low, int64_t dilation) {
    int64_t in = numbers.getInputSpatialDimensions()[i], out = numbers.getOutputSpatialDimensions()[i];
    const Layout &result = choice.layouts.back();
    int64_t block = result.dims[out].block, stride = op.getWindowStrides() ? (*op.getWindowStrides())[i] : 1;
    int64_t window = shapeOf(op.getRhs())[numbers.getKernelSpatialDimensions()[i]];
    int64_t seen = window == 0 ? 0 : (window - 1) * (op.getRhsDilation() ? (*op.getRhsDilation())[i] : 1) + 1;
    Window wanted{result.mesh, result.dims[out].axes, [=](int64_t part) { return part * block * stride - low; },
                  (block - 1) * stride + seen};
    Value zero = p.emit.zeros(RankedTensorType::get({}, typeOf(lhs).getElementType()));
    return dilatedWindow(p.emit, lhs, in, lhsLayout.dims[in], shapeOf(op.getLhs())[in], dilation, wanted, zero);
  }

  // Groups that lie along axes are fewer on a device; where they do not divide, the last ones are padding.
  void setGroups(hlo::ConvolutionOp local) {
    OpBuilder &builder = p.emit.builder;
    auto isGroup = [&](int factor) {
      return factors.has(0, factor) && factors.has(1, factor) && factors.has(2, factor);
    };
    for (int factor = 0, end = factors.kinds.size(); factor < end; ++factor) {
      int64_t parts = sdy::shardedSize(choice.axes[factor]);
      if (parts == 1 || !isGroup(factor)) continue;
      if (op.getFeatureGroupCount() > 1)
        local.setFeatureGroupCountAttr(builder.getI64IntegerAttr(divideUp(op.getFeatureGroupCount(), parts)));
      else
        local.setBatchGroupCountAttr(builder.getI64IntegerAttr(divideUp(op.getBatchGroupCount(), parts)));
    }
  }

  hlo::ConvolutionOp op;
  Partitioner &p;
  hlo::ConvDimensionNumbersAttr numbers;
  Factors factors;
  Choice choice;
  Layout lhsLayout;
};

LogicalResult convolution(Operation *op, Partitioner &p) {
  return LocalConvolution(cast<hlo::ConvolutionOp>(op), p).run();
}

}  // namespace

void addConvolution(Handlers &handlers) { handlers["stablehlo.convolution"] = convolution; }

}  // namespace tpuc::shard
