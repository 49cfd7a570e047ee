// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live registers at the blocks' borders (backward dataflow over bit sets), and the pressure inside of them.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "passes/schedule/flow.h"

namespace tpuc::schedule {

class RegSet {
 public:
  explicit RegSet(size_t size = 0) : words_((size + 63) / 64, 0) {}
  bool has(Reg r) const { return words_[r >> 6] >> (r & 63) & 1; }
  void add(Reg r) { words_[r >> 6] |= uint64_t{1} << (r & 63); }
  void remove(Reg r) { words_[r >> 6] &= ~(uint64_t{1} << (r & 63)); }
  // Returns whether anything was new.
  bool merge(const RegSet &other) {
    uint64_t fresh = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      fresh |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return fresh != 0;
  }
  template <typename F>
  void forEach(F f) const {
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t w = words_[i]; w; w &= w - 1) f(static_cast<Reg>(i * 64 + __builtin_ctzll(w)));
  }
  size_t numWords() const { return words_.size(); }
  uint64_t &word(size_t i) { return words_[i]; }
  uint64_t word(size_t i) const { return words_[i]; }

 private:
  std::vector<uint64_t> words_;
};

struct Liveness {
  std::vector<RegSet> in, out;  // by block
};
Liveness computeLiveness(const Flow &flow);

// Index into arrays by kind of register.
inline int classOf(RegKind kind) { return kind == RegKind::S ? 0 : kind == RegKind::V ? 1 : 2; }
inline constexpr RegKind kKinds[3] = {RegKind::S, RegKind::V, RegKind::M};
using ClassCounts = std::array<int, 3>;

// Largest number of registers of each kind needed at once in a block: what is live after a bundle, with its results.
ClassCounts blockPressure(const Flow &flow, int block, const Liveness &liveness);

}  // namespace tpuc::schedule
