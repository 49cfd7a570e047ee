//===- bool_constants.cpp - boolean constants as newer MLIR writes them ------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/bool_constants.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tpuc::frontend {
namespace {

// After the constant: `> : tensor<30x40xi1` gives 1200; nothing for other types.
std::optional<uint64_t> boolElements(StringRef rest) {
  rest = rest.ltrim();
  if (!rest.consume_front(">")) return std::nullopt;
  rest = rest.ltrim();
  if (!rest.consume_front(":")) return std::nullopt;
  rest = rest.ltrim();
  if (!rest.consume_front("tensor<")) return std::nullopt;
  uint64_t elements = 1, dim;
  while (!rest.consumeInteger(10, dim)) {
    if (!rest.consume_front("x") || dim >= (uint64_t(1) << 31) || elements >= (uint64_t(1) << 31)) return std::nullopt;
    elements *= dim;
  }
  if (!rest.consume_front("i1") || !(rest.starts_with(">") || rest.starts_with(","))) return std::nullopt;
  return elements;
}

// Bits, the first element lowest, as hexadecimal bytes. The words are 00 and 01, or FF for true.
std::string pack(StringRef bytes) {
  std::string packed((bytes.size() / 2 + 7) / 8, '\0');
  for (size_t i = 0; i * 2 < bytes.size(); ++i)
    if (bytes.substr(2 * i, 2) != "00") packed[i / 8] |= static_cast<char>(1 << i % 8);
  return toHex(packed);
}

}  // namespace

std::optional<std::string> packBoolConstants(StringRef text) {
  constexpr StringLiteral kOpen = "\"0x";
  std::string result;
  size_t copied = 0;
  for (size_t open = text.find(kOpen); open != StringRef::npos; open = text.find(kOpen, open + 1)) {
    size_t digits = open + kOpen.size(), close = text.find('"', digits);
    if (close == StringRef::npos) break;
    std::optional<uint64_t> elements = boolElements(text.substr(close + 1, 256));
    StringRef hex = text.slice(digits, close);
    // One byte is a splat in both forms.
    if (!elements || *elements < 2 || hex.size() != 2 * *elements || !all_of(hex, isHexDigit)) continue;
    std::string packed = pack(hex);
    result += text.slice(copied, digits);
    result += packed + '"';
    result.append(hex.size() - packed.size(), ' ');
    copied = close + 1;
  }
  if (copied == 0) return std::nullopt;
  return result + text.substr(copied).str();
}

}  // namespace tpuc::frontend
