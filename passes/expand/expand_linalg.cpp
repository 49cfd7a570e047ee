// cholesky, triangular_solve, and the custom calls that JAX makes of factorisations on a TPU. Their results are those of the calls:
//
//   LuDecomposition(a)                              factors, pivots, permutation
//   Qr(a)                                           R above the reflectors, their factors (LAPACK's geqrf)
//   ProductOfElementaryHouseholderReflectors(a, t)  Q (orgqr)
//   Eigh(a) {"lower,sort,sweeps,tolerance"}         vectors, values; Jacobi goes on to rounding, whatever the call asks
// Narrow floats are computed in f32.
#include "dialects/diagnostics/diagnose.h"
#include "passes/expand/matrices.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_EXPANDLINALGPASS
#include "passes/expand/passes.h.inc"
namespace {

using V = Value;

Type computedIn(Type element) { return element.isF16() || element.isBF16() ? Float32Type::get(element.getContext()) : element; }

class Factorisation {
 public:
  explicit Factorisation(Operation *op)
      : op_(op), b_(op), given_(typeOf(op->getOperand(0))), m_(b_, op->getLoc(), given_.clone(computedIn(given_.getElementType()))) {}

  void expand() {
    SmallVector<V> results = compute();
    for (auto [to, from] : llvm::zip_equal(op_->getResults(), results)) to.replaceAllUsesWith(m_.convert(from, typeOf(to).getElementType()));
    op_->erase();
  }

 private:
  V operand(unsigned i) {
    V v = op_->getOperand(i);
    return m_.convert(v, computedIn(typeOf(v).getElementType()));
  }

  SmallVector<V> compute() {
    if (given_.getNumElements() == 0 || typeOf(op_->getResult(0)).getNumElements() == 0) return ofNothing();
    if (auto factor = dyn_cast<stablehlo::CholeskyOp>(op_)) {
      V a = operand(0);
      return {factor.getLower() ? tpuc::expand::cholesky(m_, a) : m_.adjoint(tpuc::expand::cholesky(m_, m_.adjoint(a)))};
    }
    if (auto solve = dyn_cast<stablehlo::TriangularSolveOp>(op_)) return {triangular(solve)};
    auto call = cast<stablehlo::CustomCallOp>(op_);
    StringRef target = call.getCallTargetName();
    if (target == "LuDecomposition") {
      Lu lu = luDecomposition(m_, operand(0));
      return {lu.factors, lu.pivots, lu.permutation};
    }
    if (target == "Qr") {
      Qr qr = qrDecomposition(m_, operand(0));
      return {qr.factors, qr.taus};
    }
    if (target == "ProductOfElementaryHouseholderReflectors") return {productOfReflectors(m_, operand(0), operand(1))};
    auto config = dyn_cast_or_null<StringAttr>(call.getBackendConfigAttr());
    SmallVector<StringRef> fields;
    if (config) config.getValue().split(fields, ',');
    bool lower = fields.empty() || fields[0] != "0", sorted = fields.size() < 2 || fields[1] != "0";
    Eigen eigen = eigenDecomposition(m_, operand(0), lower, sorted);
    return {eigen.vectors, eigen.values};
  }

  V triangular(stablehlo::TriangularSolveOp op) {
    V a = operand(0), right = operand(1);
    bool lower = op.getLower(), transpose = op.getTransposeA() != stablehlo::Transpose::NO_TRANSPOSE;
    if (op.getTransposeA() == stablehlo::Transpose::ADJOINT) a = m_.conjugate(a);
    // X op(A) = B is op(A)^T X^T = B^T.
    if (!op.getLeftSide()) {
      right = m_.transposed(right);
      transpose = !transpose;
    }
    if (transpose) {
      a = m_.transposed(a);
      lower = !lower;
    }
    V x = solveTriangular(m_, a, right, lower, op.getUnitDiagonal());
    return op.getLeftSide() ? x : m_.transposed(x);
  }

