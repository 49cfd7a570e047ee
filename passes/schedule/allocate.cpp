// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Where the registers suffice, colouring keeps the bundles as they are.
// 2. Otherwise spill code is computed; blocks that receive some are taken apart into a sequence first, because code
//    between the reads and writes of one bundle has no place. The blocks are found by trying: the set only grows.
// 3. Colouring can fail at the limit itself (ranges with holes); spilling is then repeated with fewer registers.
// 4. Sequential blocks are scheduled again, over physical registers.
#include "passes/schedule/allocate.h"

#include <algorithm>

#include "passes/schedule/cleanup.h"
#include "passes/schedule/colour.h"
#include "passes/schedule/emit.h"
#include "passes/schedule/list_schedule.h"

namespace tpuc::schedule {
namespace {

class Allocator {
 public:
  Allocator(Flow &flow, const Resources &resources, const Options &options, Allocation &result, std::string &error)
      : clean_(flow),
        flow_(flow),
        resources_(resources),
        result_(result),
        error_(error),
        registers_{std::min(options.scalars, isa::kNumScalars - 1), std::min(options.vregs, isa::kNumVregs),
                   std::min(options.masks, isa::kNumMasks)},
        limits_(registers_) {}

  bool run() {
    std::vector<int> physical;
    std::vector<int> failed;
    Liveness liveness = computeLiveness(flow_);
    bool fit = fits(0, registers_, liveness) && fits(1, registers_, liveness) && fits(2, registers_, liveness);
    if (fit && colour(flow_, liveness, registers_, physical, failed)) {
      finish(physical);
      return true;
    }
    for (int round = 0; round < 64; ++round) {
      std::set<int> touched;
      flow_ = clean_;
      result_.frame = SpillFrame{.vmemWord = result_.frame.vmemWord, .smemByte = result_.frame.smemByte};
      for (int b : sequential_) takeApart(flow_.blocks[b]);
      if (!spill(touched)) return false;
      if (!touched.empty()) {
        if (!noteTouched(touched)) return false;
        continue;
      }
      cleanUp();
      liveness = computeLiveness(flow_);
      if (colour(flow_, liveness, registers_, physical, failed)) {
        result_.spilledRegs = result_.frame.vmemSlots + result_.frame.smemSlots;
        finish(physical);
        return true;
      }
      for (int c : failed)
        if (!lowerLimit(c)) return false;
    }
    error_ = "register allocation does not converge";
    return false;
  }

 private:
  // Whether the registers of class c suffice everywhere, and none is live across a call (calls clobber all of them).
  bool fits(int c, const ClassCounts &limits, const Liveness &liveness) const {
    for (size_t b = 0; b < flow_.blocks.size(); ++b) {
      if (blockPressure(flow_, static_cast<int>(b), liveness)[c] > limits[c]) return false;
      const MInst *control = controlOf(flow_.blocks[b]);
      bool across = false;
      if (control && isCall(*control)) liveness.out[b].forEach([&](Reg r) { across |= classOf(flow_.regs[r]) == c; });
      if (across) return false;
    }
    return true;
  }

  static void takeApart(Block &block) {
    block.bundled = false;
    block.ends.clear();
  }

  // Masks first: their spill code needs vregs.
  bool spill(std::set<int> &touched) {
    for (RegKind kind : {RegKind::M, RegKind::V, RegKind::S}) {
      int c = classOf(kind);
      if (fits(c, limits_, computeLiveness(flow_))) continue;
      if (!spillKind(flow_, kind, limits_[c], result_.frame, touched, error_)) return false;
    }
    return true;
  }

  bool noteTouched(const std::set<int> &touched) {
    for (int b : touched)
      if (clean_.blocks[b].kernel) result_.brokenLoops.insert(clean_.blocks[b].loop);
    if (!result_.brokenLoops.empty()) return false;
    sequential_.insert(touched.begin(), touched.end());
    if (++growth_ >= 2)  // enough of one at a time
      for (size_t b = 0; b < clean_.blocks.size(); ++b)
        if (!clean_.blocks[b].kernel) sequential_.insert(static_cast<int>(b));
    return true;
  }

  void cleanUp() {
    Liveness liveness = computeLiveness(flow_);
    removeDead(flow_, liveness);
    splitWebs(flow_, liveness);
  }

  bool lowerLimit(int c) {
    for (size_t b = 0; b < clean_.blocks.size(); ++b)
      if (!clean_.blocks[b].kernel) sequential_.insert(static_cast<int>(b));
    limits_[c] -= std::max(1, limits_[c] / 16);
    int least = kKinds[c] == RegKind::M ? 2 : 4;
    if (limits_[c] >= least) return true;
    for (const Block &block : clean_.blocks)
      if (block.kernel) result_.brokenLoops.insert(block.loop);
    if (result_.brokenLoops.empty()) error_ = "values do not fit into the registers";
    return false;
  }

  void finish(const std::vector<int> &physical) {
    applyColours(flow_, physical);
    for (Block &block : flow_.blocks) {
      if (block.bundled) continue;
      BlockSchedule s =
          listSchedule(block.insts, flow_.regs, resources_, nullptr, nullptr, {1 << 20, 1 << 20, 1 << 20});
      std::vector<MInst> ordered;
      for (int i : s.order) ordered.push_back(block.insts[i]);
      block.insts = std::move(ordered);
      block.ends = std::move(s.ends);
      block.bundled = true;
    }
  }

  const Flow clean_;
  Flow &flow_;
  const Resources &resources_;
  Allocation &result_;
  std::string &error_;
  ClassCounts registers_, limits_;
  std::set<int> sequential_;  // blocks taken apart
  int growth_ = 0;
};

}  // namespace

bool allocate(Flow &flow, const Resources &resources, const Options &options, Allocation &result, std::string &error) {
  return Allocator(flow, resources, options, result, error).run();
}

}  // namespace tpuc::schedule
