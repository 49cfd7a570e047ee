// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results against what is expected of them.
#include "compiler/tools/compare.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace tpuc::tools {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  double d = std::abs(a - b);
  return std::isnan(d) ? kInfinite : d;
}

double distance(std::complex<double> a, std::complex<double> b) {
  return std::hypot(distance(a.real(), b.real()), distance(a.imag(), b.imag()));
}

// The larger distance of the two parts. Infinities are far from everything but themselves.
double partsDistance(std::complex<double> a, std::complex<double> b) {
  auto part = [](double x, double y) {
    return x != y && (std::isinf(x) || std::isinf(y)) ? kInfinite : distance(x, y);
  };
  return std::max(part(a.real(), b.real()), part(a.imag(), b.imag()));
}

double magnitude(std::complex<double> v) {
  double m = std::abs(v);
  return std::isfinite(m) ? m : 0;
}

std::string describe(const HostArray &got, const HostArray &want, int64_t i) {
  return (got.dims.empty() ? "" : "at " + got.indexText(i) + ": ") + "expects " + textOf(*want.type, want.at(i)) +
         ", but got " + textOf(*got.type, got.at(i));
}

bool isExact(const HostArray &array) {
  return array.type->numeric != isa::Numeric::Float && array.type->numeric != isa::Numeric::Complex;
}

// `error` of each element, NaN or more than `limit` being beyond it.
template <typename Error>
Comparison worst(const HostArray &got, const HostArray &want, double limit, Error error) {
  Comparison c;
  int64_t at = -1;
  for (int64_t i = 0, n = got.elements(); i < n; ++i) {
    double e = error(i);
    if (e > c.largestError || (at < 0 && e > limit)) {
      c.largestError = e;
      at = i;
    }
    c.different += !(e <= limit);
  }
  c.ok = c.different == 0;
  if (at >= 0) c.where = describe(got, want, at);
  return c;
}

Comparison bitwise(const HostArray &got, const HostArray &want) {
  const int bytes = got.type->hostBytes;
  Comparison c = worst(got, want, 0, [&](int64_t i) {
    if (std::memcmp(got.at(i), want.at(i), bytes) == 0) return 0.0;
    double d = distance(valueOf(*got.type, got.at(i)), valueOf(*want.type, want.at(i)));
    return d == 0 && isExact(got) ? 1.0 : d;  // 64-bit integers that round to one double
  });
  c.exact = true;
  return c;
}

}  // namespace

Comparison compare(const HostArray &got, const HostArray &want, double tolerance, double scale) {
  if (isExact(got)) return bitwise(got, want);
  double largest = scale;
  for (int64_t i = 0, n = want.elements(); i < n; ++i)
    largest = std::max(largest, magnitude(valueOf(*want.type, want.at(i))));
  const double unit = largest > 0 ? largest : 1;  // a divisor: the reciprocal of a denormal is infinite
  return worst(got, want, tolerance, [&](int64_t i) {
    return distance(valueOf(*got.type, got.at(i)), valueOf(*want.type, want.at(i))) / unit;
  });
}

Comparison compareExpectation(const isa::proto::Expectation &e, const HostArray &got, const HostArray &want) {
  llvm::StringRef kind(e.kind());
  const uint64_t least = e.min_ulp(), most = e.max_ulp();
  if (kind == "close" && !isExact(got)) {
    // Complex numbers are compared part by part.
    const bool complex = got.type->numeric == isa::Numeric::Complex;
    const isa::ElementType &part = complex ? *isa::elementType(got.type->hostBytes == 8 ? "f32" : "f64") : *got.type;
    return worst(got, want, static_cast<double>(most), [&](int64_t i) {
      double error = 0;
      for (int at = 0; at < got.type->hostBytes; at += part.hostBytes) {
        std::optional<uint64_t> ulps = ulpsBetween(part, got.at(i) + at, want.at(i) + at);
        error = std::max(error, !ulps || *ulps < least ? kInfinite : static_cast<double>(*ulps));
      }
      return error;
    });
  }
  if (kind != "almost_equal" || isExact(got)) return bitwise(got, want);
  return worst(got, want, e.tolerance(), [&](int64_t i) {
    return partsDistance(valueOf(*got.type, got.at(i)), valueOf(*want.type, want.at(i)));
  });
}

}  // namespace tpuc::tools
