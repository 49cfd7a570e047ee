// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatter that reduces rows into a table that VMEM holds.
//
//  1. Copies of the table, elements in words of their own: the first one has the operand, others what changes nothing.
//     Each has a row more, for updates whose index is out of range.
//  2. A block of updates after the other comes to VMEM, and its indices to SMEM. Rows in turn go to different copies:
//     a row waits for the one before it only where both go to one copy.
//  3. The copies become one, which is packed and goes to HBM.
//  Where VMEM has no room for the table's blocks beside a copy, transfers move the first copy itself.
#include "passes/lowering/body/region.h"
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/move/op_kernel.h"
#include "passes/lowering/move/row_transfers.h"
#include "passes/plan/move/row_sums_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kCopyRegion = 1000;  // of the first copy
constexpr int64_t kStraight = 8;       // vregs of a row without a loop

class RowSums : RowSumsPlan {
 public:
  RowSums(KernelContext &context, Code &code, stablehlo::ScatterOp op)
      : RowSumsPlan(context, op), c_(code), element_(getElementTypeOrSelf(op.getType(0))) {}
  LogicalResult run(Value start, Value count);

 private:
  // A vreg of a row of updates: its word in their block, and where its elements go in a copy of the table. A stride of
  // 0 is one word, for all sublanes alike. Elements that share words go behind each other, eight rows each.
  struct Vreg {
    Linear update, copy;
    int64_t updateStride = 1, copyStride = 1;
    bool isOfOneRow = false;  // of those that share the words
  };
  bool isFlat() const { return type_.getRank() == 2; }
  int64_t pack() const { return read_->array.pack; }
  int64_t tiles() const { return llvm::divideCeil(shape_.columns, 128); }
  int64_t indexSemaphore() const { return 6; }  // behind those of three blocks
  int64_t tableSemaphore() const { return 8; }
  Linear copyAt(int64_t copy) const { return Linear(copyWord_ + copy * copyWords()); }

  void startIndices(Value block, Value slot);
  void eachVreg(function_ref<void(const Linear &block, const Linear &copy)> body, const ArrayBlock &block);
  void moveTable(const Linear &columns, bool isBrought);
  void makeCopies(const Linear &columns);
  void addCopies();
  void finish(const Linear &columns);
  void eachOfRow(const Linear &update, Value row, function_ref<void(const Vreg &)> body);
  Value unpackRow(Value words, int64_t part);
  void rows(const Linear &first, int64_t n, Value indices, Value end);
  void emitStep(const Step &step);

  Code &c_;
  Type element_;
};

// The part of the indices that belongs to a block of updates; the last one ends where their array does.
void RowSums::startIndices(Value block, Value slot) {
  Side from = operandSide(context_, op_.getScatterIndices());
  const int64_t bytes = 4 * shape_.rows;
  Value first = c_.min(c_.mul(block, bytes), c_.i64(from.array.hbmBytes() - bytes));
  startTransfer(c_, {"hbm", from.symbol, from.base + Linear(first)}, {"smem", "", Linear(slot) * bytes}, bytes, {},
                c_.add(slot, c_.i64(indexSemaphore())));
}

// All vregs of a table: words of its block, and those of a copy that the first of their elements have.
void RowSums::eachVreg(function_ref<void(const Linear &block, const Linear &copy)> body, const ArrayBlock &block) {
  const int64_t unit = 8 * pack(), tileWords = block.rowsHeld / pack();
  if (isFlat()) {
    c_.flatLoop({tiles(), static_cast<int64_t>(llvm::divideCeil(type_.getDimSize(0), unit))}, 4,
                [&](ArrayRef<Linear> at, const Linear &) {
                  body(block.base + at[0] * tileWords + at[1] * 8, at[0] * copyRows() + at[1] * unit);
                });
    return;
  }
  const int64_t leads = type_.getRank() - 2, held = static_cast<int64_t>(llvm::alignTo(type_.getDimSize(leads), unit));
  SmallVector<int64_t> extents(type_.getShape().take_front(leads));
  extents.append({tiles(), held / unit});
  c_.flatLoop(extents, 4, [&](ArrayRef<Linear> at, const Linear &) {
    Linear word = block.base + at[leads] * tileWords + at[leads + 1] * 8, copy;
    for (int64_t d = 0; d < leads; ++d) word = word + at[d] * block.leadWords[d];
    for (int64_t d = 0; d < leads; ++d) copy = copy * type_.getDimSize(d) + at[d];
    body(word, (copy * tiles() + at[leads]) * held + at[leads + 1] * unit);
  });
}

