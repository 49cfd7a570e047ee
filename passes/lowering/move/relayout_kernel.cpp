// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relayouts, block by block.
//
//  1. Each row of packed elements becomes a word.
//  2. Each vreg of the result is made of parts: 8 rows of a column tile of the operand, their lanes turned to where
//     they belong. All positions of the factors that are no part are one loop.
//  3. Rows that share words are packed again.
#include "passes/lowering/kernels.h"
#include "passes/plan/move/relayout_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

using analysis::Factor;

constexpr int64_t kFromRegion = 1001, kToRegion = 1002;  // of arrays with a word a row

// Lanes of a column tile of the operand, and where they come to lie in one of the result. Words count from a block's
// beginning.
struct Part {
  int64_t fromWord, toWord, fromLane, toLane;
};

// A factor in a block: its positions, and words between neighbours.
struct Walk {
  int64_t size, from, to;
};

// Where a vreg's first rows are, and how far apart its sublanes.
struct Rows {
  Linear from, to;
  int64_t fromStride, toStride;
};

class RelayoutKernel : RelayoutPlan {
 public:
  RelayoutKernel(KernelContext &context, Code &code) : RelayoutPlan(context), c_(code) {}
  LogicalResult run(Value start, Value count);

 private:
  void addParts();
  void addWalks();
  void emitStep();
  void emitMoves(const Linear &from, const Linear &to);
  void emitMove(const Rows &rows, Value mask);
  void emitWords(const ArrayBlock &block, const WideBlock &wide, const Linear &word, bool unpacks);
  int64_t regionOf(const ArrayBlock &block, int64_t wide) const { return isPacked() ? wide : block.region; }

  Code &c_;
  SmallVector<Part> parts_;         // by the result's column tile, then by lane
  SmallVector<Walk> walks_;         // the last one lies along sublanes
  DenseMap<int64_t, Value> lower_;  // masks of the lanes below one
};

// Cuts runs of lanes where column tiles end, on both sides.
void RelayoutKernel::addParts() {
  const int64_t fromLanes = relayout_.lanes().from, toLanes = relayout_.lanes().to;
  int64_t count = 1;
  for (const Factor &f : turned_) count *= f.size;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, fromWord = 0, toWord = 0, fromLane = 0, toLane = 0;
    for (const Factor &f : llvm::reverse(turned_)) {
      int64_t at = rest % f.size;
      rest /= f.size;
      if (f.from == fromLanes)
        fromLane += at * f.fromStride;
      else if (f.from >= 0)
        fromWord += at * wideFrom_.stride(f.from, f.fromStride);
      if (f.to == toLanes)
        toLane += at * f.toStride;
      else
        toWord += at * wideTo_.stride(f.to, f.toStride);
    }
    for (int64_t done = 0; done < run_;) {
      int64_t from = fromLane + done, to = toLane + done;
      parts_.push_back(
          {fromWord + from / 128 * wideFrom_.colWords, toWord + to / 128 * wideTo_.colWords, from % 128, to % 128});
      done += std::min(128 - from % 128, 128 - to % 128);
    }
  }
  llvm::sort(parts_, [](const Part &a, const Part &b) {
    return std::pair(a.toWord, a.toLane) < std::pair(b.toWord, b.toLane);
  });
}

void RelayoutKernel::addWalks() {
  for (const Factor &f : walked_) {
    int64_t size = sizeIn(f);
    if (size == 1) continue;
    walks_.push_back({size, f.from < 0 ? 0 : wideFrom_.stride(f.from, f.fromStride), wideTo_.stride(f.to, f.toStride)});
  }
  // Eight positions of one factor are a vreg; the last vreg of them may have some that others have too.
  auto score = [](const Walk &w) { return usefulSublanes(w.size, w.from, w.to); };
  auto *best =
      std::max_element(walks_.begin(), walks_.end(), [&](const Walk &a, const Walk &b) { return score(a) < score(b); });
  Walk rows{1, 0, 0};  // one row at a time
  if (best != walks_.end() && score(*best)) {
    rows = *best;
    walks_.erase(best);
  }
  walks_.push_back(rows);
}

// A vreg of each column tile that has parts.
void RelayoutKernel::emitMove(const Rows &rows, Value mask) {
  const int64_t fromRegion = regionOf(*from_, kFromRegion), toRegion = regionOf(*to_, kToRegion);
  DenseMap<int64_t, Value> loaded;
  for (size_t i = 0; i < parts_.size();) {
    Value made;
    const int64_t word = parts_[i].toWord;
    for (; i < parts_.size() && parts_[i].toWord == word; ++i) {
      const Part &p = parts_[i];
      Value &v = loaded[p.fromWord];
      if (!v) v = c_.load(rows.from + Linear(p.fromWord), rows.fromStride, fromRegion);
      int64_t by = (p.toLane - p.fromLane + 128) % 128;
      Value turned = by ? c_.inst("x.rot.lane", {v}, {{"imm", by}}) : v;
      made = made ? c_.inst("v.sel", {lower_.lookup(p.toLane), made, turned}) : turned;
    }
    c_.store(made, rows.to + Linear(word), rows.toStride, toRegion, mask);
  }
}

