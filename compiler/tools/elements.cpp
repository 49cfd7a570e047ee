// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of dense host arrays.
#include "compiler/tools/elements.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"

namespace tpuc::tools {
namespace {

using isa::ElementType;
using isa::Numeric;
using llvm::APFloat;

const llvm::fltSemantics &semanticsOf(const ElementType &type) {
  return *llvm::StringSwitch<const llvm::fltSemantics *>(llvm::StringRef(type.name.data(), type.name.size()))
              .Case("f4E2M1FN", &APFloat::Float4E2M1FN())
              .Case("f6E2M3FN", &APFloat::Float6E2M3FN())
              .Case("f6E3M2FN", &APFloat::Float6E3M2FN())
              .Case("f8E3M4", &APFloat::Float8E3M4())
              .Case("f8E4M3", &APFloat::Float8E4M3())
              .Case("f8E4M3FN", &APFloat::Float8E4M3FN())
              .Case("f8E4M3FNUZ", &APFloat::Float8E4M3FNUZ())
              .Case("f8E4M3B11FNUZ", &APFloat::Float8E4M3B11FNUZ())
              .Case("f8E5M2", &APFloat::Float8E5M2())
              .Case("f8E5M2FNUZ", &APFloat::Float8E5M2FNUZ())
              .Case("f8E8M0FNU", &APFloat::Float8E8M0FNU())
              .Case("bf16", &APFloat::BFloat())
              .Case("f16", &APFloat::IEEEhalf())
              .Case("f32", &APFloat::IEEEsingle())
              .Default(&APFloat::IEEEdouble());
}

template <typename T>
T load(const uint8_t *p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

uint64_t bitsOf(const ElementType &type, const uint8_t *p) {
  uint64_t bits = 0;
  std::memcpy(&bits, p, type.hostBytes);
  return type.bits < 64 ? bits & ((uint64_t{1} << type.bits) - 1) : bits;
}

double floatValue(const ElementType &type, const uint8_t *p) {
  if (type.name == "f32") return load<float>(p);
  if (type.name == "f64") return load<double>(p);
  if (type.name == "bf16") {
    uint32_t bits = static_cast<uint32_t>(load<uint16_t>(p)) << 16;
    return load<float>(reinterpret_cast<const uint8_t *>(&bits));
  }
  // convertToDouble asserts nothing here: every one of these is narrower than a double.
  return APFloat(semanticsOf(type), llvm::APInt(type.bits, bitsOf(type, p))).convertToDouble();
}

int64_t intValue(const ElementType &type, const uint8_t *p) {
  switch (type.hostBytes) {
    case 1:
      return type.numeric == Numeric::Int ? int64_t{load<int8_t>(p)} : int64_t{load<uint8_t>(p)};
    case 2:
      return type.numeric == Numeric::Int ? int64_t{load<int16_t>(p)} : int64_t{load<uint16_t>(p)};
    case 4:
      return type.numeric == Numeric::Int ? int64_t{load<int32_t>(p)} : int64_t{load<uint32_t>(p)};
    default:
      return load<int64_t>(p);
  }
}

std::string number(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

}  // namespace

int64_t HostArray::elements() const {
  int64_t n = 1;
  for (int64_t d : dims) n *= d;
  return n;
}

std::string HostArray::typeText() const {
  std::string out;
  for (int64_t d : dims) out += std::to_string(d) + "x";
  return out + std::string(type->name);
}

std::string HostArray::indexText(int64_t element) const {
  std::string out;
  for (size_t d = dims.size(); d-- > 0; element /= dims[d])
    out = std::to_string(element % dims[d]) + (out.empty() ? "" : ", ") + out;
  return "[" + out + "]";
}

std::complex<double> valueOf(const ElementType &type, const uint8_t *p) {
  switch (type.numeric) {
    case Numeric::Bool:
      return *p != 0;
    case Numeric::Int:
      return static_cast<double>(intValue(type, p));
    case Numeric::UInt:
      return type.bits == 64 ? static_cast<double>(load<uint64_t>(p)) : static_cast<double>(intValue(type, p));
    case Numeric::Float:
      return floatValue(type, p);
    case Numeric::Complex:
      break;
  }
  if (type.hostBytes == 8) return {load<float>(p), load<float>(p + 4)};
  return {load<double>(p), load<double>(p + 8)};
}

std::string textOf(const ElementType &type, const uint8_t *p) {
  if (type.numeric == Numeric::Bool) return *p ? "true" : "false";
  if (type.numeric == Numeric::Int) return std::to_string(intValue(type, p));
  if (type.numeric == Numeric::UInt) return std::to_string(static_cast<uint64_t>(intValue(type, p)));
  const int digits = type.bits >= 64 && type.name != "complex<f32>" ? 17 : type.bits >= 32 ? 9 : 5;
  std::complex<double> value = valueOf(type, p);
  if (type.numeric == Numeric::Float) return number(value.real(), digits);
  return "(" + number(value.real(), digits) + ", " + number(value.imag(), digits) + ")";
}

std::optional<uint64_t> ulpsBetween(const ElementType &type, const uint8_t *a, const uint8_t *b) {
  const double x = floatValue(type, a), y = floatValue(type, b);
  if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
  if (!std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
  // Steps from zero; f8E8M0FNU has neither zero nor signs.
  const uint64_t sign = type.name == "f8E8M0FNU" ? 0 : uint64_t{1} << (type.bits - 1);
  const uint64_t stepsX = bitsOf(type, a) & ~sign, stepsY = bitsOf(type, b) & ~sign;
  if (std::signbit(x) != std::signbit(y)) return stepsX + stepsY;
  return std::max(stepsX, stepsY) - std::min(stepsX, stepsY);
}

void fillRandom(HostArray &array, uint64_t seed) {
  const ElementType &type = *array.type;
  array.data.assign(array.elements() * type.hostBytes, 0);
  uint64_t state = seed * 0x9e3779b97f4a7c15ull + 1;
  auto next = [&] {  // splitmix64
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  };
  auto unit = [&] { return static_cast<double>(static_cast<int64_t>(next()) >> 11) * 0x1p-52; };
  for (int64_t i = 0; i < array.elements(); ++i) {
    uint8_t *p = array.data.data() + i * type.hostBytes;
    auto put = [&](auto value) {
      std::memcpy(p, &value, sizeof value < type.hostBytes ? sizeof value : type.hostBytes);
    };
    if (type.numeric == Numeric::Float && type.name == "f32")
      put(static_cast<float>(unit()));
    else if (type.numeric == Numeric::Float) {
      APFloat value(unit());
      bool lost;
      value.convert(semanticsOf(type), APFloat::rmNearestTiesToEven, &lost);
      put(value.bitcastToAPInt().getZExtValue());
    } else if (type.name == "complex<f32>")
      put(std::complex<float>(static_cast<float>(unit()), static_cast<float>(unit())));
    else if (type.numeric == Numeric::Complex)
      put(std::complex<double>(unit(), unit()));
    else if (type.numeric == Numeric::Bool)
      put(static_cast<uint8_t>(next() & 1));
    else
      put(static_cast<int64_t>(next() % (type.bits < 4 ? 2 : 8)));
  }
}

void extendNarrow(HostArray &array) {
  const ElementType &type = *array.type;
  if (type.bits >= 8 || type.numeric == Numeric::Bool) return;
  const int unused = 8 - type.bits;
  for (uint8_t &byte : array.data) {
    const auto high = static_cast<uint8_t>(byte << unused);
    byte = type.numeric == Numeric::Int ? static_cast<uint8_t>(static_cast<int8_t>(high) >> unused)
                                        : static_cast<uint8_t>(high >> unused);
  }
}

std::string summary(const HostArray &array) {
  const int64_t n = array.elements(), edge = 4;
  std::string out;
  for (int64_t i = 0; i < n; ++i) {
    if (n > 2 * edge + 1 && i == edge) {
      out += ", ...";
      i = n - edge;
    }
    out += (i ? ", " : "") + textOf(*array.type, array.at(i));
  }
  return array.dims.empty() ? out : "[" + out + "]";
}

}  // namespace tpuc::tools
