// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transcendental unit against double precision over its whole range, and the same bits at every level. By default
// every 509th of the 2^32 arguments; TPUC_WALK_ALL=1 takes all.
#include <cmath>
#include <cstdlib>

#include "runtime/executor/jit_compile.h"
#include "runtime/executor/kernels.h"
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

using test::as;

struct Function {
  const char *name;
  isa::Op op;
  double (*reference)(double);
  double ulps;
};

const Function kFunctions[] = {
    {"exp2", isa::Op::EExp2, [](double x) { return std::exp2(x); }, 0.9},
    {"log2", isa::Op::ELog2, [](double x) { return std::log2(x); }, 1.0},
    {"tanh", isa::Op::ETanh, [](double x) { return std::tanh(x); }, 1.75},
    {"sin", isa::Op::ESin, [](double x) { return static_cast<double>(sinl(x)); }, 0.8},
    {"cos", isa::Op::ECos, [](double x) { return static_cast<double>(cosl(x)); }, 0.8},
    {"rcp", isa::Op::ERcp, [](double x) { return 1 / x; }, 0.5},
    {"rsqrt", isa::Op::ERsqrt, [](double x) { return 1 / std::sqrt(x); }, 0.51},
};

// Distance in units of the last place of the f32 nearest to `exact`; 0 where both overflow, or both vanish.
double ulpsOff(float got, double exact) {
  float nearest = static_cast<float>(exact);
  if (exact != exact) return as<uint32_t>(got) == 0x7fc00000 ? 0 : INFINITY;
  if (std::isinf(nearest) || nearest == 0)
    return got == nearest && std::signbit(got) == std::signbit(nearest) ? 0
           : std::fabs(got) <= 0x1p-149f && exact != 0                  ? 0.5
                                                                        : INFINITY;
  int exponent;
  std::frexp(nearest, &exponent);
  return std::fabs((got - exact) / std::ldexp(1.0, std::max(exponent - 24, -149)));
}

class Eup : public testing::TestWithParam<Function> {};

TEST_P(Eup, WithinItsErrorEverywhere) {
  const Function &f = GetParam();
  const uint64_t step = std::getenv("TPUC_WALK_ALL") ? 1 : 509;
  alignas(64) static uint8_t registers[3 * kVregStride];
  Core core;
  core.v = registers;
  DInst inst;
  inst.op = f.op;
  inst.a = 0;
  // The same as generated code, where the level has it.
  alignas(64) static uint8_t spills[64 * jit::kSpillSlots];
  core.spills = spills;
  std::unique_ptr<jit::Compiled> compiled;
  if (kernelsOf(availableLevels().back()).generates && jit::Graph::supports(inst)) {
    jit::Graph graph(kWholeVreg);
    LiveRegisters needed;
    needed.vregs.set(2);
    inst.dst = 2;
    ASSERT_TRUE(graph.add(inst, 0));
    graph.finish(needed);
    compiled = jit::compile({graph});
    ASSERT_TRUE(compiled);
  }
  double worst = 0;
  std::vector<Level> levels = availableLevels();
  for (uint64_t at = 0; at < (uint64_t{1} << 32);) {
    uint32_t *in = reinterpret_cast<uint32_t *>(core.vreg(0));
    for (int l = 0; l < 1024; ++l, at += step) in[l] = static_cast<uint32_t>(at);
    for (uint32_t l = 0, special[] = {0, 0x80000000, 1, 0x80000001, 0x7f800000, 0xff800000}; l < 6; ++l)
      in[l] = special[l];
    for (Level level : levels) {
      inst.dst = level == levels.back() ? 1 : 2;
      kernelsOf(level).handlers[static_cast<int>(f.op)](core, &inst);
      if (level == levels.back() || step == 1) continue;
      inst.dst = 1;
      kernelsOf(levels.back()).handlers[static_cast<int>(f.op)](core, &inst);
      ASSERT_EQ(std::memcmp(core.vreg(1), core.vreg(2), isa::kVregBytes), 0) << f.name << " at " << levelName(level);
    }
    if (compiled) {
      (*compiled)(core);
      ASSERT_EQ(std::memcmp(core.vreg(1), core.vreg(2), isa::kVregBytes), 0) << f.name << " compiled";
    }
    const float *out = reinterpret_cast<const float *>(core.vreg(1));
    for (int l = 0; l < 1024; ++l) {
      double off = ulpsOff(out[l], f.reference(as<float>(in[l])));
      ASSERT_LE(off, f.ulps) << f.name << "(" << as<float>(in[l]) << ") = " << out[l];
      worst = std::max(worst, off);
    }
  }
  RecordProperty("ulps", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(All, Eup, testing::ValuesIn(kFunctions),
                         [](const auto &info) { return std::string(info.param.name); });

}  // namespace
}  // namespace tpuc::exec
