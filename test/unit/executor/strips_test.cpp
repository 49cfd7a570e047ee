// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of lane-by-lane instructions executed in strips against the checking mode, which executes one after the other:
// random code with loads and stores that overlap in every way.
#include "runtime/executor/jit_graph.h"
#include "runtime/executor/kernels.h"
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

int below(test::Random &random, int n) { return static_cast<int>(random() % n); }

// What a store takes of its vreg: all, or the first sublanes and lanes.
std::string part(test::Random &random) {
  switch (below(random, 4)) {
    case 0:
      return ", lanes=" + std::to_string(1 + below(random, 127));
    case 1:
      return ", lanes=" + std::to_string(16 * (1 + below(random, 7))) +
             ", sublanes=" + std::to_string(1 + below(random, 7));
    case 2:
      return ", sublanes=" + std::to_string(1 + below(random, 7));
    default:
      return "";
  }
}

// What a load takes of its words: all lanes, or the first, as whole groups or not.
std::string narrow(test::Random &random) {
  switch (below(random, 4)) {
    case 0:
      return ", lanes=" + std::to_string(1 + below(random, 127));
    case 1:
    case 2:
      return ", lanes=" + std::to_string(16 * (1 + below(random, 4)));
    default:
      return "";
  }
}

// With many registers, generated code runs out of the processor's.
std::string vectorInstruction(test::Random &random, int vregs, int masks) {
  auto v = [&] { return "v" + std::to_string(below(random, vregs)); };
  auto m = [&] { return "m" + std::to_string(below(random, masks)); };
  auto s = [&] { return "s" + std::to_string(1 + below(random, 3)); };
  auto address = [&] {
    return s() + ", off=" + std::to_string(8 + below(random, 24) * (below(random, 3) ? 8 : 1)) +
           ", stride=" + std::to_string(below(random, 4) ? 1 : below(random, 4) - 1);
  };
  // Every other instruction that works lane by lane, with random operands.
  static const std::vector<isa::Op> lanewise = [] {
    std::vector<isa::Op> ops;
    for (int op = 0; op < isa::kNumOps; ++op) {
      isa::Unit unit = isa::info(static_cast<isa::Op>(op)).unit;
      if ((unit == isa::Unit::VAlu || unit == isa::Unit::Eup) && static_cast<isa::Op>(op) != isa::Op::VToS)
        ops.push_back(static_cast<isa::Op>(op));
    }
    return ops;
  }();
  if (vregs > 6) {  // long runs: nothing that ends one or keeps its order
    switch (below(random, 8)) {
      case 0:
        return "v.ld " + v() + ", s31, off=" + std::to_string(8 * below(random, 20)) + ", stride=1" + narrow(random);
      case 1:
        return "v.lt.f32 " + m() + ", " + v() + ", " + v();
      case 2:
        return "m.xor " + m() + ", " + m() + ", " + m();
      case 3:
        return "v.sel " + v() + ", " + m() + ", " + v() + ", " + v();
      case 4:
        return "v.fma.f32 " + v() + ", " + v() + ", " + v() + ", " + v();
      case 5:
        return "v.max.f32 " + v() + ", " + v() + ", " + v();
      case 6:
        return "v.sub.i32 " + v() + ", " + v() + ", " + v();
      default:
        return "v.mul.f32 " + v() + ", " + v() + ", " + v();
    }
  }
  switch (below(random, 12)) {
    case 0:
    case 1:
      return "v.ld " + v() + ", " + address() + narrow(random);
    case 2:
    case 3:
      return "v.st " + v() + ", " + address() + part(random);
    case 4:
      return "v.st " + v() + ", " + address() + part(random) + ", ?" + m();
    case 5:
      return "v.splat " + v() + ", " + s();
    case 6:
      return "v.sel " + v() + ", " + m() + ", " + v() + ", " + v();
    default:
      break;
  }
  isa::Inst inst;
  inst.op = lanewise[below(random, static_cast<int>(lanewise.size()))];
  const isa::InstInfo &info = isa::info(inst.op);
  auto reg = [&](isa::RegKind kind) {
    return static_cast<uint8_t>(kind == isa::RegKind::V   ? below(random, vregs)
                                : kind == isa::RegKind::M ? below(random, masks)
                                                          : 1 + below(random, 3));
  };
  inst.dst = reg(info.result);
  for (int k = 0; k < info.numSources; ++k) inst.source(k) = reg(info.sources[k].kind);
  for (int k = 0; k < info.numFields; ++k) {
    int64_t limit = info.fields[k].name == "mode"                               ? 5
                    : info.fields[k].name == "imm" && info.fields[k].bits == 32 ? 0
                                                                                : int64_t{1} << info.fields[k].bits;
    isa::setField(inst, info.fields[k],
                  limit ? below(random, static_cast<int>(limit)) : static_cast<int64_t>(test::oddBits(random)));
  }
  return isa::format(inst);
}