void RelayoutKernel::emitMoves(const Linear &from, const Linear &to) {
  constexpr int64_t kParts = 16;  // of a loop's body
  const Walk rows = walks_.back();
  const int64_t unroll = std::max<int64_t>(1, kParts / static_cast<int64_t>(parts_.size()));
  SmallVector<int64_t> extents;
  for (const Walk &w : walks_) extents.push_back(w.size);
  auto emitAll = [&](int64_t vregs, int64_t first, Value mask) {
    extents.back() = vregs;
    c_.flatLoop(extents, unroll, [&](ArrayRef<Linear> at, const Linear &) {
      Rows now{from + Linear(first * rows.from), to + Linear(first * rows.to), rows.from, rows.to};
      for (auto [i, w] : llvm::enumerate(ArrayRef(walks_).drop_back())) {
        now.from = now.from + at[i] * w.from;
        now.to = now.to + at[i] * w.to;
      }
      now.from = now.from + at.back() * (8 * rows.from);
      now.to = now.to + at.back() * (8 * rows.to);
      emitMove(now, mask);
    });
  };
  if (rows.size == 1) return emitAll(1, 0, c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splatI(1)}));
  emitAll(rows.size / 8, 0, {});
  if (rows.size % 8) emitAll(1, rows.size - 8, {});
}

// Each row of a packed block to a word of its own at `word`, or from there.
void RelayoutKernel::emitWords(const ArrayBlock &block, const WideBlock &wide, const Linear &word, bool unpacks) {
  const Array &a = block.array;
  const int64_t pack = a.pack, region = unpacks ? kFromRegion : kToRegion;
  SmallVector<int64_t> extents;
  for (int64_t phys = 0; phys < a.rank() - 2; ++phys) extents.push_back(block.extents[phys]);
  extents.append({wide.colTiles, wide.rows / a.tileRows()});
  c_.flatLoop(extents, 4, [&](ArrayRef<Linear> at, const Linear &) {
    Linear packed = block.base, row = word;
    for (int64_t phys = 0; phys < a.rank() - 2; ++phys) {
      packed = packed + at[phys] * block.leadWords[phys];
      row = row + at[phys] * wide.leadWords[phys];
    }
    packed = packed + at[a.rank() - 2] * (block.rowsHeld / pack) + at.back() * 8;
    row = row + at[a.rank() - 2] * wide.colWords + at.back() * a.tileRows();
    if (unpacks) {
      Value v = c_.load(packed, 1, block.region);
      StringRef unpack = pack == 2 ? "v.unpack.b16" : "v.unpack.b8";
      for (int64_t i = 0; i < pack; ++i)
        c_.store(c_.inst(unpack, {v}, {{"part", i}, {"sext", 0}}), row + Linear(8 * i), 1, region);
      return;
    }
    SmallVector<Value> v;
    for (int64_t i = 0; i < pack; ++i) v.push_back(c_.load(row + Linear(8 * i), 1, region));
    for (StringRef join : {"v.pack.b16", "v.pack.b8"}) {
      if (v.size() == 1) break;
      for (size_t i = 0; i < v.size() / 2; ++i) v[i] = c_.inst(join, {v[2 * i], v[2 * i + 1]});
      v.truncate(v.size() / 2);
    }
    c_.store(v[0], packed, 1, block.region);
  });
}

void RelayoutKernel::emitStep() {
  for (const Part &p : parts_)
    if (p.toLane) lower_[p.toLane] = c_.inst("v.lt.s32", {c_.inst("v.laneid", {}), c_.splatI(p.toLane)});
  if (!isPacked()) return emitMoves(from_->base, to_->base);
  emitWords(*from_, wideFrom_, Linear(wideFromWord_), true);
  emitMoves(Linear(wideFromWord_), Linear(wideToWord_));
  emitWords(*to_, wideTo_, Linear(wideToWord_), false);
}

LogicalResult RelayoutKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  addParts();
  addWalks();
  context_.gridSteps = grid_->parallelSteps();
  emitGrid(*grid_, c_, start, count, [&](const Step &) { emitStep(); });
  return success();
}

}  // namespace

LogicalResult lowerRelayoutKernel(KernelContext &context, Code &code, Value start, Value count) {
  return RelayoutKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
