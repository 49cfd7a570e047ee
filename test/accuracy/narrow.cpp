// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of bf16 and f16: f32's result, rounded once.
#include <cmath>
#include <cstdint>
#include <random>

#include "test/accuracy/machine.h"
#include "test/accuracy/walk.h"

namespace tpuc::accuracy {
namespace {

struct Format {
  const char *name;
  int mantissa, exponents;  // bits
  int bias() const { return (1 << (exponents - 1)) - 1; }
};
constexpr Format kBf16{"bf16", 7, 8}, kF16{"f16", 10, 5};

double valueOf(const Format &f, uint16_t bits) {
  const int exponent = bits >> f.mantissa & ((1 << f.exponents) - 1), fraction = bits & ((1 << f.mantissa) - 1);
  double value;
  if (exponent == (1 << f.exponents) - 1)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, 1 - f.bias() - f.mantissa);
  else
    value = std::ldexp(fraction + (1 << f.mantissa), exponent - f.bias() - f.mantissa);
  return bits >> 15 ? -value : value;
}

// To the nearest number of the format, ties to even.
double rounded(const Format &f, double x) {
  if (!std::isfinite(x) || x == 0) return x;
  const int last = std::max(std::ilogb(x), 1 - f.bias()) - f.mantissa;
  const double value = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
  return std::fabs(value) < std::ldexp(1, f.bias() + 1) ? value : std::copysign(INFINITY, x);
}

bool same(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::isnan(a) == std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

Worst walkNarrow(const RealFunction &f, bool bfloat) {
  const Format &format = bfloat ? kBf16 : kF16;
  // Every number; of two arguments each with one drawn at random, and with itself.
  constexpr size_t kNumbers = 1 << 16;
  const size_t count = f.arity == 2 ? 4 * kNumbers : kNumbers;
  std::mt19937 random(4);
  std::vector<uint16_t> x(count), y(count);
  std::vector<float> wideX(count), wideY(count);
  for (size_t i = 0; i < count; ++i) {
    x[i] = static_cast<uint16_t>(i);
    y[i] = i < kNumbers ? x[i] : static_cast<uint16_t>(random());
    wideX[i] = static_cast<float>(valueOf(format, x[i]));
    wideY[i] = static_cast<float>(valueOf(format, y[i]));
  }
  Worst worst;
  Program narrow = compile(f.op, format.name, f.arity, count), wide = compile(f.op, "f32", f.arity, count);
  std::vector<uint16_t> got = run<uint16_t>(narrow, x, y, worst.error);
  std::vector<float> expected = run<float>(wide, wideX, wideY, worst.error);
  for (size_t i = 0; i < got.size() && i < expected.size(); ++i) {
    ++worst.arguments;
    const double value = valueOf(format, got[i]), wanted = rounded(format, expected[i]);
    if (same(value, wanted)) continue;
    worst.ulps = ++worst.steps;  // how many differ
    auto spell = [](double v) { return std::to_string(v); };
    worst.where = f.name + "(" + spell(wideX[i]) + (f.arity == 2 ? ", " + spell(wideY[i]) : "") + ") of " +
                  format.name + " = " + spell(value) + ", expected " + spell(wanted);
  }
  return worst;
}

}  // namespace tpuc::accuracy
