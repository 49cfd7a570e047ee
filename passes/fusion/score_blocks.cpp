// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/score_blocks.h"

#include "passes/builders/build.h"
#include "passes/fusion/block_stacks.h"

using namespace mlir;

namespace tpuc::fusion {
using builders::typeOf;
namespace {

// Queries of a block that do not divide them are whole tiles of any element type.
constexpr int64_t kTileRows = 32;
// Fewer rows than this leave the matrix unit waiting for keys and values, which every block reads.
constexpr int64_t kLeastRows = 128;

int64_t bytesOf(Value v) {
  return llvm::divideCeil(typeOf(v).getNumElements() * typeOf(v).getElementTypeBitWidth(), 8);
}

// At most `most` queries, in whole tiles: without a rest where up to twice as many blocks have none.
int64_t queriesOf(int64_t queries, int64_t most) {
  const int64_t least = llvm::divideCeil(queries, most / kTileRows * kTileRows);
  for (int64_t blocks = least; blocks <= 2 * least; ++blocks)
    if (queries % (blocks * kTileRows) == 0) return queries / blocks;
  return static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(queries, least), kTileRows));
}

// The largest divisor of n that is at most `most`.
int64_t divisorOf(int64_t n, int64_t most) {
  int64_t divisor = std::max<int64_t>(1, std::min(n, most));
  while (n % divisor) --divisor;
  return divisor;
}

}  // namespace

SmallVector<int64_t> ScoreBlocks::outerDims() const {
  SmallVector<int64_t> out;
  for (int64_t d = 0; d < static_cast<int64_t>(s_.dims.size()); ++d)
    if (d != s_.m && d != s_.n) out.push_back(d);
  return out;
}

// The innermost heads are taken whole first; of the dim that does not fit a divisor. Fewer where that leaves cores
// about as many blocks each.
void ScoreBlocks::chooseHeads(int64_t heads, int64_t cores) {
  for (; heads > 0; --heads) {
    int64_t left = heads;
    for (int64_t d : outerDims()) block_[d] = 1;
    for (int64_t d : llvm::reverse(outerDims())) {
      block_[d] = divisorOf(s_.dims[d], left);
      if (block_[d] < s_.dims[d]) break;
      left /= s_.dims[d];
    }
    if (sharesEvenly(cores)) return;
  }
}

bool ScoreBlocks::choose(int64_t room, int64_t cores) {
  block_ = s_.dims;
  const auto keys = static_cast<int64_t>(llvm::alignTo(s_.dims[s_.n], 128));
  const int64_t queries = s_.dims[s_.m];
  // Scores as lanes hold them; probabilities may lie over them.
  int64_t all = keys * 4 * static_cast<int64_t>(llvm::alignTo(queries, 8));
  for (int64_t d : outerDims()) all *= s_.dims[d];
  if (cores == 1 && all <= room) return false;  // they stay there without a loop
  // A block's probabilities lie beside its scores. A quarter of the room is for the arrays that it reads and writes.
  const int64_t row = keys * (4 + llvm::divideCeil(typeOf(s_.probabilities()).getElementTypeBitWidth(), 8));
  const int64_t rows = room * 3 / 4 / row;
  if (rows < std::min(queries, kLeastRows)) return false;
  int64_t heads = 1;  // of all blocks
  for (int64_t d : outerDims()) {
    block_[d] = 1;
    heads *= s_.dims[d];
  }
  // Positions of queries would be arrays in HBM, which cores cannot share; and short blocks wait for what they read.
  if (cores > 1 && (rows < queries || queries < kLeastRows)) return false;
  if (rows < queries)
    block_[s_.m] = queriesOf(queries, rows);
  else
    chooseHeads(std::min(rows / static_cast<int64_t>(llvm::alignTo(queries, kTileRows)), heads / cores), cores);
  first_ = outerDims();
  if (isWalked(s_.m)) first_.push_back(s_.m);
  return count() > 1 && sharesEvenly(cores);
}

// Written and read: the scores, as the first product makes them, and the probabilities.
int64_t ScoreBlocks::scoreBytes() const { return 2 * (bytesOf(s_.scores()) + bytesOf(s_.probabilities())); }

int64_t ScoreBlocks::copiedBytes() const {
  int64_t bytes = 0;
  auto add = [&](Value v, const CommonDims &dims) {
    const bool isPadded = llvm::is_contained(dims, s_.m) && s_.dims[s_.m] % block_[s_.m];
    if (isPadded || !llvm::is_sorted(stackOrder(dims))) bytes += 2 * bytesOf(v);
  };
  for (const auto &[operand, dims] : s_.arrays) add(operand->get(), dims);
  add(s_.result(), s_.dimsOf.lookup(s_.result()));
  return bytes;
}

SmallVector<int64_t> ScoreBlocks::resultOrder() const {
  SmallVector<int64_t> first(first_);
  if (transposeOf(s_.result()) && !llvm::is_contained(first, s_.m)) first.push_back(s_.m);
  return orderBy(s_.dimsOf.lookup(s_.result()), first);
}

}  // namespace tpuc::fusion
