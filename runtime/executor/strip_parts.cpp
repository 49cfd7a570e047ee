// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps: 1. join each instruction with those that made its operands; 2. note which instructions have to stay before
// others: readers of a register's old value before who leaves a new one, accesses of the same word in their order;
// 3. join parts that would have to stay before one another; 4. order the parts by how many have to come before.
#include "runtime/executor/strip_parts.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>
#include <numeric>
#include <utility>

namespace tpuc::exec {
namespace {

using isa::Op;
using isa::RegKind;

constexpr size_t kMost = kMaxSlots;  // instructions of a run
// Lines that L1 holds of one set, the fewest of CPUs with AVX-512. So many accesses at once find their lines there, and
// enough of those that L2 lacks are on their way together.
constexpr int kWays = 8;

// Takes nothing from registers of lanes: cheaper to make again than to share.
bool isCopied(const DInst &i) {
  return i.op == Op::VLi || i.op == Op::VSplat || i.op == Op::VLaneId || i.op == Op::VSubId || i.op == Op::MLi;
}

// A register of vregs and masks.
constexpr int kRegisters = kVregs + kMasks;
int registerOf(RegKind kind, uint8_t reg) { return kind == RegKind::M ? kVregs + reg : reg; }

template <typename Body>
void forSources(const DInst &i, Body body) {
  const isa::InstInfo &info = isa::info(i.op);
  const uint8_t sources[] = {i.a, i.b, i.c};
  for (int k = 0; k < info.numSources; ++k)
    if (info.sources[k].kind != RegKind::S && sources[k] != kNone) body(registerOf(info.sources[k].kind, sources[k]));
  if (info.masked && i.m != kNone) body(registerOf(RegKind::M, i.m));
}

class Parts {
 public:
  explicit Parts(const StripProgram &run) : run_(run), size_(static_cast<int>(run.insts.size())), copies_(size_) {
    joined_.resize(size_);
    std::iota(joined_.begin(), joined_.end(), 0);
    made_.fill(-1);
    for (int k = 0; k < size_; ++k) join(k);
    for (auto [earlier, reg] : oldReaders_)
      if (made_[reg] >= 0 && isNeeded(reg)) before_.push_back({earlier, made_[reg]});
    orderAccesses();
  }

