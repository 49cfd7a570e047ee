// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/accuracy/walk.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "test/accuracy/machine.h"
#include "test/accuracy/quick.h"

namespace tpuc::accuracy {
namespace {

using Random = std::mt19937_64;
template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <typename T>
T fromBits(uint64_t bits) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
}
template <typename T>
BitsOf<T> bitsOf(T x) {
  return std::bit_cast<BitsOf<T>>(x);
}
template <typename T>
constexpr int kMantissa = std::numeric_limits<T>::digits - 1;
template <typename T>
constexpr int kExponents = 1 << (8 * sizeof(T) - 1 - kMantissa<T>);

// ---- arguments ------------------------------------------------------------------------------------------------------

template <typename T>
void addNeighbours(std::vector<T> &to, double at, int count) {
  T up = static_cast<T>(at), down = up;
  to.push_back(up);
  for (int i = 0; i < count; ++i) {
    to.push_back(up = std::nextafter(up, std::numeric_limits<T>::infinity()));
    to.push_back(down = std::nextafter(down, -std::numeric_limits<T>::infinity()));
  }
}

template <typename T>
std::vector<T> specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> result;
  for (T x : {T(0), L::denorm_min(), L::min(), T(0.5), T(1), T(2), T(3), L::max(), L::infinity()}) {
    result.push_back(x);
    result.push_back(-x);
  }
  result.push_back(L::quiet_NaN());
  return result;
}

template <typename T>
T anyFloat(Random &random) {
  return fromBits<T>(random());
}
template <typename T>
T between(Random &random, double low, double high) {
  return static_cast<T>(low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53);
}

template <typename T>
std::vector<T> unaryArguments(const RealFunction &f, int density) {
  Random random(1);
  std::vector<T> result = specials<T>();
  for (int sign = 0; sign < 2; ++sign)
    for (int exponent = 0; exponent < kExponents<T>; ++exponent) {
      const uint64_t base = static_cast<uint64_t>(sign * kExponents<T> + exponent) << kMantissa<T>;
      const uint64_t mask = (uint64_t{1} << kMantissa<T>)-1;
      for (uint64_t edge : {uint64_t{0}, uint64_t{1}, mask}) result.push_back(fromBits<T>(base | edge));
      for (int i = 0; i < density; ++i) result.push_back(fromBits<T>(base | (random() & mask)));
    }
  for (double at : f.hard) addNeighbours(result, at, density);
  for (int i = 0; i < 256 * density; ++i) {
    result.push_back(between<T>(random, f.low, f.high));
    result.push_back(between<T>(random, -2, 2));
    result.push_back(between<T>(random, -200, 200));
  }
  return result;
}

template <typename T>
void binaryArguments(const RealFunction &f, int density, std::vector<T> &x, std::vector<T> &y) {
  Random random(2);
  auto add = [&](T a, T b) { x.push_back(a), y.push_back(b); };
  for (T a : specials<T>())
    for (T b : specials<T>()) add(a, b);
  const bool whole = f.name == "polygamma";
  auto first = [&](double value) { return whole ? std::floor(value) : value; };
  for (int i = 0; i < 512 * density; ++i) {
    T a = anyFloat<T>(random), b = anyFloat<T>(random);
    if (!whole) add(a, b);
    add(static_cast<T>(first(between<T>(random, f.low, f.high))), between<T>(random, f.low, f.high));
    add(static_cast<T>(first(between<T>(random, f.low, f.high))), std::exp2(between<T>(random, -12, 12)));
    add(static_cast<T>(first(std::exp2(between<T>(random, -4, 4)))), between<T>(random, 0, 4));
    // Close to one another, and to one.
    if (!whole)
      add(a, a * between<T>(random, 0.5, 2)), add(between<T>(random, 0.9, 1.1), between<T>(random, -1e4, 1e4));
  }
}

// ---- errors ---------------------------------------------------------------------------------------------------------

// In units of the last place of T at the exact value.
template <typename T>
double ulpsOf(T got, Exact exact) {
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  const T rounded = static_cast<T>(exact.high);
  if (std::isnan(rounded) || std::isnan(got)) return std::isnan(rounded) == std::isnan(got) ? 0 : kWrong;
  if (std::signbit(got) != std::signbit(rounded)) return kWrong;
  if (bitsOf(got) == bitsOf(rounded) && (std::isinf(got) || got == 0)) return 0;
  if (std::isinf(got) || std::isinf(rounded))
    return std::fabs(static_cast<double>(bitsOf(got)) - static_cast<double>(bitsOf(rounded)));
  constexpr int kLeast = 2 - kExponents<T> / 2;  // of normal numbers
  const int exponent = exact.high == 0 ? kLeast : std::max(std::ilogb(exact.high), kLeast);
  const double difference = (static_cast<double>(got) - exact.high) - exact.low;
  return std::ldexp(std::ldexp(std::fabs(difference), kMantissa<T> - 500), 500 - exponent);
}

