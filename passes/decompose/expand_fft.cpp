// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms as matmuls.
//
//  1. A transform over several dims is one over each, the last first; real ones halve or complete the last dim.
//  2. A dim of n: a dot with the n x n matrix of roots of unity. A large n that divides as p q: transforms of q rows of
//     length p, twiddle factors, transforms of length q (Cooley and Tukey 1965).
#include <cmath>

#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDFFTPASS
#include "passes/decompose/passes.h.inc"
namespace {

constexpr int64_t kMostDirect = 512, kMostOfMany = 1024;

// Whether a transform of n points is one matmul. A longer one is transforms of factors, which move the array six times:
// many rows of 32 bits are sooner multiplied by a larger matrix. Complex ones are multiplied twice as often.
bool isDirect(RankedTensorType type, bool isComplex) {
  const int64_t n = type.getShape().back(), rows = type.getNumElements() / n;
  return n <= kMostDirect || (n <= kMostOfMany && 8 * rows >= (isComplex ? 2 : 1) * n && type.getElementType().isF32());
}

struct Parts {
  Value re, im;  // im: null for real numbers
};

class Fourier {
 public:
  Fourier(stablehlo::FftOp op, OpBuilder &b) : op_(op), b_(b), build_{b, op.getLoc()} {}

  void run() {
    auto type = typeOf(op_.getOperand()), resultType = typeOf(op_.getResult());
    ArrayRef<int64_t> length = op_.getFftLength();
    int64_t rank = type.getRank(), first = rank - length.size();
    using T = stablehlo::FftType;
    T kind = op_.getFftType();
    bool inverse = kind == T::IFFT || kind == T::IRFFT;
    Parts v{op_.getOperand(), {}};
    if (mlir::isa<ComplexType>(type.getElementType()))
      v = {part<stablehlo::RealOp>(op_.getOperand()), part<stablehlo::ImagOp>(op_.getOperand())};
    if (kind == T::IRFFT) {
      // The other dims first, while the last one is short.
      for (int64_t d = rank - 2; d >= first; --d) v = along(v, d, true);
      v = transform(complete(v, length.back()), true);
      op_.replaceAllUsesWith(scaled(v.re, length));
    } else {
      v = transform(v, inverse);
      if (kind == T::RFFT) v = {head(v.re, resultType.getShape().back()), head(v.im, resultType.getShape().back())};
      for (int64_t d = rank - 2; d >= first; --d) v = along(v, d, inverse);
      if (inverse) v = {scaled(v.re, length), scaled(v.im, length)};
      op_.replaceAllUsesWith(stablehlo::ComplexOp::create(b_, build_.loc, resultType, v.re, v.im).getResult());
    }
    op_.erase();
  }

 private:
  template <typename Op>
  Value part(Value v) {
    auto type = typeOf(v);
    return Op::create(b_, build_.loc, type.clone(cast<ComplexType>(type.getElementType()).getElementType()), v);
  }
  template <typename Op>
  Value op(Value x, Value y) {
    return Op::create(b_, build_.loc, x.getType(), x, y);
  }
  Value add(Value x, Value y) { return op<stablehlo::AddOp>(x, y); }
  Value sub(Value x, Value y) { return op<stablehlo::SubtractOp>(x, y); }
  Value mul(Value x, Value y) { return op<stablehlo::MulOp>(x, y); }

  Value scaled(Value v, ArrayRef<int64_t> length) {
    double n = 1;
    for (int64_t l : length) n *= static_cast<double>(l);
    auto type = typeOf(v);
    return mul(v,
               stablehlo::ConstantOp::create(b_, build_.loc, type,
                                             cast<ElementsAttr>(Attribute(DenseElementsAttr::get(
                                                 type, Attribute(b_.getFloatAttr(type.getElementType(), 1.0 / n)))))));
  }

  Value head(Value v, int64_t count) {
    SmallVector<int64_t> start(typeOf(v).getRank(), 0), limit(typeOf(v).getShape()), stride(start.size(), 1);
    limit.back() = count;
    return build_.slice(v, start, limit, stride);
  }

  // The whole spectrum of n real numbers. Its second half is the conjugates of the first, in reverse order.
  Parts complete(Parts v, int64_t n) {
    int64_t rank = typeOf(v.re).getRank(), half = n / 2 + 1;
    v = {head(v.re, half), head(v.im, half)};
    if (n <= 2) return v;
    auto mirrored = [&](Value x) {
      SmallVector<int64_t> start(rank, 0), limit(typeOf(x).getShape()), stride(rank, 1);
      start.back() = 1;
      limit.back() = n - half + 1;
      Value s = build_.slice(x, start, limit, stride);
      return Value(stablehlo::ReverseOp::create(b_, build_.loc, s.getType(), s, ArrayRef<int64_t>{rank - 1}));
    };
    Value im = mirrored(v.im);
    im = stablehlo::NegOp::create(b_, build_.loc, im.getType(), im);
    return {build_.concatenate({v.re, mirrored(v.re)}, rank - 1), build_.concatenate({v.im, im}, rank - 1)};
  }

  Parts along(Parts v, int64_t dim, bool inverse) {
    int64_t rank = typeOf(v.re).getRank();
    SmallVector<int64_t> swap = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(swap[dim], swap[rank - 1]);
    v = transform({build_.transpose(v.re, swap), build_.transpose(v.im, swap)}, inverse);
    return {build_.transpose(v.re, swap), build_.transpose(v.im, swap)};
  }