// The table to the first copy, or that to the sums: the words of some columns, whose tiles lie apart in a copy.
void RowSums::moveTable(const Linear &columns, bool isBrought) {
  const Side side = isBrought ? operandSide(context_, op_.getInputs()[0]) : resultSide(context_, 0);
  const int64_t rowTiles = side.array.rowTiles(), all = side.array.colTiles();
  TransferEnd table{side.space, side.symbol, side.base + columns * isa::kVregBytes},
      copy{"vmem", "", copyAt(0) * isa::kWordBytes};
  Value semaphore = c_.i64(tableSemaphore());
  auto start = [&](int64_t run, ArrayRef<int64_t> counts) {
    isBrought ? startTransfer(c_, table, copy, run, counts, semaphore)
              : startTransfer(c_, copy, table, run, counts, semaphore);
  };
  int64_t transfers = 1;
  if (all == 1) {
    start(rowTiles * isa::kVregBytes, {});
  } else {
    // A tile of columns after the other.
    transfers = tiles();
    table.stride = all * isa::kVregBytes;
    copy.stride = isa::kVregBytes;
    for (int64_t t = 0; t < transfers; ++t) {
      start(isa::kVregBytes, {rowTiles});
      table.at = table.at + Linear(isa::kVregBytes);
      copy.at = copy.at + Linear(copyRows() * isa::kWordBytes);
    }
  }
  c_.inst("dma.wait", {semaphore}, {{"count", transfers}});
}

void RowSums::makeCopies(const Linear &columns) {
  Value nothing = emitIdentity(c_, reducer_, element_);
  for (int64_t k = shape_.isMoved ? 1 : 0; k < shape_.copies; ++k)
    c_.flatLoop({static_cast<int64_t>(llvm::divideCeil(copyWords(), 8))}, 4, [&](ArrayRef<Linear> at, const Linear &) {
      c_.store(nothing, copyAt(k) + at[0] * 8, 1, kCopyRegion + k);
    });
  if (shape_.isMoved) return moveTable(columns, /*isBrought=*/true);
  eachVreg(
      [&](const Linear &block, const Linear &copy) {
        for (auto [g, v] : llvm::enumerate(unpackLanes(c_, element_, c_.load(block, 1, before_->region))))
          c_.store(v, copyAt(0) + copy + Linear(8 * static_cast<int64_t>(g)), 1, kCopyRegion);
      },
      *before_);
}

// To the first one.
void RowSums::addCopies() {
  if (shape_.copies == 1) return;
  c_.flatLoop({static_cast<int64_t>(llvm::divideCeil(copyWords(), 8))}, 4, [&](ArrayRef<Linear> at, const Linear &) {
    Value all = c_.load(copyAt(0) + at[0] * 8, 1, kCopyRegion);
    for (int64_t k = 1; k < shape_.copies; ++k)
      all = emitCombine(c_, reducer_, element_, all, c_.load(copyAt(k) + at[0] * 8, 1, kCopyRegion + k));
    c_.store(all, copyAt(0) + at[0] * 8, 1, kCopyRegion);
  });
}

