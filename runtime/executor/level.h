// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU levels: which implementation of the vector and matrix units this machine can run.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/executor/kernels.h"

namespace tpuc::exec {

enum class Level { Portable, Avx2, Avx512, Avx512Bf16, Amx };

std::string_view levelName(Level level);
std::optional<Level> levelByName(std::string_view name);
// Those that this CPU and operating system run, slowest first. Every level gives the same bits.
std::vector<Level> availableLevels();
// The fastest, or what TPUC_CPU_LEVEL names.
Level defaultLevel();
// `level` must be available.
const Kernels &kernelsOf(Level level);

}  // namespace tpuc::exec
