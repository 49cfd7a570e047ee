// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where bytes and operations go that are not the program's: arrays filled up to a bucket's sizes, and to whole tiles of
// memory and of the matrix unit. What the machine counts is split without a rest.
#pragma once
#include <string>
#include <vector>

#include "runtime/isa/sizes.h"
#include "runtime/target/target.h"
#include "runtime/timing/timing.h"

namespace tpuc::report {

// Bytes: the program's own elements, what fills them up to the bucket's sizes, and these up to whole tiles.
struct Split {
  int64_t logical = 0, bucketing = 0, alignment = 0;
  int64_t total() const { return logical + bucketing + alignment; }
  int64_t waste() const { return bucketing + alignment; }
  void add(const Split &other);
};

struct LedgerArray {
  std::string name;      // "argument 0", "result 0 (loss)", "temporary", "constant"
  std::string type;      // "f32[100,300]"
  std::string location;  // the line whose kernel moves most of it
  bool onChip = false;   // it stays in VMEM between kernels: nothing of it moves
  Split stored, moved;   // moved: read from HBM and written to it
  std::string advice;    // "300 -> 384 wastes 22%; 256 or 384 waste none"; empty where nothing is wasted
};

struct LedgerKernel {
  std::string name, kind, location;
  Split moved;
  double flops = 0;         // the program's own products, at the bucket's sizes
  double machineFlops = 0;  // of all rows that went into the arrays, which are as wide as they are
};

struct Ledger {
  std::vector<LedgerArray> arrays;    // most waste moved first, then most stored
  std::vector<LedgerKernel> kernels;  // most waste first; one without a name is the entry's own transfers
  Split moved;
  int64_t readBytes = 0, writeBytes = 0;  // moved.total()
  std::array<int64_t, 3> pushes{};        // of the kernels: bf16, int8, f32
};

// `timed` is entry `entry`'s at the true sizes `extents`, `largest` at the largest that it holds.
Ledger makeLedger(const isa::Executable &exe, const target::Target &target, int entry, const isa::Extents &extents,
                  const timing::TimingResult &timed, const timing::TimingResult &largest);

// What fewer or more elements would waste: of a dim that comes in multiples of `tile`.
std::string betterSize(int64_t size, int64_t tile);

}  // namespace tpuc::report