void RowSums::finish(const Linear &columns) {
  if (shape_.isMoved) {
    addCopies();
    return moveTable(columns, /*isBrought=*/false);
  }
  eachVreg(
      [&](const Linear &block, const Linear &copy) {
        SmallVector<Value> groups;
        for (int64_t g = 0; g < pack(); ++g) {
          Value all;
          for (int64_t k = 0; k < shape_.copies; ++k) {
            Value v = c_.load(copyAt(k) + copy + Linear(8 * g), 1, kCopyRegion + k);
            all = all ? emitCombine(c_, reducer_, element_, all, v) : v;
          }
          groups.push_back(normalise(c_, element_, all));
        }
        c_.store(packLanes(c_, element_, groups), block, 1, written_->region);
      },
      *written_);
}

// `update`: the row of the block; `row`: of a copy.
void RowSums::eachOfRow(const Linear &update, Value row, function_ref<void(const Vreg &)> body) {
  const int64_t tileWords = read_->rowsHeld / pack();
  if (isFlat()) {
    const int64_t strided = shape_.stridedTiles(type_);
    const Linear word = read_->base + c_.divL(update, pack());
    auto tile = [&](const Linear &at, bool isStrided) {
      body({word + at * tileWords, Linear(row) + at * copyRows(), isStrided ? tileWords : 0, isStrided ? copyRows() : 0,
            true});
    };
    auto stridedTile = [&](const Linear &at) { tile(at * 8, true); };
    if (strided / 8 <= kStraight)
      for (int64_t v = 0; v < strided / 8; ++v) stridedTile(Linear(v));
    else
      c_.flatLoop({strided / 8}, 2, [&](ArrayRef<Linear> at, const Linear &) { stridedTile(at[0]); });
    if (tiles() - strided <= kStraight)
      for (int64_t t = strided; t < tiles(); ++t) tile(Linear(t), false);
    else
      c_.flatLoop({tiles() - strided}, 4,
                  [&](ArrayRef<Linear> at, const Linear &) { tile(at[0] + Linear(strided), false); });
    return;
  }
  // Words of a row, those of a tile's rows together.
  const int64_t leads = type_.getRank() - 2, unit = 8 * pack(),
                held = static_cast<int64_t>(llvm::alignTo(type_.getDimSize(leads), unit));
  SmallVector<int64_t> extents(type_.getShape().slice(1, leads - 1));
  extents.append({tiles(), held / unit});
  const Linear word = read_->base + update * read_->leadWords[0], place = Linear(c_.mul(row, rowStride()));
  auto vreg = [&](ArrayRef<Linear> at) {
    Linear from = word + at[leads - 1] * tileWords + at[leads] * 8, to;
    for (int64_t d = 1; d < leads; ++d) from = from + at[d - 1] * read_->leadWords[d];
    for (int64_t d = 1; d < leads; ++d) to = to * type_.getDimSize(d) + at[d - 1];
    body({from, place + (to * tiles() + at[leads - 1]) * held + at[leads] * unit});
  };
  if (llvm::product_of(extents) == 1) return vreg(SmallVector<Linear>(extents.size(), Linear(0)));
  c_.flatLoop(extents, 4, [&](ArrayRef<Linear> at, const Linear &) { vreg(at); });
}

// The elements of one row, out of words that rows share.
Value RowSums::unpackRow(Value words, int64_t part) {
  if (pack() == 1) return words;
  if (element_.isBF16())
    return part ? c_.inst("v.and", {words, c_.splatBits(0xffff0000)}) : c_.inst("v.shl", {words, c_.splatI(16)});
  Value bits = part ? c_.inst("v.shr.u32", {words, c_.splatI(16)}) : c_.inst("v.and", {words, c_.splatBits(0xffff)});
  return c_.inst("v.cvt.f16.f32", {bits});
}

