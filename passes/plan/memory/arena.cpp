// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the temporaries lie in the arena.
#include "passes/plan/memory/arena.h"

#include "dialects/kernel/fetch.h"
#include "dialects/kernel/kernel.h"
#include "passes/plan/memory/in_place.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

constexpr int64_t kAlign = 4096;

// The arrays that have places, by offset: each new array is compared with them, and a model has thousands.
class Places {
 public:
  // Takes the place of the array that it replaces, where that is free of others, else the lowest offset that no array
  // alive at the same time overlaps. The first byte behind it.
  int64_t place(Interval &it) {
    it.offset = placeOfReplaced(it).value_or(firstFit(it));
    const Taken taken{it.offset, it.offset + it.size, it.first, it.last, it.storage};
    taken_.insert(llvm::upper_bound(taken_, taken, [](const Taken &a, const Taken &b) { return a.begin < b.begin; }),
                  taken);
    return taken.end;
  }

  // Forgets arrays that are alive at no kernel from `first` on.
  void forgetBefore(int64_t first) {
    llvm::erase_if(taken_, [&](const Taken &t) { return t.last < first; });
  }

 private:
  struct Taken {
    int64_t begin, end;   // bytes
    int64_t first, last;  // kernels
    int64_t storage;
  };

  static bool liveTogether(const Taken &t, const Interval &it) { return t.last >= it.first && t.first <= it.last; }

  int64_t firstFit(const Interval &it) const {
    int64_t at = 0;
    for (const Taken &t : taken_) {
      if (!liveTogether(t, it)) continue;
      if (at + it.size <= t.begin) break;
      at = std::max<int64_t>(at, llvm::alignTo(t.end, kAlign));
    }
    return at;
  }

  std::optional<int64_t> placeOfReplaced(const Interval &it) const {
    const Taken *old = llvm::find_if(taken_, [&](const Taken &t) { return it.over >= 0 && t.storage == it.over; });
    if (old == taken_.end()) return std::nullopt;
    auto meets = [&](const Taken &t) {
      return &t != old && liveTogether(t, it) && t.begin < old->begin + it.size && old->begin < t.end;
    };
    return llvm::any_of(taken_, meets) ? std::nullopt : std::optional(old->begin);
  }

  SmallVector<Taken> taken_;
};

// In order of definition, which `intervals` come in. The bytes of all of them.
int64_t placeInOrder(SmallVectorImpl<Interval> &intervals) {
  int64_t top = 0;
  Places places;
  for (Interval &it : intervals) {
    places.forgetBefore(it.first);
    top = std::max(top, places.place(it));
  }
  return top;
}

// The largest first: small ones fill the gaps between them. The bytes of all of them.
int64_t placeBySize(SmallVectorImpl<Interval> &intervals) {
  SmallVector<Interval *> order;
  for (Interval &it : intervals) order.push_back(&it);
  llvm::stable_sort(order, [](const Interval *a, const Interval *b) { return a->size > b->size; });
  int64_t top = 0;
  Places places;
  for (Interval *it : order) top = std::max(top, places.place(*it));
  return top;
}

// The most bytes that are alive at one time. No choice of places takes fewer.
int64_t mostAlive(ArrayRef<Interval> intervals) {
  SmallVector<std::pair<int64_t, int64_t>> changes;  // at a kernel: what ends before it comes first
  for (const Interval &it : intervals) {
    // The one that it replaces is no longer, once it is whole.
    changes.push_back({it.over >= 0 ? it.first + 1 : it.first, it.size});
    changes.push_back({it.last + 1, -it.size});
  }
  llvm::sort(changes);
  int64_t alive = 0, most = 0;
  for (auto [at, bytes] : changes) most = std::max(most, alive += bytes);
  return most;
}

// The results of a kernel that may lie where an operand of it does, as the last that is read there.
class ReplacedArrays {
 public:
  ReplacedArrays(const StorageMap &map, MutableArrayRef<Interval> intervals) : map_(map) {
    for (Interval &it : intervals) byStorage_[it.storage] = &it;
  }

  void find(kernel::FusionOp fusion) {
    const std::optional<int64_t> at = map_.positionOf(fusion);
    if (!at) return;
    for (auto [k, made] : llvm::enumerate(fusion.getOutputs())) {
      Interval *it = wholeOf(made);
      if (!it || it->first != *at || it->over >= 0) continue;
      for (auto [i, old] : llvm::enumerate(fusion.getInputs())) {
        if (!mayReplace(fusion, i, k, *it)) continue;
        it->over = wholeOf(old)->storage;
        replaced_.insert(it->over);
        break;
      }
    }
  }

 private:
  // The interval that `v` fills; null: none.
  Interval *wholeOf(Value v) const {
    const Place place = map_.placeOf(v);
    Interval *it = byStorage_.lookup(place.storage);
    return it && place.offset == 0 && it->size == bytesOf(v) ? it : nullptr;
  }

  bool mayReplace(kernel::FusionOp fusion, unsigned input, unsigned output, const Interval &made) const {
    Value operand = fusion.getInputs()[input];
    const Interval *old = wholeOf(operand);
    if (!old || old == &made || old->last != made.first || old->first == made.first ||
        replaced_.contains(old->storage) || kernel::isFetched(operand) ||
        operand.getType() != fusion.getOutputs()[output].getType())
      return false;
    auto liesThere = [&](Value v) { return map_.placeOf(v).storage == old->storage; };
    return llvm::count_if(fusion.getInputs(), liesThere) == 1 && replacesEachBlock(fusion, input, output);
  }

  const StorageMap &map_;
  DenseMap<int64_t, Interval *> byStorage_;
  DenseSet<int64_t> replaced_;
};

}  // namespace

void findReplaced(func::FuncOp main, const StorageMap &map, MutableArrayRef<Interval> intervals) {
  ReplacedArrays arrays(map, intervals);
  main.walk([&](kernel::FusionOp fusion) { arrays.find(fusion); });
}

// A large array that comes after a smaller one finds no gap that is large enough: where the order of definition takes
// more than is alive, the other is tried, and the one of fewer bytes taken.
int64_t placeIntervals(SmallVectorImpl<Interval> &intervals) {
  int64_t top = placeInOrder(intervals);
  if (top <= mostAlive(intervals)) return top;
  SmallVector<Interval> other(intervals.begin(), intervals.end());
  int64_t otherTop = placeBySize(other);
  if (otherTop >= top) return top;
  intervals = std::move(other);
  return otherTop;
}

int64_t peakOf(ArrayRef<Interval> intervals) {
  int64_t peakAt = 0, peak = -1;
  for (const Interval &at : intervals) {
    int64_t alive = 0;
    for (const Interval &it : intervals)
      if (it.first <= at.first && at.first <= it.last) alive += it.size;
    if (alive > peak) {
      peak = alive;
      peakAt = at.first;
    }
  }
  return peakAt;
}

}  // namespace tpuc::plan
