// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block sizes of a matmul, by estimated cycles.
//
//  1. For each candidate block: arrays side by side over columns, rows or batches, whichever takes the fewest cycles a
//     tile; operands that need work are staged where their rows would otherwise be worked on more than once.
//  2. Cost: the grid's steps at the slower of computing and moving a step's blocks, plus the first and last transfers.
//  3. The cheapest that fits a kernel's share of VMEM and the accumulators; when none fits, or the cheapest is far from
//     the least that could be, all of VMEM is searched. When nothing fits that, leading dims are halved.
#include <numeric>

#include "passes/plan/dot/dot_plan.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

static constexpr int64_t kFewRows = 128;  // that blocks of no equal parts for each array have at least
// Cycles of the cheapest block in a kernel's share, over the least that could be, from which all of VMEM is tried; how
// much cheaper it must be, for it leaves less to arrays that stay between kernels.
static constexpr double kFarAbove = 1.25, kWorthAll = 0.75;

SmallVector<int64_t> DotPlan::outerDims() const {
  SmallVector<int64_t> outer(nLead_);
  llvm::append_range(outer, batch_);
  return outer;
}

int64_t DotPlan::product(ArrayRef<int64_t> dims) const {
  int64_t n = 1;
  for (int64_t d : dims) n *= domain_.block[d];
  return n;
}

// Blocks that come and go, and sums that stay over grid steps: what counts towards a kernel's share of VMEM.
int64_t DotPlan::sharedWords() const {
  int64_t words = kSplit_ ? groups_ * product(outerDims()) / wide_ * keptRows() * resultArrays() * (side_ / 128) : 0;
  auto add = [&](const ArrayBlock &b) { words += b.slots > 1 ? b.slots * b.slotWords : 0; };
  for (const Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) add(*b);
  for (const auto *blocks : {&space_.inputs, &space_.results})
    for (auto &b : *blocks) add(*b);
  return words;
}

bool DotPlan::fits() {
  const int64_t words = place();
  leastWords_ = std::min(leastWords_, words);
  if (words > vmemBudgetWords(context_.target)) return false;
  leastRows_ = std::min(leastRows_, accumulatorRows());
  if (keepsToShare_ && sharedWords() > kernelVmemWords(context_.target)) {
    isOverShare_ = true;
    return false;
  }
  return accumulatorRows() <= static_cast<int64_t>(context_.target.core().mxu_accumulator_rows());
}

// Rows of accumulators that a block's results take at once in each systolic array.
int64_t DotPlan::accumulatorRows() const {
  return keptRows() * (kSplit_ ? groups_ * product(outerDims()) / wide_ : ring_);
}

// Dims under a tile off their own axis stay whole, or come in whole tiles where nothing else fits. A vector of bf16 has
// elements 128 apart in a word: it is cut between words.
void DotPlan::findGranules() {
  whole_.clear();
  SmallVector<ArrayBlock *> inputs;
  for (Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) inputs.push_back(b.get());
  llvm::append_range(inputs, space_.inputPointers());
  grid_ = std::make_unique<Grid>(domain_, inputs, space_.resultPointers(), context_.residents);
  int64_t resultRows = 1, resultColumns = 1;
  leadGranule_.assign(domain_.dims.size(), 1);
  for (ArrayBlock *b : llvm::concat<ArrayBlock *>(inputs, space_.resultPointers()))
    for (int64_t phys = std::max<int64_t>(b->array.rank() - 2, 0); phys < b->array.rank(); ++phys) {
      const int64_t k = b->map[b->array.order[phys]], blocked = b->blockedDim(*b->view, phys);
      const bool isOffAxis = k >= 0 && (b->isResult ? k != m_ && k != n_ : k != b->view->r() && k != b->view->c());
      if (isOffAxis && domain_.cutsTiles && blocked == k)
        leadGranule_[k] = std::lcm(leadGranule_[k], (b->array.isVector() ? 128 : 8) * b->array.pack);
      else if (k >= 0 && (b->isResult ? blocked == kUnit : isOffAxis && !b->array.isVector()))
        whole_.insert(k);
      if (!b->isResult || !b->array.isVector()) continue;
      if (k == m_) resultRows = std::lcm(resultRows, 128 * b->array.pack);
      if (k == n_) resultColumns = std::lcm(resultColumns, 128 * b->array.pack);
    }
  // Lanes of an exchanged operand are its rows: whole tiles of 128.
  rowGranule_ = std::lcm(std::lcm(domain_.unitRows(), rows_.transposed ? 128 : 1), resultRows);
  columnGranule_ = std::lcm(side_, resultColumns);
}

