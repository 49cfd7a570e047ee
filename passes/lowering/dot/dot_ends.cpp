// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls that end where the program's true sizes do.
//
// Along k: both operands have masks `iota < size`. The masks go; tiles behind the end are not pushed, the one that it
// lies in is cut, and those before it cost nothing more. Along m and n: rows and columns that nobody asks for.
#include "passes/lowering/dot/dot_kernel.h"

using namespace mlir;

namespace tpuc::lowering {

// A block behind the end still pushes one tile, of zeros.
void DotKernel::findTilesLeft(const Step &step) {
  Value size = c_.inst("s.ldw", {c_.i64(end_)});
  // A size that is another array's may lie behind this one's end.
  if (domain_.dims[kLast_] % side_) size = c_.min(size, c_.i64(domain_.dims[kLast_]));
  kLeft_ = Linear(size) + step.index[kLast_] * -domain_.block[kLast_];
  const int64_t tiles = kTiles() / deep_;
  tilesLeft_ = c_.i64(1);
  if (tiles == 1) return;
  Value left = c_.max(c_.value(kLeft_ + Linear(side_ * deep_ - 1)), c_.i64(side_ * deep_));
  tilesLeft_ = c_.min(c_.div(left, side_ * deep_), c_.i64(tiles));
}

// The units of rows, and groups of columns, in which a block holds results that anybody asks for.
void DotKernel::findResultsLeft(const Step &step) {
  unitsLeft_ = unitsBefore(*grid_, c_, step.index, m_, domain_.unitRows());
  const int64_t columns = across_ * side_;
  groupsLeft_ = domain_.block[n_] % columns ? Value() : unitsBefore(*grid_, c_, step.index, n_, columns);
}

// `first`'s weights are staged, with what lies behind the end cut off.
void DotKernel::emitTilesLeft(const Tile &first, function_ref<void()> next, const Results *leaving) {
  const Linear whole(side_ * deep_), last = c_.linear(tilesLeft_) + Linear(-1);
  auto at = [&](const Linear &index, bool isLast) {
    Tile t = first;
    t.lanes = isLast ? kLeft_ + index * (-side_ * deep_) : whole;
    t.k.at[kLast_] = index * (side_ / 128 * deep_);
    return t;
  };
  Value end = c_.value(last), before = c_.add(end, c_.i64(-1));
  c_.loop(c_.i64(0), c_.max(before, c_.i64(0)), 1, {}, [&](Value iv, ValueRange) {
    const Linear index = c_.linear(iv);
    runTile(at(index, false), [&] { stageWeights(at(index + Linear(1), false)); });
    return SmallVector<Value>();
  });
  if (!last.isConstant())
    c_.ifThen(c_.cmp(arith::CmpIPredicate::sge, before, c_.i64(0)),
              [&] { runTile(at(c_.linear(before), false), [&] { stageWeights(at(last, true)); }); });
  runTile(at(last, true), next, leaving);
}

}  // namespace tpuc::lowering
