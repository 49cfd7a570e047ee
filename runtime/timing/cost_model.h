// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel will cost, in closed form: for choosing blocks before there is code. The walk over the code is the
// judge; test/unit/timing/cost_model_test.cpp holds the two together.
#pragma once
#include <cstdint>

#include "runtime/timing/machine_model.h"

namespace tpuc::timing {

// A matmul as a grid of blocks, m outermost, then n, k innermost; whole or ragged. bk < k keeps results in the
// accumulators over the k steps.
struct MatmulBlocks {
  int64_t m = 0, n = 0, k = 0;
  int64_t bm = 0, bn = 0, bk = 0;
  int64_t rowBytes = 2, weightBytes = 2, outBytes = 2;  // of an element in HBM
  isa::Op push = isa::Op::MxuPushB;
  int passes = 1;          // pushes of each row and tile: 3 for HIGH
  double epilogueOps = 0;  // vector operations on each vreg of the result
};

struct MatmulCost {
  double cycles = 0;                             // of the kernel, launch included
  double mxuCycles = 0;                          // pushes of one core, nothing else
  double computeCycles = 0, transferCycles = 0;  // of one core, as if the other were free
  int64_t hbmBytes = 0;                          // all blocks of the grid
  int64_t vmemBytes = 0;                         // two slots for what moves
  int64_t accumulatorRows = 0;                   // most that an array holds
};

MatmulCost matmulCost(const MachineModel &model, const MatmulBlocks &blocks);
double matmulCycles(const MachineModel &model, int64_t m, int64_t n, int64_t k, int64_t bm, int64_t bn, int64_t bk,
                    int64_t inBytes, int64_t outBytes, int passes);

// A kernel that moves `bytes` through HBM, all cores at it, in steps of `stepBytes` a core (0: one).
double streamCycles(const MachineModel &model, int64_t bytes, int64_t stepBytes = 0);

// Vector work of one core on `vregs` vregs, software-pipelined: the fullest resource decides.
struct VectorWork {
  double alu = 0, loads = 0, stores = 0, eup = 0, xlu = 0;  // instructions a vreg
};
double vectorCycles(const MachineModel &model, int64_t vregs, const VectorWork &work);

}  // namespace tpuc::timing