// Blocks to try along a dim: its parts, in multiples of `granule`.
SmallVector<int64_t> DotPlan::sizesOf(int64_t d, int64_t granule, ArrayRef<int64_t> parts) const {
  if (whole_.contains(d) || domain_.dims[d] <= granule) return {domain_.dims[d]};
  llvm::SmallSetVector<int64_t, 16> out;
  SmallVector<int64_t> all(parts);
  if (triesLeast_) all.append({1024, 4096, 16384});
  for (int64_t p : all)
    out.insert(std::min<int64_t>(llvm::alignTo(llvm::divideCeil(domain_.dims[d], p), granule),
                                 d == m_ ? llvm::alignTo(domain_.dims[d], granule) : domain_.dims[d]));
  return SmallVector<int64_t>(out.begin(), out.end());
}

// The cheapest of the candidates that fit: its block and the order of the grid. Its cycles; -1: none fits.
double DotPlan::search(const Sizes &sizes) {
  double best = -1;
  SmallVector<int64_t> bestBlock;
  bool bestOrder = false;
  auto tryBlock = [&] {
    for (bool columnsOutside : {false, true}) {
      setOrder(columnsOutside);
      if (columnsOutside && (domain_.steps(m_) == 1 || domain_.steps(n_) == 1)) continue;
      if (!fits()) continue;
      double cycles = cost() * unevenness();
      if (best >= 0 && cycles >= best) continue;
      best = cycles;
      bestBlock = domain_.block;
      bestOrder = columnsOutside;
    }
  };
  auto tryColumns = [&] {
    for (int64_t outer : sizes.outers)
      for (int64_t n : sizes.n)
        for (int64_t k : sizes.k) {
          if (sizes.outer >= 0) domain_.block[sizes.outer] = outer;
          domain_.block[n_] = n;
          domain_.block[kLast_] = k;
          tryBlock();
        }
  };
  auto tryRows = [&] {
    for (auto [lead, m] : sizes.rows)
      for (int64_t batch : sizes.batches) {
        if (!batch_.empty()) domain_.block[batch_.back()] = batch;
        if (sizes.lead >= 0) domain_.block[sizes.lead] = lead;
        domain_.block[m_] = m;
        tryColumns();
      }
  };
  for (int64_t depth : sizes.depths) {
    if (sizes.deep >= 0) domain_.block[sizes.deep] = depth;
    tryRows();
  }
  if (best < 0) return best;
  domain_.block = bestBlock;
  setOrder(bestOrder);
  return best;
}

// The outer dim, besides the last batch dim, whose sizes are tried: columns of one tile come several at a time, of a
// leading dim or a batch of batches. -1: none.
int64_t DotPlan::triedOuter() const {
  const int64_t d = !nLead_.empty() ? nLead_.back() : batch_.size() > 1 ? batch_[batch_.size() - 2] : -1;
  return d >= 0 && !whole_.contains(d) && domain_.dims[n_] <= side_ ? d : -1;
}

// The first leading dim that may be halved, of those whose sizes are not tried; -1: none.
int64_t DotPlan::chooseCut() const {
  auto isTried = [&](int64_t d) { return d == triedOuter() || (!batch_.empty() && d == batch_.back()); };
  for (ArrayRef<int64_t> dims :
       {ArrayRef<int64_t>(mLead_), ArrayRef<int64_t>(kLead_), ArrayRef<int64_t>(nLead_), ArrayRef<int64_t>(batch_)})
    for (int64_t d : dims)
      if (!whole_.contains(d) && domain_.block[d] > leadGranule_[d] && !isTried(d)) return d;
  return -1;
}

// A part of a leading dim, in whole tiles of the arrays that have it under one.
int64_t DotPlan::leadPart(int64_t d, int64_t size, int64_t parts) const {
  return std::min<int64_t>(size, llvm::alignTo(llvm::divideCeil(size, parts), leadGranule_[d]));
}

// Leading dims that have been whole, for the tiles that they lie under, may be cut in whole tiles from now on; false
// where they may already.
bool DotPlan::cutTiles() {
  if (std::exchange(domain_.cutsTiles, true)) return false;
  syncViews();
  findGranules();
  return true;
}

