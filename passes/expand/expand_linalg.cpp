// Cholesky factors and triangular systems, column by column in a loop on the device.
//
//   cholesky          the column at j over the root of its diagonal becomes the factor's; the rest loses its outer product
//   triangular_solve  the row at i of the unknowns is what the solved ones leave of the right side, over the diagonal
// Columns and rows are picked by masks and sums, so that each step is a few fused kernels over the whole matrix.
#include "passes/expand/build.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_EXPANDLINALGPASS
#include "passes/expand/passes.h.inc"
namespace {

class Matrices {
 public:
  Matrices(OpBuilder &b, Location loc, RankedTensorType type) : b(b), build{b, loc}, loc(loc), element(type.getElementType()) {
    rank = type.getRank();
  }
  OpBuilder &b;
  Build build;
  Location loc;
  Type element;
  int64_t rank;

  template <typename Op> Value op(Value x, Value y) { return Op::create(b, loc, x.getType(), x, y); }
  Value add(Value x, Value y) { return op<stablehlo::AddOp>(x, y); }
  Value sub(Value x, Value y) { return op<stablehlo::SubtractOp>(x, y); }
  Value mul(Value x, Value y) { return op<stablehlo::MulOp>(x, y); }
  Value div(Value x, Value y) { return op<stablehlo::DivOp>(x, y); }
  Value select(Value p, Value x, Value y) { return stablehlo::SelectOp::create(b, loc, x.getType(), p, x, y); }
  Value compare(stablehlo::ComparisonDirection d, Value x, Value y) { return stablehlo::CompareOp::create(b, loc, x, y, d); }
  Value zeros(RankedTensorType type) { return build.broadcast(build.zero(type.getElementType()), type.getShape(), {}); }
  Value number(int32_t value) {
    auto type = RankedTensorType::get({}, b.getI32Type());
    return stablehlo::ConstantOp::create(b, loc, type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, value))));
  }
  // Positions along a dim of an array of this shape, and an index in all of it.
  Value iota(ArrayRef<int64_t> shape, int64_t dim) { return stablehlo::IotaOp::create(b, loc, RankedTensorType::get(shape, b.getI32Type()), dim); }
  Value spread(Value scalar, ArrayRef<int64_t> shape) { return build.broadcast(scalar, shape, {}); }
  Value equals(ArrayRef<int64_t> shape, int64_t dim, Value index) { return compare(stablehlo::ComparisonDirection::EQ, iota(shape, dim), spread(index, shape)); }
  Value after(ArrayRef<int64_t> shape, int64_t dim, Value index) { return compare(stablehlo::ComparisonDirection::GT, iota(shape, dim), spread(index, shape)); }

  Value sum(Value v, int64_t dim) {
    SmallVector<int64_t> shape(typeOf(v).getShape());
    shape.erase(shape.begin() + dim);
    auto reduce = stablehlo::ReduceOp::create(b, loc, TypeRange(typeOf(v).clone(shape)), ValueRange(v), ValueRange(build.zero(element)), ArrayRef<int64_t>{dim});
    auto scalar = RankedTensorType::get({}, element);
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {loc, loc});
    Value total = stablehlo::AddOp::create(b, loc, scalar, body->getArgument(0), body->getArgument(1));
    stablehlo::ReturnOp::create(b, loc, total);
    return reduce.getResult(0);
  }
  // The slice of v at `index` of `dim`, without that dim.
  Value pick(Value v, int64_t dim, Value index) {
    return sum(select(equals(typeOf(v).getShape(), dim, index), v, zeros(typeOf(v))), dim);
  }
  // v, which lacks `dim`, the same at all of its positions.
  Value along(Value v, int64_t dim, int64_t extent) {
    SmallVector<int64_t> shape(typeOf(v).getShape()), dims;
    shape.insert(shape.begin() + dim, extent);
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
      if (d != dim) dims.push_back(d);
    return build.broadcast(v, shape, dims);
  }
  Value conjugate(Value v) {
    auto complex = dyn_cast<ComplexType>(element);
    if (!complex) return v;
    auto part = typeOf(v).clone(complex.getElementType());
    Value re = stablehlo::RealOp::create(b, loc, part, v), im = stablehlo::ImagOp::create(b, loc, part, v);
    return stablehlo::ComplexOp::create(b, loc, v.getType(), re, stablehlo::NegOp::create(b, loc, part, im));
  }
  Value transposed(Value v) {
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(permutation[rank - 1], permutation[rank - 2]);
    return build.transpose(v, permutation);
  }

  // for i in [0, n): state = step(i, state)
  SmallVector<Value> loop(int64_t n, ValueRange init, function_ref<SmallVector<Value>(Value, ValueRange)> step) {
    SmallVector<Value> operands{number(0)};
    llvm::append_range(operands, init);
    SmallVector<Type> types(ValueRange(operands).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    auto op = stablehlo::WhileOp::create(b, loc, types, operands);
    OpBuilder::InsertionGuard guard(b);
    Block *cond = b.createBlock(&op.getCond(), {}, types, locs);
    stablehlo::ReturnOp::create(b, loc, compare(stablehlo::ComparisonDirection::LT, cond->getArgument(0), number(n)));
    Block *body = b.createBlock(&op.getBody(), {}, types, locs);
    SmallVector<Value> next{add(body->getArgument(0), number(1))};
    llvm::append_range(next, step(body->getArgument(0), ValueRange(body->getArguments()).drop_front()));
    stablehlo::ReturnOp::create(b, loc, next);
    return SmallVector<Value>(op.getResults().drop_front());
  }
};

