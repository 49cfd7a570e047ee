// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An executable decoded once: a flat array of instructions in an order that gives what bundles define, block by block.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "runtime/device/dma.h"
#include "runtime/executor/core.h"
#include "runtime/executor/strips.h"
#include "runtime/isa/executable.h"

namespace tpuc::exec {

// The arrays of a core that instructions refer to.
struct MachineShape {
  int cores = 1;  // TensorCores that share a grid
  int mxus = 4;
  int mxuSide = 128;           // 128 or 256
  int accumulatorRows = 4096;  // of one array
};

// What one execution of a basic block adds to the counters.
struct BlockCounts {
  uint64_t bundles = 0;
  std::array<uint32_t, 11> units{};                   // by isa::Unit
  std::array<uint32_t, 3> pushes{};                   // bf16, int8, f32
  std::array<std::array<uint64_t, 3>, 3> dmaBytes{};  // [source space][destination space]
  bool loopEnd = false;
  uint32_t bundle = 0;  // the first
};

struct Program {
  std::vector<DInst> insts;
  std::vector<BlockCounts> blocks;
  std::vector<device::DmaPlan> plans;
  std::vector<std::unique_ptr<StripProgram>> strips;
  std::vector<const DInst *> entries;
  std::vector<bool> outer;  // by buffer: an argument or a result
};

// Orders a bundle's instructions so that executing one after the other gives the bundle's effect: readers of a register
// or memory before its writers, by way of hidden registers where they wait for one another. False when those run out.
bool sequenceBundle(std::vector<DInst> &bundle);

struct DecodeOptions {
  bool checking = false;
  int hotAfter = 16;  // executions after which a run of vector instructions becomes machine code; 0: never
};

// `exe` is valid (isa::validate). False with `error` for what this machine cannot execute: an array it hasn't, weights
// outside of one.
bool decode(const isa::Executable &exe, const MachineShape &shape, const Kernels &kernels, const DecodeOptions &options,
            Program &program, std::string &error);

// Handlers of the units that no CPU level has its own of.
Handler scalarHandler(isa::Op op, bool immediate);
Handler controlHandler(isa::Op op, bool immediate);
Handler dmaHandler(isa::Op op);
Handler mxuHandler(isa::Op op);
const DInst *enterBlock(Core &core, const DInst *i);
const DInst *copyScalar(Core &core, const DInst *i);
const DInst *copyMask(Core &core, const DInst *i);

}  // namespace tpuc::exec
