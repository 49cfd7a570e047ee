// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather of rows from a table that VMEM holds.
//
//  1. The table comes to VMEM. Rows that share words get words of their own.
//  2. For a block of the result after the other, indices come to SMEM while rows of the block before are taken.
//  3. A row's word is loaded into all sublanes, and stored to the one where it goes. Rows that share a word there are
//     put together first.
#include "passes/lowering/grid/emit_grid.h"
#include "passes/lowering/grid/grid_ends.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/move/op_kernel.h"
#include "passes/lowering/move/row_transfers.h"
#include "passes/plan/move/held_rows_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kCopyRegion = 1000;
constexpr int64_t kInTurn = 16;   // rows
constexpr int64_t kStraight = 8;  // column tiles of a row without a loop

class HeldRows : HeldRowsPlan {
 public:
  HeldRows(KernelContext &context, Code &code, stablehlo::GatherOp op) : HeldRowsPlan(context, op), c_(code) {}
  LogicalResult run(Value start, Value count);

 private:
  static constexpr int64_t kIndexSemaphore = 4;  // behind those of two blocks

  int64_t pack() const { return written_->array.pack; }
  int64_t bits() const { return 32 / pack(); }
  int64_t tiles() const { return llvm::divideCeil(columns_, 128); }
  int64_t blocks() const { return llvm::divideCeil(count_, rows_); }

  void startIndices(Value block, Value slot);
  void makeCopy();
  Value load(const Linear &tile, Value row);
  void rows(const Linear &first, int64_t n, Value indices, Value last);
  void emitStep(const Step &step, Value begin, Value end);

  Code &c_;
  Value wanted_;  // how many of the result's rows, where that is a true size
};

// The part of the indices that belongs to a block of the result; the last one ends where their array does.
void HeldRows::startIndices(Value block, Value slot) {
  Side from = operandSide(context_, op_.getStartIndices());
  const int64_t bytes = 4 * rows_;
  Value first = c_.min(c_.mul(block, bytes), c_.i64(from.array.hbmBytes() - bytes));
  startTransfer(c_, {"hbm", from.symbol, from.base + Linear(first)}, {"smem", "", Linear(slot) * bytes}, bytes, {},
                c_.add(slot, c_.i64(kIndexSemaphore)));
}

void HeldRows::makeCopy() {
  const int64_t unit = 8 * pack(), tileWords = table_->rowsHeld / pack();
  c_.flatLoop({tiles(), static_cast<int64_t>(llvm::divideCeil(type_.getDimSize(0), unit))}, 4,
              [&](ArrayRef<Linear> at, const Linear &) {
                Value words = c_.load(table_->base + at[0] * tileWords + at[1] * 8, 1, table_->region);
                for (int64_t part = 0; part < pack(); ++part) {
                  Value own = c_.inst(bits() == 16 ? "v.unpack.b16" : "v.unpack.b8", {words},
                                      {{"part", part}, {"sext", false}});
                  c_.store(own, Linear(copyWord_ + 8 * part) + at[0] * copyRows() + at[1] * unit, 1, kCopyRegion);
                }
              });
}

// A row's word in all sublanes.
Value HeldRows::load(const Linear &tile, Value row) {
  if (pack() > 1) return c_.load(Linear(copyWord_) + tile * copyRows() + Linear(row), 0, kCopyRegion);
  return c_.load(table_->base + tile * table_->rowsHeld + Linear(row), 0, table_->region);
}