void cholesky(stablehlo::CholeskyOp op) {
  OpBuilder b(op);
  auto type = typeOf(op.getA());
  Matrices m(b, op.getLoc(), type);
  int64_t n = type.getShape().back(), r = m.rank - 2, c = m.rank - 1;
  Value a = op.getLower() ? op.getA() : m.conjugate(m.transposed(op.getA()));
  SmallVector<Value> done = m.loop(n, {a, m.zeros(type)}, [&](Value j, ValueRange state) -> SmallVector<Value> {
    Value rest = state[0], factor = state[1];
    Value column = m.pick(rest, c, j);
    ArrayRef<int64_t> shape = typeOf(column).getShape();
    Value square = m.pick(column, r, j);
    Value root = stablehlo::SqrtOp::create(b, op.getLoc(), square.getType(), square, stablehlo::ResultAccuracyAttr());
    Value spread = m.along(root, r, n);
    Value l = m.select(m.after(shape, r, j), m.div(column, spread), m.select(m.equals(shape, r, j), spread, m.zeros(typeOf(column))));
    Value rows = m.along(l, c, n), columns = m.along(m.conjugate(l), r, n);
    Value next = m.select(m.equals(type.getShape(), c, j), rows, factor);
    return {m.sub(rest, m.mul(rows, columns)), next};
  });
  op.replaceAllUsesWith(op.getLower() ? done[1] : m.conjugate(m.transposed(done[1])));
  op.erase();
}

void triangularSolve(stablehlo::TriangularSolveOp op) {
  OpBuilder b(op);
  auto type = typeOf(op.getB());
  Matrices m(b, op.getLoc(), type);
  int64_t n = typeOf(op.getA()).getShape().back(), r = m.rank - 2, c = m.rank - 1;
  Value a = op.getA(), right = op.getB();
  bool lower = op.getLower(), transpose = op.getTransposeA() != stablehlo::Transpose::NO_TRANSPOSE;
  if (op.getTransposeA() == stablehlo::Transpose::ADJOINT) a = m.conjugate(a);
  // X op(A) = B is op(A)^T X^T = B^T.
  if (!op.getLeftSide()) {
    right = m.transposed(right);
    transpose = !transpose;
  }
  if (transpose) {
    a = m.transposed(a);
    lower = !lower;
  }
  auto shape = typeOf(right).getShape();
  int64_t columns = shape.back();
  SmallVector<Value> done = m.loop(n, m.zeros(typeOf(right)), [&](Value step, ValueRange state) -> SmallVector<Value> {
    Value i = lower ? step : m.sub(m.number(n - 1), step);
    Value row = m.pick(a, r, i);  // [batch, n]
    Value solved = m.sum(m.mul(m.along(row, c, columns), state[0]), r);
    Value x = m.sub(m.pick(right, r, i), solved);
    if (!op.getUnitDiagonal()) {
      Value diagonal = m.pick(row, r, i);
      x = m.div(x, m.along(diagonal, r, columns));
    }
    return {m.select(m.equals(shape, r, i), m.along(x, r, n), state[0])};
  });
  op.replaceAllUsesWith(op.getLeftSide() ? done[0] : m.transposed(done[0]));
  op.erase();
}

struct ExpandLinalg : impl::ExpandLinalgPassBase<ExpandLinalg> {
  using ExpandLinalgPassBase::ExpandLinalgPassBase;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (mlir::isa<stablehlo::CholeskyOp, stablehlo::TriangularSolveOp>(op)) ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (typeOf(op->getResult(0)).getNumElements() == 0) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(op->getNumOperands() - 1));
        op->erase();
      } else if (auto factor = dyn_cast<stablehlo::CholeskyOp>(op)) {
        cholesky(factor);
      } else {
        triangularSolve(cast<stablehlo::TriangularSolveOp>(op));
      }
    }
  }
};

}  // namespace
}  // namespace tpuc::expand
