// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of matrices: short builders for factorisations, in any float or complex element type.
#pragma once
#include "passes/builders/build.h"

namespace tpuc::decompose {
using namespace builders;

// Arrays are [batch.., rows, columns]; a vector of each matrix lacks one of the last two dims. Loop counters and
// positions are i32 scalars.
class Matrices {
 public:
  using V = mlir::Value;
  using Direction = stablehlo::ComparisonDirection;
  Matrices(mlir::OpBuilder &b, mlir::Location loc, mlir::RankedTensorType type);
  mlir::OpBuilder &b;
  Build build;
  mlir::Location loc;
  mlir::Type element, real;  // `real`: of a complex element's parts
  int64_t rank, r, c;        // of a matrix; its row and column dims
  llvm::SmallVector<int64_t> batch;

  // ---- types and numbers ----
  llvm::ArrayRef<int64_t> shapeOf(V v) { return typeOf(v).getShape(); }
  llvm::SmallVector<int64_t> shaped(llvm::ArrayRef<int64_t> inner);  // [batch.., inner..]
  bool isComplex() { return mlir::isa<mlir::ComplexType>(element); }
  V zeros(llvm::ArrayRef<int64_t> shape, mlir::Type type) { return build.broadcast(build.zero(type), shape, {}); }
  V zeros(V like) { return zeros(shapeOf(like), typeOf(like).getElementType()); }
  V number(int32_t value);
  V constant(V like, double value);  // a real number, of like's shape and type

  // ---- elementwise ----
  template <typename Op>
  V op(V x, V y) {
    return Op::create(b, loc, x.getType(), x, y);
  }
  V add(V x, V y) { return op<stablehlo::AddOp>(x, y); }
  V sub(V x, V y) { return op<stablehlo::SubtractOp>(x, y); }
  V mul(V x, V y) { return op<stablehlo::MulOp>(x, y); }
  V div(V x, V y) { return op<stablehlo::DivOp>(x, y); }
  V max(V x, V y) { return op<stablehlo::MaxOp>(x, y); }
  V band(V x, V y) { return op<stablehlo::AndOp>(x, y); }
  V bor(V x, V y) { return op<stablehlo::OrOp>(x, y); }
  V bnot(V x) { return stablehlo::NotOp::create(b, loc, x.getType(), x); }
  V neg(V x) { return stablehlo::NegOp::create(b, loc, x.getType(), x); }
  V abs(V x);
  V sqrt(V x) { return stablehlo::SqrtOp::create(b, loc, x.getType(), x, stablehlo::ResultAccuracyAttr()); }
  V select(V p, V x, V y) { return stablehlo::SelectOp::create(b, loc, x.getType(), p, x, y); }
  V compare(Direction d, V x, V y) { return stablehlo::CompareOp::create(b, loc, x, y, d); }
  V isZero(V x) { return compare(Direction::EQ, x, zeros(x)); }
  V conjugate(V x);
  V realPart(V x);
  V imagPart(V x);
  V fromReal(V x);  // of the element type
  V convert(V x, mlir::Type to);

  // ---- positions ----
  V iota(llvm::ArrayRef<int64_t> shape, int64_t dim) {
    return stablehlo::IotaOp::create(b, loc, mlir::RankedTensorType::get(shape, b.getI32Type()), dim);
  }
  // Where the position along `dim` compares so with `index`, which is a scalar.
  V where(Direction d, llvm::ArrayRef<int64_t> shape, int64_t dim, V index) {
    return compare(d, iota(shape, dim), build.broadcast(index, shape, {}));
  }
  V at(llvm::ArrayRef<int64_t> shape, int64_t dim, V index) { return where(Direction::EQ, shape, dim, index); }
  V after(llvm::ArrayRef<int64_t> shape, int64_t dim, V index) { return where(Direction::GT, shape, dim, index); }
  // Where column - row compares so with `distance`.
  V diagonal(Direction d, llvm::ArrayRef<int64_t> shape, int64_t distance = 0);

