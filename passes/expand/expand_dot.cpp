// Dots of types that the matrix unit does not take: products and sums on the vector unit.
//
//  1. Operands to the result's type, as [contracted, batch, free].
//  2. Both over [contracted, batch, left free, right free], multiplied, summed over the contracted dims: one kernel, the
//     products never lie in memory.
#include "passes/expand/build.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_EXPANDDOTPASS
#include "passes/expand/passes.h.inc"
namespace {

bool isMatrixType(Type t) { return t.isF32() || t.isBF16() || t.isF16() || t.isSignlessInteger(8); }

bool staysOnMatrixUnit(stablehlo::DotGeneralOp op) {
  Type l = typeOf(op.getLhs()).getElementType(), r = typeOf(op.getRhs()).getElementType(), out = typeOf(op.getResult()).getElementType();
  if (!isMatrixType(l) || !isMatrixType(r)) return false;
  if (l.isInteger() != r.isInteger()) return false;
  return l.isInteger() ? out.isSignlessInteger(32) : out.isF32() || out.isBF16() || out.isF16();
}

class Product {
 public:
  Product(stablehlo::DotGeneralOp op, OpBuilder &b) : op_(op), build_{b, op.getLoc()}, b_(b), n_(op.getDotDimensionNumbers()) {}

  void run() {
    auto type = typeOf(op_.getResult());
    Type element = type.getElementType();
    ArrayRef<int64_t> lb = n_.getLhsBatchingDimensions(), rb = n_.getRhsBatchingDimensions(), lc = n_.getLhsContractingDimensions(), rc = n_.getRhsContractingDimensions();
    Value l = arrange(op_.getLhs(), lb, lc, element), r = arrange(op_.getRhs(), rb, rc, element);
    int64_t k = lc.size(), outer = k + lb.size(), lf = typeOf(l).getRank() - outer, rf = typeOf(r).getRank() - outer;
    SmallVector<int64_t> shape(typeOf(l).getShape());
    llvm::append_range(shape, typeOf(r).getShape().drop_front(outer));
    SmallVector<int64_t> left = llvm::to_vector(llvm::seq<int64_t>(0, outer + lf)), right = llvm::to_vector(llvm::seq<int64_t>(0, outer));
    for (int64_t d = 0; d < rf; ++d) right.push_back(outer + lf + d);
    Value product = multiply(build_.broadcast(l, shape, left), build_.broadcast(r, shape, right));
    op_.replaceAllUsesWith(k ? build_.sum(product, llvm::to_vector(llvm::seq<int64_t>(0, k))) : build_.reshape(product, type.getShape()));
    op_.erase();
  }

 private:
  Value arrange(Value v, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract, Type element) {
    SmallVector<int64_t> permutation(contract);
    llvm::append_range(permutation, batch);
    for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
      if (!llvm::is_contained(permutation, d)) permutation.push_back(d);
    if (typeOf(v).getElementType() != element) v = stablehlo::ConvertOp::create(b_, build_.loc, typeOf(v).clone(element), v);
    return build_.transpose(v, permutation);
  }

  Value multiply(Value x, Value y) { return stablehlo::MulOp::create(b_, build_.loc, x.getType(), x, y); }

  stablehlo::DotGeneralOp op_;
  Build build_;
  OpBuilder &b_;
  stablehlo::DotDimensionNumbersAttr n_;
};

struct ExpandDot : impl::ExpandDotPassBase<ExpandDot> {
  using ExpandDotPassBase::ExpandDotPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::DotGeneralOp> ops;
    getOperation().walk([&](stablehlo::DotGeneralOp op) {
      if (!staysOnMatrixUnit(op)) ops.push_back(op);
    });
    for (auto op : ops) {
      OpBuilder b(op);
      Product(op, b).run();
    }
  }
};

}  // namespace
}  // namespace tpuc::expand
