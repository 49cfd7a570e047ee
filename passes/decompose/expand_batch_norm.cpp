// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalisation, forth and back, as the specification writes it; narrow floats are computed in f32.
#include "passes/builders/pair.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDBATCHNORMPASS
#include "passes/decompose/passes.h.inc"
namespace {

class Norm {
 public:
  Norm(Operation *op, RankedTensorType type, int64_t feature, APFloat epsilon)
      : b(op),
        build{b, op->getLoc()},
        type(type),
        feature(feature),
        features(type.getDimSize(feature)),
        l(b, op->getLoc(), type.getShape()),
        perFeature(b, op->getLoc(), {features}),
        epsilon(epsilon) {
    element = type.getElementType().isF64() ? Type(b.getF64Type()) : Type(b.getF32Type());
  }
  OpBuilder b;
  Build build;
  RankedTensorType type;
  int64_t feature, features;
  Lanes l, perFeature;  // on whole arrays, on one element a feature
  APFloat epsilon;
  Type element;

  Value widened(Value v) {
    return typeOf(v).getElementType() == element
               ? v
               : Value(stablehlo::ConvertOp::create(b, l.loc, typeOf(v).clone(element), v));
  }
  Value narrowed(Value v) {
    Type to = type.getElementType();
    return element == to ? v : Value(stablehlo::ConvertOp::create(b, l.loc, typeOf(v).clone(to), v));
  }
  Value along(Value v) { return build.broadcast(v, type.getShape(), {feature}); }
  Value number(Lanes &lanes, double value) { return lanes.splat(b.getFloatAttr(element, value), element); }
  int64_t count() { return features ? type.getNumElements() / features : 0; }
  Value div(Lanes &lanes, Value x, Value y) { return lanes.op<stablehlo::DivOp>(x, y); }

  Value deviation(Value variance) {
    Value sum = perFeature.add(variance, number(perFeature, epsilon.convertToDouble()));
    return stablehlo::SqrtOp::create(b, l.loc, sum.getType(), sum, stablehlo::ResultAccuracyAttr());
  }
  // Over all dims but the feature's.
  Value sum(Value v) {
    SmallVector<int64_t> dims;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != feature) dims.push_back(d);
    auto reduce = stablehlo::ReduceOp::create(b, l.loc, TypeRange(RankedTensorType::get({features}, element)),
                                              ValueRange(v), ValueRange(build.zero(element)), dims);
    auto scalar = RankedTensorType::get({}, element);
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {l.loc, l.loc});
    Value total = stablehlo::AddOp::create(b, l.loc, scalar, body->getArgument(0), body->getArgument(1));
    stablehlo::ReturnOp::create(b, l.loc, total);
    return reduce.getResult(0);
  }
  Value mean(Value v) {
    Value total = sum(v), n = number(perFeature, static_cast<double>(count()));
    return div(perFeature, total, n);
  }
  Value normalised(Value x, Value scale, Value offset, Value mean, Value variance) {
    Value centered = l.sub(x, along(mean));
    return l.add(l.mul(along(scale), div(l, centered, along(deviation(variance)))), along(offset));
  }
};

void expand(stablehlo::BatchNormInferenceOp op) {
  Norm n(op, typeOf(op.getOperand()), op.getFeatureIndex(), op.getEpsilon());
  Value result = n.normalised(n.widened(op.getOperand()), n.widened(op.getScale()), n.widened(op.getOffset()),
                              n.widened(op.getMean()), n.widened(op.getVariance()));
  op.replaceAllUsesWith(n.narrowed(result));
}

void expand(stablehlo::BatchNormTrainingOp op) {
  Norm n(op, typeOf(op.getOperand()), op.getFeatureIndex(), op.getEpsilon());
  Value x = n.widened(op.getOperand()), mean = n.mean(x), centered = n.l.sub(x, n.along(mean));
  Value variance = n.mean(n.l.mul(centered, centered));
  Value result = n.normalised(x, n.widened(op.getScale()), n.widened(op.getOffset()), mean, variance);
  op->replaceAllUsesWith(ValueRange{n.narrowed(result), n.narrowed(mean), n.narrowed(variance)});
}

// scale / (deviation count) (count g - sum g - centered sum(g centered) / (variance + epsilon))
void expand(stablehlo::BatchNormGradOp op) {
  Norm n(op, typeOf(op.getOperand()), op.getFeatureIndex(), op.getEpsilon());
  Lanes &l = n.l, &f = n.perFeature;
  Value g = n.widened(op.getGradOutput()),
        centered = l.sub(n.widened(op.getOperand()), n.along(n.widened(op.getMean())));
  Value deviation = n.deviation(n.widened(op.getVariance())), count = n.number(f, static_cast<double>(n.count()));
  Value offset = n.sum(g), along = n.sum(l.mul(g, centered));
  Value slope = n.div(f, along, f.mul(deviation, deviation));
  Value rest = l.sub(l.sub(l.mul(g, n.along(count)), n.along(offset)), l.mul(centered, n.along(slope)));
  Value factor = n.div(f, n.widened(op.getScale()), f.mul(deviation, count));
  Value result = l.mul(n.along(factor), rest), scale = n.div(f, along, deviation);
  op->replaceAllUsesWith(ValueRange{n.narrowed(result), n.narrowed(scale), n.narrowed(offset)});
}

struct ExpandBatchNorm : impl::ExpandBatchNormPassBase<ExpandBatchNorm> {
  using ExpandBatchNormPassBase::ExpandBatchNormPassBase;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (mlir::isa<stablehlo::BatchNormInferenceOp, stablehlo::BatchNormTrainingOp, stablehlo::BatchNormGradOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto inference = dyn_cast<stablehlo::BatchNormInferenceOp>(op))
        expand(inference);
      else if (auto training = dyn_cast<stablehlo::BatchNormTrainingOp>(op))
        expand(training);
      else
        expand(cast<stablehlo::BatchNormGradOp>(op));
      op->erase();
    }
  }
};

}  // namespace
}  // namespace tpuc::decompose
