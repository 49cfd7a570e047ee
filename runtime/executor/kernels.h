// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a CPU level provides.
#pragma once
#include "runtime/executor/core.h"

namespace tpuc::exec {

// Columns 128 col.. of a group of sums, of which the first `lanes` are read; zeroed when `clear`.
struct Popped {
  int col;
  bool isInt, clear;
  int lanes = isa::kLanes;
};

// The matrix unit's inner loops. `weights` is in the level's own form: zero bytes are zero weights.
struct MxuKernels {
  // Stages a vreg of weights: rows `row`.. (in units of the type's rows a vreg) x columns 128 col.., as mxu.ldw says,
  // and notes in `used` where they are not all zero.
  using Load = void (*)(uint8_t *weights, const uint8_t *vreg, int side, int row, int col, bool transposed,
                        UsedWeights &used);
  // Units become zero: a bit each, ascending along columns first, in the direction that they are loaded in.
  using Zero = void (*)(uint8_t *weights, int side, uint64_t units, bool transposed);
  // After the last load: whatever is derived from all weights.
  using Finish = void (*)(uint8_t *weights, int side);
  // accumulators: the first group's rows, side f32 or int32 each. b is null on a 128 x 128 array. Absent weights become
  // zeros where they matter. touched: of each group, the columns that a push may have changed: the others are +0.
  using Push = void (*)(float *accumulators, uint8_t *weights, const uint8_t *a, const uint8_t *b, int side,
                        UsedWeights &used, uint16_t *touched);
  // A group's 128 columns from `accumulators` on into a vreg; NaNs made canonical for f32.
  using Pop = void (*)(float *accumulators, int side, uint8_t *vreg, Popped what, uint16_t &touched);
  Load loadBf16, loadInt8, loadF32;
  Zero zeroBf16, zeroInt8, zeroF32;
  Finish finishInt8;
  Push pushBf16, pushInt8, pushF32;
  Pop pop;
  void (*enter)() = nullptr, (*leave)() = nullptr;  // around all pushes of a thread; may be null
};

struct Kernels {
  const char *name;
  Handler handlers[isa::kNumOps];  // of vector instructions; null elsewhere
  Handler round[5];                // v.round.f32 by mode
  StripFn strips[isa::kNumOps];    // of those that work lane by lane; null elsewhere
  StripFn roundStrips[5];
  bool generates;  // the level has what jit_compile.h needs
  MxuKernels mxu;
};

// Null where this build has none for the CPU's architecture.
const Kernels *portableKernels();
const Kernels *avx2Kernels();
const Kernels *avx512Kernels();
const MxuKernels *avx512Bf16Kernels();
const MxuKernels *avx512Bf16Pairs();  // with the instruction that adds two products, whether it pays or not
const MxuKernels *amxKernels();
Handler avx512Bf16Pack();  // v.pack.bf16 by the CPU's own conversion

}  // namespace tpuc::exec
