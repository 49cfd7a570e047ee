// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checking mode reports, and what it lets pass.
#include "runtime/device/pack.h"
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

using test::Bytes;

constexpr const char *kHead = ".set vmem_bytes 65536\n.set smem_bytes 64\n.set semaphores 4\n";

// One argument and one result, f32 of 8 x 100 (28 lanes of padding each row) unless `type` says otherwise.
test::Outcome run(const std::string &body, const std::string &type = "type: \"f32\" dims: 8 dims: 100",
                  bool checking = true) {
  std::string text = kHead;
  text += ".buffer kind: ARGUMENT size: 4096 array { " + type + " }\n.buffer kind: RESULT size: 4096 array { " + type +
          " }\n";
  text +=
      ".dma 0 hbm[0]+0 -> vmem+0, run=4096\n.dma 1 vmem+8192 -> hbm[1]+0, run=4096\n.dma 2 hbm[0]+0 -> smem+0, "
      "run=64\n";
  test::Outcome out;
  isa::Executable exe;
  if (!isa::assemble(text + body, exe, out.error.message)) ADD_FAILURE() << out.error.message;
  ExecutorOptions options;
  options.checking = checking;
  options.shape = test::shapeOfSide(128);
  auto executor = Executor::create(exe, options, out.error.message);
  Bytes in(4096, 1);
  if (!executor || !executor->bindArgument(0, in, out.error.message))
    ADD_FAILURE() << out.error.message;
  else
    out.ok = executor->run(out.error);
  return out;
}

const std::string kIn = "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ v.ld v1, s31, stride=1 }\n";
const std::string kOut =
    "{ v.st v1, s31, off=16, stride=1 }\n{ dma.start s31, s31, 1, desc=1 }\n{ dma.wait 1, count=1 }\n{ halt }\n";

void expectClean(const std::string &body) {
  test::Outcome out = run(body);
  EXPECT_TRUE(out.ok) << body << out.error.text();
}
void expectError(const std::string &body, const std::string &why) {
  test::Outcome out = run(body);
  EXPECT_FALSE(out.ok) << body;
  EXPECT_NE(out.error.text().find(why), std::string::npos) << body << "got: " << out.error.text();
  EXPECT_TRUE(out.error.message.empty() ||
              run(body, "type: \"f32\" dims: 8 dims: 100", false).error.text() != out.error.text());
}

TEST(Garbage, PaddingStaysWhereItIs) {
  expectClean(kIn + "{ v.add.f32 v1, v1, v1 }\n" + kOut);
  expectError(kIn + "{ x.rot.lane v1, v1, 1 }\n" + kOut, "result 0 has garbage at [0, 0]");
  expectError(kIn + "{ x.sum.lane.f32 v1, v1 }\n" + kOut, "result 0 has garbage");
  expectClean(kIn + "{ x.sum.sub.f32 v1, v1 }\n" + kOut);
  // A select before the lanes mix.
  const std::string select =
      "{ v.laneid v2 }\n{ v.li v3, 100 }\n{ v.lt.s32 m1, v2, v3 ; v.li v4, 0 }\n{ v.sel v1, m1, v1, v4 }\n";
  expectClean(kIn + select + "{ x.sum.lane.f32 v1, v1 }\n" + kOut);
  // A zero weight does not clean a row.
  const std::string push = "{ mxu.push.f32 v1, -, 0 }\n{ mxu.pop v1, 0 }\n";
  expectError(kIn + push + kOut, "result 0 has garbage");
  expectClean(kIn + select + push + kOut);
}

TEST(Garbage, NeverWritten) {
  expectError("{ v.ld v1, s31, off=32, stride=1 }\n" + kOut, "result 0 has garbage");
  expectError("{ v.add.f32 v1, v7, v7 }\n" + kOut, "result 0 has garbage");
  expectError("{ halt }\n", "result 0 has garbage");
  expectError("{ s.add s1, s1, 1 }\n{ v.ld v1, s1, stride=1 }\n" + kOut, "the address is garbage");
  expectError("{ bz s1, target=1 }\n{ halt }\n", "control flow depends on garbage");
  expectError("{ loop s1, target=.e }\n.e:\n{ loop.end target=0 }\n{ halt }\n", "control flow depends on garbage");
  expectError("{ s.ldw s1, s31 }\n{ grid s1, target=r }\n{ halt }\nr:\n{ ret }\n", "control flow depends on garbage");
  expectError("{ dma.start s1, s31, 0, desc=0 }\n{ halt }\n", "address of the DMA is garbage");
  expectError("{ dma.wait s1, count=1 }\n{ halt }\n", "semaphore");
  expectError("{ mxu.pop v1, s1 }\n{ halt }\n", "accumulator");
}

