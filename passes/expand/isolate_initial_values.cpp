// Reductions of wide types start from the neutral element: their initial value, which may be any, is combined once at the end.
// (Those of types that a lane holds do the same inside of their kernel.)
#include "passes/expand/inline_region.h"
#include "passes/expand/passes.h"
#include "passes/expand/build.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_ISOLATEINITIALVALUESPASS
#include "passes/expand/passes.h.inc"
namespace {

// The value that leaves every x unchanged; null for an op that is not known.
Attribute neutral(Operation *op, Type t) {
  Builder b(t.getContext());
  auto number = [&](double value) -> Attribute {
    if (auto complex = dyn_cast<ComplexType>(t)) return b.getArrayAttr({b.getFloatAttr(complex.getElementType(), value), b.getFloatAttr(complex.getElementType(), 0.0)});
    if (mlir::isa<FloatType>(t)) return b.getFloatAttr(t, value);
    return b.getIntegerAttr(t, APInt(t.getIntOrFloatBitWidth(), static_cast<uint64_t>(value)));
  };
  auto integer = [&](const APInt &value) -> Attribute { return b.getIntegerAttr(t, value); };
  unsigned width = t.isIntOrFloat() ? t.getIntOrFloatBitWidth() : 0;
  bool isFloat = mlir::isa<FloatType>(t), isUnsigned = t.isUnsignedInteger();
  if (mlir::isa<stablehlo::AddOp>(op)) return number(isFloat ? -0.0 : 0.0);
  if (mlir::isa<stablehlo::MulOp>(op)) return number(1.0);
  if (mlir::isa<ComplexType>(t)) return {};
  if (mlir::isa<stablehlo::MaxOp>(op)) return isFloat ? number(-INFINITY) : integer(isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width));
  if (mlir::isa<stablehlo::MinOp>(op)) return isFloat ? number(INFINITY) : integer(isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width));
  if (isFloat) return {};
  if (mlir::isa<stablehlo::AndOp>(op)) return integer(APInt::getAllOnes(width));
  if (mlir::isa<stablehlo::OrOp, stablehlo::XorOp>(op)) return integer(APInt::getZero(width));
  return {};
}

struct IsolateInitialValues : impl::IsolateInitialValuesPassBase<IsolateInitialValues> {
  using IsolateInitialValuesPassBase::IsolateInitialValuesPassBase;

  static void rewrite(stablehlo::ReduceOp reduce) {
    Type element = typeOf(reduce.getResult(0)).getElementType();
    bool wide = mlir::isa<ComplexType>(element) || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 64);
    Operation *op = reduce.getSimpleBodyOp();
    if (!wide || !op || reduce.getInputs().size() != 1) return;
    Attribute value = neutral(op, element);
    if (!value) return;
    OpBuilder b(reduce);
    Value init = reduce.getInitValues()[0];
    auto scalar = RankedTensorType::get({}, element);
    Value start = stablehlo::ConstantOp::create(b, reduce.getLoc(), scalar, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(scalar, ArrayRef<Attribute>(value)))));
    reduce->setOperand(1, start);
    b.setInsertionPointAfter(reduce);
    Build build{b, reduce.getLoc()};
    auto type = typeOf(reduce.getResult(0));
    Value spread = type.getRank() ? build.broadcast(init, type.getShape(), {}) : init;
    Value total = inlineElementwise(b, reduce.getBody().front(), {spread, reduce.getResult(0)})[0];
    reduce.getResult(0).replaceAllUsesExcept(total, total.getDefiningOp());
  }

  void runOnOperation() override {
    SmallVector<stablehlo::ReduceOp> ops;
    getOperation().walk([&](stablehlo::ReduceOp op) { ops.push_back(op); });
    for (auto op : ops) rewrite(op);
  }
};

}  // namespace
}  // namespace tpuc::expand
