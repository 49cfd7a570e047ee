//===- lapack.cpp - LAPACK's routines as ops and calls that the stage `expand` knows ------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX lowers linear algebra for a CPU to calls lapack_Xroutine_ffi, X one of s, d, c and z. Their operands and results
// are matrices [batch.., rows, columns]; that LAPACK has columns lie together is said by layouts, which are the
// machine's own affair here. The last result of most is `info`: not zero where JAX is to give NaN.
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/lapack.h"

#include "dialects/diagnostics/diagnose.h"
#include "llvm/ADT/StringSwitch.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;
using V = Value;

// The routine's name without X: real and Hermitian ones are one. Empty where the call is not LAPACK's.
StringRef routineOf(StringRef target) {
  if (!target.consume_front("lapack_") || !target.consume_back("_ffi") || target.size() < 2 ||
      !StringRef("sdcz").contains(target.front()))
    return {};
  target = target.drop_front();
  return llvm::StringSwitch<StringRef>(target)
      .Case("heevd", "syevd")
      .Case("ungqr", "orgqr")
      .Case("unmqr", "ormqr")
      .Case("hetrd", "sytrd")
      .Case("gesvd", "gesdd")
      .Default(target);
}

// One call: what it is given, and builders of what stands in its place.
class Call {
 public:
  explicit Call(hlo::CustomCallOp op) : op(op), b(op), loc(op.getLoc()) {}

  LogicalResult legalize();

 private:
  LogicalResult cholesky();
  LogicalResult solveTriangular();
  LogicalResult lu();
  LogicalResult qr();
  LogicalResult product();
  LogicalResult applyProduct();
  LogicalResult eigen();
  LogicalResult singular();
  LogicalResult hessenberg();
  LogicalResult tridiagonal();
  LogicalResult pivotedQr();
  LogicalResult solveTridiagonal();
  LogicalResult solvePerturbed();
  LogicalResult generalEigen();
  LogicalResult schur();

  // ---- arguments and types ----
  std::optional<int64_t> argument(StringRef name);
  bool is(StringRef name, char letter) { return argument(name) == letter; }
  LogicalResult malformed(StringRef expected) {
    return diagnose(op, codes::kCustomCall)
           << "'" << op.getCallTargetName() << "' expects " << expected << ", but got " << op->getOperandTypes()
           << " to " << op->getResultTypes() << " with " << arguments();
  }
  std::string arguments();
  RankedTensorType vector(int64_t size, Type element) {
    SmallVector<int64_t> shape(batch);
    shape.push_back(size);
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType matrix(int64_t height, int64_t breadth) {
    SmallVector<int64_t> shape(batch);
    shape.append({height, breadth});
    return RankedTensorType::get(shape, element);
  }
  bool isSigned(ArrayRef<Type> operands, ArrayRef<Type> results) {
    return op->getOperandTypes() == TypeRange(operands) && op->getResultTypes() == TypeRange(results);
  }

  // ---- builders ----
  V splat(RankedTensorType type, int64_t value) {
    return makeSplat(b, loc, type, APInt(type.getElementTypeBitWidth(), value, true));
  }
  V zero(RankedTensorType type) {
    return hlo::ConstantOp::create(
        b, loc, type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, zeroOf(type.getElementType())))));
  }
  Attribute zeroOf(Type type) {
    auto complex = dyn_cast<ComplexType>(type);
    return complex ? Attribute(b.getArrayAttr(
                         {b.getZeroAttr(complex.getElementType()), b.getZeroAttr(complex.getElementType())}))
                   : b.getZeroAttr(type);
  }
  V compare(hlo::ComparisonDirection d, V x, V y) { return hlo::CompareOp::create(b, loc, x, y, d); }
  V realPart(V x) { return isa<ComplexType>(element) ? V(hlo::RealOp::create(b, loc, x)) : x; }
  V both(V x, V y) { return hlo::AndOp::create(b, loc, x, y); }
  V iota(ArrayRef<int64_t> shape, int64_t dim) {
    return hlo::IotaOp::create(b, loc, RankedTensorType::get(shape, b.getI32Type()), dim);
  }
  V reduceMatrices(V v, bool largest, int64_t start);
  V firstOnDiagonal(V where);
  V placed(V v, int64_t height, int64_t breadth);
  ValueRange call(StringRef name, ValueRange operands, TypeRange results, StringRef config = {});

  LogicalResult finish(ArrayRef<V> results);

  hlo::CustomCallOp op;
  OpBuilder b;
  Location loc;
  RankedTensorType a;  // the first operand
  Type element, real;
  SmallVector<int64_t> batch;
  RankedTensorType info;
  int64_t height = 0, breadth = 0, count = 0;
};