TEST(Garbage, ScalarsFromPadding) {
  expectClean(kIn + "{ v.tos s1, v1 }\n{ bz s1, target=4 }\n" + kOut);
  expectError(kIn + "{ x.rot.lane v2, v1, 28 }\n{ v.tos s1, v2 }\n{ bz s1, target=5 }\n" + kOut,
              "control flow depends on garbage");
  expectClean(
      "{ dma.start s31, s31, 0, desc=2 }\n{ dma.wait 0, count=1 }\n{ s.ldw s1, s31, off=8 }\n{ bz s1, target=4 }\n{ "
      "v.li v1, 0 }\n" +
      kOut);
}

TEST(Garbage, BitsAreTrackedThroughMasksAndShifts) {
  // Whole lanes are garbage in v9; parts of them are cut away.
  expectClean("{ v.li v2, 0 }\n{ v.and v1, v9, v2 }\n" + kOut);
  expectClean("{ v.li v2, 0xffffffff }\n{ v.or v1, v9, v2 }\n" + kOut);
  expectClean("{ v.li v2, 32 }\n{ v.shl v1, v9, v2 }\n" + kOut);
  expectClean("{ v.li v2, 0xffff0000 }\n{ v.and v1, v9, v2 }\n{ v.li v3, 16 }\n{ v.shl v1, v1, v3 }\n" + kOut);
  expectError("{ v.li v2, 0xffff0000 }\n{ v.and v1, v9, v2 }\n{ v.li v3, 15 }\n{ v.shl v1, v1, v3 }\n" + kOut,
              "garbage");
  expectClean("{ v.li v2, 7 }\n{ v.pack.b16 v1, v2, v9 }\n{ v.unpack.b16 v1, v1, part=0 }\n" + kOut);
  expectError("{ v.li v2, 7 }\n{ v.pack.b16 v1, v2, v9 }\n{ v.unpack.b16 v1, v1, part=1 }\n" + kOut,
              "result 0 has garbage at [0, 0]");
  expectError("{ v.li v2, 7 }\n{ v.add.i32 v1, v9, v2 }\n" + kOut, "garbage");
  expectClean("{ v.li v2, 7 }\n{ m.li m1, 1 }\n{ v.sel v1, m1, v2, v9 }\n" + kOut);
  expectError("{ v.li v2, 7 }\n{ v.li v3, 8 }\n{ v.sel v1, m5, v2, v3 }\n" + kOut, "garbage");
  expectClean("{ v.li v2, 7 }\n{ v.li v3, 7 }\n{ v.sel v1, m5, v2, v3 }\n" + kOut);
  expectClean("{ m.li m1, 0 }\n{ m.and m2, m1, m5 }\n{ v.li v2, 1 }\n{ v.sel v1, m2, v9, v2 }\n" + kOut);
  expectError(
      "{ v.li v1, 7 }\n{ v.st v1, s31, off=16, stride=1, ?m5 }\n{ dma.start s31, s31, 1, desc=1 }\n{ dma.wait 1, "
      "count=1 }\n{ halt }\n",
      "garbage");
}

TEST(Races, BytesInFlight) {
  const std::string start = "{ dma.start s31, s31, 0, desc=0 }\n", wait = "{ dma.wait 0, count=1 }\n";
  expectError(start + "{ v.ld v1, s31, stride=1 }\n" + wait + kOut, "VMEM that a DMA in flight writes is used");
  expectError(start + "{ v.ld v1, s31, off=7, stride=2 }\n" + wait + kOut, "VMEM that a DMA in flight writes is used");
  expectError("{ v.li v1, 0 }\n" + start + "{ v.st v1, s31, stride=1 }\n" + wait + kOut,
              "VMEM that a DMA in flight writes is used");
  expectClean("{ v.li v1, 0 }\n" + start + "{ v.st v1, s31, off=8, stride=1 }\n" + wait + kOut);
  expectError(start + start + wait + wait + "{ halt }\n", "writes what is written by the one in flight since bundle 0");
  expectError(start + "{ halt }\n", "ends before the DMA started in bundle 0");
  expectError(start + "{ grid 1, target=r }\n" + wait + "{ halt }\nr:\n{ ret }\n", "in flight when a grid begins");
  // Below what is each core's own, a DMA may go on while a grid leaves its bytes alone.
  const std::string shared = ".set vmem_shared_bytes 8192\n" + start + "{ grid 1, target=r }\n" + wait;
  expectClean(shared + "{ v.ld v1, s31, stride=1 }\n" + kOut + "r:\n{ v.ld v1, s31, off=8, stride=1 }\n{ ret }\n");
  expectError(shared + "{ halt }\nr:\n{ v.ld v1, s31, off=1, stride=1 }\n{ ret }\n",
              "VMEM that a DMA in flight writes is used");
  expectError(shared + "{ halt }\nr:\n{ v.li v1, 0 }\n{ v.st v1, s31, stride=1 }\n{ ret }\n",
              "VMEM that a DMA in flight writes is used");
  expectError(shared + "{ halt }\nr:\n" + start + wait + "{ ret }\n", "writes what is written by the one in flight");
  expectError(
      "{ v.li v1, 0 }\n{ v.st v1, s31, off=16, stride=1 }\n{ dma.start s31, s31, 1, desc=1 }\n{ v.st v1, s31, off=16, "
      "stride=1 }\n{ dma.wait 1, count=1 }\n{ halt }\n",
      "VMEM that a DMA in flight reads is written");
  expectError("{ dma.start s31, s31, 0, desc=2 }\n{ s.ldw s1, s31, off=60 }\n{ dma.wait 0, count=1 }\n{ halt }\n",
              "SMEM that a DMA in flight writes is used");
}