// `n` rows of the block from `first` on; `indices`: byte of SMEM of the first one's. Rows behind row `last` of them, if
// it is not null, are that row.
void HeldRows::rows(const Linear &first, int64_t n, Value indices, Value last) {
  SmallVector<Value> from;
  for (int64_t i = 0; i < n; ++i) {
    Value index = last ? c_.inst("s.ldw", {c_.add(indices, c_.mul(c_.min(c_.i64(i), last), 4))}, {{"off", 0}})
                       : c_.inst("s.ldw", {indices}, {{"off", 4 * i}});
    from.push_back(clampIndex(c_, index, type_.getDimSize(0) - 1));
  }
  const int64_t tileWords = written_->rowsHeld / pack();
  for (int64_t i = 0; i < n; i += pack()) {
    const Linear to = written_->base + c_.divL(first + Linear(i), pack());
    auto tile = [&](const Linear &at) {
      Value word = load(at, from[i]);
      for (int64_t part = 1; part < pack(); ++part)
        word = c_.inst("v.or", {word, c_.inst("v.shl", {load(at, from[i + part]), c_.splatI(part * bits())})});
      c_.store(word, to + at * tileWords, 0, written_->region);
    };
    if (tiles() <= kStraight)
      for (int64_t t = 0; t < tiles(); ++t) tile(Linear(t));
    else
      c_.flatLoop({tiles()}, 4, [&](ArrayRef<Linear> at, const Linear &) { tile(at[0]); });
  }
}

// `begin`, `end`: of the steps that this core runs.
void HeldRows::emitStep(const Step &step, Value begin, Value end) {
  using P = arith::CmpIPredicate;
  Value block = c_.value(step.index[0]), number = c_.value(step.index[2] * blocks() + Linear(block));
  Value slot = c_.rem(number, 2), next = c_.add(number, c_.i64(1));
  c_.ifThen(c_.cmp(P::eq, number, begin), [&] { startIndices(block, slot); });
  c_.inst("dma.wait", {c_.add(slot, c_.i64(kIndexSemaphore))}, {{"count", 1}});
  c_.ifThen(c_.cmp(P::slt, next, end), [&] { startIndices(c_.rem(next, blocks()), c_.rem(next, 2)); });
  if (pack() > 1) c_.ifThen(step.fresh[0], [&] { makeCopy(); });

  const int64_t all = operandArray(context_, op_.getStartIndices()).hbmBytes() / 4;
  Value firstRow = c_.mul(block, rows_), firstHeld = c_.min(firstRow, c_.i64(all - rows_));
  Value ahead = c_.b.createOrFold<arith::SubIOp>(c_.loc, firstRow, firstHeld);
  const Linear here = Linear(slot) * (4 * rows_) + Linear(ahead) * 4;
  const Linear left = Linear(firstRow) * -1 + (wanted_ ? Linear(wanted_) : Linear(count_));
  Value rowsHere = wanted_ ? clampIndex(c_, c_.value(left), rows_) : c_.min(c_.value(left), c_.i64(rows_));
  Value turns = c_.div(rowsHere, kInTurn);
  c_.loop(c_.i64(0), turns, 1, {}, [&](Value iv, ValueRange) {
    const Linear first = c_.linear(iv) * kInTurn;
    rows(first, kInTurn, c_.value(here + first * 4), {});
    return SmallVector<Value>();
  });
  if (count_ % kInTurn == 0 && !wanted_) return;
  c_.loop(c_.div(c_.mul(turns, kInTurn), pack()), c_.div(c_.add(rowsHere, c_.i64(pack() - 1)), pack()), 1, {},
          [&](Value iv, ValueRange) {
            const Linear first = c_.linear(iv) * pack();
            Value last = pack() > 1 ? c_.value(first * -1 + Linear(rowsHere) + Linear(-1)) : Value();
            rows(first, pack(), c_.value(here + first * 4), last);
            return SmallVector<Value>();
          });
}

LogicalResult HeldRows::run(Value start, Value count) {
  if (failed(plan())) return failure();
  // Sizes are read before indices lie over them.
  if (!context_.ends.empty() && !context_.ends[0].empty() && context_.ends[0][0])
    wanted_ = elementsBefore(c_, *context_.ends[0][0], count_);
  Value end = c_.add(start, count);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step, start, end); });
  return success();
}

}  // namespace

LogicalResult lowerHeldRows(KernelContext &context, Code &code, stablehlo::GatherOp op, Value start, Value count) {
  return HeldRows(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