std::optional<int64_t> Call::argument(StringRef name) {
  Attribute value = configured(op, name);
  if (auto number = dyn_cast_or_null<IntegerAttr>(value)) return number.getValue().getZExtValue();
  return std::nullopt;
}

std::string Call::arguments() {
  std::string text;
  llvm::raw_string_ostream out(text);
  Attribute given = op->getAttr("mhlo.backend_config");
  (given ? given : DictionaryAttr::get(b.getContext())).print(out);
  return text;
}

// Reduces i32 over rows and columns.
V Call::reduceMatrices(V v, bool largest, int64_t start) {
  auto type = cast<RankedTensorType>(v.getType()), scalar = RankedTensorType::get({}, b.getI32Type());
  auto made = hlo::ReduceOp::create(b, loc, TypeRange(info), ValueRange(v), ValueRange(splat(scalar, start)),
                                    {type.getRank() - 2, type.getRank() - 1});
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&made.getBody(), {}, {scalar, scalar}, {loc, loc});
  V x = body->getArgument(0), y = body->getArgument(1);
  V result = largest ? V(hlo::MaxOp::create(b, loc, x, y)) : V(hlo::MinOp::create(b, loc, x, y));
  hlo::ReturnOp::create(b, loc, result);
  return made.getResult(0);
}

// The number, from 1, of the first element on the diagonal for which `where` holds; else 0.
V Call::firstOnDiagonal(V where) {
  auto shape = cast<RankedTensorType>(where.getType()).getShape();
  auto numbers = RankedTensorType::get(shape, b.getI32Type());
  V row = iota(shape, shape.size() - 2), none = splat(numbers, INT32_MAX);
  V hit = both(where, compare(hlo::ComparisonDirection::EQ, row, iota(shape, shape.size() - 1)));
  V first = reduceMatrices(hlo::SelectOp::create(b, loc, hit, hlo::AddOp::create(b, loc, row, splat(numbers, 1)), none),
                           false, INT32_MAX);
  return hlo::SelectOp::create(b, loc, compare(hlo::ComparisonDirection::EQ, first, splat(info, INT32_MAX)),
                               splat(info, 0), first);
}

// In the corner of zeros.
V Call::placed(V v, int64_t rows, int64_t columns) {
  auto type = cast<RankedTensorType>(v.getType());
  SmallVector<int64_t> none(type.getRank(), 0), high(type.getRank(), 0);
  high[batch.size()] = rows - type.getDimSize(batch.size());
  high.back() = columns - type.getShape().back();
  return hlo::PadOp::create(b, loc, v, zero(RankedTensorType::get({}, element)), none, high, none);
}

ValueRange Call::call(StringRef name, ValueRange operands, TypeRange results, StringRef config) {
  OperationState state(loc, hlo::CustomCallOp::getOperationName(), operands, results);
  state.addAttribute("call_target_name", b.getStringAttr(name));
  if (!config.empty()) state.addAttribute("backend_config", b.getStringAttr(config));
  return b.create(state)->getResults();
}

// Null results are what LAPACK leaves in an operand's memory for nobody.
LogicalResult Call::finish(ArrayRef<V> results) {
  for (auto [i, to, from] : llvm::enumerate(op->getResults(), results)) {
    if (!from && !to.use_empty())
      return diagnose(op, codes::kCustomCall) << "expects no use of what '" << op.getCallTargetName()
                                              << "' leaves of its operand, but result " << i << " has one";
    if (from) to.replaceAllUsesWith(from);
  }
  op->erase();
  return success();
}

