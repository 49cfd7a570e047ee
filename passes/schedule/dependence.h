// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dependence graph of straight-line code: registers, memories and units.
#pragma once
#include <vector>

#include "passes/schedule/effects.h"
#include "passes/schedule/flow.h"
#include "passes/schedule/resources.h"

namespace tpuc::schedule {

// `to` issues at least `latency` cycles after `from` of `distance` iterations before. Latency 0: the same bundle will
// do.
struct Edge {
  int32_t from, to, latency, distance;
};

// Edges indexed by their start and by their end.
class Graph {
 public:
  int size = 0;
  std::vector<Edge> edges;
  void add(int from, int to, int latency, int distance = 0) { edges.push_back({from, to, latency, distance}); }
  void index();  // after the last `add`

  struct Range {
    const int32_t *first, *last;
    bool empty() const { return first == last; }
    const int32_t *begin() const { return first; }
    const int32_t *end() const { return last; }
  };
  Range out(int node) const { return {outList_.data() + outStart_[node], outList_.data() + outStart_[node + 1]}; }
  Range in(int node) const { return {inList_.data() + inStart_[node], inList_.data() + inStart_[node + 1]}; }

 private:
  std::vector<int32_t> outStart_, inStart_, outList_, inList_;
};

// A place for each instruction: after all that it depends on within an iteration, each value right before what it is
// for.
std::vector<int> depthFirst(const Graph &graph);

// A register's content from one assignment to the next.
struct Value {
  Reg reg;
  int def = -1;     // instruction; -1: before the block
  int uses = 0;     // instructions that read it
  int userXor = 0;  // of the readers that are not scheduled yet, xor of (number + 1)
  bool liveOut = false;
};
struct Values {
  std::vector<Value> all;
  std::vector<int> def;                  // by instruction, -1
  std::vector<std::array<int, 4>> uses;  // by instruction: distinct values that it reads, then -1
};

// Graph of a block in sequential order. A bundle reads before it writes: a write can share the bundle of an earlier
// read of the old value. The control instruction gets only its register edges; it always comes last.
void buildGraph(const std::vector<MInst> &insts, const Resources &resources, Graph &graph, Values &values);

}  // namespace tpuc::schedule
