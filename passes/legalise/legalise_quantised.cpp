// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantised elements are held as their storage integers: `(q - zero point) scale` before whatever computes, and
// `round(clamp(x / scale + zero point))` after it (the specification's dequantize and quantize). Dots and convolutions
// of 8 bits and less take `q - zero point` as bf16, which holds it, and the scales' product after the sum.
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "passes/legalise/passes.h"
#include "passes/legalise/represented.h"

using namespace mlir;

namespace tpuc::legalise {
#define GEN_PASS_DEF_LEGALISEQUANTISEDPASS
#include "passes/legalise/passes.h.inc"
namespace {

using quant::QuantizedType;
using quant::UniformQuantizedPerAxisType;
using quant::UniformQuantizedType;

// One scale and zero point, or one for each index of `axis`.
struct Parameters {
  SmallVector<double> scales;
  SmallVector<int64_t> zeroPoints;
  std::optional<int64_t> axis;

  explicit Parameters(Type element) {
    if (auto axes = dyn_cast<UniformQuantizedPerAxisType>(element)) {
      scales.assign(axes.getScales().begin(), axes.getScales().end());
      zeroPoints.assign(axes.getZeroPoints().begin(), axes.getZeroPoints().end());
      axis = axes.getQuantizedDimension();
    } else {
      auto uniform = cast<UniformQuantizedType>(element);
      scales = {uniform.getScale()};
      zeroPoints = {uniform.getZeroPoint()};
    }
  }
  bool hasZeroPoints() const {
    return llvm::any_of(zeroPoints, [](int64_t z) { return z != 0; });
  }
};

// Numbers as an array of l's shape: a splat, or one a place along `axis`.
Value spread(Lanes &l, ArrayRef<double> values, std::optional<int64_t> axis, FloatType element) {
  auto attribute = [&](double value) -> Attribute {
    APFloat number(value);
    bool lost;
    number.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    return FloatAttr::get(element, number);
  };
  if (!axis) return l.splat(attribute(values[0]), element);
  auto type = RankedTensorType::get(static_cast<int64_t>(values.size()), element);
  auto attr = DenseElementsAttr::get(type, ArrayRef<Attribute>(llvm::map_to_vector(values, attribute)));
  Value list = stablehlo::ConstantOp::create(l.b, l.loc, type, cast<ElementsAttr>(Attribute(attr)));
  return Build{l.b, l.loc}.broadcast(list, l.shape, {*axis});
}

Value zeroPoints(Lanes &l, const Parameters &p, FloatType element) {
  return spread(l, SmallVector<double>(p.zeroPoints.begin(), p.zeroPoints.end()), p.axis, element);
}

bool isContraction(Operation *op) { return mlir::isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op); }
FloatType expressed(Type element) { return cast<FloatType>(cast<QuantizedType>(element).getExpressedType()); }
QuantizedType quantised(Value v) { return dyn_cast<QuantizedType>(typeOf(v).getElementType()); }

class QuantisedLegaliser : public RepresentedLegaliser {
  Type storageOf(Type element) override {
    auto type = dyn_cast<QuantizedType>(element);
    if (!type) return {};
    return IntegerType::get(element.getContext(), type.getStorageTypeIntegralWidth(),
                            type.isSigned() ? IntegerType::Signless : IntegerType::Unsigned);
  }
  Type numberOf(Type element, Operation *) override { return expressed(element); }
  // Every step of a reduction is an op on quantised values.
  bool accumulatesInNumbers(Operation *) override { return false; }

  // q - zero point, exact in f32 up to 24 bits.
  Value centred(Lanes &l, Value held, RankedTensorType type) {
    Parameters p(type.getElementType());
    FloatType element = expressed(type.getElementType());
    if (!p.hasZeroPoints()) return l.convert(held, element);
    if (quantisedWidth(type) <= 16) return l.sub(l.convert(held, element), zeroPoints(l, p, element));
    // The specification subtracts in the storage type.
    SmallVector<double> points(p.zeroPoints.begin(), p.zeroPoints.end());
    Type word = typeOf(held).getElementType();
    Value point = l.convert(spread(l, points, p.axis, Float64Type::get(word.getContext())), word);
    return l.convert(l.sub(held, point), element);
  }
  static int64_t quantisedWidth(RankedTensorType type) {
    return cast<QuantizedType>(type.getElementType()).getStorageTypeIntegralWidth();
  }