//===-----------------------------------------------------------------------------===//
// The routines
//===-----------------------------------------------------------------------------===//

// The other triangle stays as it was given.
LogicalResult Call::cholesky() {
  if (!isSigned({a}, {a, info}) || height != breadth || !(is("uplo", 'L') || is("uplo", 'U')))
    return malformed("square matrices and uplo L or U");
  bool lower = is("uplo", 'L');
  V given = op->getOperand(0), factor = hlo::CholeskyOp::create(b, loc, a, given, b.getBoolAttr(lower));
  V row = iota(a.getShape(), a.getRank() - 2), column = iota(a.getShape(), a.getRank() - 1);
  V kept = compare(lower ? hlo::ComparisonDirection::GE : hlo::ComparisonDirection::LE, row, column),
    diagonal = realPart(factor);
  V fails = hlo::NotOp::create(
      b, loc, compare(hlo::ComparisonDirection::GT, diagonal, zero(cast<RankedTensorType>(diagonal.getType()))));
  return finish({hlo::SelectOp::create(b, loc, kept, factor, given), firstOnDiagonal(fails)});
}

LogicalResult Call::solveTriangular() {
  Type right = op->getNumOperands() == 2 ? op->getOperand(1).getType() : Type();
  auto transposed =
      llvm::StringSwitch<std::optional<hlo::Transpose>>(std::string(1, char(argument("trans_x").value_or(0))))
          .Case("N", hlo::Transpose::NO_TRANSPOSE)
          .Case("T", hlo::Transpose::TRANSPOSE)
          .Case("C", hlo::Transpose::ADJOINT)
          .Default(std::nullopt);
  bool said = (is("side", 'L') || is("side", 'R')) && (is("uplo", 'L') || is("uplo", 'U')) &&
              (is("diag", 'N') || is("diag", 'U'));
  auto sides = dyn_cast_or_null<RankedTensorType>(right);
  bool fits = sides && sides.getRank() == a.getRank() && sides.getElementType() == element &&
              sides.getShape().drop_back(2) == ArrayRef(batch) &&
              sides.getDimSize(a.getRank() - (is("side", 'L') ? 2 : 1)) == height && height == breadth;
  if (!said || !transposed || !fits || !isSigned({a, right}, {right}))
    return malformed("triangular matrices, right sides that fit, and side, uplo, trans_x and diag");
  return finish({hlo::TriangularSolveOp::create(b, loc, right, op->getOperand(0), op->getOperand(1),
                                                b.getBoolAttr(is("side", 'L')), b.getBoolAttr(is("uplo", 'L')),
                                                b.getBoolAttr(is("diag", 'U')),
                                                hlo::TransposeAttr::get(b.getContext(), *transposed))});
}

// Pivots count from 1 here. A zero on the diagonal is said in info, as LAPACK goes on from there.
LogicalResult Call::lu() {
  auto pivots = vector(count, b.getI32Type());
  if (!isSigned({a}, {a, pivots, info})) return malformed("matrices, their factors, pivots and info");
  ValueRange made = call("LuDecomposition", op->getOperand(0), {a, pivots, vector(height, b.getI32Type())});
  auto isZero = [&](V part) {
    return compare(hlo::ComparisonDirection::EQ, part, zero(cast<RankedTensorType>(part.getType())));
  };
  V none = isZero(realPart(made[0]));
  if (isa<ComplexType>(element)) none = both(none, isZero(hlo::ImagOp::create(b, loc, made[0])));
  V first = count ? firstOnDiagonal(none) : splat(info, 0);
  return finish({made[0], hlo::AddOp::create(b, loc, made[1], splat(pivots, 1)), first});
}

LogicalResult Call::qr() {
  if (!isSigned({a}, {a, vector(count, element)}))
    return malformed("matrices, their factors and those of the reflectors");
  return finish(llvm::to_vector(call("Qr", op->getOperands(), op->getResultTypes())));
}

LogicalResult Call::product() {
  if (op->getNumOperands() != 2 || op->getResultTypes() != TypeRange(a))
    return malformed("matrices and the factors of reflectors");
  return finish(
      llvm::to_vector(call("ProductOfElementaryHouseholderReflectors", op->getOperands(), op->getResultTypes())));
}

