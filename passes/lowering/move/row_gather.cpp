// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather of rows that share words (passes/analysis/packed_rows.h), a tile of the result at a time.
//
//  1. Of each row of the tile the words that it lies in come to VMEM, one row after the other. Tiles that follow are
//     fetched meanwhile.
//  2. A word of the result has two or four rows. Each is a load of eight rows' words of a column tile, a row a sublane,
//     shifted by where the row lies in its words: SMEM has that in a few bits of each since they were fetched.
//  3. The tiles of all columns go to HBM, where they are neighbours.
//
// Rows past the last one are that row again: padding of the result.
#include <bit>

#include "passes/lowering/grid/grid_ends.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/move/op_kernel.h"
#include "passes/lowering/move/row_transfers.h"
#include "passes/plan/move/row_gather_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kAtOnce = 16;   // rows whose places registers hold
constexpr int64_t kUnrolled = 4;  // columns' tiles in one iteration

class RowGather : RowGatherPlan {
 public:
  RowGather(KernelContext &context, Code &code, stablehlo::GatherOp op)
      : RowGatherPlan(context, op), c_(code), result_(context.results[0]) {}
  LogicalResult run(Value start, Value count);

 private:
  enum Region : int64_t { kWords = 0, kTiles = 1 };
  static constexpr int64_t kFirstSemaphore = 2;  // the index array has two

  int64_t bits() const { return 32 / table_.perWord; }
  int64_t partBits() const { return llvm::Log2_64(table_.perWord); }
  SmallVector<Linear> point(ArrayRef<Linear> lead, const Linear &tile, int64_t i, bool isShort);
  SmallVector<Value> rows(ArrayRef<Linear> lead, const Linear &tile, int64_t first, bool isShort);
  Value partsByte(Value slot);
  void fetchRows(ArrayRef<Linear> lead, const Linear &tile, Value slot, bool isShort);
  void fetch(ArrayRef<Linear> lead, const Linear &tile, Value slot);
  SmallVector<Value> shifts(Value slot);
  void putTogether(Value slot);
  void send(ArrayRef<Linear> lead, const Linear &tile, Value slot);
  void gatherTiles(ArrayRef<Linear> lead, const Linear &first, Value tiles);
  SmallVector<Value> ends();
  void gatherAll(Value start, Value count);
  Value fetched(Value slot) { return c_.add(slot, c_.i64(kFirstSemaphore)); }
  Value sent(Value slot) { return c_.add(slot, c_.i64(kFirstSemaphore + slots_)); }

  Code &c_;
  Origin result_;
  std::optional<IndexArray> indices_;
  int64_t partsAt_ = 0;  // byte of SMEM, behind the indices
};

// Row `i` of a tile, past the last one that row, as the indices have it.
SmallVector<Linear> RowGather::point(ArrayRef<Linear> lead, const Linear &tile, int64_t i, bool isShort) {
  Linear at = tile * tileRows_ + Linear(i);
  if (isShort) at = Linear(c_.min(c_.value(at), c_.i64(array_.rows() - 1)));
  SmallVector<Linear> point(lead);
  point.push_back(at);
  return point;
}

// The table's rows that `kAtOnce` rows of a tile from `first` on are. Neighbours have their indices in one part.
SmallVector<Value> RowGather::rows(ArrayRef<Linear> lead, const Linear &tile, int64_t first, bool isShort) {
  constexpr int64_t kNeighbours = 8;
  SmallVector<Value> indices;
  for (int64_t i = first; i < first + kAtOnce; i += kNeighbours) {
    SmallVector<SmallVector<Linear>> points;
    for (int64_t k = 0; k < kNeighbours; ++k) points.push_back(point(lead, tile, i + k, isShort));
    if (isShort)
      for (const SmallVector<Linear> &at : points) indices.push_back(indices_->at(at, 0));
    else
      llvm::append_range(indices, indices_->ofEach(points, 0));
  }
  return llvm::map_to_vector(indices, [&](Value index) { return clampIndex(c_, index, table_.array.rows() - 1); });
}

// Byte of SMEM where the places of rows in their words are, those of `kAtOnce` rows in a word of it.
Value RowGather::partsByte(Value slot) { return c_.mul(slot, 4 * (tileRows_ / kAtOnce)); }

