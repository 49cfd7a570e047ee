// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants back into loops that have more values from outside than registers: a loop that cannot be pipelined for want
// of registers takes many times as long as one that makes constants anew.
#include <algorithm>

#include "passes/schedule/make_again.h"
#include "passes/schedule/tidy.h"

namespace tpuc::schedule {
namespace {

using machine::IfNode;
using machine::LoopNode;
using machine::Node;
using machine::Region;
using machine::WhileNode;

class Sinker {
 public:
  explicit Sinker(machine::Routine &routine) : routine_(routine), constants_(constantsOf(routine)) {}
  void run() { region(routine_.body); }

 private:
  void region(Region &nodes) {
    for (Node &node : nodes) {
      if (LoopNode *loop = std::get_if<LoopNode>(&node.value)) {
        region(loop->body);
        sink(*loop);
      } else if (IfNode *branch = std::get_if<IfNode>(&node.value)) {
        region(branch->then);
        region(branch->otherwise);
      } else if (WhileNode *loop = std::get_if<WhileNode>(&node.value)) {
        region(loop->before);
        region(loop->body);
      }
    }
  }

  // Moves constants into an innermost loop, those that are used least first, until the others have room.
  void sink(LoopNode &loop) {
    std::vector<int> uses(routine_.regs.size(), 0);
    std::vector<char> written(routine_.regs.size(), 0);
    for (const Node &node : loop.body) {
      const MInst *inst = std::get_if<MInst>(&node.value);
      if (!inst) return;
      forEachUse(*inst, [&](Reg r) { uses[r]++; });
      if (inst->dst >= 0) written[inst->dst] = 1;
    }
    std::vector<Reg> outside;
    for (size_t r = 0; r < uses.size(); ++r)
      if (uses[r] && !written[r] && routine_.regs[r] == isa::RegKind::V) outside.push_back(static_cast<Reg>(r));
    const auto most = static_cast<size_t>(kMostInvariants[classOf(isa::RegKind::V)]);
    if (outside.size() <= most) return;
    const size_t excess = outside.size() - most;
    outside.erase(std::remove_if(outside.begin(), outside.end(), [&](Reg r) { return !constants_[r]; }), outside.end());
    std::stable_sort(outside.begin(), outside.end(), [&](Reg a, Reg b) { return uses[a] < uses[b]; });
    outside.resize(std::min(excess, outside.size()));
    std::vector<char> sunk(uses.size(), 0);
    for (Reg r : outside) sunk[r] = 1;
    Region body;
    for (Node &node : loop.body) {
      MInst inst = std::get<MInst>(node.value);
      for (Reg &r : inst.src) {
        if (r < 0 || static_cast<size_t>(r) >= sunk.size() || !sunk[r]) continue;
        MInst constant = *constants_[r];
        constant.dst = static_cast<Reg>(routine_.regs.size());
        constant.loc = inst.loc;
        routine_.regs.push_back(isa::RegKind::V);
        r = constant.dst;
        body.push_back(Node{constant});
      }
      body.push_back(Node{inst});
    }
    loop.body = std::move(body);
    constants_.resize(routine_.regs.size());
  }

  machine::Routine &routine_;
  Constants constants_;
};

}  // namespace

void sinkConstants(machine::Routine &routine) { Sinker(routine).run(); }

}  // namespace tpuc::schedule