  Value decode(Lanes &l, Value held, RankedTensorType type, Operation *) override {
    Parameters p(type.getElementType());
    return l.mul(centred(l, held, type), spread(l, p.scales, p.axis, expressed(type.getElementType())));
  }
  Value encode(Lanes &l, Value number, RankedTensorType type, Operation *) override {
    auto element = cast<QuantizedType>(type.getElementType());
    Parameters p(element);
    FloatType f = expressed(element);
    Value x = l.op<stablehlo::DivOp>(l.convert(number, f), spread(l, p.scales, p.axis, f));
    if (p.hasZeroPoints()) x = l.add(x, zeroPoints(l, p, f));
    Value low = spread(l, static_cast<double>(element.getStorageTypeMin()), {}, f),
          high = spread(l, static_cast<double>(element.getStorageTypeMax()), {}, f);
    x = stablehlo::ClampOp::create(l.b, l.loc, x.getType(), low, x, high);
    return l.convert(l.op<stablehlo::RoundNearestEvenOp>(x), storageOf(element));
  }

  // The dim of a contraction's result that an axis of its right side becomes.
  static int64_t resultAxis(Operation *op, int64_t axis) {
    if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op))
      return conv.getDimensionNumbers().getOutputFeatureDimension();
    auto dot = cast<stablehlo::DotGeneralOp>(op);
    auto numbers = dot.getDotDimensionNumbers();
    ArrayRef<int64_t> batch = numbers.getRhsBatchingDimensions(), contracting = numbers.getRhsContractingDimensions();
    if (auto *place = llvm::find(batch, axis); place != batch.end()) return place - batch.begin();
    int64_t at = typeOf(dot.getLhs()).getRank() - static_cast<int64_t>(contracting.size());
    for (int64_t d = 0; d < axis; ++d) at += !llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d);
    return at;
  }

  Planes ownRule(OpBuilder &b, Operation *op) override {
    if (!isContraction(op)) return {};
    QuantizedType lhs = quantised(op->getOperand(0)), rhs = quantised(op->getOperand(1));
    auto result = typeOf(op->getResult(0));
    if (!lhs || !rhs || lhs.getStorageTypeIntegralWidth() > 8 || rhs.getStorageTypeIntegralWidth() > 8 ||
        !expressed(lhs).isF32())
      return {};
    OperationState state(op->getLoc(), op->getName());
    for (Value v : op->getOperands()) {
      Lanes l(b, op->getLoc(), typeOf(v).getShape());
      state.operands.push_back(l.convert(centred(l, planes(v)[0], typeOf(v)), b.getBF16Type()));
    }
    state.addTypes(result.clone(b.getF32Type()));
    state.addAttributes(op->getAttrs());
    Value sums = b.create(state)->getResult(0);
    Parameters left(lhs), right(rhs);
    for (double &scale : right.scales) scale *= left.scales[0];
    if (right.axis) right.axis = resultAxis(op, *right.axis);
    Lanes l(b, op->getLoc(), result.getShape());
    Value scaled = l.mul(sums, spread(l, right.scales, right.axis, b.getF32Type()));
    if (quantised(op->getResult(0))) return {encode(l, scaled, result, op)};
    return {l.convert(scaled, result.getElementType())};
  }

  SmallVector<Attribute> partsOfScalar(Attribute scalar, Type element) override {
    return {IntegerAttr::get(storageOf(element), cast<IntegerAttr>(scalar).getValue())};
  }
  // The function itself takes and returns the integers: an argument beside the quantised one, which goes at the end.
  Planes enter(OpBuilder &, Value whole) override {
    auto arg = cast<BlockArgument>(whole);
    auto type = typeOf(whole);
    return {arg.getOwner()->insertArgument(arg.getArgNumber() + 1, type.clone(storageOf(type.getElementType())),
                                           arg.getLoc())};
  }
  Value leave(OpBuilder &, const Planes &parts, Type) override { return parts[0]; }
};

struct LegaliseQuantised : impl::LegaliseQuantisedPassBase<LegaliseQuantised> {
  using LegaliseQuantisedPassBase::LegaliseQuantisedPassBase;
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.getBody().empty()) return;
    if (failed(QuantisedLegaliser().run(func))) return signalPassFailure();
    Block &block = func.getBody().front();
    block.eraseArguments(
        [](BlockArgument arg) { return mlir::isa<QuantizedType>(getElementTypeOrSelf(arg.getType())); });
    func.setFunctionType(
        FunctionType::get(func.getContext(), block.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
  }
};

}  // namespace
}  // namespace tpuc::legalise
