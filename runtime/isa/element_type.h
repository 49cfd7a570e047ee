// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types as StableHLO spells them, and how memory holds them.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace tpuc::isa {

enum class Numeric : uint8_t { Bool, Int, UInt, Float, Complex };

struct ElementType {
  std::string_view name;
  Numeric numeric;
  uint8_t bits;       // of a logical element
  uint8_t hostBytes;  // of an element of a dense host array; types below 8 bits take a byte each
  uint8_t packing;    // rows that share a sublane word: 1, 2, 4, 8, 16
  uint8_t planes;     // 32-bit arrays one after the other: low then high word, real then imaginary part

  // Bits of a 4-byte lane that one element of a plane takes.
  int partBits() const { return 32 / packing; }
};

// Null for names that are no element type.
const ElementType *elementType(std::string_view name);
std::span<const ElementType> elementTypes();

}  // namespace tpuc::isa
