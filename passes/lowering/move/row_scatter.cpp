// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatter of rows in ascending order (passes/analysis/sorted_rows.h).
//
//  1. The rows' numbers, and those of their updates, come to SMEM a part at a time.
//  2. Of each group of rows, updates and old contents are fetched while groups before it are combined. A row's old
//     contents are what was fetched where it is the first of its number, else what the one before it made: those with
//     one number are added in turn, as the program has them.
//  3. The last one of a number goes back. No two transfers under way are of one row but a read before a run's end, of
//     which nothing is used.
//
// A row of a packed type shares its words with its neighbours: numbers are those of words here, and bits that are not
// the row's stay. Rows out of range come last. They count as the last row, and change nothing.
#include "passes/lowering/body/region.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/move/op_kernel.h"
#include "passes/lowering/move/row_transfers.h"
#include "passes/plan/move/row_scatter_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kStraight = 4;  // vregs of a row combined without a loop

class RowScatter : RowScatterPlan {
 public:
  RowScatter(KernelContext &context, Code &code, stablehlo::ScatterOp op) : RowScatterPlan(context, op), c_(code) {}
  LogicalResult run();

 private:
  struct Row {
    Value number;     // of the words that it lies in
    Value bits;       // the first of its own in a lane
    Value isInRange;  // 0 or 1
  };

  void part(const Linear &first, Value count);
  Value position(const Linear &row);
  Row rowAt(const Linear &row);
  void fetch(const Linear &first, Value slot);
  void combine(const Linear &first, Value slot, Value number, Value isEnd);
  struct Known {
    Value own;             // the row's bits of its words, none where it is out of range
    Value shift;           // of its update's
    Value isSame, isLast;  // of the number of the row before; the next is of another
    Value place;           // byte in HBM
  };
  SmallVector<Known> known(const Linear &first, Value number, Value isEnd);
  void combineRow(Value own, const Linear &update, Value shift, Value old, const Linear &result);
  // Semaphores: of the numbers; of each slot.
  static constexpr int64_t kNumbers = 0;
  Value fetched(Value slot) { return c_.add(slot, c_.i64(1)); }
  Value written(Value slot) { return c_.add(slot, c_.i64(1 + slots_)); }
  void waitFetched(Value slot) { c_.inst("dma.wait", {fetched(slot)}, {{"count", 2 * group_}}); }
  void waitWritten(Value slot) { c_.inst("dma.wait", {written(slot)}, {{"count", group_}}); }
  Linear slotWord(int64_t base, Value slot, int64_t row) {
    return Linear(slot) * (group_ * table_.slotWords()) + Linear(base + row * table_.slotWords());
  }
  Value updateAt(const Linear &row) { return c_.inst("s.ldw", {position(row)}, {{"off", 4 * partRows_}}); }
  Value elementBits(Value row, int64_t perWord) {
    return perWord == 1 ? c_.i64(0) : c_.mul(c_.rem(row, perWord), 32 / perWord);
  }

  Code &c_;
  Linear partFirst_;  // the first row that SMEM has the number of
  Value last_;        // number of a group's last row
};

// Byte in SMEM of a row's number; past the last row it is that row's.
Value RowScatter::position(const Linear &row) {
  Value at = c_.value(row);
  if (rows_ % group_) at = c_.min(at, c_.i64(rows_ - 1));
  return c_.mul(c_.b.createOrFold<arith::SubIOp>(c_.loc, at, c_.value(partFirst_)), 4);
}

RowScatter::Row RowScatter::rowAt(const Linear &row) {
  int64_t last = table_.array.type.getDimSize(0) - 1;
  Value key = c_.inst("s.ldw", {position(row)}, {{"off", 0}}), at = c_.min(key, c_.i64(last));
  Value isInRange = c_.cmp(arith::CmpIPredicate::sle, key, c_.i64(last));
  if (rows_ % group_)
    isInRange = c_.b.createOrFold<arith::AndIOp>(c_.loc, isInRange,
                                                 c_.cmp(arith::CmpIPredicate::slt, c_.value(row), c_.i64(rows_)));
  return {c_.div(at, table_.perWord), elementBits(at, table_.perWord), isInRange};
}