DotPlan::Sizes DotPlan::sizesToTry() const {
  constexpr int64_t kRowParts[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512},
                    kColumnParts[] = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128}, kDepthParts[] = {1, 2, 4, 8, 16, 32, 64},
                    kBatchParts[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
  Sizes out;
  out.n = sizesOf(n_, columnGranule_, kColumnParts);
  out.k = sizesOf(kLast_, side_, kDepthParts);
  if (out.outer = triedOuter(); out.outer >= 0) {
    out.outers = {std::min(leadGranule_[out.outer], domain_.dims[out.outer])};
    for (int64_t size : {4, 16, 64})
      if (size > out.outers[0] && size < 2 * domain_.dims[out.outer] && size % leadGranule_[out.outer] == 0)
        out.outers.push_back(std::min(size, domain_.dims[out.outer]));
  }
  out.batches =
      batch_.empty() ? SmallVector<int64_t>{1} : sizesOf(batch_.back(), leadGranule_[batch_.back()], kBatchParts);
  // A contraction over several dims, as a weight's gradient has it: all of the first dim, or less at a time.
  const auto *deep = llvm::find_if(kLead_, [&](int64_t d) { return !whole_.contains(d) && domain_.block[d] > 1; });
  if (deep != kLead_.end()) {
    out.deep = *deep;
    out.depths.clear();
    for (int64_t parts : {1, 4, 16, 64})
      if (int64_t size = leadPart(*deep, domain_.block[*deep], parts); !llvm::is_contained(out.depths, size))
        out.depths.push_back(size);
  }
  const auto *lead = llvm::find_if(mLead_, [&](int64_t d) { return !whole_.contains(d) && domain_.block[d] > 1; });
  const int64_t leads = lead == mLead_.end() ? 1 : domain_.block[*lead];
  if (lead != mLead_.end()) out.lead = *lead;
  // Rows in equal parts for each array, and without what those round up. Fewer of a leading dim have all rows, or so
  // few that each array walks the leading dim.
  const int64_t rows = domain_.dims[m_], shared = rowGranule_ * (rows >= 4 * rowGranule_ ? arrays_ : 1);
  llvm::SmallSetVector<int64_t, 32> ms;
  ms.insert_range(sizesOf(m_, shared, kRowParts));
  for (int64_t size : sizesOf(m_, rowGranule_, kRowParts))
    if (size >= kFewRows) ms.insert(size);
  for (int64_t m : ms) out.rows.push_back({leads, m});
  const auto all = static_cast<int64_t>(llvm::alignTo(rows, rowGranule_));
  if (4 * (all - rows) <= rows || all != static_cast<int64_t>(llvm::alignTo(rows, shared)))
    for (int64_t parts = 2; parts <= leads; parts *= 2)
      for (int64_t m : {all, std::min(shared, all)})
        if (std::pair fewer{leadPart(*lead, leads, parts), m}; out.rows.back() != fewer) out.rows.push_back(fewer);
  return out;
}

// Nothing fits: more than a kernel's share, then halves of a leading dim, whole tiles at last.
LogicalResult DotPlan::cutLeads(double &best) {
  keepsToShare_ = false;
  triesLeast_ = true;
  while ((best = search(sizesToTry())) < 0) {
    int64_t cut = chooseCut();
    if (cut < 0 && cutTiles()) cut = chooseCut();
    if (cut < 0 && leastWords_ <= vmemBudgetWords(context_.target))
      return overAccumulators(context_, dot_, "the sums of a block of this matmul", leastRows_);
    if (cut < 0) return overVmem(context_, dot_, "a block of this matmul", leastWords_);
    domain_.block[cut] = leadPart(cut, domain_.block[cut], 2);
  }
  return success();
}

LogicalResult DotPlan::chooseBlocks() {
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(batch_), ArrayRef<int64_t>(nLead_)})
    for (int64_t d : dims)
      if (!whole_.contains(d)) domain_.block[d] = 1;
  const Sizes sizes = sizesToTry();
  double best = search(sizes);
  // A share's blocks may be so small that the same bytes come again and again.
  if (isOverShare_ && best > kFarAbove * leastCycles()) {
    const SmallVector<int64_t> block = domain_.block, parallel = grid_->parallel;
    keepsToShare_ = false;
    if (double all = search(sizes); all < kWorthAll * best) {
      best = all;
    } else {
      keepsToShare_ = true;
      domain_.block = block;
      grid_->parallel = parallel;
    }
  }
  if (best < 0 && failed(cutLeads(best))) return failure();
  context_.vmemWords = place();
  context_.cycles = cost();
  context_.plan = planOf(context_, *grid_, choicesOf());
  return success();
}

