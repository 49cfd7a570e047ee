//===- parser_limits.cpp - texts that MLIR's parser does not survive -------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/parser_limits.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tpuc::frontend {
namespace {

constexpr size_t kDeepest = 256;

// Where a string or a comment that begins at `i` ends; `i` itself elsewhere.
size_t skipText(StringRef text, size_t i) {
  if (text[i] == '"') {
    for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
      if (text[i] == '\\') ++i;
  } else if (text[i] == '/' && text.substr(i + 1).starts_with("/")) {
    i = std::min(text.find('\n', i), text.size() - 1);
  }
  return i;
}

// `array<` with an element type of its own that is neither integer nor float.
bool isArrayOfIndex(StringRef rest) {
  if (!rest.consume_front("array")) return false;
  rest = rest.ltrim();
  if (!rest.consume_front("<")) return false;
  rest = rest.ltrim();
  return rest.consume_front("index") && !(isAlnum(rest.empty() ? ' ' : rest.front()));
}

}  // namespace

std::optional<ParserLimit> findParserLimit(StringRef text) {
  size_t depth = 0, deepest = 0, where = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    i = skipText(text, i);
    if (i >= text.size()) break;
    char c = text[i];
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (++depth > deepest) {
        deepest = depth;
        where = deepest <= kDeepest + 1 ? i : where;
      }
    } else if ((c == ')' || c == ']' || c == '}' || (c == '>' && i && text[i - 1] != '-')) && depth) {
      --depth;
    } else if (c == 'a' && isArrayOfIndex(text.substr(i))) {
      return ParserLimit{codes::kMalformed, i, "expects an array of integers or floats, but got array<index>"};
    }
  }
  if (deepest <= kDeepest) return std::nullopt;
  return ParserLimit{codes::kNestsTooDeep, where,
                     ("expects brackets nested at most " + Twine(kDeepest) + " deep, but got " + Twine(deepest)).str()};
}

}  // namespace tpuc::frontend
