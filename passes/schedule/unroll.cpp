// Unrolling of short loops between straight-line code that takes a fair share of their time, so that the two overlap: the
// rows pushed through an array while the next weights are staged. The loop around them can then be pipelined as a whole.
//
// Counters become offsets: iteration k of a counter x stepped by c reads x + k c, in an address's immediate where there is
// one. Other values of an iteration get names of their own, except in the last one.
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
constexpr size_t kMostInstructions = 256;  // of the unrolled loop
constexpr int kLeastNeighbours = 16;       // cycles of the code around it, and their least share of the loop's time:
constexpr int kShare = 8;                  // one in this many

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
        if (pays(*loop, result, nodes, i + 1)) {
          unroll(*loop, original, result);
          continue;
        }
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

  // `before`: what stands before the loop in its region; after[from..]: what follows.
  bool pays(const LoopNode &loop, const Region &before, const Region &after, size_t from) const {
    if (loop.count != kNone || loop.countImm < 2 || loop.countImm > kMostIterations ||
        loop.body.size() * static_cast<size_t>(loop.countImm) > kMostInstructions)
      return false;
    std::vector<MInst> body, previous, next;
    for (const Node &node : loop.body) {
      if (!straight(node)) return false;
      body.push_back(*straight(node));
    }
    for (size_t i = before.size(); i-- > 0 && straight(before[i]);) previous.push_back(*straight(before[i]));
    std::reverse(previous.begin(), previous.end());
    for (size_t i = from; i < after.size() && straight(after[i]); ++i) next.push_back(*straight(after[i]));
    if (previous.size() + next.size() < static_cast<size_t>(kLeastNeighbours)) return false;
    int64_t around = cyclesOf(previous) + cyclesOf(next);
    return around >= kLeastNeighbours && around * kShare >= loop.countImm * resourceBound(resources_, body);
  }

  // `original`: nothing within it has been unrolled.
  void unroll(const LoopNode &loop, bool original, Region &out) {
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
    for (int64_t k = 0; k < loop.countImm; ++k) {
      std::unordered_map<Reg, Reg> names, sums;
      for (const MInst *original : body) {
        MInst inst = *original;
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
        if (own && k + 1 < loop.countImm) inst.dst = names[inst.dst] = newReg(routine_.regs[inst.dst]);
        out.push_back({inst});
      }
    }
    for (const MInst *inst : body)
      if (steps.count(inst->dst) && !(original && uses[inst->dst] == facts_.uses[inst->dst] && isSet(inst->dst, out)))
        out.push_back({makeInst(Op::SAdd, inst->dst, {inst->dst}, steps[inst->dst] * loop.countImm, inst->loc)});
  }

  void readCounter(MInst &inst, int slot, int64_t offset, std::unordered_map<Reg, Reg> &sums, Region &out) {
    if (offset == 0) return;
    Reg counter = inst.src[slot];
    if (slot == addressSlot(inst) && setFieldOf(inst, addressField(inst), fieldOf(inst, addressField(inst)) + offset)) return;
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

  // Of values that are assigned once.
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
