// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the index of an executable agrees with itself and with the sections.
#pragma once
#include "runtime/isa/executable.h"

namespace tpuc::isa {

inline constexpr int64_t kMaxBytes = int64_t{1} << 44;  // of any memory; keeps sums of offsets inside 64 bits

// "buffer 3: too large".
inline std::string at(const char *what, size_t index, const std::string &why) {
  return std::string(what) + " " + std::to_string(index) + ": " + why;
}

// Empty when it is sound.
std::string validateIndex(const Executable &exe);

}  // namespace tpuc::isa
