// What the assembler and the disassembler must agree on: labels, quoted strings, derived fields of the index.
#pragma once
#include <cctype>
#include <string>
#include <string_view>

#include "runtime/schema/message.h"

namespace tpuc::isa {

// Letters, digits, '_', '.', '$', '-', not starting with a digit.
inline bool isLabel(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-' || text.substr(0, 2) == ".L") return false;
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
    out += escaped && text[i] == 'n' ? '\n' : text[i];
  }
  return true;
}

}  // namespace tpuc::isa
