// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolling of short loops between straight-line code that takes a fair share of their time, so that the two overlap:
// the rows pushed through an array while the next weights are staged. The loop around them can then be pipelined as a
// whole. Of a long loop the first iterations are taken out, as many as the code before it has room for.
//
// Counters become offsets: iteration k of a counter x stepped by c reads x + k c, in an address's immediate where there
// is one. Other values of an iteration get names of their own, except in the last one.
#include <algorithm>
#include <unordered_map>

#include "passes/schedule/effects.h"
#include "passes/schedule/list_schedule.h"
#include "passes/schedule/tidy.h"

namespace tpuc::schedule {
namespace {

using machine::LoopNode;
using machine::Node;
using machine::Region;

constexpr int64_t kMostIterations = 32;
constexpr size_t kMostInstructions = 256;  // of a loop unrolled as a whole
constexpr size_t kMostPeeled = 64;         // of the iterations taken out of a longer one
constexpr int kLeastGain = 8;              // cycles a run of the loop
constexpr int kShare = 8;  // for whole loops: the neighbours' least part of the loop's time, one in this many

class Unroller {
 public:
  Unroller(machine::Routine &routine, const Resources &resources)
      : routine_(routine), resources_(resources), facts_(collectFacts(routine)) {
    region(routine.body);
  }

 private:
  void region(Region &nodes) {
    Region result;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (LoopNode *loop = std::get_if<LoopNode>(&nodes[i].value)) {
        bool original = std::all_of(loop->body.begin(), loop->body.end(), [](const Node &n) { return straight(n); });
        region(loop->body);
        int64_t count = iterations(*loop, result, nodes, i + 1);
        bool whole = count == loop->countImm;
        if (count > 0) unroll(*loop, count, whole && original, result);
        loop->countImm -= count;
        if (count > 0 && whole) continue;
      } else if (auto *branch = std::get_if<machine::IfNode>(&nodes[i].value)) {
        region(branch->then);
        region(branch->otherwise);
      } else if (auto *loop = std::get_if<machine::WhileNode>(&nodes[i].value)) {
        region(loop->before);
        region(loop->body);
      }
      result.push_back(std::move(nodes[i]));
    }
    nodes = std::move(result);
  }

  static const MInst *straight(const Node &node) {
    const MInst *inst = std::get_if<MInst>(&node.value);
    return inst && !isControl(*inst) && unitOf(*inst) != Unit::Dma ? inst : nullptr;
  }
  int cyclesOf(const std::vector<MInst> &insts) const {
    return listSchedule(insts, routine_.regs, resources_, nullptr, nullptr, {1 << 20, 1 << 20, 1 << 20}).cycles;
  }

  // How many iterations to write out; 0: none. `before`: the nodes before the loop in its region. after[from..]: the
  // nodes behind it.
  int64_t iterations(const LoopNode &loop, const Region &before, const Region &after, size_t from) const {
    if (loop.count != kNone || loop.countImm < 2) return 0;
    std::vector<MInst> body, previous, next;
    for (const Node &node : loop.body) {
      if (!straight(node)) return 0;
      body.push_back(*straight(node));
    }
    if (body.empty()) return 0;
    for (size_t i = before.size(); i-- > 0 && straight(before[i]);) previous.push_back(*straight(before[i]));
    std::reverse(previous.begin(), previous.end());
    for (size_t i = from; i < after.size() && straight(after[i]); ++i) next.push_back(*straight(after[i]));
    if (previous.size() + next.size() < static_cast<size_t>(kLeastGain)) return 0;
    int64_t first = cyclesOf(previous), around = first + cyclesOf(next), each = resourceBound(resources_, body);
    size_t size = body.size() * static_cast<size_t>(loop.countImm);
    if (loop.countImm <= kMostIterations && size <= kMostInstructions)
      return around >= 2 * kLeastGain && around * kShare >= loop.countImm * each ? loop.countImm : 0;
    // A longer loop has only its first iterations written out: as many as the code before the loop hides.
    int64_t count = std::min<int64_t>(first / each + 1, static_cast<int64_t>(kMostPeeled / body.size()));
    if (first < 2 * kLeastGain || count < 1 || count >= loop.countImm) return 0;
    for (int64_t k = 0; k < count; ++k) previous.insert(previous.end(), body.begin(), body.end());
    return first + count * each - cyclesOf(previous) >= kLeastGain ? count : 0;
  }

