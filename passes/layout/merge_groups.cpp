// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions in groups as some of one group.
//
//  1. Groups lie side by side in parts, and each part is a convolution of a slice of the operands; results are put
//     together along the features. How many groups a part has is estimated: few leave parts of the arrays idle and
//     many slices to copy, many are work on zeros.
//  2. Groups of features are one whose weights are zero between groups.
//  3. Of groups of the batch, as gradients of weights have them, all results are computed, and those within a group
//     taken.
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/layout/passes.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_MERGEGROUPSPASS
#include "passes/layout/passes.h.inc"
namespace {

constexpr int64_t kLanes = 128;
constexpr int64_t kFewIn = 1024, kFewOut = 2048;  // features that may always be of one group
constexpr double kLeastGain = 0.9;                // estimates are not exact
constexpr double kMade = 5, kSliced = 4;          // times that made weights, and a slice, are read or written

// Dims of a convolution's arrays that its groups divide. The weights' inputs are those of one group already.
struct GroupDims {
  int64_t groups;
  bool ofBatch;
  int64_t input, weights, result;  // the batch or the features of the input, what results are of, features of results
  int64_t inner;                   // what each group has of its own: the weights' inputs; the results' batch

  explicit GroupDims(stablehlo::ConvolutionOp op) {
    auto n = op.getDimensionNumbers();
    ofBatch = op.getBatchGroupCount() > 1;
    groups = static_cast<int64_t>(ofBatch ? op.getBatchGroupCount() : op.getFeatureGroupCount());
    input = ofBatch ? n.getInputBatchDimension() : n.getInputFeatureDimension();
    weights = n.getKernelOutputFeatureDimension();
    result = n.getOutputFeatureDimension();
    inner = ofBatch ? n.getOutputBatchDimension() : n.getKernelInputFeatureDimension();
  }
};

class Groups {
 public:
  explicit Groups(stablehlo::ConvolutionOp op)
      : op_(op),
        dims_(op),
        b_(op),
        build_{b_, op.getLoc()},
        in_(typeOf(op.getLhs()).getDimSize(dims_.input) / dims_.groups),
        out_(typeOf(op.getResult()).getDimSize(dims_.result) / dims_.groups) {}

  // Windows have kernels for groups of one feature, and so have their gradients.
  bool merges() {
    Type element = typeOf(op_.getLhs()).getElementType();
    return dims_.groups > 1 && (op_.getBatchGroupCount() == 1 || op_.getFeatureGroupCount() == 1) &&
           !(in_ == 1 && out_ == 1) && !analysis::isPointwise(op_) && element.isIntOrFloat() &&
           element.getIntOrFloatBitWidth() <= 32 && typeOf(op_.getLhs()).getNumElements() > 0 &&
           typeOf(op_.getResult()).getNumElements() > 0;
  }

  // Groups of a part for which the whole is estimated to take the least; nothing where a matmul of slices for each tap
  // takes less.
  std::optional<int64_t> chooseCount(const timing::MachineModel &model) {
    const bool isSmall = !dims_.ofBatch && in_ * dims_.groups <= kFewIn && out_ * dims_.groups <= kFewOut;
    int64_t best = dims_.groups;
    double least = (isSmall ? kLeastGain : 1) * cycles(best, model);
    for (int64_t count = dims_.groups - 1; count > 0; --count)
      if (dims_.groups % count == 0)
        if (double c = cycles(count, model); c < least) {
          least = c;
          best = count;
        }
    if (!isSmall && cyclesOfSlices(model) < least) return std::nullopt;
    return best;
  }

  void rewrite(int64_t count) {
    SmallVector<Value> parts;
    for (int64_t first = 0; first < dims_.groups; first += count)
      parts.push_back(dims_.ofBatch ? ofBatch(first, count) : ofFeatures(first, count));
    op_.replaceAllUsesWith(parts.size() == 1 ? parts.front() : build_.concatenate(parts, dims_.result));
    op_.erase();
  }

 private:
  static double bytesOf(RankedTensorType type) {
    return static_cast<double>(type.getNumElements()) * type.getElementTypeBitWidth() / 8;
  }
  static double toMove(double bytes, const timing::MachineModel &model) {
    return static_cast<double>(model.hbmCycles(static_cast<int64_t>(bytes), static_cast<int>(model.target().cores())));
  }
  // A slice of the input for each tap is written, put in order by groups and read.
  double cyclesOfSlices(const timing::MachineModel &model) {
    double taps = 1;
    for (const analysis::ConvAxis &a : analysis::axesOf(op_))
      taps *= static_cast<double>(dims_.ofBatch ? a.out : a.window);
    return toMove(kSliced * taps * bytesOf(typeOf(op_.getLhs())), model);
  }

