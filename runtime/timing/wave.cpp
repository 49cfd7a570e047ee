// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product on one array: the steps, the walk cell by cell, the fast model, and their comparison.
#include "runtime/timing/wave.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "runtime/timing/mxu_timing.h"
#include "runtime/timing/wave_array.h"

namespace tpuc::timing {
namespace {

using isa::Op;

int ceilDiv(int a, int b) { return (a + b - 1) / b; }

struct Ops {
  Op stage, push;
};
Ops opsOf(WaveType type) {
  switch (type) {
    case WaveType::Bf16:
      return {Op::MxuLdwB, Op::MxuPushB};
    case WaveType::Int8:
      return {Op::MxuLdwI, Op::MxuPushI};
    case WaveType::F32:
      return {Op::MxuLdwF, Op::MxuPushF};
  }
  return {};
}

// Sizes of a problem on an array; operands are zero beyond their extents.
struct Tiling {
  int side, rows, kTiles, nTiles, pushes, stagesPerTile, colBlocks, colsPerBlock;
  const WaveProblem &p;

  Tiling(const MachineModel &model, const WaveProblem &problem) : p(problem) {
    side = static_cast<int>(model.target().core().mxu_side());
    rows = mxuRows(opsOf(p.type).push);
    kTiles = ceilDiv(p.k, side), nTiles = ceilDiv(p.n, side), pushes = ceilDiv(p.m, rows);
    colsPerBlock = std::min(side, isa::kLanes);
    colBlocks = side / colsPerBlock;
    stagesPerTile = ceilDiv(side, rows) * colBlocks;
  }
  float a(int i, int k) const { return i < p.m && k < p.k ? p.a[static_cast<size_t>(i) * p.k + k] : 0; }
  float b(int k, int n) const { return k < p.k && n < p.n ? p.b[static_cast<size_t>(k) * p.n + n] : 0; }
  int groupOf(int row) const { return row / isa::kSublanes; }
  int groups() const { return pushes * rows / isa::kSublanes; }
};

void store(WaveRun &run, const WaveProblem &p, int row, int n, uint32_t bits) {
  if (row < p.m && n < p.n) run.result[static_cast<size_t>(row) * p.n + n] = bits;
}

}  // namespace

std::vector<ArrayStep> arraySteps(const MachineModel &model, const WaveProblem &problem) {
  Tiling t(model, problem);
  std::vector<ArrayStep> steps;
  auto stage = [&](int tile, int i) {
    steps.push_back({ArrayStep::Stage, i / t.colBlocks * t.rows, i % t.colBlocks, tile % t.kTiles, tile / t.kTiles, 0});
  };
  int tiles = t.kTiles * t.nTiles;
  for (int i = 0; i < t.stagesPerTile; ++i) stage(0, i);
  for (int tile = 0; tile < tiles; ++tile) {
    int kTile = tile % t.kTiles, nTile = tile / t.kTiles;
    steps.push_back({ArrayStep::Swap, 0, 0, kTile, nTile, 0});
    int staged = tile + 1 < tiles ? 0 : t.stagesPerTile;
    for (int push = 0; push < t.pushes; ++push) {
      steps.push_back({ArrayStep::Push, push * t.rows, 0, kTile, nTile, t.groupOf(push * t.rows)});
      if (staged < t.stagesPerTile) stage(tile + 1, staged++);
    }
    if (kTile + 1 == t.kTiles)
      for (int g = 0; g < t.groups(); ++g) steps.push_back({ArrayStep::Pop, g * isa::kSublanes, 0, kTile, nTile, g});
    while (staged < t.stagesPerTile) stage(tile + 1, staged++);
  }
  return steps;
}

WaveRun runWave(const MachineModel &model, const WaveProblem &problem) {
  Tiling t(model, problem);
  WaveArray array(model, problem.type, t.groups());
  WaveRun run;
  run.result.resize(static_cast<size_t>(problem.m) * problem.n);
  for (const ArrayStep &s : arraySteps(model, problem)) {
    auto ready = [&] {
      switch (s.kind) {
        case ArrayStep::Push:
          return array.canPush(s.group);
        case ArrayStep::Pop:
          return array.canPop(s.group);
        default:
          return true;
      }
      return true;
    };
    while (!ready()) array.step();
    run.issued.push_back(array.now());
    WaveArray::Rows rows(static_cast<size_t>(t.rows));
    if (s.kind == ArrayStep::Stage) {
      for (int j = 0; j < t.rows; ++j)
        for (int n = 0; n < t.colsPerBlock; ++n)
          rows[j].push_back(t.b(s.kTile * t.side + s.row + j, s.nTile * t.side + s.col * t.colsPerBlock + n));
      array.stage(rows, s.row, s.col * t.colsPerBlock);
    } else if (s.kind == ArrayStep::Swap) {
      array.swap();
    } else if (s.kind == ArrayStep::Push) {
      for (int j = 0; j < t.rows; ++j)
        for (int k = 0; k < t.side; ++k) rows[j].push_back(t.a(s.row + j, s.kTile * t.side + k));
      array.push(rows, s.group);
    } else {
      for (int j = 0; j < isa::kSublanes; ++j)
        for (int n = 0; n < t.side; ++n)
          store(run, problem, s.row + j, s.nTile * t.side + n, array.accumulator(s.row + j, n));
      array.clear(s.group);
    }
    array.step();
  }
  run.cycles = array.now();
  run.cells = array.cells();
  return run;
}

namespace {

// One result of a push: what the instruction set defines.
uint32_t pushed(const Tiling &t, int i, int n, int kTile, uint32_t acc) {
  int first = kTile * t.side;
  if (t.p.type == WaveType::Int8) {
    for (int k = first; k < first + t.side; ++k)
      acc += static_cast<uint32_t>(static_cast<int32_t>(t.a(i, k)) * static_cast<int32_t>(t.b(k, n)));
    return acc;
  }
  float sum = std::bit_cast<float>(acc);
  if (t.p.type == WaveType::F32) {
    for (int k = first; k < first + t.side; ++k) sum = std::fma(t.a(i, k), t.b(k, n), sum);
    return std::bit_cast<uint32_t>(sum);
  }
  int block = std::min(kBlock, t.side);
  for (int k0 = first; k0 < first + t.side; k0 += block) {
    float even = 0, odd = 0;
    for (int k = k0; k < k0 + block; k += 2) {
      even = flush(std::fma(flush(t.a(i, k)), flush(t.b(k, n)), even));
      odd = flush(std::fma(flush(t.a(i, k + 1)), flush(t.b(k + 1, n)), odd));
    }
    sum = flush(sum + flush(even + odd));
  }
  return std::bit_cast<uint32_t>(sum);
}

}  // namespace

WaveRun runFast(const MachineModel &model, const WaveProblem &problem) {
  Tiling t(model, problem);
  Ops ops = opsOf(problem.type);
  MxuTiming mxu(model);
  WaveRun run;
  run.result.resize(static_cast<size_t>(problem.m) * problem.n);
  int64_t now = 0;
  for (const ArrayStep &s : arraySteps(model, problem)) {
    switch (s.kind) {
      case ArrayStep::Stage:
        mxu.stage(now, ops.stage);
        break;
      case ArrayStep::Swap:
        mxu.swap(now);
        break;
      case ArrayStep::Push:
        now = mxu.pushAt(now, ops.push, s.group), mxu.push(now, ops.push, s.group);
        break;
      case ArrayStep::Pop:
        now = mxu.popAt(now, s.group);
        break;
    }
    run.issued.push_back(now);
    ++now;
  }
  run.cycles = now;
  for (int i = 0; i < problem.m; ++i)
    for (int n = 0; n < problem.n; ++n) {
      uint32_t acc = 0;
      for (int kTile = 0; kTile < t.kTiles; ++kTile) acc = pushed(t, i, n, kTile, acc);
      store(run, problem, i, n, acc);
    }
  return run;
}

WaveProblem randomProblem(WaveType type, int m, int k, int n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> bytes(-128, 127);
  auto value = [&] {
    if (type == WaveType::Int8) return static_cast<float>(bytes(random));
    float x = normal(random);
    if (type == WaveType::F32) return x;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffff0000u);
  };
  WaveProblem p{type, m, k, n, {}, {}};
  for (int i = 0; i < m * k; ++i) p.a.push_back(value());
  for (int i = 0; i < k * n; ++i) p.b.push_back(value());
  return p;
}