  // `last`: nothing reads the counters in the loop any more, and nothing within it has been unrolled.
  void unroll(const LoopNode &loop, int64_t iterations, bool last, Region &out) {
    std::vector<const MInst *> body;
    std::unordered_map<Reg, int> defs, uses;  // in the body
    for (const Node &node : loop.body) {
      body.push_back(std::get_if<MInst>(&node.value));
      if (body.back()->dst >= 0) defs[body.back()->dst]++;
      forEachUse(*body.back(), [&](Reg r) { uses[r]++; });
    }
    std::unordered_map<Reg, int64_t> steps;  // counters
    for (const MInst *inst : body)
      if (auto step = inPlaceStep(*inst); step && defs[inst->dst] == 1) steps[inst->dst] = *step;
    std::unordered_map<Reg, int64_t> stepped;  // so far
    for (int64_t k = 0; k < iterations; ++k) {
      std::unordered_map<Reg, Reg> names, sums;
      for (const MInst *original : body) {
        MInst inst = *original;
        if (!loop.independent) forgetPart(inst);
        if (auto step = steps.find(inst.dst); step != steps.end()) {
          stepped[inst.dst] += step->second;
          sums.erase(inst.dst);
          continue;
        }
        for (int slot = 0; slot < 3; ++slot)
          if (steps.count(inst.src[slot])) readCounter(inst, slot, stepped[inst.src[slot]], sums, out);
        forEachUse(inst, [&](Reg &r) {
          if (auto it = names.find(r); it != names.end()) r = it->second;
        });
        bool own = inst.dst >= 0 && facts_.single(inst.dst) && !facts_.readBeforeDef[inst.dst];
        if (own && k + 1 < iterations) inst.dst = names[inst.dst] = newReg(routine_.regs[inst.dst]);
        out.push_back({inst});
      }
    }
    for (const MInst *inst : body)
      if (steps.count(inst->dst) && !(last && uses[inst->dst] == facts_.uses[inst->dst] && isSet(inst->dst, out)))
        out.push_back({makeInst(Op::SAdd, inst->dst, {inst->dst}, steps[inst->dst] * iterations, inst->loc)});
  }

  void readCounter(MInst &inst, int slot, int64_t offset, std::unordered_map<Reg, Reg> &sums, Region &out) {
    if (offset == 0) return;
    Reg counter = inst.src[slot];
    if (slot == addressSlot(inst) && setFieldOf(inst, addressField(inst), fieldOf(inst, addressField(inst)) + offset))
      return;
    auto [it, fresh] = sums.try_emplace(counter);
    if (fresh) {
      it->second = newReg(RegKind::S);
      out.push_back({makeInst(Op::SAdd, it->second, {counter}, offset, inst.loc)});
    }
    inst.src[slot] = it->second;
  }

  // The counter starts anew before each run of the loop.
  bool isSet(Reg counter, const Region &before) const {
    return facts_.defs[counter] == 2 && std::any_of(before.begin(), before.end(), [&](const Node &n) {
             const MInst *inst = std::get_if<MInst>(&n.value);
             return inst && inst->dst == counter;
           });
  }

  // Makes a register that is assigned once.
  Reg newReg(RegKind kind) {
    facts_.defs.push_back(1);
    facts_.uses.push_back(0);
    facts_.readBeforeDef.push_back(0);
    return routine_.newReg(kind);
  }

  machine::Routine &routine_;
  const Resources &resources_;
  RegFacts facts_;  // of the routine as it was
};

}  // namespace

void unrollShortLoops(machine::Routine &routine, const Resources &resources) { Unroller unroller(routine, resources); }

}  // namespace tpuc::schedule
