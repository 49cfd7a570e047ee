// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings as JSON has them.
#include "runtime/trace/json.h"

#include <cstdint>
#include <cstdio>

namespace tpuc::trace {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none (RFC 3629, section 4).
size_t sequenceLength(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  uint8_t first = byte(0);
  size_t n = first < 0x80                    ? 1
             : first >= 0xc2 && first < 0xe0 ? 2
             : first >= 0xe0 && first < 0xf0 ? 3
             : first >= 0xf0 && first < 0xf5 ? 4
                                             : 0;
  if (n == 0 || n > text.size()) return 0;
  for (size_t i = 1; i < n; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (n == 3 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0))) return 0;
  if (n == 4 && ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90))) return 0;
  return n;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    size_t n = sequenceLength(text);
    char c = text[0];
    if (n == 0) {
      out += "\\ufffd";
      n = 1;
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<uint8_t>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += text.substr(0, n);
    }
    text.remove_prefix(n);
  }
  return out + "\"";
}

}  // namespace tpuc::trace