// Places are read, and written, before transfers start: loads from SMEM do not pass one.
void RowGather::fetchRows(ArrayRef<Linear> lead, const Linear &tile, Value slot, bool isShort) {
  Linear to = Linear(slot) * (tileRows_ * table_.slotWords()) + Linear(fetched_);
  for (int64_t first = 0; first < tileRows_; first += kAtOnce) {
    SmallVector<Value> places;
    Value parts;
    for (auto [i, row] : llvm::enumerate(rows(lead, tile, first, isShort))) {
      places.push_back(byteOfRow(c_, table_, c_.div(row, table_.perWord)));
      Value part = c_.mul(c_.rem(row, table_.perWord), int64_t{1} << (static_cast<int64_t>(i) * partBits()));
      parts = parts ? c_.b.createOrFold<arith::OrIOp>(c_.loc, parts, part) : part;
    }
    c_.inst("s.stw", {parts, partsByte(slot)}, {{"off", partsAt_ + 4 * (first / kAtOnce)}});
    for (auto [i, place] : llvm::enumerate(places))
      startTransfer(
          c_, {"hbm", table_.origin.buffer, Linear(place), isa::kVregBytes},
          {"vmem", "", (to + Linear((first + static_cast<int64_t>(i)) * table_.slotWords())) * isa::kWordBytes,
           isa::kWordBytes},
          table_.run(), table_.counts(), fetched(slot));
  }
}

void RowGather::fetch(ArrayRef<Linear> lead, const Linear &tile, Value slot) {
  const int64_t whole = array_.rows() / tileRows_;
  if (array_.rows() % tileRows_ == 0) return fetchRows(lead, tile, slot, /*isShort=*/false);
  if (whole == 0) return fetchRows(lead, tile, slot, /*isShort=*/true);
  c_.ifThen(
      c_.cmp(arith::CmpIPredicate::slt, c_.value(tile), c_.i64(whole)),
      [&] { fetchRows(lead, tile, slot, /*isShort=*/false); }, [&] { fetchRows(lead, tile, slot, /*isShort=*/true); });
}

// For each part of a word: the first bits of eight rows in the words that were fetched, a row a sublane.
SmallVector<Value> RowGather::shifts(Value slot) {
  Value sublane = c_.inst("v.subid", {}), words;
  const int64_t rowsOfWord = kAtOnce / table_.perWord;  // sublanes whose rows one word of SMEM has
  for (int64_t k = tileRows_ / kAtOnce; k-- > 0;) {
    Value word = c_.inst("v.splat", {c_.inst("s.ldw", {partsByte(slot)}, {{"off", partsAt_ + 4 * k}})});
    words =
        words ? c_.inst("v.sel", {c_.inst("v.lt.s32", {sublane, c_.splatI((k + 1) * rowsOfWord)}), word, words}) : word;
  }
  Value own = c_.inst("v.and", {sublane, c_.splatI(rowsOfWord - 1)}), mask = c_.splatI(table_.perWord - 1);
  SmallVector<Value> out;
  for (int64_t part = 0; part < table_.perWord; ++part) {
    Value at = c_.inst("v.add.i32", {c_.inst("v.shl", {own, c_.splatI(llvm::Log2_64(table_.perWord * partBits()))}),
                                     c_.splatI(part * partBits())});
    Value place = c_.inst("v.and", {c_.inst("v.shr.u32", {words, at}), mask});
    out.push_back(c_.inst("v.shl", {place, c_.splatI(llvm::Log2_64(bits()))}));
  }
  return out;
}

void RowGather::putTogether(Value slot) {
  const int64_t pitch = table_.slotWords();
  SmallVector<Value> shift = shifts(slot);
  Value keep = c_.splatBits(static_cast<uint32_t>((int64_t{1} << bits()) - 1));
  Linear from = Linear(slot) * (tileRows_ * pitch) + Linear(fetched_),
         to = Linear(slot) * (8 * table_.words) + Linear(made_);
  c_.flatLoop({table_.words}, kUnrolled, [&](ArrayRef<Linear> at, const Linear &) {
    Value made;
    for (int64_t part = 0; part < table_.perWord; ++part) {
      Value words = c_.load(from + at[0] + Linear(part * pitch), table_.perWord * pitch, kWords);
      Value own = c_.inst("v.and", {c_.inst("v.shr.u32", {words, shift[part]}), keep});
      made = made ? c_.inst("v.or", {made, c_.inst("v.shl", {own, c_.splatI(part * bits())})}) : own;
    }
    c_.store(made, to + at[0] * 8, 1, kTiles);
  });
}