// Q as a whole, times the operand, or the operand times it.
LogicalResult Call::applyProduct() {
  auto given = op->getNumOperands() == 3 ? dyn_cast<RankedTensorType>(op->getOperand(2).getType()) : RankedTensorType();
  auto taus = given ? dyn_cast<RankedTensorType>(op->getOperand(1).getType()) : RankedTensorType();
  auto left = argument("left"), transpose = argument("transpose");
  bool fits = given && taus && left && transpose && given.getRank() == a.getRank() &&
              given.getElementType() == element && given.getShape().drop_back(2) == ArrayRef(batch) &&
              given.getDimSize(a.getRank() - (*left ? 2 : 1)) == height && taus.getRank() + 1 == a.getRank() &&
              taus == vector(taus.getShape().back(), element) && taus.getShape().back() <= breadth && breadth <= height;
  if (!fits || op->getResultTypes() != TypeRange(given))
    return malformed("reflectors, their factors, matrices that fit, left and transpose");
  auto square = matrix(height, height);
  V q = call("ProductOfElementaryHouseholderReflectors", {placed(op->getOperand(0), height, height), op->getOperand(1)},
             square)[0];
  V c = op->getOperand(2);
  if (*transpose && isa<ComplexType>(element))
    q = hlo::ComplexOp::create(b, loc, square, hlo::RealOp::create(b, loc, q),
                               hlo::NegOp::create(b, loc, hlo::ImagOp::create(b, loc, q)));
  SmallVector<int64_t> shared = llvm::to_vector(llvm::seq<int64_t>(0, batch.size()));
  int64_t rows = batch.size(), columns = rows + 1, inner = (*left != 0) == (*transpose != 0) ? rows : columns;
  auto numbers = hlo::DotDimensionNumbersAttr::get(b.getContext(), shared, shared, {*left ? inner : columns},
                                                   {*left ? rows : inner});
  auto exact = hlo::PrecisionAttr::get(b.getContext(), hlo::Precision::HIGHEST);
  V x = *left ? q : c, y = *left ? c : q;
  return finish({hlo::DotGeneralOp::create(b, loc, given, x, y, numbers, b.getArrayAttr({exact, exact}),
                                           hlo::DotAlgorithmAttr())});
}

// Jacobi's method always ends: info is 0, and NaN are NaN.
LogicalResult Call::eigen() {
  if (!isSigned({a}, {a, vector(breadth, real), info}) || height != breadth || !(is("uplo", 'L') || is("uplo", 'U')))
    return malformed("square matrices and uplo L or U");
  ValueRange made =
      call("Eigh", op->getOperands(), {a, vector(breadth, real)}, is("uplo", 'L') ? "1,1,100,1e-6" : "0,1,100,1e-6");
  return finish({made[0], made[1], splat(info, 0)});
}

// info is -4 where the matrix has a NaN.
LogicalResult Call::singular() {
  bool whole = is("mode", 'A'), none = is("mode", 'N');
  int64_t left = whole ? height : count, right = whole ? breadth : count;
  SmallVector<Type> expected{a, vector(count, real), matrix(height, left), matrix(right, breadth), info};
  if (none && op->getNumResults() == 5)  // these are memory without a meaning
    expected[2] = op->getResult(2).getType(), expected[3] = op->getResult(3).getType();
  if (!isSigned({a}, expected) || !(whole || none || is("mode", 'S'))) return malformed("matrices and mode A, S or N");
  V given = op->getOperand(0);
  ValueRange made = call("tpuc.svd", given, none ? TypeRange(expected).slice(1, 1) : TypeRange(expected).slice(1, 3),
                         none    ? "N"
                         : whole ? "A"
                                 : "S");
  auto isNan = [&](V part) { return compare(hlo::ComparisonDirection::NE, part, part); };
  V nan = isNan(realPart(given));
  if (isa<ComplexType>(element)) nan = hlo::OrOp::create(b, loc, nan, isNan(hlo::ImagOp::create(b, loc, given)));
  auto numbers = RankedTensorType::get(a.getShape(), b.getI32Type());
  V least = reduceMatrices(hlo::SelectOp::create(b, loc, nan, splat(numbers, -4), splat(numbers, 0)), false, 0);
  return finish({V(), made[0], none ? V() : made[1], none ? V() : made[2], least});
}