// Everything that decides is read before the first transfer starts: loads from SMEM do not pass one.
void RowScatter::fetch(const Linear &first, Value slot) {
  Value semaphore = fetched(slot);
  SmallVector<std::pair<Value, Value>> numbers;  // of an update, and of the row
  for (int64_t i = 0; i < group_; ++i)
    numbers.push_back({c_.div(updateAt(first + Linear(i)), updates_.perWord), rowAt(first + Linear(i)).number});
  SmallVector<std::pair<Value, Value>> places;
  for (auto [update, row] : numbers) places.push_back({byteOfRow(c_, updates_, update), byteOfRow(c_, table_, row)});
  for (auto [i, from] : llvm::enumerate(places)) {
    auto bring = [&](const Rows &rows, Value place, int64_t base) {
      startTransfer(c_, {"hbm", rows.origin.buffer, Linear(place), isa::kVregBytes},
                    {"vmem", "", slotWord(base, slot, i) * isa::kWordBytes, isa::kWordBytes}, rows.run(), rows.counts(),
                    semaphore);
    };
    bring(updates_, from.first, update_);
    bring(table_, from.second, old_);
  }
}

// The words at `old` with those bits replaced that `own` has, to `result`. `shift`: of the update's bits in its words.
void RowScatter::combineRow(Value own, const Linear &update, Value shift, Value old, const Linear &result) {
  Type element = table_.array.type.getElementType();
  int64_t bits = 32 / table_.perWord;
  auto vreg = [&](const Linear &at) {
    Value before = c_.load(Linear(old) + at, 1, 1), fresh = c_.load(update + at, 1, 0);
    if (table_.perWord > 1) {
      fresh = c_.inst("v.and", {c_.inst("v.shr.u32", {fresh, shift}), c_.splatBits((int64_t{1} << bits) - 1)});
      for (int64_t b = bits; b < 32; b *= 2) fresh = c_.inst("v.or", {fresh, c_.inst("v.shl", {fresh, c_.splatI(b)})});
    }
    SmallVector<Value> made;
    for (auto [a, b] : llvm::zip(unpackLanes(c_, element, before), unpackLanes(c_, element, fresh)))
      made.push_back(emitRegion(c_, op_.getUpdateComputation().front(), {a, b})[0]);
    Value changes = c_.inst("v.and", {c_.inst("v.xor", {before, packLanes(c_, element, made)}), own});
    c_.store(c_.inst("v.xor", {before, changes}), result + at, 1, 1);
  };
  int64_t vregs = table_.slotWords() / 8;
  for (int64_t i = 0; vregs <= kStraight && i < vregs; ++i) vreg(Linear(8 * i));
  if (vregs <= kStraight) return;
  c_.loop(c_.i64(0), c_.i64(vregs), 1, {}, [&](Value iv, ValueRange) {
    vreg(Linear(iv) * 8);
    return SmallVector<Value>();
  });
}

// What is known of a group's rows before they are combined.
SmallVector<RowScatter::Known> RowScatter::known(const Linear &first, Value number, Value isEnd) {
  SmallVector<Row> rows;
  SmallVector<Known> out(group_);
  for (int64_t i = 0; i < group_; ++i) rows.push_back(rowAt(first + Linear(i)));
  // The next group's first row: this one's where it is not in SMEM.
  Value next = rowAt(Linear(c_.select(isEnd, c_.value(first), c_.value(first + Linear(group_))))).number;
  if (updates_.perWord > 1)
    for (auto [i, k] : llvm::enumerate(out))
      k.shift = c_.inst("v.splat", {elementBits(updateAt(first + Linear(i)), updates_.perWord)});
  int64_t bits = 32 / table_.perWord;
  Value all = c_.i64(static_cast<int64_t>(llvm::maskTrailingOnes<uint64_t>(bits)));
  for (auto [i, k] : llvm::enumerate(out)) {
    const Row &row = rows[i];
    Value own = table_.perWord == 1 ? all : c_.inst("s.shl", {all, row.bits});
    k.own = c_.inst("v.splat", {c_.select(row.isInRange, own, c_.i64(0))});
    k.isSame = c_.cmp(arith::CmpIPredicate::eq, row.number, i ? rows[i - 1].number : number);
    k.isLast = c_.cmp(arith::CmpIPredicate::ne, row.number, i + 1 < rows.size() ? rows[i + 1].number : next);
    k.place = byteOfRow(c_, table_, row.number);
  }
  out.back().isLast = c_.b.createOrFold<arith::OrIOp>(c_.loc, out.back().isLast, isEnd);
  last_ = rows.back().number;
  return out;
}

