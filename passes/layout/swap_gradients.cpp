// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of transposed convolutions' weights, with their operands swapped.
//
//  1. Taps t, positions p of the window and elements e of the input meet where
//     t * stride + p * dilation = e * baseDilation + low. Between the elements are zeros, and a gradient's window, all
//     positions of an image, is multiplied with these too.
//  2. The operands have the same part in it. With the window as the input, taps are met in the other direction:
//     t' = last - t, t' * stride + e * baseDilation = p * dilation + last * stride - low. The dilations are swapped,
//     and no zeros are multiplied.
#include <numeric>

#include "passes/analysis/convolution_form.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/layout/passes.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::layout {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_SWAPGRADIENTSPASS
#include "passes/layout/passes.h.inc"
namespace {

double product(ArrayRef<ConvAxis> axes, int64_t ConvAxis::*extent) {
  return std::accumulate(axes.begin(), axes.end(), 1.0,
                         [&](double n, const ConvAxis &a) { return n * static_cast<double>(a.*extent); });
}

// Whether the products with zeros take longer than the taps, which are made in the other direction, and moved.
bool pays(stablehlo::ConvolutionOp op, const target::Target &target, const timing::MachineModel &model) {
  const SmallVector<ConvAxis> axes = axesOf(op);
  const double taps = product(axes, &ConvAxis::out), positions = product(axes, &ConvAxis::window),
               apart = product(axes, &ConvAxis::baseDilation) / product(axes, &ConvAxis::dilation);
  const RankedTensorType weights = typeOf(op.getResult());
  if (op.getFeatureGroupCount() != 1 || op.getBatchGroupCount() != 1 || apart <= 1 || taps >= positions ||
      !mlir::isa<FloatType>(weights.getElementType()) || weights.getNumElements() == 0 ||
      llvm::any_of(axes, [](const ConvAxis &a) { return a.reversed; }))
    return false;
  auto n = op.getDimensionNumbers();
  const auto &core = target.core();
  auto tiles = [&](int64_t dim) { return double(llvm::divideCeil(weights.getDimSize(dim), core.mxu_side())); };
  const auto images = double(typeOf(op.getLhs()).getDimSize(n.getInputFeatureDimension())),
             arrays = double(core.mxus()) * target.cores();
  const double pushes = images * positions * taps * tiles(n.getOutputBatchDimension()) *
                        tiles(n.getOutputFeatureDimension()) / arrays / core.mxu_rows_per_cycle();
  const int64_t bytes = weights.getNumElements() * 4;
  return pushes * (1 - 1 / apart) > double(model.launchCycles() + 2 * model.hbmCycles(bytes, target.cores()));
}

// The numbers for operands in each other's place. The result's features are in each other's place too.
stablehlo::ConvDimensionNumbersAttr swapped(stablehlo::ConvDimensionNumbersAttr n) {
  return stablehlo::ConvDimensionNumbersAttr::get(n.getContext(), n.getKernelOutputFeatureDimension(),
                                                  n.getKernelInputFeatureDimension(), n.getKernelSpatialDimensions(),
                                                  n.getInputFeatureDimension(), n.getInputBatchDimension(),
                                                  n.getInputSpatialDimensions(), n.getOutputBatchDimension(),
                                                  n.getOutputFeatureDimension(), n.getOutputSpatialDimensions());
}

void swapOperands(stablehlo::ConvolutionOp op) {
  OpBuilder b(op);
  auto made = cast<stablehlo::ConvolutionOp>(b.clone(*op));
  made.getLhsMutable().assign(op.getRhs());
  made.getRhsMutable().assign(op.getLhs());
  made.setDimensionNumbersAttr(swapped(op.getDimensionNumbers()));
  SmallVector<int64_t> padding, lhsDilation, rhsDilation;
  for (const ConvAxis &a : axesOf(op)) {
    const int64_t last = (a.out - 1) * a.stride, low = last - a.low;
    const int64_t reach = last + (a.in - 1) * a.baseDilation, own = (a.window - 1) * a.dilation;
    padding.append({low, reach - own - low});
    lhsDilation.push_back(a.dilation);
    rhsDilation.push_back(a.baseDilation);
  }
  const auto space = static_cast<int64_t>(lhsDilation.size());
  made.setPaddingAttr(DenseIntElementsAttr::get(RankedTensorType::get({space, 2}, b.getI64Type()), padding));
  made.setLhsDilation(lhsDilation);
  made.setRhsDilation(rhsDilation);
  if (auto precision = op.getPrecisionConfig()) {
    SmallVector<Attribute> both(precision->begin(), precision->end());
    std::reverse(both.begin(), both.end());
    made.setPrecisionConfigAttr(b.getArrayAttr(both));
  }
  auto n = op.getDimensionNumbers();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, space + 2));
  std::swap(order[n.getOutputBatchDimension()], order[n.getOutputFeatureDimension()]);
  const RankedTensorType type = typeOf(op.getResult());
  made.getResult().setType(
      type.clone(llvm::to_vector(llvm::map_range(order, [&](int64_t d) { return type.getDimSize(d); }))));
  Value taps = stablehlo::ReverseOp::create(b, op.getLoc(), made.getResult(), n.getOutputSpatialDimensions());
  taps = Build{b, op.getLoc()}.transpose(taps, order);
  op.replaceAllUsesWith(taps);
  op.erase();
}

struct SwapGradientsPass : impl::SwapGradientsPassBase<SwapGradientsPass> {
  using SwapGradientsPassBase::SwapGradientsPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    SmallVector<stablehlo::ConvolutionOp> ops;
    getOperation().walk([&](stablehlo::ConvolutionOp op) { ops.push_back(op); });
    for (auto op : ops)
      if (pays(op, machine, model)) swapOperands(op);
  }
};

}  // namespace
}  // namespace tpuc::layout