LogicalResult Call::hessenberg() {
  auto taus = vector(std::max<int64_t>(breadth - 1, 0), element);
  if (!isSigned({a}, {a, taus, info}) || height != breadth || argument("low") != 1 || argument("high") != breadth)
    return malformed("square matrices, all of each");
  ValueRange made = call("tpuc.hessenberg", op->getOperands(), {a, taus});
  return finish({made[0], made[1], splat(info, 0)});
}

LogicalResult Call::tridiagonal() {
  int64_t off = std::max<int64_t>(breadth - 1, 0);
  SmallVector<Type> expected{a, vector(breadth, real), vector(off, real), vector(off, element), info};
  if (!isSigned({a}, expected) || height != breadth || !(is("uplo", 'L') || is("uplo", 'U')))
    return malformed("square matrices and uplo L or U");
  auto made = llvm::to_vector_of<V>(
      call("tpuc.tridiagonal", op->getOperands(), TypeRange(expected).drop_back(), is("uplo", 'L') ? "L" : "U"));
  made.push_back(splat(info, 0));
  return finish(made);
}

LogicalResult Call::pivotedQr() {
  Type order = vector(breadth, b.getI32Type());
  if (!isSigned({a, order}, {a, order, vector(count, element)}))
    return malformed("matrices and which of their columns stand first");
  return finish(llvm::to_vector_of<V>(call("tpuc.pivoted_qr", op->getOperands(), op->getResultTypes())));
}

// Here the first operand is a diagonal: [batch.., rows].
LogicalResult Call::solveTridiagonal() {
  Type right = op->getNumOperands() == 4 ? op->getOperand(3).getType() : Type();
  auto sides = dyn_cast_or_null<RankedTensorType>(right);
  bool fits = sides && sides.hasStaticShape() && sides.getRank() == a.getRank() + 1 &&
              sides.getElementType() == element && sides.getShape().drop_back() == a.getShape();
  auto info = RankedTensorType::get(a.getShape().drop_back(), b.getI32Type());
  if (!fits || !isSigned({a, a, a, right}, {a, a, a, right, info}))
    return malformed("three diagonals of a length and right sides");
  ValueRange made = call("tpuc.tridiagonal_solve", op->getOperands(), {right, info});
  return finish({V(), V(), V(), made[0], made[1]});
}

// Vectors that are not asked for are memory without a meaning. Of a real matrix the parts of the eigenvalues are two
// arrays.
LogicalResult Call::generalEigen() {
  auto complex = ComplexType::get(real);
  SmallVector<Type> expected(isa<ComplexType>(element) ? 1 : 2, vector(breadth, element));
  expected.append(2, a.clone(complex));
  expected.push_back(info);
  bool left = is("compute_left", 'V'), right = is("compute_right", 'V');
  if (!isSigned({a}, expected) || height != breadth || !(left || is("compute_left", 'N')) ||
      !(right || is("compute_right", 'N')))
    return malformed("square matrices, and compute_left and compute_right V or N");
  SmallVector<Type> made{vector(breadth, complex)};
  made.append(left + right, a.clone(complex));
  made.push_back(info);
  ValueRange of = call("tpuc.eig", op->getOperands(), made, std::string(left ? "V" : "N") + (right ? "V" : "N"));
  SmallVector<V> results{of[0]};
  if (expected.size() == 5) results = {hlo::RealOp::create(b, loc, of[0]), hlo::ImagOp::create(b, loc, of[0])};
  results.append({left ? of[1] : V(), right ? of[1 + left] : V(), of.back()});
  return finish(results);
}