// One that works on vregs as a whole, between those that work lane by lane.
std::string wholeInstruction(test::Random &random, int vregs) {
  auto v = [&] { return "v" + std::to_string(below(random, vregs)); };
  auto n = [&](int limit) { return std::to_string(below(random, limit)); };
  switch (below(random, 12)) {
    case 0:
    case 1:
      return "x.rot.lane " + v() + ", " + v() + ", " + n(200);
    case 2:
      return "x.rot.sub " + v() + ", " + v() + ", s" + std::to_string(1 + below(random, 3));
    case 3:
      return "x.max.lane.f32 " + v() + ", " + v();
    case 4:
      return "x.tr.push " + v() + ", row=" + n(16);
    case 5:
      return "x.tr.pop " + v() + ", row=" + n(16);
    case 6:
      return "mxu.ldw.bf16 " + v() + ", row=" + n(8);
    case 7:
      return "mxu.push.bf16 " + v() + ", -, " + n(3);
    case 8:
      return "mxu.pop " + v() + ", " + n(4) + ", clear=" + n(2);
    case 9:
      return "v.unpack.bf16 " + v() + ", " + v() + ", part=" + n(2);
    case 10:
      return "v.pack.b16 " + v() + ", " + v() + ", " + v();
    default:
      return "v.pack.bf16 " + v() + ", " + v() + ", " + v();
  }
}

std::string scalarInstruction(test::Random &random) {
  std::string d = "s" + std::to_string(1 + below(random, 3));
  switch (below(random, 4)) {
    case 0:
      return "s.add " + d + ", " + d + ", " + std::to_string(below(random, 17));
    case 1:
      return "s.and " + d + ", " + d + ", 31";
    case 2:
      return "s.add " + d + ", s" + std::to_string(1 + below(random, 3)) + ", 0";
    default:
      return "s.li " + d + ", " + std::to_string(below(random, 40));
  }
}

TEST(Strips, EqualOneAfterTheOther) {
  for (int seed = 0; seed < 300; ++seed) {
    test::Random random(seed);
    const int vregs = seed % 3 ? 6 : seed % 2 ? 60 : 9, masks = seed % 3 ? 2 : 15;
    std::string text =
        ".set vmem_bytes 524288\n.set smem_bytes 64\n.set semaphores 1\n.dma 0 hbm[0]+0 -> vmem+0, run=524288\n.dma 1 "
        "vmem+0 -> hbm[1]+0, run=524288\n";
    text += "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ m.li m0, 1 ; m.li m1, 0 }\n";
    for (int i = 0; i < vregs; ++i)
      text += "{ v.ld v" + std::to_string(i) + ", s31, off=" + std::to_string(200 + i) + ", stride=1" +
              (seed % 4 < 2 ? narrow(random) : "") + " }\n";
    for (int i = 1; i < 4; ++i) text += "{ s.li s" + std::to_string(i) + ", " + std::to_string(16 * i) + " }\n";
    text += ".l:\n{ loop 3, target=.e }\n";
    for (int k = 0; k < (vregs > 6 ? 200 : seed % 4 ? 30 : 90); ++k) {
      text += "{ " + vectorInstruction(random, vregs, masks) + " }\n";
      if (below(random, 2)) text += "{ " + scalarInstruction(random) + " }\n";
      if (below(random, vregs == 6 ? 8 : 90) == 0) text += "{ " + wholeInstruction(random, vregs) + " }\n";
      if (below(random, 40) == 0) text += "{ mxu.swap }\n";
    }
    for (int i = 1; i < 4; ++i) text += "{ s.and s" + std::to_string(i) + ", s" + std::to_string(i) + ", 31 }\n";
    text += ".e:\n{ loop.end target=.l }\n";
    // Where little of all vregs is stored, little of them is computed.
    const std::string little = seed % 2 ? "" : part(random);
    for (int i = 0; i < vregs; ++i)
      text += "{ v.st v" + std::to_string(i) + ", s31, off=" + std::to_string(200 + 8 * i) + ", stride=1" +
              (little.empty() ? part(random) : little) + " }\n";
    text += "{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
    test::Bytes in = test::oddBytes(random, 524288);
    ExecutorOptions checking;
    checking.checking = true;
    test::Outcome one = test::runText(text, {in}, {in.size()}, checking);
    ASSERT_TRUE(one.ok) << one.error.text() << text;
    for (Level level : availableLevels())
      for (int hotAfter : {0, 1}) {  // interpreted, and as machine code from the second iteration on
        ExecutorOptions options;
        options.level = level;
        options.hotAfter = hotAfter;
        test::Outcome out = test::runText(text, {in}, {in.size()}, options);
        ASSERT_TRUE(out.ok) << out.error.text();
        ASSERT_EQ(out.results, one.results)
            << "seed " << seed << " " << levelName(level) << (hotAfter ? " compiled\n" : "\n") << text;
        EXPECT_EQ(out.statistics.bundles, one.statistics.bundles);
      }
  }
}