  // ---- moves ----
  V along(V v, int64_t dim, int64_t extent);  // v, which lacks `dim`, the same at all of its positions
  V transposed(V v);
  V adjoint(V v) { return conjugate(transposed(v)); }
  V part(V v, int64_t dim, int64_t start, int64_t size);
  V slab(V v, int64_t dim, V start, int64_t size);  // the same at a computed place
  V put(V v, V part, llvm::ArrayRef<V> starts);     // starts of the last dims
  V padded(V v, llvm::ArrayRef<int64_t> inner);     // with zeros, to these sizes of the last dims
  V rows(V v, V indices);                           // v's rows in the order of indices, [batch.., n]

  // ---- reductions and products ----
  template <typename Op>
  V reduce(V v, llvm::ArrayRef<int64_t> dims, V init);
  V sum(V v, int64_t dim) { return reduce<stablehlo::AddOp>(v, {dim}, build.zero(typeOf(v).getElementType())); }
  V largest(V v, int64_t dim);       // of reals
  V smallest(V v, int64_t dim);      // of positions
  V only(V mask, V v, int64_t dim);  // the element for which the mask holds, at most one along `dim`; else 0
  V pick(V v, int64_t dim, V index) { return only(at(shapeOf(v), dim, index), v, dim); }
  // Sums over x's dim `i` and y's dim `j`, in full precision whatever the program's is: [batch.., x's other, y's
  // other].
  V dot(V x, int64_t i, V y, int64_t j);

  // ---- loops ----
  // for i in [0, n): state = step(i, state)
  llvm::SmallVector<V> loop(int64_t n, mlir::ValueRange init,
                            llvm::function_ref<llvm::SmallVector<V>(V, mlir::ValueRange)> step);
  // while goesOn(state): state = step(state)
  llvm::SmallVector<V> loopWhile(mlir::ValueRange init, llvm::function_ref<V(mlir::ValueRange)> goesOn,
                                 llvm::function_ref<llvm::SmallVector<V>(mlir::ValueRange)> step);

 private:
  V dotOf(V x, int64_t i, V y, int64_t j);
  V onlyReal(V mask, V v, int64_t dim);
};

template <typename Op>
mlir::Value Matrices::reduce(V v, llvm::ArrayRef<int64_t> dims, V init) {
  llvm::SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(shapeOf(v)))
    if (!llvm::is_contained(dims, static_cast<int64_t>(d))) shape.push_back(size);
  auto made = stablehlo::ReduceOp::create(b, loc, mlir::TypeRange(typeOf(v).clone(shape)), mlir::ValueRange(v),
                                          mlir::ValueRange(init), dims);
  auto scalar = mlir::RankedTensorType::get({}, typeOf(v).getElementType());
  mlir::OpBuilder::InsertionGuard guard(b);
  mlir::Block *body = b.createBlock(&made.getBody(), {}, {scalar, scalar}, {loc, loc});
  V combined = Op::create(b, loc, scalar, body->getArgument(0), body->getArgument(1));
  stablehlo::ReturnOp::create(b, loc, combined);
  return made.getResult(0);
}

// Steps of this many columns: a tile of the matrix unit.
constexpr int64_t kPanel = 128;

// A matrix of height x breadth whose first `count` columns are worked on a panel at a time, padded so that panels are
// whole.
struct Panels {
  Panels(int64_t height, int64_t breadth, int64_t count)
      : height_(height),
        breadth_(breadth),
        count_(count),
        width_(std::min(count, kPanel)),
        panels_(llvm::divideCeil(count, width_)),
        tall_(std::max(height, panels_ * width_)),
        wide_(std::max(breadth, panels_ * width_)) {}

  int64_t height_, breadth_, count_, width_, panels_, tall_, wide_;
};

// ---- the factorisations, each in its file ----
mlir::Value cholesky(Matrices &m, mlir::Value a);  // of the lower triangle
// x with a x = right, a lower or upper triangular, its diagonal ones if `unit`.
mlir::Value solveTriangular(Matrices &m, mlir::Value a, mlir::Value right, bool lower, bool unit);

struct Lu {
  mlir::Value factors, pivots, permutation;
};
Lu luDecomposition(Matrices &m, mlir::Value a);

struct Qr {
  mlir::Value factors, taus;  // R, and below it the reflectors
};
Qr qrDecomposition(Matrices &m, mlir::Value a);
// The first columns of the product of the reflectors that lie below a's diagonal.
mlir::Value productOfReflectors(Matrices &m, mlir::Value a, mlir::Value taus);