// The grid's dims, outermost first.
void DotPlan::setOrder(bool columnsOutside) {
  grid_->parallel.clear();
  grid_->sequential.clear();
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(batch_), ArrayRef<int64_t>(mLead_), ArrayRef<int64_t>(nLead_)})
    llvm::append_range(grid_->parallel, dims);
  grid_->parallel.push_back(columnsOutside ? n_ : m_);
  grid_->parallel.push_back(columnsOutside ? m_ : n_);
  llvm::append_range(grid_->sequential, kLead_);
  grid_->sequential.push_back(kLast_);
}

// ---- plans ----------------------------------------------------------------------------------------------------------

Choices DotPlan::choicesOf() const {
  Choices choices(context_.op->getContext());
  choices.set("arrays", ArrayRef<int64_t>{across_, down_, wide_, deep_});
  choices.set("passes", mode_.passes);
  if (mode_.suffix == "f32") choices.set("f32");
  choices.set("ring", ring_);
  if (popsAmongPushes_) choices.set("pops_among_pushes");
  if (domain_.cutsTiles) choices.set("cuts_tiles");
  SmallVector<int64_t> staged;
  for (auto [i, isStaged] : llvm::enumerate(staged_))
    if (isStaged) staged.push_back(i);
  if (!staged.empty()) choices.set("stages", staged);
  return choices;
}

// How the arrays share a block, as given.
LogicalResult DotPlan::takeArrays(const GivenPlan &given) {
  SmallVector<int64_t> arrays = given.numbers("arrays");
  if (arrays.size() != 4 || llvm::any_of(arrays, [](int64_t n) { return n < 1; }) ||
      arrays[0] * arrays[1] * arrays[2] * arrays[3] > arrays_ || !mayShare(arrays[0], arrays[1], arrays[2], arrays[3]))
    return given.refuse("arrays, at most " + Twine(arrays_) +
                        ", that take equal parts of a block's columns, rows, batches and k");
  across_ = arrays[0], down_ = arrays[1], wide_ = arrays[2], deep_ = arrays[3];
  SmallVector<int64_t> stages = given.numbers("stages");
  staged_ = {llvm::is_contained(stages, 0), llvm::is_contained(stages, 1)};
  for (Operand *o : {&rows_, &weights_}) {
    const bool isStaged = staged_[o == &weights_];
    if (o->ready && isStaged) return given.refuse("no staging of an operand that is pushed as it lies");
    if (o->transposed && !isStaged) return given.refuse("staging of an operand that lies across the array's rows");
  }
  if (given.number("passes", 1) != mode_.passes || given.has("f32") != (mode_.suffix == "f32"))
    return given.refuse("as many passes as a mode of its operands has, " + Twine(mode_.passes));
  ring_ = given.number("ring", 1);
  popsAmongPushes_ = given.has("pops_among_pushes");
  return success();
}

LogicalResult DotPlan::follow() {
  GivenPlan given(context_);
  if (given.has("cuts_tiles")) cutTiles();
  SmallVector<int64_t> granule(leadGranule_), most(domain_.dims);
  granule[m_] = rowGranule_;
  granule[n_] = columnGranule_;
  granule[kLast_] = side_;
  most[m_] = llvm::alignTo(domain_.dims[m_], rowGranule_ * arrays_);  // as many rows for each array
  setOrder(false);
  if (failed(given.takeBlocks(domain_, *grid_, whole_, granule, most)) || failed(takeArrays(given))) return failure();
  isGiven_ = true;
  int64_t words = place();
  if (words > vmemBudgetWords(context_.target)) return overVmem(context_, dot_, "a block of this matmul", words);
  if (ring_ < 1 || !llvm::isPowerOf2_64(ring_) || (kSplit_ && ring_ > 1) ||
      ring_ > std::max<int64_t>(unitTrips(), 1) * 2)
    return given.refuse("a ring of 1, 2, 4 or more results in flight, and 1 where sums stay over steps");
  keepsToShare_ = false;
  if (!fits())
    return given.refuse("a block whose sums fit " + Twine(context_.target.core().mxu_accumulator_rows()) +
                        " rows of accumulators");
  context_.vmemWords = place();
  return given.check(*grid_);
}

LogicalResult DotPlan::plan() {
  if (failed(findDot()) || failed(chooseMode()) || failed(addEpilogue()) || failed(chooseDims()) ||
      failed(makeOperands()))
    return failure();
  findGranules();
  return context_.plan ? follow() : chooseBlocks();
}

LogicalResult planDot(KernelContext &context) { return DotPlan(context).plan(); }

}  // namespace tpuc::plan
