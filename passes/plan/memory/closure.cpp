// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow from a source to gains, as large as they are, from them to what they need, without bound, and from there to
// a sink, as large as the costs. Where it is greatest, what the source still reaches is the best choice. Augmenting
// paths by depth, in phases of shortest ones (Dinic).
#include "passes/plan/memory/closure.h"

#include <limits>

namespace tpuc::plan {
namespace {

constexpr double kUnits = 1024;  // of a cost: whole numbers end

class Flow {
 public:
  explicit Flow(size_t nodes) : edgesOf_(nodes), depth_(nodes), next_(nodes) {}

  void add(size_t from, size_t to, int64_t capacity) {
    edgesOf_[from].push_back(edges_.size());
    edges_.push_back({to, capacity});
    edgesOf_[to].push_back(edges_.size());
    edges_.push_back({from, 0});
  }

  void fill(size_t source, size_t sink) {
    while (findDepths(source), depth_[sink] >= 0) {
      std::fill(next_.begin(), next_.end(), 0);
      while (push(source, sink, std::numeric_limits<int64_t>::max()) > 0) {
      }
    }
  }

  // After `fill`.
  bool isReached(size_t node) const { return depth_[node] >= 0; }

 private:
  struct Edge {
    size_t to;
    int64_t left;
  };

  void findDepths(size_t source) {
    std::fill(depth_.begin(), depth_.end(), -1);
    llvm::SmallVector<size_t> work{source};
    depth_[source] = 0;
    for (size_t i = 0; i < work.size(); ++i)
      for (size_t e : edgesOf_[work[i]])
        if (edges_[e].left > 0 && depth_[edges_[e].to] < 0) {
          depth_[edges_[e].to] = depth_[work[i]] + 1;
          work.push_back(edges_[e].to);
        }
  }

  int64_t push(size_t node, size_t sink, int64_t most) {
    if (node == sink) return most;
    for (size_t &i = next_[node]; i < edgesOf_[node].size(); ++i) {
      const size_t e = edgesOf_[node][i];
      if (edges_[e].left <= 0 || depth_[edges_[e].to] != depth_[node] + 1) continue;
      const int64_t sent = push(edges_[e].to, sink, std::min(most, edges_[e].left));
      if (sent == 0) continue;
      edges_[e].left -= sent;
      edges_[e ^ 1].left += sent;
      return sent;
    }
    return 0;
  }

  std::vector<Edge> edges_;  // each before its reverse
  std::vector<llvm::SmallVector<size_t>> edgesOf_;
  std::vector<int64_t> depth_;  // -1: not reached
  std::vector<size_t> next_;
};

}  // namespace

size_t Closure::addNeeded(double cost) {
  costs_.push_back(cost);
  return costs_.size() - 1;
}

void Closure::add(double gain, llvm::ArrayRef<size_t> needs) { gains_.push_back({gain, llvm::to_vector(needs)}); }

llvm::SmallVector<bool> Closure::solve() const {
  const size_t source = costs_.size() + gains_.size(), sink = source + 1;
  Flow flow(sink + 1);
  for (size_t i = 0; i < costs_.size(); ++i) flow.add(i, sink, static_cast<int64_t>(costs_[i] * kUnits));
  for (size_t g = 0; g < gains_.size(); ++g) {
    flow.add(source, costs_.size() + g, static_cast<int64_t>(gains_[g].gain * kUnits));
    for (size_t need : gains_[g].needs) flow.add(costs_.size() + g, need, std::numeric_limits<int64_t>::max() / 4);
  }
  flow.fill(source, sink);
  llvm::SmallVector<bool> needed;
  for (size_t i = 0; i < costs_.size(); ++i) needed.push_back(flow.isReached(i));
  return needed;
}

}  // namespace tpuc::plan