// `n` rows of the block from `first` on; `indices`: byte of SMEM of the first one's. Those from row `end` on are out of
// range, if it is not null.
void RowSums::rows(const Linear &first, int64_t n, Value indices, Value end) {
  Value rowsInTable = c_.i64(type_.getDimSize(0));
  SmallVector<Value> places;
  for (int64_t i = 0; i < n; ++i) {
    Value index = c_.inst("s.ldw", {indices}, {{"off", 4 * i}});
    Value place = c_.select(c_.cmp(arith::CmpIPredicate::ult, index, rowsInTable), index, rowsInTable);
    if (end && i > 0)
      place = c_.select(c_.cmp(arith::CmpIPredicate::slt, c_.value(first + Linear(i)), end), place, rowsInTable);
    places.push_back(place);
  }
  for (auto [i, place] : llvm::enumerate(places)) {
    const auto row = static_cast<int64_t>(i), copy = row % shape_.copies;
    eachOfRow(first + Linear(row), place, [&](const Vreg &at) {
      Value words = c_.load(at.update, at.updateStride, read_->region);
      SmallVector<Value> fresh =
          at.isOfOneRow ? SmallVector<Value>{unpackRow(words, row % pack())} : unpackLanes(c_, element_, words);
      for (auto [g, v] : llvm::enumerate(fresh)) {
        const Linear to = copyAt(copy) + at.copy + Linear(8 * static_cast<int64_t>(g));
        Value old = c_.load(to, at.copyStride, kCopyRegion + copy);
        Value sum = emitCombine(c_, reducer_, element_, old, v);
        if (roundsEach(element_, reducer_)) sum = normalise(c_, element_, sum);
        c_.store(sum, to, at.copyStride, kCopyRegion + copy);
      }
    });
  }
}

void RowSums::emitStep(const Step &step) {
  constexpr int64_t kInTurn = 16;  // rows
  Value block = c_.value(step.index[0]), slot = c_.rem(block, 2);
  auto notLast = c_.b.createOrFold<arith::XOrIOp>(
      c_.loc, step.last, arith::ConstantIntOp::create(c_.b, c_.loc, c_.b.getI1Type(), 1).getResult());
  c_.ifThen(step.first, [&] { startIndices(block, slot); });
  c_.inst("dma.wait", {c_.add(slot, c_.i64(indexSemaphore()))}, {{"count", 1}});
  if (domain_.steps(0) > 1)
    c_.ifThen(notLast, [&] {
      startIndices(c_.add(block, c_.i64(1)), c_.b.createOrFold<arith::SubIOp>(c_.loc, c_.i64(1), slot));
    });
  const Linear columns = step.index.back() * tiles();  // of tiles, the first
  c_.ifThen(step.first, [&] { makeCopies(columns); });

  const int64_t all = operandArray(context_, op_.getScatterIndices()).hbmBytes() / 4;
  Value firstRow = c_.mul(block, shape_.rows), firstHeld = c_.min(firstRow, c_.i64(all - shape_.rows));
  Value ahead = c_.b.createOrFold<arith::SubIOp>(c_.loc, firstRow, firstHeld);
  Value here = c_.add(c_.mul(slot, 4 * shape_.rows), c_.mul(ahead, 4));
  Value count = c_.min(c_.value(Linear(firstRow) * -1 + Linear(updates_)), c_.i64(shape_.rows));
  Value turns = c_.div(count, kInTurn);
  auto rowsFrom = [&](const Linear &first, int64_t n, Value end) {
    rows(first, n, c_.value(Linear(here) + first * 4), end);
  };
  c_.loop(c_.i64(0), turns, 1, {}, [&](Value iv, ValueRange) {
    rowsFrom(c_.linear(iv) * kInTurn, kInTurn, {});
    return SmallVector<Value>();
  });
  if (updates_ % kInTurn)
    c_.loop(c_.div(c_.mul(turns, kInTurn), pack()), c_.div(c_.add(count, c_.i64(pack() - 1)), pack()), 1, {},
            [&](Value iv, ValueRange) {
              rowsFrom(c_.linear(iv) * pack(), pack(), pack() > 1 ? count : Value());
              return SmallVector<Value>();
            });
  c_.ifThen(step.last, [&] { finish(columns); });
}

LogicalResult RowSums::run(Value start, Value count) {
  if (failed(plan())) return failure();
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerRowSums(KernelContext &context, Code &code, stablehlo::ScatterOp op, Value start, Value count) {
  return RowSums(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