// Loads and stores by registers of which decoding knows nothing, of words that are the same or apart: parts of a run
// that have nothing else in common keep the order of those that are the same.
TEST(Strips, PartsThatMeetKeepTheirOrder) {
  for (int seed = 0; seed < 100; ++seed) {
    test::Random random(seed);
    std::string text =
        ".set vmem_bytes 65536\n.set smem_bytes 64\n.set semaphores 1\n.dma 0 hbm[0]+0 -> vmem+0, run=65536\n.dma 1 "
        "vmem+0 -> hbm[1]+0, run=65536\n{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n";
    for (int i = 1; i < 4; ++i)
      text += "{ s.li s" + std::to_string(i) + ", " + std::to_string(8 * below(random, 3)) + " }\n";
    text += "{ v.li v1, 1065353216 }\n.l:\n{ loop 3, target=.e }\n";
    auto word = [&] {
      return "s" + std::to_string(1 + below(random, 3)) + ", off=" + std::to_string(8 * below(random, 8)) +
             ", stride=1 }\n";
    };
    for (int v = 2; v < 8; ++v) text += "{ v.ld v" + std::to_string(v) + ", " + word();
    for (int v = 2; v < 8; ++v) {
      const std::string reg = "v" + std::to_string(v);
      text += "{ v.add.f32 " + reg + ", " + reg + ", v1 }\n{ v.st " + reg + ", " + word();
    }
    text += ".e:\n{ loop.end target=.l }\n{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
    test::Bytes in = test::oddBytes(random, 65536);
    ExecutorOptions checking;
    checking.checking = true;
    test::Outcome one = test::runText(text, {in}, {in.size()}, checking);
    ASSERT_TRUE(one.ok) << one.error.text() << text;
    ExecutorOptions options;
    options.hotAfter = 1;
    test::Outcome out = test::runText(text, {in}, {in.size()}, options);
    ASSERT_TRUE(out.ok) << out.error.text();
    ASSERT_EQ(out.results, one.results) << "seed " << seed << "\n" << text;
  }
}

// A run with an instruction that has neither is never compiled.
TEST(Strips, EveryInstructionHasCodeOrEndsARun) {
  for (int op = 0; op < isa::kNumOps; ++op) {
    const isa::Unit unit = isa::info(static_cast<isa::Op>(op)).unit;
    if ((unit != isa::Unit::VAlu && unit != isa::Unit::Eup) || !portableKernels()->strips[op]) continue;
    DInst i;
    i.op = static_cast<isa::Op>(op);
    i.m = kNone;
    EXPECT_TRUE(!jit::Graph::supports(i) || jit::Graph(kWholeVreg).add(i, 0))
        << isa::info(i.op).mnemonic << " has no case in jit_graph.cpp";
  }
}

}  // namespace
}  // namespace tpuc::exec
