// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time of one instruction at each CPU level: tpuc_bench_executor [--benchmark_filter=...]. Registers cycle through 16,
// so that operands come from L2 as they do in long programs; `l1` uses 4.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>

#include "runtime/device/dma.h"
#include "runtime/device/mapping.h"
#include "runtime/executor/kernels.h"
#include "runtime/executor/level.h"

namespace tpuc::exec {
namespace {

struct Registers {
  device::Mapping vregs{kVregFile}, masks{kMaskFile}, vmem{8 << 20}, transpose{2 * kTransposeBytes};
  Core core;
  Registers() {
    core.v = vregs.data();
    core.m = masks.data();
    core.vmem = vmem.data();
    core.vmemWords = (8 << 20) / isa::kWordBytes;
    core.transpose = transpose.data();
    float *lanes = reinterpret_cast<float *>(core.v);
    for (int i = 0; i < kVregFile / 4; ++i) lanes[i] = 0.001f * static_cast<float>(i % 3000) - 1.5f;
    for (int i = 0; i < kMaskFile; ++i) core.m[i] = i % 3 == 0;
  }
};

void instruction(benchmark::State &state, Level level, isa::Op op, int registers) {
  Registers r;
  const Kernels &kernels = kernelsOf(level);
  Handler fn = op == isa::Op::VRound ? kernels.round[0] : kernels.handlers[static_cast<int>(op)];
  const isa::InstInfo &info = isa::info(op);
  DInst i;
  i.op = op;
  int at = 0;
  auto reg = [&](isa::RegKind kind) {
    return static_cast<uint8_t>(kind == isa::RegKind::V ? at++ % registers : kind == isa::RegKind::M ? 1 : 31);
  };
  i.aux = op == isa::Op::VLd || op == isa::Op::VSt;
  i.m = kNone;
  for (auto _ : state) {
    i.a = reg(info.sources[0].kind);
    i.b = reg(info.sources[1].kind);
    i.c = reg(info.sources[2].kind);
    i.dst = reg(info.result);
    if (i.aux) i.imm = (i.imm + 8) % 4096;
    benchmark::DoNotOptimize(fn(r.core, &i));
  }
}

void push(benchmark::State &state, Level level, int kind, int side) {
  const MxuKernels &k = kernelsOf(level).mxu;
  device::Mapping weights(weightBytes(side) + 4096), sums(size_t{4} << 20), vregs(16 * isa::kVregBytes);
  std::memset(vregs.data(), 0x3c, vregs.size());
  UsedWeights used;
  uint16_t touched[64] = {};
  const int rows[] = {16, 32, 8};
  MxuKernels::Load load[] = {k.loadBf16, k.loadInt8, k.loadF32};
  MxuKernels::Push fn[] = {k.pushBf16, k.pushInt8, k.pushF32};
  for (int row = 0; row < side / rows[kind]; ++row)
    for (int col = 0; col < side / 128; ++col) load[kind](weights.data(), vregs.data(), side, row, col, false, used);
  if (k.enter) k.enter();
  int at = 0;
  const int groups = 64;  // accumulators in use
  for (auto _ : state) {
    const uint8_t *a = vregs.data() + at % 8 * 8192;
    fn[kind](reinterpret_cast<float *>(sums.data()) + at % (groups / 4) * 32 * side, weights.data(), a,
             side == 256 ? a + 4096 : nullptr, side, used, touched + at % (groups / 4) * 4);
    ++at;
  }
  if (k.leave) k.leave();
  state.counters["GFLOP/s"] =
      benchmark::Counter(2.0 * rows[kind] * side * side * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void weights(benchmark::State &state, Level level, int kind, bool transposed) {
  const MxuKernels &k = kernelsOf(level).mxu;
  device::Mapping to(weightBytes(128) + 4096), vregs(8 * isa::kVregBytes);
  MxuKernels::Load load[] = {k.loadBf16, k.loadInt8, k.loadF32};
  UsedWeights used;
  int at = 0;
  for (auto _ : state) load[kind](to.data(), vregs.data() + at % 8 * 4096, 128, at % 4, 0, transposed, used), ++at;
}

void dma(benchmark::State &state, int64_t run, int64_t count, int64_t stride) {
  isa::DmaDescriptor d;
  d.runBytes = run;
  d.numDims = 1;
  d.dims[0] = {count, stride, run};
  device::DmaPlan plan(d);
  device::Mapping src(count * stride), dst(count * run);
  std::memset(src.data(), 1, src.size());
  for (auto _ : state) plan.copy(src.data(), dst.data());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * run * count);
}

void addBenchmarks(Level level) {
  std::string name(levelName(level));
  for (int op = 0; op < isa::kNumOps; ++op) {
    if (!kernelsOf(level).handlers[op] && static_cast<isa::Op>(op) != isa::Op::VRound) continue;
    for (int registers : {16, 4})
      benchmark::RegisterBenchmark(
          (name + "/" + std::string(isa::info(static_cast<isa::Op>(op)).mnemonic) + (registers == 4 ? "/l1" : ""))
              .c_str(),
          instruction, level, static_cast<isa::Op>(op), registers);
  }
  const char *kinds[] = {"bf16", "s8", "f32"};
  for (int kind = 0; kind < 3; ++kind) {
    for (int side : {128, 256})
      benchmark::RegisterBenchmark((name + "/mxu.push." + kinds[kind] + "/" + std::to_string(side)).c_str(), push,
                                   level, kind, side);
    for (bool transposed : {false, true})
      benchmark::RegisterBenchmark((name + "/mxu.ldw." + kinds[kind] + (transposed ? "/xpose" : "")).c_str(), weights,
                                   level, kind, transposed);
  }
}

}  // namespace
}  // namespace tpuc::exec

int main(int argc, char **argv) {
  for (tpuc::exec::Level level : tpuc::exec::availableLevels()) tpuc::exec::addBenchmarks(level);
  benchmark::RegisterBenchmark("dma/4096x64", tpuc::exec::dma, 4096, 64, 4096 * 16);
  benchmark::RegisterBenchmark("dma/512x512", tpuc::exec::dma, 512, 512, 4096);
  benchmark::RegisterBenchmark("dma/1MiB", tpuc::exec::dma, 1 << 20, 1, 1 << 20);
  benchmark::RegisterBenchmark("dma/64MiB", tpuc::exec::dma, 1 << 20, 64, 1 << 20);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