// A copy within HBM may go on while a grid runs, whose steps leave its bytes alone.
TEST(Races, GridsBesideCopies) {
  const std::string head = ".dma 3 hbm[0]+0 -> hbm[1]+0, run=4096\n.dma 4 hbm[1]+0 -> vmem+0, run=4096\n";
  auto program = [&](const std::string &step) {
    return head + "{ dma.start s31, s31, 3, desc=3 }\n{ grid 1, target=r }\n{ dma.wait 3, count=1 }\n{ halt }\nr:\n" +
           step + "{ ret }\n";
  };
  const std::string wait = "{ dma.wait 0, count=1 }\n";
  expectClean(program(""));
  expectClean(program("{ dma.start s31, s31, 0, desc=0 }\n" + wait));  // it reads what the copy reads
  expectError(program("{ dma.start s31, s31, 0, desc=4 }\n" + wait), "reads what is written by the one in flight");
  expectError(program("{ dma.start s31, s31, 0, desc=1 }\n" + wait), "writes what is written by the one in flight");
}

TEST(Races, StridedRunsInterleave) {
  // Two DMAs into alternate words do not meet; shifted by one they do.
  auto program = [](int shift) {
    return std::string(kHead) +
           ".buffer kind: ARGUMENT size: 4096\n.dma 0 hbm[0]+0 -> vmem+0, run=512, dim=4:512:1024\n.dma 1 hbm[0]+0 -> "
           "vmem+" +
           std::to_string(512 * shift) +
           ", run=512, dim=4:512:1024\n{ dma.start s31, s31, 0, desc=0 }\n{ dma.start s31, s31, 0, desc=1 }\n{ "
           "dma.wait 0, count=2 }\n{ halt }\n";
  };
  for (int shift : {1, 2}) {
    isa::Executable exe;
    std::string error;
    ASSERT_TRUE(isa::assemble(program(shift), exe, error)) << error;
    ExecutorOptions options;
    options.checking = true;
    options.shape = test::shapeOfSide(128);
    auto executor = Executor::create(exe, options, error);
    Bytes in(4096);
    ASSERT_TRUE(executor && executor->bindArgument(0, in, error));
    RunError why;
    EXPECT_EQ(executor->run(why), shift == 1) << why.text();
  }
}

// The data arrives at the wait, not at the start.
TEST(Races, WaitsInOrder) {
  test::Outcome out = run("{ dma.start s31, s31, 0, desc=0 }\n{ s.li s1, 0 }\n{ dma.wait 0, count=2 }\n{ halt }\n");
  EXPECT_FALSE(out.ok);
  EXPECT_NE(out.error.text().find("never started"), std::string::npos);
}

TEST(Grids, ClobberRegistersAndPrivateVmem) {
  const std::string grid = "{ grid 2, target=r }\n", routine = "r:\n{ ret }\n";
  expectError("{ v.li v1, 0 }\n" + grid + kOut + routine, "garbage");
  expectError("{ v.li v1, 0 }\n{ v.st v1, s31, off=16, stride=1 }\n" + grid +
                  "{ dma.start s31, s31, 1, desc=1 }\n{ dma.wait 1, count=1 }\n{ halt }\n" + routine,
              "garbage");
  expectClean("{ s.li s1, 5 }\n{ s.std s1, s31 }\n" + grid + "{ s.ldd s1, s31 }\n{ v.splat v1, s1 }\n" + kOut +
              routine);
}

// Of two grids within a step the second finds SMEM as the first left it, but neither its registers nor its blocks.
TEST(Grids, WithinAStep) {
  const std::string head =
                        "{ grid 1, target=both }\n{ halt }\nboth:\n{ grid 1, target=first }\n{ grid 1, "
                        "target=second }\n{ ret }\nfirst:\n",
                    out =
                        "{ v.st v1, s31, off=16, stride=1 }\n{ dma.start s31, s31, 1, desc=1 }\n"
                        "{ dma.wait 1, count=1 }\n{ ret }\n";
  expectError(head + "{ v.li v1, 0 }\n{ ret }\nsecond:\n" + out, "garbage");
  expectError(head +
                  "{ v.li v1, 0 }\n{ v.st v1, s31, off=32, stride=1 }\n{ ret }\nsecond:\n"
                  "{ v.ld v1, s31, off=32, stride=1 }\n" +
                  out,
              "garbage");
  expectClean(head + "{ s.li s1, 5 }\n{ s.std s1, s31 }\n{ ret }\nsecond:\n{ s.ldd s1, s31 }\n{ v.splat v1, s1 }\n" +
              out);
}

}  // namespace
}  // namespace tpuc::exec