  // Rows that the arrays take, copies of what is cut and put together, launches.
  double cycles(int64_t count, const timing::MachineModel &model) {
    const target::Core &core = model.target().core();
    const auto side = static_cast<int64_t>(core.mxu_side());
    const auto parts = static_cast<double>(dims_.groups / count);
    RankedTensorType in = typeOf(op_.getLhs()), weights = typeOf(op_.getRhs()), out = typeOf(op_.getResult());
    double positions = 1;
    for (const analysis::ConvAxis &a : analysis::axesOf(op_))
      positions *= static_cast<double>(a.window) * static_cast<double>(a.out);
    auto n = op_.getDimensionNumbers();
    positions *= static_cast<double>(dims_.ofBatch ? in.getDimSize(n.getInputFeatureDimension())
                                                   : in.getDimSize(n.getInputBatchDimension()));
    const auto tiles = static_cast<double>(llvm::divideCeil(count * in_, side) * llvm::divideCeil(count * out_, side));
    double total = positions * tiles * parts / core.mxu_rows_per_cycle() / core.mxus() / model.target().cores();
    // Weights, or their gradient, with what lies between groups.
    if (count > 1) total += toMove(kMade * static_cast<double>(count) * bytesOf(dims_.ofBatch ? out : weights), model);
    if (parts == 1) return total;
    // A slice in the middle of a tile turns lanes.
    auto moved = [&](RankedTensorType type, int64_t features) { return (features % kLanes ? 4 : 2) * bytesOf(type); };
    return total + parts * static_cast<double>(model.launchCycles()) +
           toMove(moved(in, count * in_) + moved(dims_.ofBatch ? weights : out, count * out_), model);
  }

  Value zeros(RankedTensorType type) {
    return build_.broadcast(build_.zero(type.getElementType()), type.getShape(), {});
  }

  Value part(Value v, int64_t dim, int64_t first, int64_t count, int64_t each) {
    RankedTensorType type = typeOf(v);
    if (type.getDimSize(dim) == count * each) return v;
    SmallVector<int64_t> start(type.getRank(), 0), limit(type.getShape()), stride(type.getRank(), 1);
    start[dim] = first * each;
    limit[dim] = (first + count) * each;
    return build_.slice(v, start, limit, stride);
  }

  // The op on other operands, of one group.
  Value convolution(Value lhs, Value rhs, int64_t features, int64_t batch) {
    auto made = cast<stablehlo::ConvolutionOp>(b_.clone(*op_));
    made.getLhsMutable().assign(lhs);
    made.getRhsMutable().assign(rhs);
    made.setFeatureGroupCount(1);
    made.setBatchGroupCount(1);
    SmallVector<int64_t> shape(typeOf(op_.getResult()).getShape());
    shape[dims_.result] = features;
    if (dims_.ofBatch) shape[dims_.inner] = batch;
    made.getResult().setType(typeOf(op_.getResult()).clone(shape));
    return made.getResult();
  }

  // Where index `inner`, of as many as a group has, times groups, and index `outer` are of one group.
  Value areOneGroup(RankedTensorType type, int64_t inner, int64_t perInner, int64_t outer, int64_t perOuter) {
    auto numbers = cast<RankedTensorType>(type.clone(b_.getI32Type()));
    auto groupOf = [&](int64_t dim, int64_t per) -> Value {
      Value iota = stablehlo::IotaOp::create(b_, build_.loc, numbers, dim);
      return stablehlo::DivOp::create(b_, build_.loc, iota, build_.splat(numbers, per));
    };
    return stablehlo::CompareOp::create(b_, build_.loc, type.clone(b_.getI1Type()), groupOf(inner, perInner),
                                        groupOf(outer, perOuter), stablehlo::ComparisonDirection::EQ,
                                        stablehlo::ComparisonTypeAttr());
  }

  // Weights [.., in of a group, out] become [.., in, out]: repeated along `in`, then zero but where both are of one
  // group.
  Value ofFeatures(int64_t first, int64_t count) {
    Value x = part(op_.getLhs(), dims_.input, first, count, in_),
          w = part(op_.getRhs(), dims_.weights, first, count, out_);
    if (count > 1) {
      Value wide = build_.concatenate(SmallVector<Value>(count, w), dims_.inner);
      RankedTensorType type = typeOf(wide);
      w = stablehlo::SelectOp::create(b_, build_.loc, areOneGroup(type, dims_.inner, in_, dims_.weights, out_), wide,
                                      zeros(type));
    }
    return convolution(x, w, count * out_, 0);
  }

  // Results [.., batch, features]: those whose features and batch are not of one group add zeros.
  Value ofBatch(int64_t first, int64_t count) {
    Value x = part(op_.getLhs(), dims_.input, first, count, in_),
          dy = part(op_.getRhs(), dims_.weights, first, count, out_);
    Value all = convolution(x, dy, count * out_, count * in_);
    if (count == 1) return all;
    RankedTensorType type = typeOf(all);
    Value own = stablehlo::SelectOp::create(b_, build_.loc, areOneGroup(type, dims_.inner, in_, dims_.result, out_),
                                            all, zeros(type));
    SmallVector<int64_t> split(type.getShape());
    split[dims_.inner] = in_;
    split.insert(split.begin() + dims_.inner, count);
    return build_.sum(build_.reshape(own, split), {dims_.inner});
  }

  stablehlo::ConvolutionOp op_;
  GroupDims dims_;
  OpBuilder b_;
  Build build_;
  int64_t in_, out_;  // of a group, along the dims that groups divide
};

struct MergeGroups : impl::MergeGroupsPassBase<MergeGroups> {
  using MergeGroupsPassBase::MergeGroupsPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    SmallVector<stablehlo::ConvolutionOp> ops;
    getOperation().walk([&](stablehlo::ConvolutionOp op) { ops.push_back(op); });
    for (stablehlo::ConvolutionOp op : ops)
      if (Groups groups(op); groups.merges())
        if (std::optional<int64_t> count = groups.chooseCount(model)) groups.rewrite(*count);
  }
};

}  // namespace
}  // namespace tpuc::layout
