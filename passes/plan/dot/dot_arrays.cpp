// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the arrays share a matmul's block, which operands are staged, and how many results are in flight.
#include "passes/plan/dot/dot_plan.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

static constexpr int64_t kPoppedShare = 4;  // of all units, popped for nothing at most

// Whether so many arrays take equal parts of a block: of columns, rows, batches, and k.
bool DotPlan::mayShare(int64_t across, int64_t down, int64_t wide, int64_t deep) const {
  int64_t tiles = llvm::divideCeil(domain_.block[n_], side_), allTiles = llvm::divideCeil(domain_.dims[n_], side_),
          units = llvm::divideCeil(domain_.block[m_], domain_.unitRows()),
          batches = lastOuter() < 0 ? 1 : domain_.block[lastOuter()];
  if (tiles % across || allTiles % across || units % down || batches % wide || kTiles() % deep) return false;
  return deep == 1 || !((domain_.steps(kLast_) > 1 && domain_.hasTail(kLast_)) || product(kLead_) > 1);
}

// Shares systolic arrays out over columns, then rows, then batches, so that none is idle.
void DotPlan::splitArrays() {
  int64_t tiles = llvm::divideCeil(domain_.block[n_], side_),
          units = llvm::divideCeil(domain_.block[m_], domain_.unitRows());
  int64_t batches = lastOuter() < 0 ? 1 : domain_.block[lastOuter()];
  double best = -1;
  // Over k last of all: its partial results meet as they leave.
  for (int64_t deep = 1; deep <= arrays_; ++deep)
    for (int64_t across = 1; across * deep <= arrays_; ++across)
      for (int64_t down = 1; across * down * deep <= arrays_; ++down)
        for (int64_t wide = 1; across * down * wide * deep <= arrays_; ++wide) {
          if (!mayShare(across, down, wide, deep)) continue;
          // Rows at one a cycle, but no faster than the next tile's weights arrive; fewer tiles of more rows swap less
          // often.
          double rows = std::max<double>(units / down * domain_.unitRows() * product(mLead_), side_) + kTileOverhead;
          double cycles = tiles / across * (batches / wide) * (kTiles() / deep) * rows;
          if (best >= 0 && cycles >= best) continue;
          best = cycles;
          across_ = across;
          down_ = down;
          wide_ = wide;
          deep_ = deep;
        }
}

// What each operand's vregs would cost again for every group, and whether scratch saves it.
void DotPlan::chooseStaging() {
  bool resident = true;
  for (auto &b : weights_.blocks)
    for (int64_t d : outerDims()) resident &= !(domain_.steps(d) > 1 && b->dependsOn(*b->view, d));
  bool again = resident && domain_.steps(m_) > 1 && domain_.steps(n_) == 1 && !kSplit_;
  // Rows meet each group of columns, and all leading dims of these, in turn.
  const int64_t met = groups_ * product(nLead_) / (batch_.empty() ? wide_ : 1);
  staged_ = {!rows_.ready && (rows_.transposed || met > 1 || mode_.passes > 1),
             !weights_.ready && (weights_.transposed || again)};
}

// The scratch of an operand that is staged.
void DotPlan::stage(Operand &o, bool isStaged) {
  if (!isStaged) {
    o.scratch.reset();
    return;
  }
  if (!o.scratch) {
    SmallVector<int64_t> shape, order;
    DimMap map;
    for (int64_t d = 0; d < static_cast<int64_t>(domain_.dims.size()); ++d)
      if (d != o.view.r() && d != o.view.c() && llvm::is_contained(o.map, d)) map.push_back(d);
    map.append({o.view.r(), o.view.c()});
    for (int64_t d : map) shape.push_back(domain_.dims[d]);
    for (size_t i = 0; i < map.size(); ++i) order.push_back(i);
    Builder b(dot_.getContext());
    Type t = mode_.passes > 1 || mode_.suffix == "f32" ? Type(b.getF32Type())
             : mode_.suffix == "bf16"                  ? Type(b.getBF16Type())
                                                       : Type(b.getIntegerType(8));
    o.scratch = std::make_unique<ArrayBlock>(Array(RankedTensorType::get(shape, t), order), map);
    o.scratch->view = &o.view;
  }
  o.scratch->layOut(o.view);
}

// Chooses as many results in flight as the arrays' latency asks for, and the accumulators hold.
void DotPlan::chooseRing() {
  ring_ = 1;
  if (kSplit_) return;
  double drain = context_.model->latency(opsOf(mode_).push), unit = tilesPerUnit() * tileCycles();
  int64_t rows = context_.target.core().mxu_accumulator_rows(), kept = keptRows();
  // The first units pop sums for nothing.
  auto mayHold = [&](int64_t units) {
    return units * kept <= rows && (units == 2 || (units - 1) * kPoppedShare <= unitTrips());
  };
  while (ring_ < unitTrips() && mayHold(ring_ * 2) && (ring_ - 1) * unit < drain) ring_ *= 2;
  // A long epilogue has nothing to gain from a few pushes in its loop, several passes little for their code.
  popsAmongPushes_ = mode_.passes == 1 && popCycles() <= 2 * tileCycles();
}

// Lays blocks and scratch out in VMEM; the first free word.
int64_t DotPlan::place() {
  kSplit_ = llvm::any_of(grid_->sequential, [&](int64_t d) { return domain_.steps(d) > 1; });
  if (!isGiven_) splitArrays();
  groups_ = llvm::divideCeil(domain_.block[n_], side_) / across_;
  syncViews();
  if (!isGiven_) chooseStaging();
  stage(rows_, staged_[0]);
  stage(weights_, staged_[1]);
  if (!isGiven_) chooseRing();
  int64_t word = grid_->placeBlocks(context_.firstWord);
  int64_t region = rows_.blocks.size() + weights_.blocks.size() + space_.inputs.size() + space_.results.size();
  for (Operand *o : {&rows_, &weights_})
    if (o->scratch) {
      o->scratch->word = word;
      o->scratch->base = Linear(word);
      o->scratch->region = region++;
      word += o->scratch->slotWords;
    }
  return word;
}

}  // namespace tpuc::plan
