// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit alone, element by element and cycle by cycle: a systolic array of any small side, walked cell by
// cell, and the fast model of the same array, in numbers and in cycles. That both agree is the proof of the fast model.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/timing/machine_model.h"

namespace tpuc::timing {

enum class WaveType { Bf16, Int8, F32 };

// A product of one array: m x k times k x n, row-major; bf16 and int8 values stand as floats that hold them exactly.
struct WaveProblem {
  WaveType type = WaveType::Bf16;
  int m = 0, k = 0, n = 0;
  std::vector<float> a, b;
};

// What an array is told to do, in order; one instruction a cycle at most.
struct ArrayStep {
  enum Kind { Stage, Swap, Push, Pop } kind;
  int row = 0;  // Stage: first row of the tile's weights; Push: first row of a
  int col = 0;  // Stage: block of 128 columns
  int kTile = 0, nTile = 0;
  int group = 0;  // Push, Pop: accumulator group of 8 rows
};

struct WaveRun {
  std::vector<uint32_t> result;  // m x n: bits of f32, or int32
  std::vector<int64_t> issued;   // the cycle of each step
  int64_t cycles = 0;
  int64_t cells = 0;  // wave only: cell updates
};

// The steps of a product: while one tile's rows are pushed the next tile's weights are staged; a k tile adds to the
// accumulators of the one before.
std::vector<ArrayStep> arraySteps(const MachineModel &model, const WaveProblem &problem);

// Whether the cell-by-cell array can stand for the target's: whole beats a cycle, or whole cycles a beat.
bool waveSupports(const MachineModel &model, WaveType type);
// Cell by cell.
WaveRun runWave(const MachineModel &model, const WaveProblem &problem);
// The formulas: MxuTiming for the cycles, the definition of a push for the numbers.
WaveRun runFast(const MachineModel &model, const WaveProblem &problem);

// Random operands; and where the runs differ, empty when they agree in every bit and cycle.
WaveProblem randomProblem(WaveType type, int m, int k, int n, uint64_t seed);
std::string compareRuns(const WaveRun &wave, const WaveRun &fast);

// What `tpuc bench --wave` shows: both models on a product of an array of `side` with the target's rates.
struct WaveCheck {
  int side = 0;
  WaveProblem problem;
  int64_t cycles = 0, cells = 0;
  std::string difference;  // empty: they agree
};
// False with `error` when the target has no such array.
bool checkWave(const target::Target &target, int side, WaveType type, int m, int k, int n, WaveCheck &check,
               std::string &error);

// Numbers of a push. bf16: in each block of 32 products one chain of the even and one of the odd ones, their sum added
// to the accumulator; denormals are zero. An array of a side below 32 is one block.
float flush(float x);
inline constexpr int kBlock = 32;

}  // namespace tpuc::timing
