// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's names, paths and lines as a terminal may show them.
#include "runtime/isa/printable.h"

#include <cstdint>
#include <cstdio>

namespace tpuc::isa {
namespace {

// Bytes of the code point at the beginning, and the code point; 0 for what is no UTF-8, with its shortest form asked
// for.
int decodeUtf8(std::string_view text, uint32_t &point) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  const int length = first < 0x80 ? 1 : first >> 5 == 0x6 ? 2 : first >> 4 == 0xe ? 3 : first >> 3 == 0x1e ? 4 : 0;
  if (length == 0 || text.size() < static_cast<size_t>(length)) return 0;
  point = length == 1 ? first : first & (0x7f >> length);
  for (int i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    point = point << 6 | (byte(i) & 0x3f);
  }
  static constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return point < kLeast[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000) ? 0 : length;
}

bool isControl(uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 || point == 0x2029;
}
// Marks that reorder what follows them, and those without any width.
bool isInvisible(uint32_t point) {
  return (point >= 0x200b && point <= 0x200f) || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069) || point == 0xfeff;
}

void appendEscape(uint32_t point, std::string &out) {
  char text[16];
  if (point == '\n')
    std::snprintf(text, sizeof text, "\\n");
  else if (point == '\t')
    std::snprintf(text, sizeof text, "\\t");
  else if (point == '\r')
    std::snprintf(text, sizeof text, "\\r");
  else
    std::snprintf(text, sizeof text, point < 0x100 ? "\\x%02x" : "\\u%04x", point);
  out += text;
}

}  // namespace

std::string printable(std::string_view text, bool keepLines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    uint32_t point = 0;
    int length = decodeUtf8(text, point);
    if (length == 0) {
      appendEscape(static_cast<uint8_t>(text[0]), out);
      length = 1;
    } else if (keepLines && (point == '\n' || point == '\t')) {
      out += static_cast<char>(point);
    } else if (isControl(point) || isInvisible(point)) {
      appendEscape(point, out);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace tpuc::isa