  // cos and sin of 2 pi k / n, exact at the quarters.
  static std::pair<double, double> root(int64_t k, int64_t n) {
    constexpr double kQuarters[] = {0, 1, 0, -1, 0};
    if (4 * k % n == 0) return {kQuarters[4 * k / n + 1], kQuarters[4 * k / n]};
    const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
    return {std::cos(angle), std::sin(angle)};
  }

  // cos and sin of 2 pi (i j) / n over rows x columns, as constants.
  Parts roots(int64_t rows, int64_t columns, int64_t n, bool inverse, Type element) {
    return element.isF32() ? rootsOf<float>(rows, columns, n, inverse, element)
                           : rootsOf<double>(rows, columns, n, inverse, element);
  }
  template <typename T>
  Parts rootsOf(int64_t rows, int64_t columns, int64_t n, bool inverse, Type element) {
    std::vector<std::pair<T, T>> circle;
    for (int64_t k = 0; k < n; ++k) {
      auto [c, s] = root(k, n);
      circle.emplace_back(static_cast<T>(c), static_cast<T>(inverse ? s : -s));
    }
    std::vector<T> cosines, sines;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        cosines.push_back(circle[i * j % n].first);
        sines.push_back(circle[i * j % n].second);
      }
    auto type = RankedTensorType::get({rows, columns}, element);
    auto constant = [&](const std::vector<T> &values) -> Value {
      return stablehlo::ConstantOp::create(
          b_, build_.loc, type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, ArrayRef<T>(values)))));
    };
    return {constant(cosines), constant(sines)};
  }

  Value dot(Value v, Value matrix) {
    auto type = typeOf(v);
    auto numbers = stablehlo::DotDimensionNumbersAttr::get(b_.getContext(), {}, {}, {type.getRank() - 1}, {0});
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = typeOf(matrix).getDimSize(1);
    // Roots of unity rounded to bf16 are no transform: the algorithm is that of full f32 whatever the program's
    // precision is.
    auto algorithm = type.getElementType().isF32()
                         ? stablehlo::DotAlgorithmAttr::get(b_.getContext(), b_.getF32Type(), b_.getF32Type(),
                                                            b_.getF32Type(), 1, 1, 1, false)
                         : stablehlo::DotAlgorithmAttr();
    return stablehlo::DotGeneralOp::create(b_, build_.loc, type.clone(shape), v, matrix, numbers, ArrayAttr(),
                                           algorithm);
  }

  Parts times(Parts v, Parts w, function_ref<Value(Value, Value)> product) {
    Value re = product(v.re, w.re), im = product(v.re, w.im);
    if (!v.im) return {re, im};
    return {sub(re, product(v.im, w.im)), add(im, product(v.im, w.re))};
  }

  // Over the last dim, without scaling.
  Parts transform(Parts v, bool inverse) {
    auto type = typeOf(v.re);
    int64_t n = type.getShape().back(), p = 0, rank = type.getRank();
    if (n == 1) return {v.re, v.im ? v.im : build_.broadcast(build_.zero(type.getElementType()), type.getShape(), {})};
    if (!isDirect(type, v.im != nullptr))
      for (int64_t d = 2; d * d <= n; ++d)
        if (n % d == 0) p = d;
    if (!p)
      return times(v, roots(n, n, n, inverse, type.getElementType()), [&](Value x, Value m) { return dot(x, m); });
    // n = p q. x[q i + j] lies at [i, j]. It is transformed along i, multiplied by the twiddles, and transformed along
    // j. Result k + p l then lies at [k, l].
    int64_t q = n / p;
    SmallVector<int64_t> split(type.getShape().drop_back()), swap = llvm::to_vector(llvm::seq<int64_t>(0, rank + 1)),
                                                             whole(type.getShape());
    split.append({p, q});
    std::swap(swap[rank - 1], swap[rank]);
    auto each = [&](Parts x, auto f) { return Parts{f(x.re), x.im ? f(x.im) : Value()}; };
    Parts u = each(v, [&](Value x) { return build_.transpose(build_.reshape(x, split), swap); });  // [j, i]
    u = transform(u, inverse);                                                                     // [j, k]
    Parts twiddle = roots(q, p, n, inverse, type.getElementType());
    SmallVector<int64_t> shape(typeOf(u.re).getShape());
    u = times(u, twiddle, [&](Value x, Value w) { return mul(x, build_.broadcast(w, shape, {rank - 1, rank})); });
    u = each(u, [&](Value x) { return build_.transpose(x, swap); });  // [k, j]
    u = transform(u, inverse);                                        // [k, l]
    return each(u, [&](Value x) { return build_.reshape(build_.transpose(x, swap), whole); });
  }

  stablehlo::FftOp op_;
  OpBuilder &b_;
  Build build_;
};

struct ExpandFft : impl::ExpandFftPassBase<ExpandFft> {
  using ExpandFftPassBase::ExpandFftPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::FftOp> ops;
    getOperation().walk([&](stablehlo::FftOp op) { ops.push_back(op); });
    for (auto op : ops) {
      OpBuilder b(op);
      if (typeOf(op.getResult()).getNumElements() == 0 || typeOf(op.getOperand()).getNumElements() == 0) {
        op.replaceAllUsesWith(
            Build{b, op.getLoc()}.broadcast(Build{b, op.getLoc()}.zero(typeOf(op.getResult()).getElementType()),
                                            typeOf(op.getResult()).getShape(), {}));
        op.erase();
        continue;
      }
      Fourier(op, b).run();
    }
  }
};

}  // namespace
}  // namespace tpuc::decompose
