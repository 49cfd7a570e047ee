// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic networks over vregs in VMEM (Batcher, "Sorting networks and their applications", 1968).
#pragma once
#include "passes/lowering/code.h"
#include "passes/plan/sort/sort_shape.h"

namespace tpuc::lowering {

inline constexpr int64_t kFoundRegion = 2000;    // of the first few, found by rounds or groups
inline constexpr int64_t kNowhere = 0x7fffffff;  // a position behind all others

class SortNetwork {
 public:
  static constexpr int64_t kRegion = 1000;         // of its first value
  using Element = llvm::SmallVector<mlir::Value>;  // a vreg of each of its values
  struct Order {
    std::function<mlir::Value(const Element &, const Element &)> before;  // strict and total: a mask
    llvm::StringRef low, high;  // of a single value: instructions for the lesser, the greater
  };
  SortNetwork(Code &code, const SortShape &shape, int64_t values, const Linear &word, Order order,
              int64_t region = kRegion)
      : c_(code), s_(shape), values_(values), word_(word), region_(region), order_(std::move(order)) {}

  // Word of vreg `vreg` of all units, of one value.
  Linear wordOf(int64_t value, const Linear &vreg) const { return vreg * 8 + word_ + Linear(value * total() * 8); }
  const Order &order() const { return order_; }
  int64_t regionOf(int64_t value) const { return region_ + value; }
  int64_t vregs() const { return s_.vregs; }  // of a unit
  mlir::Value slots() const;                  // numbers of the slots

  // Sorts each unit: element p ends in the slot and vreg that the order's bits say.
  void sort();
  // Sorts runs of `kept` vregs, a power of two and at most half of a unit's, and of every two keeps the first half,
  // until a unit has one: its first vregs, the same in all slots.
  void sortFirst(int64_t kept) {
    sortRuns(kept);
    joinRuns(kept);
  }
  // Its two halves: each slot's first `kept`, and of these the slots'.
  void sortRuns(int64_t kept);
  void joinRuns(int64_t kept);
  // Keeps the first of these and of the runs that lie in the first vregs of `other`'s units. Has no other vregs than
  // its runs.
  void keepFirstRuns(const SortNetwork &other);
  void fill(llvm::ArrayRef<uint32_t> element) const;  // all of it
  // Merges a unit that holds pieces of sequences: vregs of runs of 2^stage mirrored, their slots too, and vregs 2^bit
  // apart.
  void mergePieces(mlir::Value stage) const;
  void exchangePieces(mlir::Value bit) const;
  // What is left of a merge once all of a unit's elements belong there: the steps within it.
  void mergeWithin() const;
  // Elements [0, n) of such a run, a vreg each, as slots of the first vregs, of the values named.
  void gatherFirst(int64_t n, llvm::ArrayRef<int64_t> values) const;
  // Brings the values named, sorted, to where position p is vreg p / slots, slot p % slots; but see `placeOf`.
  void settle(llvm::ArrayRef<int64_t> values);
  // The vreg of its unit that has positions [v * slots, (v + 1) * slots) then.
  mlir::Value placeOf(mlir::Value v) const;

 private:
  int64_t total() const { return s_.units * s_.vregs; }
  Element load(const Linear &vreg) const;
  void store(const Element &e, const Linear &vreg) const;
  // The first of two elements to `a`, the other one to `rest`, if given; in slots of `high`, if given, the other way
  // round.
  void meet(Element &a, const Element &b, Element *rest, mlir::Value high) const;
  void exchange(Element &a, Element &b, mlir::Value high = {}) const { meet(a, b, &b, high); }
  void keepFirst(Element &a, const Element &b, mlir::Value high = {}) const { meet(a, b, nullptr, high); }
  // How slots trade places: the lane, and the sublane, that each one's comes from.
  struct Trade {
    mlir::Value lanes, sublanes;
  };
  Trade tradeOf(int64_t by) const;
  mlir::Value traded(mlir::Value v, const Trade &t) const;
  Element traded(const Element &e, const Trade &t) const;
  void tradeBit(mlir::Value &a, mlir::Value &b, const Trade &trade, mlir::Value high) const;
  mlir::Value isHigh(int64_t bit) const;  // mask of slots whose bit is 1
  mlir::Value shiftLeft(mlir::Value a, mlir::Value by) const;
  mlir::Value shiftRight(mlir::Value a, mlir::Value by) const;
  mlir::Value bitAnd(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, int64_t b) const;

  int64_t slotBit(int64_t b) const;  // of bit b >= vregBits() of the order
  // How many bits of the order the vregs differ in that are in registers at once: 4 bits of a single value are 16
  // vregs, 3 bits of three values are 24.
  int64_t groupBits() const {
    return std::min<int64_t>(values_ == 1 ? 4 : values_ <= 3 ? 3 : values_ <= 6 ? 2 : 1, s_.vregBits());
  }
  Linear place(const Linear &vreg) const;
  void mergeRuns(int64_t bits, int64_t end);
  void halveRuns() const;
  void joinSlots(int64_t kept, int64_t bit) const;
  void forGroups(int64_t bits, llvm::function_ref<llvm::SmallVector<Linear>(mlir::Value)> at,
                 llvm::function_ref<void(llvm::MutableArrayRef<Element>)> work) const;
  void sortGroups(int64_t bits) const;
  void mergeVregs(int64_t bits, int64_t stage) const;
  void cleanVregs(int64_t bits, int64_t from) const;
  struct SlotStep {
    int64_t by, bit;
  };
  void mergeSlots(int64_t mask, int64_t top) const;
  void withinVregs(llvm::ArrayRef<SlotStep> steps) const;
  void exchangeSlots(int64_t end) const;

  Code &c_;
  SortShape s_;
  int64_t values_;
  Linear word_;
  int64_t region_;
  Order order_;
  // Vregs are in runs of 2^runBits_. Of every 2^level_ runs only the first is still in use.
  int64_t runBits_ = 0;
  int64_t level_ = 0;
};

}  // namespace tpuc::lowering
