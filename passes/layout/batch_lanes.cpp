// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates of a convolution's cycles with its features and with its batch along lanes.
#include "passes/layout/batch_lanes.h"

#include "passes/analysis/convolution_form.h"
#include "passes/analysis/strides.h"
#include "passes/builders/build.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
namespace {

constexpr double kLeastGain = 1.5;  // pays for transposes that the ops around may need then

double tiles(int64_t n, int64_t of) { return static_cast<double>(llvm::divideCeil(n, of)); }

// The sizes of a convolution. Those of a gradient are given as its forward convolution has them, as both multiply as
// much. Passes of the systolic arrays are as many in both forms, and not counted.
struct Sizes {
  int64_t batch = 1, in = 1, out = 1, taps = 1, lastTaps = 1;
  int64_t inputs = 1, results = 1;          // positions, of all dims
  int64_t lastInputs = 1, lastResults = 1;  // of the last

  Sizes(stablehlo::ConvolutionOp op, bool isGradient) {
    auto n = op.getDimensionNumbers();
    RankedTensorType lhs = typeOf(op.getLhs()), result = typeOf(op.getResult());
    batch = lhs.getDimSize(isGradient ? n.getInputFeatureDimension() : n.getInputBatchDimension());
    in = lhs.getDimSize(isGradient ? n.getInputBatchDimension() : n.getInputFeatureDimension());
    out = result.getDimSize(n.getOutputFeatureDimension());
    for (const analysis::ConvAxis &a : analysis::axesOf(op)) {
      lastTaps = isGradient ? a.out : a.window;
      lastResults = isGradient ? a.window : a.out;
      lastInputs = a.in;
      taps *= lastTaps;
      results *= lastResults;
      inputs *= lastInputs;
    }
  }
};

class Estimate {
 public:
  Estimate(const Sizes &sizes, Type element, const target::Target &target)
      : s_(sizes), target_(target), core_(target.core()), model_(target), pack_(analysis::Packing::of(element).pack) {}

  // [batch, space.., features]: rows of positions; few features of an input lie along sublanes.
  double withFeatures() const {
    const double in = tiles(s_.in, 128), out = tiles(s_.out, 128), side = core_.mxu_side();
    auto bytes = [&](int64_t positions, int64_t last, double rowTiles, double columns) {
      return static_cast<double>(s_.batch * (positions / last)) * rowTiles * columns * 4096;
    };
    const double input = s_.in <= 8 ? bytes(s_.inputs, s_.lastInputs, 1, tiles(s_.lastInputs, 128))
                                    : bytes(s_.inputs, s_.lastInputs, tiles(s_.lastInputs, 8 * pack_), in),
                 result = bytes(s_.results, s_.lastResults, tiles(s_.lastResults, 8 * pack_), out);
    const double rows =
        static_cast<double>(s_.batch * (s_.results / s_.lastResults)) * 8 * pack_ * tiles(s_.lastResults, 8 * pack_);
    // The last axis' taps side by side along lanes, or all of them.
    const double folded = std::ceil(s_.in * s_.lastTaps / side) * (s_.taps / s_.lastTaps),
                 all = s_.taps <= 64 ? std::ceil(s_.in * s_.taps / side) : folded;
    const double pushes = rows * std::min(folded, all) * std::ceil(s_.out / side);
    const double copies = static_cast<double>(s_.batch * s_.inputs) / 8 * in,
                 turns = rows / 8 * s_.lastTaps * in / core_.xlu_slots();
    return longest(input + result, pushes, copies + (s_.in % 128 ? turns : 0));
  }

  // [space.., features, batch]: a window's rows for each position.
  double withBatch() const {
    const double columns = tiles(s_.batch, 128), sides = tiles(s_.batch, core_.mxu_side()),
                 runs = static_cast<double>(s_.taps / s_.lastTaps), rows = runs * 8 * tiles(s_.lastTaps * s_.in, 8),
                 outs = 8 * pack_ * tiles(s_.out, 8 * pack_);
    auto bytes = [&](int64_t positions, int64_t last, int64_t features) {
      const double tilesOf =
          features == 1 ? positions / last * tiles(last, 8 * pack_) : positions * tiles(features, 8 * pack_);
      return tilesOf * columns * 4096.0;
    };
    const double staged = s_.results * sides * rows / core_.mxu_weight_rows_per_cycle() * core_.mxu_rows_per_cycle(),
                 pushed = s_.results * sides * outs * std::ceil(rows / core_.mxu_side());
    const double loads = s_.results * columns * (rows / 8 / core_.vload_slots() + outs / 8),
                 copies = s_.inputs * columns * (s_.in == 1 ? 1.0 / 8 : tiles(s_.in, 8));
    return longest(bytes(s_.inputs, s_.lastInputs, s_.in) + bytes(s_.results, s_.lastResults, s_.out), staged + pushed,
                   loads + copies);
  }

 private:
  // `rows` of the arrays, `vectors` cycles of the vector units.
  double longest(double bytes, double rows, double vectors) const {
    const double arrays = rows / core_.mxu_rows_per_cycle() / core_.mxus() / target_.cores();
    const double hbm = static_cast<double>(model_.hbmCycles(static_cast<int64_t>(bytes), target_.cores()));
    return std::max({hbm, arrays, vectors / target_.cores()});
  }

  const Sizes &s_;
  const target::Target &target_;
  const target::Core &core_;
  timing::MachineModel model_;
  int64_t pack_;
};

}  // namespace

bool paysInBatchLanes(stablehlo::ConvolutionOp op, bool isGradient, bool isGradientOtherwise,
                      const target::Target &target) {
  const Sizes sizes(op, isGradient), usual(op, isGradientOtherwise);
  if (sizes.batch < 2 || typeOf(op.getResult()).getNumElements() == 0 || typeOf(op.getLhs()).getNumElements() == 0)
    return false;
  const Type element = typeOf(op.getLhs()).getElementType();
  return Estimate(usual, element, target).withFeatures() > kLeastGain * Estimate(sizes, element, target).withBatch();
}

}  // namespace tpuc::layout
