// Reductions of wide types, and of several operands that are combined apart, start from the neutral element: their initial value,
// which may be any, is combined once at the end. (Those of one operand that a lane holds do the same inside of their kernel.)
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

  static bool isWide(Type element) {
    return mlir::isa<ComplexType>(element) || (element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 64);
  }

  // For each operand what leaves its elements unchanged, where a known op of its own combines them; else nothing.
  static SmallVector<Attribute> neutralValues(stablehlo::ReduceOp reduce) {
    Block &body = reduce.getBody().front();
    size_t n = reduce.getInputs().size();
    if (body.getOperations().size() != n + 1) return {};
    SmallVector<Attribute> values;
    for (size_t k = 0; k < n; ++k) {
      Operation *op = body.getTerminator()->getOperand(k).getDefiningOp();
      Value x = body.getArgument(k), y = body.getArgument(n + k);
      if (!op || op->getBlock() != &body || op->getNumOperands() != 2) return {};
      Value left = op->getOperand(0), right = op->getOperand(1);
      if (!(left == x && right == y) && !(left == y && right == x)) return {};
      values.push_back(neutral(op, typeOf(reduce.getResult(k)).getElementType()));
      if (!values.back()) return {};
    }
    return values;
  }

  static void rewrite(stablehlo::ReduceOp reduce) {
    size_t n = reduce.getInputs().size();
    if (n == 1 && !isWide(typeOf(reduce.getResult(0)).getElementType())) return;
    SmallVector<Attribute> values = neutralValues(reduce);
    if (values.empty()) return;
    OpBuilder b(reduce);
    SmallVector<Value> inits(reduce.getInitValues());
    for (size_t k = 0; k < n; ++k) {
      auto scalar = RankedTensorType::get({}, typeOf(reduce.getResult(k)).getElementType());
      auto start = cast<ElementsAttr>(Attribute(DenseElementsAttr::get(scalar, ArrayRef<Attribute>(values[k]))));
      reduce->setOperand(n + k, stablehlo::ConstantOp::create(b, reduce.getLoc(), scalar, start));
    }
    b.setInsertionPointAfter(reduce);
    Build build{b, reduce.getLoc()};
    SmallVector<Value> arguments;
    for (auto [init, result] : llvm::zip(inits, reduce.getResults()))
      arguments.push_back(typeOf(result).getRank() ? build.broadcast(init, typeOf(result).getShape(), {}) : init);
    llvm::append_range(arguments, reduce.getResults());
    for (auto [result, total] : llvm::zip(reduce.getResults(), inlineElementwise(b, reduce.getBody().front(), arguments)))
      result.replaceAllUsesExcept(total, total.getDefiningOp());
  }

  void runOnOperation() override {
    SmallVector<stablehlo::ReduceOp> ops;
    getOperation().walk([&](stablehlo::ReduceOp op) { ops.push_back(op); });
    for (auto op : ops) rewrite(op);
  }
};

}  // namespace
}  // namespace tpuc::expand