// In numbers of T from the nearest one.
template <typename T>
double stepsOf(T got, Exact exact) {
  const T rounded = static_cast<T>(exact.high);
  if (!std::isfinite(rounded) || !std::isfinite(got) || got == 0 || std::signbit(got) != std::signbit(rounded))
    return ulpsOf(got, exact);
  return std::fabs(static_cast<double>(static_cast<int64_t>(bitsOf(got)) - static_cast<int64_t>(bitsOf(rounded))));
}

// In units of the last place of the larger part.
template <typename T>
double complexUlps(T gotRe, T gotIm, Exact re, Exact im) {
  const T wantRe = static_cast<T>(re.high), wantIm = static_cast<T>(im.high);
  // As C has it, a complex number is infinite when a part is, whatever the other.
  if (std::isinf(wantRe) || std::isinf(wantIm))
    return std::isinf(gotRe) || std::isinf(gotIm) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isnan(wantRe) || std::isnan(wantIm)) return 0;
  if (!std::isfinite(gotRe) || !std::isfinite(gotIm)) return std::numeric_limits<double>::infinity();
  const int exponent = std::max(std::ilogb(std::max(std::fabs(re.high), std::fabs(im.high))), 2 - kExponents<T> / 2);
  const double error =
      std::hypot((static_cast<double>(gotRe) - re.high) - re.low, (static_cast<double>(gotIm) - im.high) - im.low);
  return std::ldexp(std::ldexp(error, kMantissa<T> - 500), 500 - exponent);
}

std::string spell(double x) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

void note(Worst &worst, double ulps, const std::function<std::string()> &where) {
  ++worst.arguments;
  if (!(ulps > worst.ulps)) return;
  worst.ulps = ulps;
  worst.where = where();
}

template <typename T>
class Measure {
 public:
  explicit Measure(const RealFunction &f) : f_(f) {}
  void operator()(T x, T y, T got) {
    if (f_.skip && f_.skip(x, y, sizeof(T) == 8)) return;
    Exact exact = expected(x, y);
    worst.steps = std::max(worst.steps, stepsOf(got, exact));
    note(worst, ulpsOf(got, exact), [&] {
      return f_.name + "(" + spell(x) + (f_.arity == 2 ? ", " + spell(y) : "") + ") = " + spell(got) + ", expected " +
             spell(static_cast<T>(exact.high));
    });
  }
  Worst worst;

 private:
  Exact expected(T x, T y) {
    mpfr_set_d(x_, x, MPFR_RNDN);
    mpfr_set_d(y_, y, MPFR_RNDN);
    f_.exact(result_, x_, y_);
    return exactOf(result_);
  }
  const RealFunction &f_;
  Real x_, y_, result_;
};

// How far `got` is from `exact`: in last places, and in numbers from the nearest one; all else is infinitely far, or
// the same. For vectors.
struct Distance {
  double ulps;
  uint32_t steps;
};
inline Distance distance(float got, double exact) {
  const float rounded = static_cast<float>(exact);
  const uint32_t a = std::bit_cast<uint32_t>(got), b = std::bit_cast<uint32_t>(rounded);
  const bool same =
      (a == b && ((a & 0x7fffffff) == 0 || (a & 0x7fffffff) == 0x7f800000)) || ((got != got) & (rounded != rounded));
  const bool far = (got != got) | (rounded != rounded) | ((a ^ b) >> 31);
  const uint64_t exponent = std::max<uint64_t>(std::bit_cast<uint64_t>(exact) >> 52 & 0x7ff, 1023 - 126);
  const double ulps = std::fabs(got - exact) * std::bit_cast<double>((uint64_t{2 * 1023 + 23} - exponent) << 52);
  const uint32_t steps = a > b ? a - b : b - a;
  return {same ? 0 : far ? std::numeric_limits<double>::infinity() : ulps, same ? 0 : far ? ~0u : steps};
}

TPUC_VECTORS bool anyBeyond(const float *got, const double *exact, size_t count, double ulps, double steps,
                            double nearZero) {
  int found = 0;
  for (size_t i = 0; i < count; ++i) {
    const Distance d = distance(got[i], exact[i]);
    found |= (d.ulps > ulps) | (d.steps > steps) | (std::fabs(exact[i]) < nearZero);
  }
  return found;
}

// All at a time in double's precision; what may be worse than what was found is looked at by MPFR.
class QuickMeasure {
 public:
  QuickMeasure(const RealFunction &f, Measure<float> &slow)
      : slow_(slow), quick_(quickly(f.name)), nearZero_(f.nearZero) {}

  void operator()(const float *x, const float *got, size_t count) {
    for (size_t i = 0; i < count; i += kBlock) block(x + i, got + i, std::min(kBlock, count - i));
  }

 private:
  static constexpr size_t kBlock = 2048;

