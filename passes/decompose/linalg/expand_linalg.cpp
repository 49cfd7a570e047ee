// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cholesky, triangular_solve, and the custom calls that JAX makes of factorisations on a TPU. Their results are those
// of the calls:
//
//   LuDecomposition(a)                              factors, pivots, permutation
//   Qr(a)                                           R above the reflectors, their factors (LAPACK's geqrf)
//   ProductOfElementaryHouseholderReflectors(a, t)  Q (orgqr)
//   Eigh(a) {"lower,sort,sweeps,tolerance"}         vectors, values; Jacobi goes on to rounding, whatever the call asks
//
// and of what LAPACK's calls become that have none of those names:
//
//   tpuc.svd(a) {"N", "S" or "A"}                   values; with S or A left and right vectors, as many as values or
//   all tpuc.tridiagonal_solve(lower, diagonal, upper, b)   x, and the first zero pivot's number (gtsv); {"perturbed"}:
//   without such tpuc.hessenberg(a)                              the matrix above the reflectors, their factors (gehrd)
//   tpuc.tridiagonal(a) {"L" or "U"}                the same, its diagonals, the factors (sytrd)
//   tpuc.pivoted_qr(a, first)                       as Qr, and the order of columns (geqp3)
//   tpuc.schur(a) {"N" or "V"}                      T, with V the vectors Z, eigenvalues, info (gees)
//   tpuc.eig(a) {"N" or "V", twice}                 eigenvalues, left and right vectors that are asked for, info (geev)
// Narrow floats are computed in f32.
#include "dialects/diagnostics/diagnose.h"
#include "passes/decompose/linalg/matrices.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
#define GEN_PASS_DEF_EXPANDLINALGPASS
#include "passes/decompose/passes.h.inc"
namespace {

using V = Value;

Type computedIn(Type element) {
  return element.isF16() || element.isBF16() ? Float32Type::get(element.getContext()) : element;
}

class Factorisation {
 public:
  explicit Factorisation(Operation *op)
      : op_(op), b_(op), given_(typeOf(op->getOperand(0))), m_(b_, op->getLoc(), matrices(op)) {}

  void expand() {
    SmallVector<V> results = compute();
    for (auto [to, from] : llvm::zip_equal(op_->getResults(), results))
      to.replaceAllUsesWith(m_.convert(from, typeOf(to).getElementType()));
    op_->erase();
  }

 private:
  // What the operands are batches of; a tridiagonal system's are its right sides.
  static RankedTensorType matrices(Operation *op) {
    auto type = typeOf(op->getOperand(op->getNumOperands() == 4 ? 3 : 0));
    return type.clone(computedIn(type.getElementType()));
  }
  V operand(unsigned i) {
    V v = op_->getOperand(i);
    return m_.convert(v, computedIn(typeOf(v).getElementType()));
  }

