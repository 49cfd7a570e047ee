// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The DMAs that nobody has waited for, found by the bytes they touch.
#pragma once
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/device/dma.h"

namespace tpuc::exec {

// Bytes of a memory that a DMA touches.
struct Footprint {
  isa::Space space;
  int32_t buffer;
  int64_t base = 0;    // where the space begins: HBM buffers may share memory, so theirs is an address of this process
  int64_t origin = 0;  // of the runs, from there
  bool isDst = false;
  const device::DmaPlan *plan = nullptr;

  int64_t low() const { return base + origin + (isDst ? plan->dstLow : plan->srcLow); }
  int64_t high() const { return base + origin + (isDst ? plan->dstHigh : plan->srcHigh); }
  // Whether a run meets [begin, end).
  bool touches(int64_t begin, int64_t end) const;
  bool overlaps(const Footprint &other) const;
};

// A started DMA that nobody has waited for.
struct Pending {
  Footprint src, dst;
  int64_t semaphore;
  uint32_t bundle;
};

// A gather of single elements has tens of thousands in flight. Each end of a DMA is listed under the blocks that it
// lies in, blocks being as long as the smallest power of two that holds it: at most two of them, and a range of bytes
// asks for those it meets at each length in use.
class InFlight {
 public:
  enum End { Source, Destination };

  bool empty() const { return all_.empty(); }
  const Pending &oldest() const { return all_.begin()->second; }
  void clear();
  void add(const Pending &p);
  // The oldest one on this semaphore, no longer in flight.
  std::optional<Pending> take(int64_t semaphore);
  // One whose `end` may meet [begin, end) of a memory and for which `is` holds; null where there is none.
  template <typename F>
  const Pending *find(isa::Space space, End end, int64_t low, int64_t high, F is) const;

 private:
  static constexpr int kLengths = 56;  // the block's number takes the rest of a word
  static constexpr size_t kFew = 16;   // are looked at one by one
  struct Index {
    std::array<size_t, kLengths> counts{};
    std::unordered_map<uint64_t, std::vector<uint64_t>> blocks;
  };
  static uint64_t keyOf(int length, uint64_t block) { return block << 6 | static_cast<uint64_t>(length); }
  static int lengthOf(const Footprint &f) {
    return f.high() - f.low() < 2 ? 0 : std::bit_width(static_cast<uint64_t>(f.high() - f.low() - 1));
  }
  template <typename F>
  static void forBlocks(const Footprint &f, F visit);
  Index &indexOf(const Footprint &f) { return indices_[2 * static_cast<int>(f.space) + f.isDst]; }
  void list(const Footprint &f, uint64_t number);
  void unlist(const Footprint &f, uint64_t number);

  std::map<uint64_t, Pending> all_;  // by when they started
  std::unordered_map<int64_t, std::deque<uint64_t>> queues_;
  std::array<Index, 6> indices_;
  uint64_t next_ = 0;
};

template <typename F>
const Pending *InFlight::find(isa::Space space, End end, int64_t low, int64_t high, F is) const {
  auto among = [&](const auto &entries) -> const Pending * {
    for (const auto &[number, p] : entries)
      if ((end == Destination ? p.dst : p.src).space == space && is(p)) return &p;
    return nullptr;
  };
  if (all_.size() <= kFew) return among(all_);
  const Index &index = indices_[2 * static_cast<int>(space) + (end == Destination)];
  for (int length = 0; length < kLengths; ++length) {
    if (!index.counts[length] || high <= low) continue;
    const uint64_t first = static_cast<uint64_t>(low) >> length, last = static_cast<uint64_t>(high - 1) >> length;
    if (last - first >= all_.size()) return among(all_);
    for (uint64_t block = first; block <= last; ++block)
      if (auto found = index.blocks.find(keyOf(length, block)); found != index.blocks.end())
        for (uint64_t number : found->second)
          if (const Pending &p = all_.at(number); is(p)) return &p;
  }
  return nullptr;
}

}  // namespace tpuc::exec
