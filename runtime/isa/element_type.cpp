// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/isa/element_type.h"

namespace tpuc::isa {
namespace {

using enum Numeric;

// name, numeric, bits, hostBytes, packing, planes
constexpr ElementType kTypes[] = {
    {"i1", Bool, 1, 1, 4, 1},
    {"i2", Int, 2, 1, 16, 1},
    {"i4", Int, 4, 1, 8, 1},
    {"i8", Int, 8, 1, 4, 1},
    {"i16", Int, 16, 2, 2, 1},
    {"i32", Int, 32, 4, 1, 1},
    {"i64", Int, 64, 8, 1, 2},
    {"ui2", UInt, 2, 1, 16, 1},
    {"ui4", UInt, 4, 1, 8, 1},
    {"ui8", UInt, 8, 1, 4, 1},
    {"ui16", UInt, 16, 2, 2, 1},
    {"ui32", UInt, 32, 4, 1, 1},
    {"ui64", UInt, 64, 8, 1, 2},
    {"f4E2M1FN", Float, 4, 1, 8, 1},
    {"f6E2M3FN", Float, 6, 1, 4, 1},
    {"f6E3M2FN", Float, 6, 1, 4, 1},
    {"f8E3M4", Float, 8, 1, 4, 1},
    {"f8E4M3", Float, 8, 1, 4, 1},
    {"f8E4M3FN", Float, 8, 1, 4, 1},
    {"f8E4M3FNUZ", Float, 8, 1, 4, 1},
    {"f8E4M3B11FNUZ", Float, 8, 1, 4, 1},
    {"f8E5M2", Float, 8, 1, 4, 1},
    {"f8E5M2FNUZ", Float, 8, 1, 4, 1},
    {"f8E8M0FNU", Float, 8, 1, 4, 1},
    {"bf16", Float, 16, 2, 2, 1},
    {"f16", Float, 16, 2, 2, 1},
    {"f32", Float, 32, 4, 1, 1},
    {"f64", Float, 64, 8, 1, 2},
    {"complex<f32>", Complex, 64, 8, 1, 2},
    {"complex<f64>", Complex, 128, 16, 1, 4},
};

}  // namespace

const ElementType *elementType(std::string_view name) {
  for (const ElementType &type : kTypes)
    if (type.name == name) return &type;
  return nullptr;
}

std::span<const ElementType> elementTypes() { return kTypes; }

}  // namespace tpuc::isa