  void block(const float *x, const float *got, size_t count) {
    if (!quick_) {
      for (size_t i = 0; i < count; ++i) slow_(x[i], 0, got[i]);
      return;
    }
    quick_(x, got, exact_, count);
    Worst &worst = slow_.worst;
    if (!anyBeyond(got, exact_, count, worst.ulps, worst.steps, nearZero_)) return void(worst.arguments += count);
    // The block's worst first, else an error that grows from one argument to the next would have each looked at.
    size_t most = 0;
    for (size_t i = 1; i < count; ++i)
      if (distance(got[i], exact_[i]).ulps > distance(got[most], exact_[most]).ulps) most = i;
    slow_(x[most], 0, got[most]);
    --worst.arguments;
    for (size_t i = 0; i < count; ++i) {
      const Distance d = distance(got[i], exact_[i]);
      if (d.ulps > worst.ulps || d.steps > worst.steps || std::fabs(exact_[i]) < nearZero_)
        slow_(x[i], 0, got[i]);
      else
        ++worst.arguments;
    }
  }

  Measure<float> &slow_;
  Quick quick_;
  double nearZero_, exact_[kBlock];
};

template <typename T>
Worst walkSample(const RealFunction &f, int density) {
  std::vector<T> x, y;
  if (f.arity == 2)
    binaryArguments<T>(f, density, x, y);
  else
    x = unaryArguments<T>(f, density);
  Program program = compile(f.op, sizeof(T) == 4 ? "f32" : "f64", f.arity, x.size());
  Measure<T> measure(f);
  std::vector<T> got = run<T>(program, x, y, measure.worst.error);
  if constexpr (sizeof(T) == 4)
    if (f.arity == 1) {
      QuickMeasure(f, measure)(x.data(), got.data(), got.size());
      return measure.worst;
    }
  for (size_t i = 0; i < got.size(); ++i) measure(x[i], f.arity == 2 ? y[i] : T(0), got[i]);
  return measure.worst;
}

template <typename T>
Worst walkComplex(const ComplexFunction &f, int count, int exponents) {
  struct Element {
    T re, im;
  };
  Random random(3);
  auto part = [&] {
    T value = std::exp2(between<T>(random, -exponents, exponents));
    if (random() % 4 == 0) value = static_cast<T>(1) + value * static_cast<T>(0.01);
    return random() % 2 ? value : -value;
  };
  std::vector<Element> x, y;
  for (int i = 0; i < count; ++i) x.push_back({part(), part()}), y.push_back({part(), part()});
  Program program = compile(f.op, sizeof(T) == 4 ? "complex<f32>" : "complex<f64>", f.arity, x.size());
  Worst worst;
  std::vector<Element> got = run<Element>(program, x, y, worst.error);
  mpc_t a, b, r;
  // 1 + x and the squares of both parts are exact.
  for (mpc_ptr z : {a, b, r}) mpc_init2(z, 200 + 4 * exponents);
  for (size_t i = 0; i < got.size(); ++i) {
    mpc_set_d_d(a, x[i].re, x[i].im, MPC_RNDNN);
    mpc_set_d_d(b, y[i].re, y[i].im, MPC_RNDNN);
    f.exact(r, a, b);
    Exact re = exactOf(mpc_realref(r)), im = exactOf(mpc_imagref(r));
    worst.steps = std::max({worst.steps, stepsOf(got[i].re, re), stepsOf(got[i].im, im)});
    note(worst, complexUlps(got[i].re, got[i].im, re, im), [&] {
      auto pair = [](double p, double q) { return "(" + spell(p) + ", " + spell(q) + ")"; };
      return f.name + pair(x[i].re, x[i].im) + (f.arity == 2 ? pair(y[i].re, y[i].im) : "") + " = " +
             pair(got[i].re, got[i].im) + ", expected " + pair(static_cast<T>(re.high), static_cast<T>(im.high));
    });
  }
  for (mpc_ptr z : {a, b, r}) mpc_clear(z);
  return worst;
}

}  // namespace

Worst walk(const RealFunction &f, bool isDouble, int density) {
  return isDouble ? walkSample<double>(f, density) : walkSample<float>(f, density);
}

Worst walk(const ComplexFunction &f, bool isDouble, int count, int exponents) {
  return isDouble ? walkComplex<double>(f, count, exponents) : walkComplex<float>(f, count, exponents);
}

Worst walkAll(const RealFunction &f, uint64_t stride) {
  constexpr size_t kCount = size_t{1} << 20;
  constexpr uint64_t kEnd = uint64_t{1} << 32;
  Program program = compile(f.op, "f32", 1, kCount);
  api::RunOptions options;
  options.threads = 1;
  if (program.executable) program.executable->configure(options);
  Measure<float> slow(f);
  QuickMeasure measure(f, slow);
  std::vector<float> x(kCount);
  for (uint64_t first = 0; first < kEnd && slow.worst.error.empty(); first += kCount * stride) {
    const size_t count = std::min<uint64_t>(kCount, (kEnd - first + stride - 1) / stride);
    for (size_t i = 0; i < count; ++i) x[i] = fromBits<float>(first + i * stride);
    std::vector<float> got = run<float>(program, x, {}, slow.worst.error);
    if (!got.empty()) measure(x.data(), got.data(), count);
  }
  return slow.worst;
}

}  // namespace tpuc::accuracy