// Sorted eigenvalues need a function that JAX does not pass on, so `sort` has to be N.
LogicalResult Call::schur() {
  SmallVector<Type> expected(2, a);
  expected.append(isa<ComplexType>(element) ? 1 : 2, vector(breadth, element));
  expected.append(2, info);
  bool vectors = is("mode", 'V');
  if (!isSigned({a}, expected) || height != breadth || !(vectors || is("mode", 'N')) || !is("sort", 'N'))
    return malformed("square matrices, mode V or N, and sort N");
  SmallVector<Type> made(expected.begin() + !vectors, expected.end() - 1);
  ValueRange of = call("tpuc.schur", op->getOperands(), made, vectors ? "V" : "N");
  SmallVector<V> results{of[0], vectors ? of[1] : V()};
  llvm::append_range(results, of.drop_front(1 + vectors).drop_back());
  results.append({splat(info, 0), of.back()});
  return finish(results);
}

// A call of JAX's own, for inverse iteration.
LogicalResult Call::solvePerturbed() {
  Type right = op->getNumOperands() == 4 ? op->getOperand(3).getType() : Type();
  auto sides = dyn_cast_or_null<RankedTensorType>(right);
  bool fits = sides && sides.hasStaticShape() && sides.getRank() == a.getRank() + 1 &&
              sides.getElementType() == element && sides.getShape().drop_back() == a.getShape();
  if (!fits || !isSigned({a, a, a, right}, {right})) return malformed("three diagonals of a length and right sides");
  auto info = RankedTensorType::get(a.getShape().drop_back(), b.getI32Type());
  return finish({call("tpuc.tridiagonal_solve", op->getOperands(), {right, info}, "perturbed")[0]});
}

LogicalResult Call::legalize() {
  StringRef routine = routineOf(op.getCallTargetName());
  if (op.getCallTargetName() == "tridiagonal_solve_perturbed_ffi") routine = "perturbed";
  bool ofDiagonals = routine == "gtsv" || routine == "perturbed";
  using Rule = LogicalResult (Call::*)();
  Rule rule = llvm::StringSwitch<Rule>(routine)
                  .Case("potrf", &Call::cholesky)
                  .Case("trsm", &Call::solveTriangular)
                  .Case("getrf", &Call::lu)
                  .Case("geqrf", &Call::qr)
                  .Case("orgqr", &Call::product)
                  .Case("ormqr", &Call::applyProduct)
                  .Case("syevd", &Call::eigen)
                  .Case("gesdd", &Call::singular)
                  .Case("gehrd", &Call::hessenberg)
                  .Case("sytrd", &Call::tridiagonal)
                  .Case("geqp3", &Call::pivotedQr)
                  .Case("gtsv", &Call::solveTridiagonal)
                  .Case("geev", &Call::generalEigen)
                  .Case("gees", &Call::schur)
                  .Case("perturbed", &Call::solvePerturbed)
                  .Default(nullptr);
  if (!rule)
    return diagnose(op, codes::kCpuCall)
           << "expects a routine that tpuc knows, but got '" << op.getCallTargetName()
           << "' of JAX's lowering for a CPU; "
           << "lower for a TPU: jax.jit(f).trace(*args).lower(lowering_platforms=('tpu',))";
  a = op->getNumOperands() ? dyn_cast<RankedTensorType>(op->getOperand(0).getType()) : RankedTensorType();
  element = a ? a.getElementType() : Type();
  auto complex = dyn_cast_or_null<ComplexType>(element);
  real = complex ? complex.getElementType() : element;
  if (!a || !a.hasStaticShape() || !(real.isF32() || real.isF64()) || a.getRank() < (ofDiagonals ? 1 : 2))
    return malformed("matrices of floats");
  if (!ofDiagonals) {
    batch = llvm::to_vector(a.getShape().drop_back(2));
    info = RankedTensorType::get(batch, b.getI32Type());
    height = a.getDimSize(a.getRank() - 2), breadth = a.getShape().back(), count = std::min(height, breadth);
  }
  return (this->*rule)();
}

}  // namespace

bool isLapack(StringRef target) {
  return target.starts_with("lapack_") || target.starts_with("blas_") || target.starts_with("cpu_") ||
         target == "tridiagonal_solve_perturbed_ffi";
}

LogicalResult legalizeLapack(hlo::CustomCallOp op) { return Call(op).legalize(); }

}  // namespace tpuc::simplify