  std::vector<StripPart> take() {
    joinCycles();
    std::vector<StripPart> parts;
    std::vector<int> partOf(size_, -1);
    for (int root : order()) {
      partOf[root] = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    for (int k = 0; k < size_; ++k) {
      const int part = partOf[rootOf(k)];
      if (part < 0) continue;
      auto &insts = parts[part].insts;
      insts.insert(insts.end(), copies_[k].begin(), copies_[k].end());
      insts.push_back(k);
    }
    for (StripPart &part : parts) {
      std::sort(part.insts.begin(), part.insts.end());
      part.insts.erase(std::unique(part.insts.begin(), part.insts.end()), part.insts.end());
    }
    for (int reg = 0; reg < kRegisters; ++reg) {
      if (made_[reg] < 0 || !isNeeded(reg)) continue;
      LiveRegisters &leaves = parts[partOf[rootOf(made_[reg])]].leaves;
      if (reg < kVregs) {
        leaves.vregs.set(reg);
        leaves.vregExtents[reg] = run_.needed.vregExtents[reg];
      } else {
        leaves.masks.set(reg - kVregs);
        leaves.maskExtents[reg - kVregs] = run_.needed.maskExtents[reg - kVregs];
      }
    }
    std::erase_if(parts, [&](const StripPart &part) { return !hasEffect(part); });
    return merged(parts);
  }

 private:
  bool isNeeded(int reg) const { return reg < kVregs ? run_.needed.vregs[reg] : run_.needed.masks[reg - kVregs]; }

  bool hasEffect(const StripPart &part) const {
    return part.leaves.vregs.any() || part.leaves.masks.any() ||
           std::any_of(part.insts.begin(), part.insts.end(), [&](int k) { return run_.insts[k].op == Op::VSt; });
  }

  int accessesOf(const StripPart &part) const {
    return static_cast<int>(std::count_if(part.insts.begin(), part.insts.end(), [&](int k) {
      return run_.insts[k].op == Op::VLd || run_.insts[k].op == Op::VSt;
    }));
  }

  // As many neighbours as there may be accesses.
  std::vector<StripPart> merged(const std::vector<StripPart> &parts) const {
    std::vector<StripPart> out;
    for (const StripPart &part : parts) {
      if (out.empty() || accessesOf(out.back()) + accessesOf(part) > kWays) {
        out.push_back(part);
        continue;
      }
      std::vector<int> both;
      std::set_union(out.back().insts.begin(), out.back().insts.end(), part.insts.begin(), part.insts.end(),
                     std::back_inserter(both));
      out.back().insts = std::move(both);
      out.back().leaves |= part.leaves;
    }
    return out;
  }

  int rootOf(int k) {
    while (joined_[k] != k) k = joined_[k] = joined_[joined_[k]];
    return k;
  }
  void unite(int a, int b) { joined_[rootOf(a)] = rootOf(b); }

  void join(int k) {
    const DInst &i = run_.insts[k];
    forSources(i, [&](int reg) {
      const int maker = made_[reg];
      if (maker < 0)
        oldReaders_.push_back({k, reg});
      else if (isCopied(run_.insts[maker]))
        copies_[k].push_back(maker);
      else
        unite(k, maker);
    });
    const RegKind kind = isa::info(i.op).result;
    if (kind == RegKind::V || kind == RegKind::M) made_[registerOf(kind, i.dst)] = k;
  }

  void orderAccesses() {
    for (const Access &b : run_.accesses)
      for (const Access &a : run_.accesses)
        if (a.inst < b.inst && (a.isStore || b.isStore) && a.root == b.root && a.offset == b.offset)
          before_.push_back({a.inst, b.inst});
  }

  // Who has to come after each part's root, by way of others too.
  void close() {
    after_.assign(size_, {});
    for (auto [earlier, later] : before_)
      if (rootOf(earlier) != rootOf(later)) after_[rootOf(earlier)].set(rootOf(later));
    for (int via = 0; via < size_; ++via)
      for (int from = 0; from < size_; ++from)
        if (after_[from][via]) after_[from] |= after_[via];
  }

  void joinCycles() {
    close();
    for (int a = 0; a < size_; ++a)
      for (int b = 0; b < a; ++b)
        if (after_[a][b] && after_[b][a]) unite(a, b);
    close();
  }

  // The roots: whoever comes before another has fewer before itself. A copied constant that nobody needs has no part.
  std::vector<int> order() {
    std::vector<std::pair<int, int>> roots;
    for (int k = 0; k < size_; ++k) {
      if (rootOf(k) != k) continue;
      const RegKind kind = isa::info(run_.insts[k].op).result;
      if (isCopied(run_.insts[k]) &&
          (made_[registerOf(kind, run_.insts[k].dst)] != k || !isNeeded(registerOf(kind, run_.insts[k].dst))))
        continue;
      const auto earlier = std::count_if(after_.begin(), after_.end(), [&](const auto &after) { return after[k]; });
      roots.push_back({static_cast<int>(earlier), k});
    }
    std::stable_sort(roots.begin(), roots.end(), [](auto &a, auto &b) { return a.first < b.first; });
    std::vector<int> out;
    for (auto [earlier, root] : roots) out.push_back(root);
    return out;
  }

  const StripProgram &run_;
  const int size_;
  std::vector<int> joined_;
  std::vector<std::vector<int>> copies_;  // of each instruction: who makes its constants
  std::array<int, kRegisters> made_{};    // the last instruction so far that makes a register; -1: none
  std::vector<std::pair<int, int>> oldReaders_, before_;
  std::vector<std::bitset<kMost>> after_;
};

}  // namespace

std::vector<StripPart> partsOf(const StripProgram &run) { return Parts(run).take(); }

}  // namespace tpuc::exec
