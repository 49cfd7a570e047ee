// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of runs of lane-by-lane instructions, for CPUs with AVX-512: values stay in registers from instruction
// to instruction. The bytes that a run leaves are those of its instructions one after the other.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/executor/jit_graph.h"

namespace tpuc::exec::jit {

inline constexpr int kSpillSlots = 128;  // of 64 bytes, per core

// Executable memory.
class Compiled {
 public:
  // vregs, spill slots, Core::slots, constants, masks.
  using Run = void (*)(uint8_t *, uint8_t *, const int64_t *, const uint32_t *, uint8_t *);
  ~Compiled();

  void operator()(Core &core) const { run_(core.v, core.spills, core.slots, constants_.data(), core.m); }

 private:
  friend std::unique_ptr<Compiled> compile(const std::vector<Graph> &graphs);
  Compiled();
  struct Memory;
  std::unique_ptr<Memory> memory_;
  Run run_ = nullptr;
  std::vector<uint32_t> constants_;
};

// All lanes of one graph after the other. Null when the system gives no executable memory, or one is too large for the
// spill slots.
std::unique_ptr<Compiled> compile(const std::vector<Graph> &graphs);

}  // namespace tpuc::exec::jit
