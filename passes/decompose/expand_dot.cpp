// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots of types that the matrix unit does not take: products and sums on the vector unit.
//
//  1. Operands to the result's type, as [contracted, batch, free].
//  2. Both over [contracted, batch, left free, right free], multiplied, summed over the contracted dims: one kernel,
//     the products never lie in memory.
// Products of 64-bit elements are long: their free dims are one each, and the one along lanes is that which leaves
// fewer lanes idle.
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDDOTPASS
#include "passes/decompose/passes.h.inc"
namespace {

bool isMatrixType(Type t) { return t.isF32() || t.isBF16() || t.isF16() || t.isSignlessInteger(8); }

bool isWide(Type t) {
  if (auto complex = dyn_cast<ComplexType>(t)) t = complex.getElementType();
  return t.isF64() || t.isInteger(64);
}

bool staysOnMatrixUnit(stablehlo::DotGeneralOp op) {
  Type l = typeOf(op.getLhs()).getElementType(), r = typeOf(op.getRhs()).getElementType(),
       out = typeOf(op.getResult()).getElementType();
  if (!isMatrixType(l) || !isMatrixType(r)) return false;
  if (l.isInteger() != r.isInteger()) return false;
  return l.isInteger() ? out.isSignlessInteger(32) : out.isF32() || out.isBF16() || out.isF16();
}

class Product {
 public:
  Product(stablehlo::DotGeneralOp op, OpBuilder &b)
      : op_(op), build_{b, op.getLoc()}, b_(b), n_(op.getDotDimensionNumbers()) {}

  void run() {
    auto type = typeOf(op_.getResult());
    Type element = type.getElementType();
    ArrayRef<int64_t> lb = n_.getLhsBatchingDimensions(), rb = n_.getRhsBatchingDimensions(),
                      lc = n_.getLhsContractingDimensions(), rc = n_.getRhsContractingDimensions();
    Value l = arrange(op_.getLhs(), lb, lc, element), r = arrange(op_.getRhs(), rb, rc, element);
    int64_t k = lc.size(), outer = k + lb.size();
    bool turned = false;
    if (k && isWide(element)) {
      l = withOneFreeDim(l, outer), r = withOneFreeDim(r, outer);
      turned = idle(typeOf(l).getShape().back(), typeOf(r).getShape().back()) >
               idle(typeOf(r).getShape().back(), typeOf(l).getShape().back());
      if (turned) std::swap(l, r);
    }
    int64_t lf = typeOf(l).getRank() - outer, rf = typeOf(r).getRank() - outer;
    SmallVector<int64_t> shape(typeOf(l).getShape());
    llvm::append_range(shape, typeOf(r).getShape().drop_front(outer));
    SmallVector<int64_t> left = llvm::to_vector(llvm::seq<int64_t>(0, outer + lf)),
                         right = llvm::to_vector(llvm::seq<int64_t>(0, outer));
    for (int64_t d = 0; d < rf; ++d) right.push_back(outer + lf + d);
    Value product = multiply(build_.broadcast(l, shape, left), build_.broadcast(r, shape, right));
    if (k) product = build_.sum(product, llvm::to_vector(llvm::seq<int64_t>(0, k)));
    op_.replaceAllUsesWith(build_.reshape(turned ? exchanged(product) : product, type.getShape()));
    op_.erase();
  }

 private:
  Value arrange(Value v, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract, Type element) {
    SmallVector<int64_t> permutation(contract);
    llvm::append_range(permutation, batch);
    for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
      if (!llvm::is_contained(permutation, d)) permutation.push_back(d);
    if (typeOf(v).getElementType() != element)
      v = stablehlo::ConvertOp::create(b_, build_.loc, typeOf(v).clone(element), v);
    return build_.transpose(v, permutation);
  }

  Value withOneFreeDim(Value v, int64_t outer) {
    SmallVector<int64_t> shape(typeOf(v).getShape().take_front(outer));
    int64_t free = 1;
    for (int64_t size : typeOf(v).getShape().drop_front(outer)) free *= size;
    shape.push_back(free);
    return build_.reshape(v, shape);
  }
  // Elements of whole tiles of rows by columns.
  static int64_t idle(int64_t rows, int64_t columns) { return llvm::alignTo(rows, 8) * llvm::alignTo(columns, 128); }
  Value exchanged(Value v) {
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(v).getRank()));
    std::swap(permutation[permutation.size() - 2], permutation.back());
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
}  // namespace tpuc::decompose