// `number`: of the row before the group, -1: none; `isEnd`: no row follows the group.
void RowScatter::combine(const Linear &first, Value slot, Value number, Value isEnd) {
  Value other = c_.rem(c_.add(slot, c_.i64(slots_ - 1)), slots_), semaphore = written(slot);
  for (auto [i, row] : llvm::enumerate(known(first, number, isEnd))) {
    Linear made = slotWord(made_, slot, i), bytes = made * isa::kWordBytes;
    Linear before = i ? slotWord(made_, slot, i - 1) : slotWord(made_, other, group_ - 1);
    Value old = c_.select(row.isSame, c_.value(before), c_.value(slotWord(old_, slot, i)));
    combineRow(row.own, slotWord(update_, slot, i), row.shift, old, made);
    c_.ifThen(
        row.isLast,
        [&, place = row.place] {
          startTransfer(c_, {"vmem", "", bytes, isa::kWordBytes},
                        {"hbm", table_.origin.buffer, Linear(place), isa::kVregBytes}, table_.run(), table_.counts(),
                        semaphore);
        },
        [&, i = i] {  // whoever waits counts
          Linear spare = Linear(slot) * group_ + Linear(spare_ + static_cast<int64_t>(i));
          startTransfer(c_, {"vmem", "", bytes}, {"vmem", "", spare * isa::kWordBytes}, isa::kWordBytes, {}, semaphore);
        });
  }
}

// `count` groups from row `first` on, whose numbers come to SMEM.
void RowScatter::part(const Linear &first, Value count) {
  partFirst_ = Linear(c_.min(c_.value(first), c_.i64(numbersBytes_ / 4 - partRows_)));
  int64_t at = 0;
  for (Value numbers : {op_.getScatterIndices(), gather_.getStartIndices()}) {
    Side from = operandSide(context_, numbers);
    startTransfer(c_, {"hbm", from.symbol, from.base + partFirst_ * 4}, {"smem", "", Linear(at)}, 4 * partRows_, {},
                  c_.i64(kNumbers));
    at += 4 * partRows_;
  }
  c_.inst("dma.wait", {c_.i64(kNumbers)}, {{"count", 2}});
  const int64_t ahead = slots_ - 1;
  auto each = [&](Value from, Value to, function_ref<void(Value)> body) {
    c_.loop(from, to, 1, {}, [&](Value iv, ValueRange) {
      body(iv);
      return SmallVector<Value>();
    });
  };
  auto groupAt = [&](Value i) { return first + Linear(i) * group_; };
  each(c_.i64(0), c_.min(count, c_.i64(ahead)), [&](Value iv) { fetch(groupAt(iv), iv); });
  Value none = c_.i64(-1);
  c_.loop(c_.i64(0), count, 1, {none}, [&](Value iv, ValueRange carried) {
    using P = arith::CmpIPredicate;
    Value slot = c_.rem(iv, slots_), next = c_.add(iv, c_.i64(ahead));
    Value isEnd = c_.cmp(P::eq, c_.add(iv, c_.i64(1)), count);
    c_.ifThen(c_.cmp(P::slt, next, count), [&] { fetch(groupAt(next), c_.rem(next, slots_)); });
    waitFetched(slot);
    c_.ifThen(c_.cmp(P::sge, iv, c_.i64(slots_)), [&] { waitWritten(slot); });
    combine(groupAt(iv), slot, carried[0], isEnd);
    return SmallVector<Value>{last_};
  });
  each(c_.i64(0), c_.min(count, c_.i64(slots_)), [&](Value slot) { waitWritten(slot); });
}

LogicalResult RowScatter::run() {
  if (failed(plan())) return failure();
  Side from = operandSide(context_, op_.getInputs()[0]), to = resultSide(context_, 0);
  if (!from.isAt(to)) emitWait(c_, emitArrayCopy(c_, from, to));
  int64_t groups = llvm::divideCeil(rows_, group_), groupsAPart = std::max<int64_t>(1, partRows_ / group_);
  int64_t parts = llvm::divideCeil(groups, groupsAPart);
  c_.loop(c_.i64(0), c_.i64(parts), 1, {}, [&](Value iv, ValueRange) {
    Value done = c_.mul(iv, groupsAPart);
    Value left = c_.b.createOrFold<arith::SubIOp>(c_.loc, c_.i64(groups), done);
    part(Linear(done) * group_, c_.min(left, c_.i64(groupsAPart)));
    return SmallVector<Value>();
  });
  return success();
}

}  // namespace

LogicalResult lowerRowScatter(KernelContext &context, Code &code, stablehlo::ScatterOp op) {
  return RowScatter(context, code, op).run();
}

}  // namespace tpuc::lowering
