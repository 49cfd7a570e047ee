// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs that end: nested loops, parity branches, prefetches that cross iterations, calls and grids.
#pragma once
#include <random>

#include "test/unit/timing/builder.h"

namespace tpuc::timing::test {

class RandomProgram {
 public:
  RandomProgram(uint64_t seed, bool int8, bool slots3) : random_(seed), int8_(int8), slots3_(slots3) {}

  Builder build() {
    for (int64_t bytes : {512, 4096, 70000, 1 << 20}) b_.descriptor(bytes);
    b_.descriptor(8192, isa::Space::Vmem, isa::Space::Hbm);
    b_.descriptor(8192, isa::Space::Vmem, isa::Space::Vmem);
    int helper = b_.here();
    block(2, 6);
    b_("ret");
    b_.routine("helper", "", helper);
    int kernel = b_.here();
    b_("s.add s3, s1, 0");
    int steps = b_.loop("s3");
    block(2, 8);
    if (chance(2)) b_("call target=" + std::to_string(helper));
    b_("s.add s0, s0, 1");
    b_.end(steps);
    b_("ret");
    b_.routine("kernel", "loop", kernel);
    int entry = b_.here();
    for (int i = 0; i < 3; ++i) {
      int outer = b_.loop(std::to_string(below(12)));
      b_("grid " + std::to_string(below(20)) + ", target=" + std::to_string(kernel));
      block(1, 4);
      b_.end(outer);
      block(3, 10);
    }
    b_("halt");
    b_.finish(entry);
    return std::move(b_);
  }

 private:
  int64_t below(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random_); }
  bool chance(int n) { return below(n) == 0; }
  static std::string s(int64_t n) { return "s" + std::to_string(n); }
  std::string v() { return "v" + std::to_string(below(6)); }
  std::string mxu() { return "mxu=" + std::to_string(below(2)); }

  void vectors() {
    switch (below(6)) {
      case 0:
        b_("v.add.f32 " + v() + ", " + v() + ", " + v());
        break;
      case 1:
        b_("v.ld v7, s8, off=0, stride=1; s.add s8, s8, 8; v.mul.i32 v8, v7, " + v());
        break;
      case 2:
        b_("e.exp2 " + v() + ", " + v() + (slots3_ ? "; x.rot.lane v9, " + v() + ", 3" : ""));
        break;
      case 3:
        b_("x.sum.lane.f32 " + v() + ", " + v());
        break;
      case 4:
        b_("s.add s9, s8, 4; s.mul s10, s9, 3");
        break;
      default:
        b_("v.st " + v() + ", s8, off=4, stride=1; s.add s11, s11, s13");
        break;
    }
  }

  // s16: a group that moves by 2 an iteration, s17: what it was an iteration ago, s18: parity of s12, times 32.
  std::string group() {
    switch (below(4)) {
      case 0:
        return "s16";
      case 1:
        return "s17";
      case 2:
        return "s18";
      default:
        return std::to_string(below(40));
    }
  }

  void matrix() {
    switch (below(6)) {
      case 0:
        b_("mxu.ldw.bf16 " + v() + ", " + mxu() + ", row=1, col=0, xpose=0");
        break;
      case 1:
        b_("mxu.swap " + mxu());
        break;
      case 2:
        b_("mxu.pop " + v() + ", " + group() + ", " + mxu() + ", col=0, clear=1");
        break;
      case 3:
        if (chance(4))
          b_("mxu.push.f32 " + v() + ", -, " + group() + ", " + mxu());
        else if (int8_ && chance(3))
          b_("mxu.push.s8 " + v() + ", -, " + group() + ", " + mxu());
        else
          b_("mxu.push.bf16 " + v() + ", -, " + group() + ", " + mxu());
        break;
      case 4:
        b_("mxu.push.bf16 " + v() + ", -, s16, " + mxu() + "; s.add s16, s16, 2; s.add s17, s16, 0");
        break;
      default:
        b_("s.add s17, s16, 0");
        break;
    }
  }

  // Starts and waits in pairs on one of the semaphores; sometimes the wait comes one iteration of `inner` later.
  void dma(int depth, int size) {
    std::string sem = std::to_string(below(8)), desc = "desc=" + std::to_string(below(6));
    std::string start = "dma.start s8, s31, " + sem + ", " + desc, wait = "dma.wait " + sem + ", count=1";
    b_(start);
    if (chance(2) || depth == 0) {
      for (int64_t i = below(4); i > 0; --i) vectors();
      b_(wait);
      return;
    }
    open(1 + below(30));
    int loop = opened_;
    b_(wait);
    block(depth - 1, size / 2);
    b_(start);
    b_.end(loop);
    b_(wait);
  }

  // s12 counts iterations where the body wants parity; nested loops use it too, which only makes the programs richer.
  void open(int64_t count) {
    b_("s.li s16, " + std::to_string(2 * below(4)) + "; s.li s12, 0");
    b_("s.li s13, " + std::to_string(below(3)));
    opened_ = b_.loop(std::to_string(count));
  }

  void branch(int depth, int size) {
    b_("s.add s12, s12, 1");
    b_("s.and s19, s12, 1");
    b_("s.mul s18, s19, 32; s.lt s20, s12, " + std::to_string(below(40)));
    int skip = b_.branch(std::string(chance(2) ? "bz " : "bnz ") + (chance(2) ? "s19, " : "s20, "));
    block(depth, size / 2);
    b_.patch(skip, b_.here());
    b_("s.add s16, s16, 0");
    b_("s.and s16, s16, 63");
  }

  void block(int depth, int size) {
    for (int i = 0; i < size; ++i) {
      switch (below(depth > 0 ? 8 : 5)) {
        case 0:
        case 1:
          vectors();
          break;
        case 2:
        case 3:
          matrix();
          break;
        case 4:
          b_("s.add s12, s12, 1");
          break;
        case 5: {
          open(below(chance(4) ? 60 : 14));
          int loop = opened_;
          if (chance(3))
            simpleBody();
          else
            block(depth - 1, size / 2 + 1);
          b_.end(loop);
          break;
        }
        case 6:
          dma(depth, size);
          break;
        default:
          branch(depth - 1, size);
          break;
      }
    }
  }

  // A loop that only streams, as a scheduled inner loop does.
  void simpleBody() {
    for (int64_t i = 1 + below(5); i > 0; --i) chance(2) ? vectors() : (void)b_("mxu.push.bf16 v1, -, s16, " + mxu());
    b_("s.add s16, s16, 1; s.add s17, s16, 0");
    if (chance(2)) b_("mxu.pop v3, s17, " + mxu() + ", col=0, clear=1");
  }

  std::mt19937_64 random_;
  bool int8_, slots3_;
  Builder b_;
  int opened_ = 0;
};

}  // namespace tpuc::timing::test
