// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the assembler and the disassembler must agree on: labels, quoted strings, derived fields of the index.
#pragma once
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>

#include "runtime/schema/message.h"

namespace tpuc::isa {

// Letters, digits, '_', '.', '$', '-', not starting with a digit.
inline bool isLabel(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-' || text.substr(0, 2) == ".L")
    return false;
  for (char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.' && c != '$' && c != '-') return false;
  return true;
}

// Fields of the index that assembling or saving computes.
inline bool isDerived(std::string_view field) {
  return field == "format_version" || field == "table_hash" || field == "num_bundles";
}
// Those that a `.set` line gives: single values.
inline bool isSettable(const schema::Field &field) {
  return !field.repeated && field.kind != schema::Kind::Message && !isDerived(field.name);
}

inline std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7f ||
                         (byte >= 0x80 && byte < 0xa0 && out.back() == '\xc2');  // of U+0080 to U+009f too
    if (control) {
      constexpr char kHex[] = "0123456789abcdef";
      out += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// The inverse of `quote`; false when `text` is no quoted string.
inline bool unquote(std::string_view text, std::string &out) {
  out.clear();
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return false;
  text = text.substr(1, text.size() - 2);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return false;
    bool escaped = text[i] == '\\';
    if (escaped && ++i == text.size()) return false;
    if (escaped && text[i] == 'x') {
      unsigned value = 0;
      if (i + 2 >= text.size() || std::from_chars(&text[i + 1], &text[i + 1] + 2, value, 16).ptr != &text[i + 1] + 2)
        return false;
      out += static_cast<char>(value);
      i += 2;
      continue;
    }
    out += escaped && text[i] == 'n' ? '\n' : text[i];
  }
  return true;
}

}  // namespace tpuc::isa