  SmallVector<V> compute() {
    if (given_.getNumElements() == 0 || typeOf(op_->getResult(0)).getNumElements() == 0) return ofNothing();
    if (auto factor = dyn_cast<stablehlo::CholeskyOp>(op_)) {
      V a = operand(0);
      return {factor.getLower() ? decompose::cholesky(m_, a) : m_.adjoint(decompose::cholesky(m_, m_.adjoint(a)))};
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
    StringRef said = config ? config.getValue() : "";
    if (target.consume_front("tpuc.")) return ofLapack(target, said);
    SmallVector<StringRef> fields;
    said.split(fields, ',');
    bool lower = fields[0] != "0", sorted = fields.size() < 2 || fields[1] != "0";
    Eigen eigen = eigenDecomposition(m_, operand(0), lower, sorted);
    return {eigen.vectors, eigen.values};
  }

  SmallVector<V> ofLapack(StringRef name, StringRef said) {
    if (name == "svd") {
      Singular of = singularValues(m_, operand(0),
                                   said == "N"   ? SingularVectors::None
                                   : said == "A" ? SingularVectors::All
                                                 : SingularVectors::Some);
      return said == "N" ? SmallVector<V>{of.values} : SmallVector<V>{of.values, of.left, of.right};
    }
    if (name == "tridiagonal_solve") {
      TridiagonalSolution of =
          solveTridiagonal(m_, operand(0), operand(1), operand(2), operand(3), said == "perturbed");
      return {of.x, of.info};
    }
    if (name == "hessenberg") {
      Hessenberg of = hessenbergDecomposition(m_, operand(0));
      return {of.factors, of.taus};
    }
    if (name == "tridiagonal") {
      Tridiagonal of = tridiagonalDecomposition(m_, operand(0), said == "L");
      return {of.factors, of.diagonal, of.off, of.taus};
    }
    if (name == "schur") return ofSchur(said == "V");
    if (name == "eig") {
      bool left = said.front() == 'V', right = said.back() == 'V';
      GeneralEigen of = generalEigenDecomposition(m_, operand(0), left, right);
      SmallVector<V> out{of.values};
      if (left) out.push_back(of.left);
      if (right) out.push_back(of.right);
      out.push_back(of.info);
      return out;
    }
    PivotedQr of = pivotedQrDecomposition(m_, operand(0), op_->getOperand(1));
    return {of.factors, of.order, of.taus};
  }

  // Eigenvalues are complex, and those of a real matrix two arrays.
  SmallVector<V> ofSchur(bool vectors) {
    Schur of = schurForm(m_, operand(0), vectors);
    SmallVector<V> out{of.t};
    if (vectors) out.push_back(of.z);
    if (m_.isComplex()) {
      out.push_back(m_.only(m_.diagonal(Matrices::Direction::EQ, m_.shapeOf(of.t)), of.t, m_.c));
    } else {
      auto [re, im] = eigenvaluesOf(m_, of.t);
      out.append({re, im});
    }
    out.push_back(of.info);
    return out;
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

  // Results without elements, and those that do not depend on any: a permutation of rows without columns, Q without
  // reflectors.
  SmallVector<V> ofNothing() {
    SmallVector<V> out;
    for (V result : op_->getResults()) {
      auto type = typeOf(result);
      if (type.getNumElements() == 0 || type.getRank() < given_.getRank())
        out.push_back(m_.zeros(type.getShape(), computedIn(type.getElementType())));
      else
        out.push_back(m_.select(m_.diagonal(Matrices::Direction::EQ, type.getShape()),
                                m_.constant(m_.zeros(type.getShape(), m_.element), 1),
                                m_.zeros(type.getShape(), m_.element)));
    }
    if (auto call = dyn_cast<stablehlo::CustomCallOp>(op_);
        call && call.getCallTargetName() == "LuDecomposition" && typeOf(out[2]).getNumElements())
      out[2] = m_.iota(m_.shapeOf(out[2]), typeOf(out[2]).getRank() - 1);
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
      .Cases({"tpuc.svd", "tpuc.tridiagonal_solve", "tpuc.hessenberg", "tpuc.tridiagonal", "tpuc.pivoted_qr",
              "tpuc.schur", "tpuc.eig"},
             true)
      .Default(false);
}

// The types of a call are its own affair until here: what the target takes and returns, by its first operand's shape.
class Signature {
 public:
  explicit Signature(stablehlo::CustomCallOp op) : op_(op), target_(op.getCallTargetName()) {}

  LogicalResult check() {
    size_t operands = operandCount();
    if (op_.getInputs().size() != operands)
      return wrong(operands == 1 ? "one operand" : operands == 2 ? "two operands" : "four operands");
    bool diagonals = operands == 4;
    a_ = dyn_cast<RankedTensorType>(op_.getInputs()[diagonals ? 3 : 0].getType());
    Type element = a_ ? a_.getElementType() : Type();
    real_ = element && mlir::isa<ComplexType>(element) ? cast<ComplexType>(element).getElementType() : element;
    if (!a_ || !a_.hasStaticShape() || a_.getRank() < 2 ||
        !(real_.isF32() || real_.isF64() || real_.isF16() || real_.isBF16()))
      return wrong("matrices of floats");
    height_ = a_.getDimSize(a_.getRank() - 2), breadth_ = a_.getShape().back();
    bool square =
        llvm::is_contained({"Eigh", "tpuc.hessenberg", "tpuc.tridiagonal", "tpuc.schur", "tpuc.eig"}, target_);
    if (square && height_ != breadth_) return wrong("square matrices");
    if (TypeRange(expected()) != op_.getResultTypes()) return wrong("its results' types to follow from the matrix's");
    if (target_.starts_with("Product")) return checkReflectors();
    if (target_ == "tpuc.pivoted_qr" && op_.getInputs()[1].getType() != vectors(breadth_, i32()))
      return wrong("a number a column");
    for (unsigned i = 0; diagonals && i < 3; ++i)
      if (op_.getInputs()[i].getType() != vectors(height_, element)) return wrong("an element of each diagonal a row");
    return success();
  }

 private:
  size_t operandCount() {
    return target_ == "tpuc.tridiagonal_solve"                              ? 4
           : target_.starts_with("Product") || target_ == "tpuc.pivoted_qr" ? 2
                                                                            : 1;
  }
  CodedError wrong(StringRef what) {
    return diagnose(op_, codes::kCallSignature) << "'" << target_ << "' expects " << what << ", but got "
                                                << op_.getInputs().getTypes() << " to " << op_.getResultTypes();
  }
  Type i32() { return IntegerType::get(op_.getContext(), 32); }
  RankedTensorType shaped(ArrayRef<int64_t> inner, Type element) {
    SmallVector<int64_t> shape(a_.getShape().drop_back(2));
    llvm::append_range(shape, inner);
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType vectors(int64_t n, Type element) { return shaped({n}, element); }

  SmallVector<Type> expected() {
    int64_t count = std::min(height_, breadth_), off = std::max<int64_t>(breadth_ - 1, 0);
    Type element = a_.getElementType();
    auto config = dyn_cast_or_null<StringAttr>(op_.getBackendConfigAttr());
    StringRef said = config ? config.getValue() : "";
    if (target_ == "LuDecomposition") return {a_, vectors(count, i32()), vectors(height_, i32())};
    if (target_ == "Eigh") return {a_, vectors(breadth_, real_)};
    if (target_ == "Qr") return {a_, vectors(count, element)};
    if (target_ == "tpuc.hessenberg") return {a_, vectors(off, element)};
    if (target_ == "tpuc.tridiagonal")
      return {a_, vectors(breadth_, real_), vectors(off, real_), vectors(off, element)};
    if (target_ == "tpuc.pivoted_qr") return {a_, vectors(breadth_, i32()), vectors(count, element)};
    if (target_ == "tpuc.tridiagonal_solve") return {a_, shaped({}, i32())};
    if (target_ == "tpuc.schur" || target_ == "tpuc.eig") return ofGeneral(said);
    if (target_ != "tpuc.svd") return {a_};
    if (said == "N") return {vectors(count, real_)};
    bool all = said == "A";
    return {vectors(count, real_), shaped({height_, all ? height_ : count}, element),
            shaped({all ? breadth_ : count, breadth_}, element)};
  }

  SmallVector<Type> ofGeneral(StringRef said) {
    Type element = a_.getElementType(), complex = ComplexType::get(real_);
    if (target_ == "tpuc.eig") {
      SmallVector<Type> out{vectors(breadth_, complex)};
      out.append(said.count('V'), a_.clone(complex));
      out.push_back(shaped({}, i32()));
      return out;
    }
    SmallVector<Type> out(said == "V" ? 2 : 1, a_);
    out.append(element == real_ ? 2 : 1, vectors(breadth_, element));
    out.push_back(shaped({}, i32()));
    return out;
  }

  LogicalResult checkReflectors() {
    auto taus = dyn_cast<RankedTensorType>(op_.getInputs()[1].getType());
    bool fits = taus && taus.getRank() > 0 && taus == vectors(taus.getShape().back(), a_.getElementType()) &&
                taus.getShape().back() <= breadth_ && breadth_ <= height_;
    return fits ? success() : wrong("at most a factor a column, and no more columns than rows");
  }

  stablehlo::CustomCallOp op_;
  StringRef target_;
  RankedTensorType a_;
  Type real_;
  int64_t height_ = 0, breadth_ = 0;
};

struct ExpandLinalg : impl::ExpandLinalgPassBase<ExpandLinalg> {
  using ExpandLinalgPassBase::ExpandLinalgPassBase;
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isFactorisation(op)) ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (auto call = dyn_cast<stablehlo::CustomCallOp>(op); call && failed(Signature(call).check()))
        return signalPassFailure();
      Factorisation(op).expand();
    }
  }
};

}  // namespace
}  // namespace tpuc::decompose