void RowGather::send(ArrayRef<Linear> lead, const Linear &tile, Value slot) {
  Linear place = result_.offset + tile * array_.rowTileStrideBytes();
  for (auto [d, at] : llvm::enumerate(lead)) place = place + at * array_.leadStrideBytes(static_cast<int64_t>(d));
  Linear from = Linear(slot) * (8 * table_.words) + Linear(made_);
  startTransfer(c_, {"vmem", "", from * isa::kWordBytes}, {"hbm", result_.buffer, place},
                table_.words * isa::kVregBytes, {}, sent(slot));
}

// `tiles` of them from `first` on. Iteration i fetches one and puts together that of `slots_ - 1` iterations before.
void RowGather::gatherTiles(ArrayRef<Linear> lead, const Linear &first, Value tiles) {
  using P = arith::CmpIPredicate;
  Value behind = c_.i64(slots_ - 1);
  c_.loop(c_.i64(0), c_.add(tiles, behind), 1, {}, [&](Value i, ValueRange) {
    c_.ifThen(c_.cmp(P::slt, i, tiles), [&] { fetch(lead, first + Linear(i), c_.rem(i, slots_)); });
    c_.ifThen(c_.cmp(P::sge, i, behind), [&] {
      Value made = c_.b.createOrFold<arith::SubIOp>(c_.loc, i, behind), slot = c_.rem(made, slots_);
      c_.inst("dma.wait", {fetched(slot)}, {{"count", tileRows_}});
      c_.ifThen(c_.cmp(P::sge, made, c_.i64(slots_)), [&] { c_.inst("dma.wait", {sent(slot)}, {{"count", 1}}); });
      putTogether(slot);
      send(lead, first + Linear(made), slot);
    });
    return SmallVector<Value>();
  });
  c_.loop(c_.i64(0), c_.min(tiles, c_.i64(slots_)), 1, {}, [&](Value slot, ValueRange) {
    c_.inst("dma.wait", {sent(slot)}, {{"count", 1}});
    return SmallVector<Value>();
  });
}

// How many of each dim are wanted: tiles that have rows behind a true size alone are not fetched.
SmallVector<Value> RowGather::ends() {
  SmallVector<Value> ends;
  for (auto [d, extent] : llvm::enumerate(shares_.extents)) {
    const bool isWhole = context_.ends.empty() || context_.ends[0].empty() || !context_.ends[0][d];
    ends.push_back(isWhole ? c_.i64(extent) : elementsBefore(c_, *context_.ends[0][d], array_.extent(d)));
    if (!isWhole && d + 1 == shares_.extents.size())
      ends[d] = c_.div(c_.add(ends[d], c_.i64(tileRows_ - 1)), tileRows_);
  }
  return ends;
}

// `start`, `count`: of the parts that this core has.
void RowGather::gatherAll(Value start, Value count) {
  // Sizes are read before indices lie over them.
  SmallVector<Value> ends = this->ends();
  indices_.emplace(context_, c_, op_.getStartIndices(), op_.getDimensionNumbers().getIndexVectorDim(), indexParts_);
  partsAt_ = static_cast<int64_t>(llvm::alignTo(context_.smemBytes, 4));
  context_.smemBytes = partsAt_ + slots_ * 4 * (tileRows_ / kAtOnce);
  const std::optional<size_t> cut = shares_.dim();
  SmallVector<Linear> lead;
  Linear first;
  std::function<void(size_t)> go = [&](size_t d) {
    const Linear from = d == cut ? first : Linear();
    if (d + 1 == ends.size()) return gatherTiles(lead, from, ends[d]);
    c_.loop(c_.i64(0), ends[d], 1, {}, [&](Value i, ValueRange) {
      lead.push_back(from + Linear(i));
      go(d + 1);
      lead.pop_back();
      return SmallVector<Value>();
    });
  };
  if (!cut) return go(0);
  context_.gridSteps = shares_.parts();
  c_.loop(start, c_.add(start, count), 1, {}, [&, all = ends[*cut]](Value part, ValueRange) {
    const Value begin = c_.mul(part, shares_.blocks[*cut]);
    first = Linear(begin);
    ends[*cut] = endOfPart(c_, begin, all, shares_.blocks[*cut]);
    go(0);
    return SmallVector<Value>();
  });
}

LogicalResult RowGather::run(Value start, Value count) {
  if (failed(plan())) return failure();
  gatherAll(start, count);
  return success();
}

}  // namespace

LogicalResult lowerRowGather(KernelContext &context, Code &code, stablehlo::GatherOp op, Value start, Value count) {
  return RowGather(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
