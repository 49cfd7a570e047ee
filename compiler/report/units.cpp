// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers with their units, for people.
#include "compiler/report/units.h"

#include <cmath>
#include <cstdio>

namespace tpuc::report {
namespace {

// The first step that leaves at most four digits before the point.
std::string scaled(double value, double step, const char *const *names, int numNames, double limit) {
  int i = 0;
  while (std::abs(value) >= limit && i + 1 < numNames) value /= step, ++i;
  int digits = i == 0 ? 0 : std::abs(value) < 10 ? 2 : std::abs(value) < 100 ? 1 : 0;
  return fixed(value, digits) + " " + names[i];
}

}  // namespace

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string bytes(double n) {
  static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  return scaled(n, 1024, names, 5, 1024);
}

std::string seconds(double s) {
  static const char *const names[] = {"ns", "us", "ms", "s"};
  return scaled(s * 1e9, 1000, names, 4, 1000);
}

std::string count(double n) {
  static const char *const names[] = {"", "K", "M", "G", "T", "P"};
  return scaled(n, 1000, names, 6, 1000);
}

std::string percent(double part, double whole) { return whole > 0 ? fixed(100 * part / whole, 1) + "%" : "-"; }

std::string thousands(int64_t n) {
  std::string digits = std::to_string(n);
  for (int at = static_cast<int>(digits.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3) digits.insert(at, ",");
  return digits;
}

}  // namespace tpuc::report
