// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batch normalisation: sums over the true elements, divided by how many there are. And transforms along dimensions that
// are known.
#include "passes/shapes/neutral.h"
#include "passes/shapes/padder.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

// All operands behind the first have the features' size.
LogicalResult fitFeatures(Operation *op, Padder &padder, int64_t feature, ArrayRef<unsigned> vectors) {
  const Extent features = padder.extents(op->getOperand(0))[feature];
  OpBuilder builder(op);
  for (unsigned i : vectors) {
    Value vector = op->getOperand(i);
    if (failed(padder.requireEqual(op, features, padder.extents(vector)[0], "the number of features")))
      return failure();
    op->setOperand(i, padder.fitted(builder, op->getLoc(), vector, padder.capacity({features})));
  }
  return success();
}

LogicalResult inference(Operation *op, Padder &padder) {
  auto norm = cast<hlo::BatchNormInferenceOp>(op);
  if (failed(fitFeatures(op, padder, static_cast<int64_t>(norm.getFeatureIndex()), {1, 2, 3, 4}))) return failure();
  return padder.retype(op, {padder.extents(norm.getOperand())});
}

// Means over all dims but the features'.
class Means {
 public:
  Means(Operation *op, Padder &padder, int64_t feature, const Extents &extents)
      : op_(op), padder_(padder), builder_(op), feature_(feature), extents_(extents), count_(Extent::number(1)) {
    for (int64_t dim = 0; dim < static_cast<int64_t>(extents.size()); ++dim)
      if (dim != feature) dims_.push_back(dim);
    for (int64_t dim : dims_) count_ = ExtentSpace::multiply(count_, extents[dim]);
  }

  Value of(Value value) {
    Location location = op_->getLoc();
    Type element = tensor(value).getElementType();
    padder_.setExtents(value, extents_);
    value = padder_.masked(op_, value, dims_, zeroScalar(element), "a mean over a batch");
    auto type = RankedTensorType::get({tensor(value).getDimSize(feature_)}, element);
    Value zero = splat(builder_, location, element, zeroScalar(element));
    auto reduce =
        hlo::ReduceOp::create(builder_, location, TypeRange(type), ValueRange(value), ValueRange(zero), dims_);
    fillBody(reduce.getBody(), element);
    Value size = padder_.scalar(count_, element, builder_, location);
    return hlo::DivOp::create(builder_, location, type, reduce.getResult(0),
                              broadcast(builder_, location, size, type.getShape(), {}));
  }

 private:
  void fillBody(Region &region, Type element) {
    OpBuilder::InsertionGuard guard(builder_);
    auto scalar = RankedTensorType::get({}, element);
    Block *body = builder_.createBlock(&region, {}, {scalar, scalar}, {op_->getLoc(), op_->getLoc()});
    Value sum = hlo::AddOp::create(builder_, op_->getLoc(), scalar, body->getArgument(0), body->getArgument(1));
    hlo::ReturnOp::create(builder_, op_->getLoc(), sum);
  }

  Operation *op_;
  Padder &padder_;
  OpBuilder builder_;
  int64_t feature_;
  Extents extents_;
  SmallVector<int64_t> dims_;
  Extent count_;
};

// Mean and variance by themselves, then the op that takes them. Narrow floats are summed in f32.
LogicalResult training(Operation *op, Padder &padder) {
  auto norm = cast<hlo::BatchNormTrainingOp>(op);
  const auto feature = static_cast<int64_t>(norm.getFeatureIndex());
  if (failed(fitFeatures(op, padder, feature, {1, 2}))) return failure();
  OpBuilder builder(op);
  Location location = op->getLoc();
  Extents extents = padder.extents(norm.getOperand());
  Type element = tensor(norm.getOperand()).getElementType();
  auto converted = [&](Value value, Type to) -> Value {
    return to == tensor(value).getElementType()
               ? value
               : hlo::ConvertOp::create(builder, location, tensor(value).clone(to), value).getResult();
  };
  Value x = converted(norm.getOperand(), element.isF64() ? element : builder.getF32Type());
  Means means(op, padder, feature, extents);
  Value mean = means.of(x);
  Value centred = hlo::SubtractOp::create(builder, location, x.getType(), x,
                                          broadcast(builder, location, mean, tensor(x).getShape(), {feature}));
  Value variance = means.of(hlo::MulOp::create(builder, location, x.getType(), centred, centred));
  mean = converted(mean, element);
  variance = converted(variance, element);
  OperationState state(location, hlo::BatchNormInferenceOp::getOperationName(),
                       {norm.getOperand(), norm.getScale(), norm.getOffset(), mean, variance},
                       {norm.getOperand().getType()},
                       {builder.getNamedAttr("epsilon", norm.getEpsilonAttr()),
                        builder.getNamedAttr("feature_index", norm.getFeatureIndexAttr())});
  return padder.replace(op, {builder.create(state)->getResult(0), mean, variance},
                        {extents, {extents[feature]}, {extents[feature]}});
}

// Signals of known length, each by itself.
LogicalResult fft(Operation *op, Padder &padder) {
  auto fft = cast<hlo::FftOp>(op);
  Extents extents = padder.extents(fft.getOperand());
  const size_t rank = extents.size(), count = fft.getFftLength().size();
  RankedTensorType type = tensor(fft.getResult());
  for (size_t dim = rank - count; dim < rank; ++dim) {
    if (!extents[dim].asNumber()) return padder.refuse(op, "its signals are of open length");
    if (!type.isDynamicDim(dim)) extents[dim] = Extent::number(type.getDimSize(dim));
  }
  if (type.isDynamicDim(rank - 1) && fft.getFftType() != hlo::FftType::FFT && fft.getFftType() != hlo::FftType::IFFT)
    return padder.refuse(op, "the length of its results is open");
  return padder.retype(op, {extents});
}

}  // namespace

void addNormRules(PadRules &rules) {
  rules["stablehlo.batch_norm_inference"] = inference;
  rules["stablehlo.batch_norm_training"] = training;
  rules["stablehlo.fft"] = fft;
}

}  // namespace tpuc::shapes
