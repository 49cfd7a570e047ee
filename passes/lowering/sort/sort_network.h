// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic networks over vregs in VMEM (Batcher, "Sorting networks and their applications", 1968).
#pragma once
#include "passes/lowering/code.h"
#include "passes/lowering/sort/sort_rows.h"
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
    // The same where the first of the two comes from a later place, if that is simpler.
    std::function<mlir::Value(const Element &, const Element &)> overtakes;
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
  // Brings the values named, sorted, to where position p is vreg p / slots, slot p % slots.
  void settle(llvm::ArrayRef<int64_t> values);

 private:
  using Spot = SortRows::Spot;
  int64_t total() const { return s_.units * s_.vregs; }
  // All bits of the order that rows have; and those of a run of vregs, each slot by itself.
  SortRows rows() const;
  SortRows runs() const { return {total() >> runBits_ >> level_, runBits_}; }
  int64_t tradedSlotBits() const { return s_.slotBits() + s_.vregBits() - s_.rowBits(); }
  // The first word of a row of the network's first value.
  Linear wordOf(const SortRows &rows, const Linear &row) const { return rows.words ? row : place(row) * 8; }
  mlir::Value load(int64_t value, const SortRows &rows, const Spot &spot) const;
  void store(mlir::Value v, int64_t value, const SortRows &rows, const Spot &spot) const;
  static SortRows words() { return {1, 0, true}; }
  Element load(const Linear &vreg) const { return load(words(), {vreg * 8}); }
  void store(const Element &e, const Linear &vreg) const { store(e, words(), {vreg * 8}); }
  Element load(const SortRows &rows, const Spot &spot) const;
  void store(const Element &e, const SortRows &rows, const Spot &spot) const;
  // The first of two elements to `a`, the other one to `rest`, if given; in slots of `high`, if given, the other way
  // round.
  void meet(Element &a, const Element &b, Element *rest, mlir::Value high, bool isInPlace = false) const;
  void exchange(Element &a, Element &b, mlir::Value high = {}) const { meet(a, b, &b, high); }
  // Where all of b's run came from later places than all of a's, if that is so.
  void exchangeRuns(Element &a, Element &b, bool isInPlace) const { meet(a, b, &b, {}, isInPlace); }
  void keepFirst(Element &a, const Element &b, mlir::Value high = {}) const { meet(a, b, nullptr, high); }
  // How slots trade places: the lane, and the sublane, that each one's comes from.
  struct Trade {
    mlir::Value lanes, sublanes;
  };
  Trade tradeOf(int64_t by) const;
  mlir::Value traded(mlir::Value v, const Trade &t) const;
  Element traded(const Element &e, const Trade &t) const;
  mlir::Value isHigh(int64_t bit) const;  // mask of slots whose bit is 1
  mlir::Value shiftLeft(mlir::Value a, mlir::Value by) const;
  mlir::Value shiftRight(mlir::Value a, mlir::Value by) const;
  mlir::Value bitAnd(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, int64_t b) const;

  int64_t slotBit(int64_t b) const;  // of bit b of the order that rows do not have
  int64_t groupBits() const { return std::min(SortShape::bitsAtOnce(values_), s_.vregBits()); }
  Linear place(const Linear &vreg) const;
  void halveRuns() const;
  void joinSlots(int64_t kept, int64_t bit) const;
  using Work = llvm::function_ref<void(llvm::MutableArrayRef<Element>)>;
  void forSpots(int64_t bits, const SortRows &rows, llvm::function_ref<llvm::SmallVector<Spot>(mlir::Value)> at,
                Work work) const;
  void forGroups(const SortRows &rows, const SortRows::Group &group, Work work) const {
    forSpots(group.bits.size(), rows, [&](mlir::Value iv) { return rows.spots(c_, group, iv); }, work);
  }
  // Sorts all runs of rows; `bits` steps at a time.
  void mergeRuns(const SortRows &rows, int64_t bits);
  void exchangeRows(llvm::MutableArrayRef<Element> e, size_t last = 1) const;
  void sortGroups(const SortRows &rows, int64_t bits) const;
  int64_t mergeRows(const SortRows &rows, int64_t bits, int64_t stage) const;
  void cleanRows(const SortRows &rows, int64_t bits, int64_t from) const;
  struct SlotStep {
    int64_t by, bit;
  };
  // What the steps within vregs take: permutations and masks, made once.
  struct SlotCode {
    Trade trade;
    mlir::Value high;
  };
  int64_t slotStepsAtOnce() const { return values_ == 1 ? 5 : values_ <= 3 ? 3 : 1; }
  void tradeBit(mlir::Value &a, mlir::Value &b, const SlotCode &code) const;
  llvm::SmallVector<SlotCode> codesOf(llvm::ArrayRef<SlotStep> steps) const;
  void apply(llvm::ArrayRef<SlotCode> steps, Element &own) const;
  void mergeSlots(int64_t mask, int64_t bit) const;
  void withinVregs(llvm::ArrayRef<SlotStep> steps) const;
  llvm::SmallVector<SlotStep> slotStepsBelow(int64_t end) const;

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