  // Results without elements, and those that do not depend on any: a permutation of rows without columns, Q without reflectors.
  SmallVector<V> ofNothing() {
    SmallVector<V> out;
    for (V result : op_->getResults()) {
      auto type = typeOf(result);
      if (type.getNumElements() == 0 || type.getRank() < 2) out.push_back(m_.zeros(type.getShape(), computedIn(type.getElementType())));
      else out.push_back(m_.select(m_.diagonal(Matrices::Direction::EQ, type.getShape()), m_.constant(m_.zeros(type.getShape(), m_.element), 1), m_.zeros(type.getShape(), m_.element)));
    }
    if (out.size() == 3 && typeOf(out[2]).getNumElements()) out[2] = m_.iota(m_.shapeOf(out[2]), typeOf(out[2]).getRank() - 1);
    return out;
  }

  Operation *op_;
  OpBuilder b_;
  RankedTensorType given_;
  Matrices m_;
};

bool isFactorisation(Operation *op) {
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  if (!call) return mlir::isa<stablehlo::CholeskyOp, stablehlo::TriangularSolveOp>(op);
  return llvm::StringSwitch<bool>(call.getCallTargetName())
      .Cases({"LuDecomposition", "Qr", "ProductOfElementaryHouseholderReflectors", "Eigh"}, true)
      .Default(false);
}

// The types of a call are its own affair until here: what the target returns for its operand.
LogicalResult checkCall(stablehlo::CustomCallOp op) {
  StringRef target = op.getCallTargetName();
  auto wrong = [&](StringRef what) { return diagnose(op, codes::kCallSignature) << "'" << target << "' expects " << what << ", but got " << op.getInputs().getTypes() << " to " << op.getResultTypes(); };
  bool reflectors = target.starts_with("Product"), eigen = target == "Eigh", lu = target == "LuDecomposition";
  if (op.getInputs().size() != (reflectors ? 2u : 1u) || op.getNumResults() != (reflectors ? 1u : lu ? 3u : 2u))
    return wrong(reflectors ? "two operands and a result" : lu ? "one operand and three results" : "one operand and two results");
  auto a = dyn_cast<RankedTensorType>(op.getInputs()[0].getType());
  Type element = a ? a.getElementType() : Type();
  Type real = element && mlir::isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
  if (!a || !a.hasStaticShape() || a.getRank() < 2 || !(real.isF32() || real.isF64() || real.isF16() || real.isBF16())) return wrong("matrices of floats");
  auto lead = a.getShape().drop_back(2);
  int64_t height = a.getDimSize(a.getRank() - 2), breadth = a.getShape().back(), count = std::min(height, breadth);
  if (eigen && height != breadth) return wrong("square matrices");
  auto vectors = [&](int64_t n, Type t) {
    SmallVector<int64_t> shape(lead);
    shape.push_back(n);
    return RankedTensorType::get(shape, t);
  };
  SmallVector<Type> expected{a};
  if (lu) expected.append({vectors(count, IntegerType::get(op.getContext(), 32)), vectors(height, IntegerType::get(op.getContext(), 32))});
  else if (eigen) expected.push_back(vectors(breadth, real));
  else if (!reflectors) expected.push_back(vectors(count, element));
  if (TypeRange(expected) != op.getResultTypes()) return wrong("its results' types to follow from the matrix's");
  if (!reflectors) return success();
  auto taus = dyn_cast<RankedTensorType>(op.getInputs()[1].getType());
  if (!taus || taus.getRank() == 0 || taus != vectors(taus.getShape().back(), element) || taus.getShape().back() > breadth || breadth > height) return wrong("at most a factor a column, and no more columns than rows");
  return success();
}

struct ExpandLinalg : impl::ExpandLinalgPassBase<ExpandLinalg> {
  using ExpandLinalgPassBase::ExpandLinalgPassBase;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isFactorisation(op)) ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto call = dyn_cast<stablehlo::CustomCallOp>(op); call && failed(checkCall(call))) return signalPassFailure();
      Factorisation(op).expand();
    }
  }
};

}  // namespace
}  // namespace tpuc::expand