std::string compareRuns(const WaveRun &wave, const WaveRun &fast) {
  for (size_t i = 0; i < wave.issued.size() && i < fast.issued.size(); ++i)
    if (wave.issued[i] != fast.issued[i])
      return "step " + std::to_string(i) + " in cycle " + std::to_string(wave.issued[i]) + " cell by cell, " +
             std::to_string(fast.issued[i]) + " in the fast model";
  if (wave.cycles != fast.cycles)
    return "cycles " + std::to_string(wave.cycles) + " and " + std::to_string(fast.cycles);
  for (size_t i = 0; i < wave.result.size(); ++i)
    if (wave.result[i] != fast.result[i]) return "result " + std::to_string(i) + " differs";
  return "";
}

bool checkWave(const target::Target &target, int side, WaveType type, int m, int k, int n, WaveCheck &check,
               std::string &error) {
  target::Target changed = target;
  if (!target::setConstant(changed, "core.mxu_side=" + std::to_string(side), error)) return false;
  MachineModel model(changed);
  if (!waveSupports(model, type)) {
    error = "target " + target.name() + " has no array of this type with whole beats a cycle";
    return false;
  }
  check.side = side;
  check.problem = randomProblem(type, m, k, n, static_cast<uint64_t>(side));
  WaveRun wave = runWave(model, check.problem);
  check.cycles = wave.cycles;
  check.cells = wave.cells;
  check.difference = compareRuns(wave, runFast(model, check.problem));
  return true;
}

}  // namespace tpuc::timing