// 1 - tau v v* with v zero above `row` and one there: it takes the column to beta at the row and zeros below.
struct Reflector {
  mlir::Value tail, tau, beta;  // v below the row, as long as the column; one a matrix
};
Reflector reflectorOf(Matrices &m, mlir::Value column, mlir::Value row);

struct PivotedQr {
  mlir::Value factors, order, taus;
};
// QR with exchanges of columns: those in `first` (not 0), then the longest left each time. `order` counts from 1.
PivotedQr pivotedQrDecomposition(Matrices &m, mlir::Value a, mlir::Value first);

struct Hessenberg {
  mlir::Value factors, taus;  // the matrix, and below its first subdiagonal the reflectors
};
Hessenberg hessenbergDecomposition(Matrices &m, mlir::Value a);
struct Tridiagonal {
  mlir::Value factors, diagonal, off, taus;
};
Tridiagonal tridiagonalDecomposition(Matrices &m, mlir::Value a, bool lower);

struct Schur {
  mlir::Value t, z,
      info;  // z null where no vectors are asked for; info is not 0 where there is no result, as LAPACK has it
};
Schur schurForm(Matrices &m, mlir::Value a, bool vectors);
// The power of two that is `v` without its significand. `v`: real numbers that are not negative.
mlir::Value powerOfTwo(Matrices &m, mlir::Value v);
// Brings the blocks of two rows of a real Schur form `t` into LAPACK's form, and rotates `z`, which may be null, with
// them.
void standardiseBlocks(Matrices &m, mlir::Value &t, mlir::Value &z);
std::pair<mlir::Value, mlir::Value> eigenvaluesOf(Matrices &m, mlir::Value t);  // real and imaginary parts
struct ComplexTriangle {
  mlir::Value t, z, values;
  mlir::Value second, first;  // the rows of pairs
};
// The complex Schur form of a real one that is in LAPACK's form. `complex` builds complex numbers.
ComplexTriangle complexTriangle(Matrices &m, Matrices &complex, mlir::Value t, mlir::Value z);

struct GeneralEigen {
  mlir::Value values, left, right, info;  // all complex
};
GeneralEigen generalEigenDecomposition(Matrices &m, mlir::Value a, bool left, bool right);

struct TridiagonalSolution {
  mlir::Value x, info;  // the number, from 1, of the first pivot that is zero, or 0
};
// The diagonals are [batch.., n], each element in its row; `right` has the type that m is of. `perturbed`: with
// divisors moved away from zero.
TridiagonalSolution solveTridiagonal(Matrices &m, mlir::Value lower, mlir::Value diagonal, mlir::Value upper,
                                     mlir::Value right, bool perturbed);

struct Singular {
  mlir::Value values, left, right;  // A = left diag(values) right; of values alone the others are null
};
enum class SingularVectors { None, Some, All };
Singular singularValues(Matrices &m, mlir::Value a, SingularVectors which);

// Rotations that make the element o of each pair of rows zero, a and b those on the diagonal (eigen.cpp).
struct Rotation {
  mlir::Value d, sw, ws;  // 1 - cosine; the sine times the pair's phase w, and times its conjugate
};
Rotation rotationOf(Matrices &m, mlir::Value o, mlir::Value a, mlir::Value b);
// What is smaller has no phase: its parts have lost theirs.
inline double smallestNormal(const Matrices &m) { return m.real.isF64() ? 0x1p-1022 : 0x1p-126; }
// Row i of the upper half and row i of the lower half are a pair: rows p and q become p - (s w q + d p) and q + (s w* p
// - d q), which rounds off in proportion to the angle; then rows move, so that every two of n meet once in n - 1
//   rounds. Of a Hermitian matrix whose columns went the same way before, the elements of pairs are zero but for
//   rounding: with `meetings`, the places of the upper and the lower half's rows after a move, they become zeros.
struct Meetings {
  mlir::Value top, bottom;  // i32 [batch.., half]
};
mlir::Value turned(Matrices &m, mlir::Value x, const Rotation &by, const Meetings *meetings = nullptr);
// Ascending, NaN last, and where each came from.
std::pair<mlir::Value, mlir::Value> sortedVectors(Matrices &m, mlir::Value values);

struct Eigen {
  mlir::Value vectors, values;
};
Eigen eigenDecomposition(Matrices &m, mlir::Value a, bool lower, bool sorted);

}  // namespace tpuc::decompose
