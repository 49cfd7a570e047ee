// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers with their units, for people.
#pragma once
#include <cstdint>
#include <string>

namespace tpuc::report {

std::string bytes(double n);                     // "1.5 MiB"
std::string seconds(double s);                   // "12.3 us"
std::string count(double n);                     // "1.2 G", for operations and the like
std::string percent(double part, double whole);  // "41.3%"; "-" of nothing
std::string fixed(double value, int digits);
std::string thousands(int64_t n);  // "1,234,567"

}  // namespace tpuc::report
