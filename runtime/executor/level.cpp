// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/level.h"

#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "runtime/executor/thread_setup.h"

namespace tpuc::exec {
namespace {

constexpr std::string_view kNames[] = {"portable", "avx2", "avx512", "avx512bf16", "amx"};

#if defined(__x86_64__)
bool hasAvx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
         __builtin_cpu_supports("bmi2");
}

bool hasAvx512() {
  return hasAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
}

// The tile registers, and the kernel's permission to use them.
bool hasAmx() {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24, kInt8 = 1u << 25;
  if ((d & (kBf16 | kTile | kInt8)) != (kBf16 | kTile | kInt8)) return false;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// Whether the CPU's products of bf16 round as the definition says: on operands where another order or a wider sum
// shows.
bool roundsAsDefined(const MxuKernels &other) {
  const MxuKernels &one = avx512Kernels()->mxu;
  ThreadSetup setup(other);
  alignas(64) static uint8_t weights[2][weightBytes(128)], vreg[isa::kVregBytes];
  alignas(64) static float sums[2][16 * 128];
  std::memset(sums, 0, sizeof sums);
  UsedWeights used[2];
  uint16_t touched[2][2] = {};
  uint32_t random = 1;
  for (uint8_t &byte : vreg) byte = static_cast<uint8_t>((random = random * 1664525 + 1013904223) >> 24);
  for (int i = 1; i < isa::kVregBytes; i += 2)
    vreg[i] = static_cast<uint8_t>((vreg[i] & 0x83) | 0x3c);  // of like magnitude
  for (int row = 0; row < 8; ++row) {
    one.loadBf16(weights[0], vreg, 128, row, 0, row & 1, used[0]);
    other.loadBf16(weights[1], vreg, 128, row, 0, row & 1, used[1]);
  }
  one.pushBf16(sums[0], weights[0], vreg, nullptr, 128, used[0], touched[0]);
  other.pushBf16(sums[1], weights[1], vreg, nullptr, 128, used[1], touched[1]);
  return std::memcmp(sums[0], sums[1], sizeof sums[0]) == 0;
}
#endif

// Asks the CPU before it takes a level's kernels: what makes them is compiled for that level too.
bool available(Level level) {
#if defined(__x86_64__)
  switch (level) {
    case Level::Portable:
      return true;
    case Level::Avx2:
      return hasAvx2() && avx2Kernels();
    case Level::Avx512:
      return hasAvx512() && avx512Kernels();
    case Level::Avx512Bf16:
      return hasAvx512() && __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vnni") &&
             avx512Bf16Kernels() && roundsAsDefined(*avx512Bf16Kernels());
    case Level::Amx:
      return hasAvx512() && hasAmx() && amxKernels() && roundsAsDefined(*amxKernels());
  }
#endif
  return level == Level::Portable;
}

}  // namespace

std::string_view levelName(Level level) { return kNames[static_cast<int>(level)]; }

std::optional<Level> levelByName(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == name) return static_cast<Level>(i);
  return std::nullopt;
}

std::vector<Level> availableLevels() {
  static const std::vector<Level> levels = [] {
    std::vector<Level> found;
    for (size_t i = 0; i < std::size(kNames); ++i)
      if (available(static_cast<Level>(i))) found.push_back(static_cast<Level>(i));
    return found;
  }();
  return levels;
}

Level defaultLevel() {
  std::vector<Level> levels = availableLevels();
  if (const char *name = std::getenv("TPUC_CPU_LEVEL"))
    for (Level level : levels)
      if (levelName(level) == name) return level;
  return levels.back();
}

const Kernels &kernelsOf(Level level) {
  auto with = [](const MxuKernels *mxu, const char *name) {
    Kernels k = *avx512Kernels();
    k.name = name;
    k.mxu = *mxu;
#if defined(__x86_64__)
    if (Handler pack = avx512Bf16Pack(); pack && __builtin_cpu_supports("avx512bf16"))
      k.handlers[static_cast<int>(isa::Op::VPackB)] = pack;
#endif
    return k;
  };
  switch (level) {
    case Level::Portable:
      return *portableKernels();
    case Level::Avx2:
      return *avx2Kernels();
    case Level::Avx512:
      return *avx512Kernels();
    case Level::Avx512Bf16: {
      static const Kernels k = with(avx512Bf16Kernels(), "avx512bf16");
      return k;
    }
    case Level::Amx: {
      static const Kernels k = with(amxKernels(), "amx");
      return k;
    }
  }
  return *portableKernels();
}

}  // namespace tpuc::exec
