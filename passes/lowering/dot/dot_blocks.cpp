// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block sizes of a matmul and how the arrays share a block, by estimated cycles.
//
//  1. For each candidate block: arrays side by side over columns, rows or batches, whichever takes the fewest cycles a
//     tile; operands that need work are staged where their rows would otherwise be worked on more than once.
//  2. Cost: the grid's steps at the slower of computing and moving a step's blocks, plus the first and last transfers.
//  3. The cheapest that fits a kernel's share of VMEM and the accumulators; when none fits, all of VMEM is searched,
//     then leading dims are halved and the search repeats.
#include <numeric>

#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/dot/dot_kernel.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::lowering {

// How much cheaper a grid must be that leaves nothing to share among cores and threads, that overlaps no transfer with
// its only step either, or whose few steps two cannot share evenly.
static constexpr double kNotShared = 1.15, kLoneStep = 1.25, kOdd = 1.03;
static constexpr int64_t kFew = 8;
static constexpr int64_t kPoppedShare = 4;   // of all units, popped for nothing at most
static constexpr double kTileOverhead = 12;  // cycles between two tiles' rows

SmallVector<int64_t> DotKernel::outerDims() const {
  SmallVector<int64_t> outer(nLead_);
  llvm::append_range(outer, batch_);
  return outer;
}

// Arrays over columns, then rows, then batches; what leaves none idle.
void DotKernel::splitArrays() {
  int64_t tiles = llvm::divideCeil(domain_.block[n_], side_),
          units = llvm::divideCeil(domain_.block[m_], domain_.unitRows());
  int64_t batches = batch_.empty() ? 1 : domain_.block[batch_.back()],
          allTiles = llvm::divideCeil(domain_.dims[n_], side_);
  double best = -1;
  // Over k last of all: its partial results meet as they leave.
  for (int64_t deep = 1; deep <= arrays_; ++deep)
    for (int64_t across = 1; across * deep <= arrays_; ++across)
      for (int64_t down = 1; across * down * deep <= arrays_; ++down)
        for (int64_t wide = 1; across * down * wide * deep <= arrays_; ++wide) {
          if (tiles % across || allTiles % across || units % down || batches % wide || kTiles() % deep) continue;
          if (deep > 1 && ((domain_.steps(kLast_) > 1 && domain_.hasTail(kLast_)) || product(kLead_) > 1)) continue;
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
  groups_ = tiles / across_;
}

// What each operand's vregs would cost again for every group, and whether scratch saves it.
void DotKernel::chooseStaging() {
  auto stage = [&](Operand &o, bool again) {
    bool wanted = !o.ready && (o.transposed || again);
    if (!wanted) {
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
      OpBuilder &b = c_.b;
      Type t = mode_.passes > 1 || mode_.suffix == "f32" ? Type(b.getF32Type())
               : mode_.suffix == "bf16"                  ? Type(b.getBF16Type())
                                                         : Type(b.getIntegerType(8));
      o.scratch = std::make_unique<ArrayBlock>(Array(RankedTensorType::get(shape, t), order), map);
      o.scratch->view = &o.view;
    }
    o.scratch->layOut(o.view);
  };
  stage(rows_, groups_ > 1 || mode_.passes > 1);
  bool resident = true;
  for (auto &b : weights_.blocks)
    for (int64_t d : outerDims()) resident &= !(domain_.steps(d) > 1 && b->dependsOn(*b->view, d));
  stage(weights_, resident && domain_.steps(m_) > 1 && domain_.steps(n_) == 1 && !kSplit_);
}

int64_t DotKernel::place() {
  kSplit_ = llvm::any_of(grid_->sequential, [&](int64_t d) { return domain_.steps(d) > 1; });
  splitArrays();
  syncViews();
  chooseStaging();
  chooseRing();
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

// Blocks that come and go, and sums that stay over grid steps: what counts towards a kernel's share of VMEM.
int64_t DotKernel::sharedWords() const {
  int64_t words = kSplit_ ? groups_ * product(outerDims()) / wide_ * keptRows() * resultArrays() * (side_ / 128) : 0;
  auto add = [&](const ArrayBlock &b) { words += b.slots > 1 ? b.slots * b.slotWords : 0; };
  for (const Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) add(*b);
  for (const auto *blocks : {&space_.inputs, &space_.results})
    for (auto &b : *blocks) add(*b);
  return words;
}

bool DotKernel::fits() {
  if (place() > vmemBudgetWords(context_.target)) return false;
  if (keepsToShare_ && sharedWords() > kernelVmemWords(context_.target)) return false;
  int64_t copies = kSplit_ ? groups_ * product(outerDims()) / wide_ : ring_;
  return keptRows() * copies <= static_cast<int64_t>(context_.target.core().mxu_accumulator_rows());
}

namespace {
struct Ops {
  isa::Op push, ldw;
};
Ops opsOf(StringRef suffix) {
  if (suffix == "bf16") return {isa::Op::MxuPushB, isa::Op::MxuLdwB};
  if (suffix == "s8") return {isa::Op::MxuPushI, isa::Op::MxuLdwI};
  return {isa::Op::MxuPushF, isa::Op::MxuLdwF};
}
}  // namespace

// Pushing the rows of one k tile, and what else its bundles hold.
double DotKernel::tileCycles() {
  const timing::MachineModel &model = *context_.model;
  Ops ops = opsOf(mode_.suffix);
  const auto &slots = model.slots();
  double halves = side_ / 128, leads = product(mLead_);
  double pushes = unitsPerArray() * double(domain_.pack) / mode_.pack * leads;  // an array's, a tile
  double ldws = side_ / (8.0 * mode_.pack) * halves;
  double rowVregs = pushes * halves * down_ * wide_ * deep_, weightVregs = ldws * arraysUsed();
  double loads = (rowVregs * (rows_.ready || rows_.scratch ? 1 : mode_.pack) + weightVregs) / slots.vload;
  double alu = (rowVregs * workOf(rows_) + weightVregs * workOf(weights_)) / slots.valu;
  return std::max(
             {pushes * model.occupancy(ops.push) + model.occupancy(isa::Op::MxuSwap), weightCycles(), loads, alu}) +
         kTileOverhead;
}

// A unit's results out of the accumulators, through the epilogue.
double DotKernel::popCycles() const {
  const auto &slots = context_.model->slots();
  double results = unitsPerArray() * double(domain_.pack) * product(mLead_) * resultArrays() * (side_ / 128);
  return std::max(results / slots.vstore / (space_.results.empty() ? 1 : space_.results[0]->array.pack),
                  results * (1.0 + epilogue_.size()) / slots.valu);
}

// Vector ops of an operand's vreg besides its load: the body's on each of its groups, and packing.
double DotKernel::workOf(const Operand &o) const {
  return o.scratch ? 0.0 : o.ready ? (o.mask ? 1.0 : 0.0) : mode_.pack * (1.0 + o.blocks.size()) + 1;
}

// A tile of weights for all arrays, with the vector work on it.
double DotKernel::stagingCycles() const {
  double vregs = side_ / (8.0 * mode_.pack) * (side_ / 128.0) * arraysUsed();
  return std::max(weightCycles(), vregs * workOf(weights_) / context_.model->slots().valu);
}

// An array's tile of weights as it enters, without what the operand has too few of.
double DotKernel::weightCycles() const {
  int64_t across = roles_.weightsTransposed ? kLast_ : n_, down = roles_.weightsTransposed ? n_ : kLast_;
  double columns = llvm::divideCeil(std::min(side_, domain_.block[across]), 128),
         rows = llvm::divideCeil(std::min(side_, domain_.block[down]), 8 * mode_.pack);
  return columns * rows * context_.model->stageCycles(opsOf(mode_.suffix).ldw);
}

double DotKernel::tilesPerUnit() const { return double(kTiles()) / deep_ * product(kLead_) * mode_.passes; }

// As many results in flight as the arrays' latency asks for, and the accumulators hold.
void DotKernel::chooseRing() {
  ring_ = 1;
  if (kSplit_) return;
  double drain = context_.model->latency(opsOf(mode_.suffix).push), unit = tilesPerUnit() * tileCycles();
  int64_t rows = context_.target.core().mxu_accumulator_rows(), kept = keptRows();
  // The first units pop sums for nothing.
  auto mayHold = [&](int64_t units) {
    return units * kept <= rows && (units == 2 || (units - 1) * kPoppedShare <= unitTrips());
  };
  while (ring_ < unitTrips() && mayHold(ring_ * 2) && (ring_ - 1) * unit < drain) ring_ *= 2;
  // A long epilogue has nothing to gain from a few pushes in its loop, several passes little for their code.
  popsAmongPushes_ = mode_.passes == 1 && popCycles() <= 2 * tileCycles();
}

double DotKernel::stepCycles() {
  const timing::MachineModel &model = *context_.model;
  Ops ops = opsOf(mode_.suffix);
  double tile = tileCycles(), tiles = tilesPerUnit(), pops = popCycles();
  double drain = model.latency(ops.push);
  double units = double(product(outerDims())) / wide_ * groups_;
  double stages = 0;
  for (const Operand *o : {&rows_, &weights_})
    if (o->scratch) stages += o->scratch->slotWords / 8.0 * (o->transposed ? 6 : 2) * o->scratch->array.pack;
  double first = stages + weightCycles() + 150;
  if (isRagged()) first += units * product(kLead_) * mode_.passes * stagingCycles();  // nothing is staged ahead
  if (kSplit_) return units * tiles * tile + units / grid_->sequentialSteps() * (pops + drain) + first;
  if (ring_ == 1) return units * (tiles * tile + pops + drain) + first;
  // Results leave while the rows of a later unit are pushed; the last of a run wait for the arrays.
  double unit = std::max(tiles * tile + (popsAmongPushes_ ? std::max(0.0, pops - tile) : pops), drain / (ring_ - 1));
  return units * unit + units / unitTrips() * (drain + (ring_ - 1) * pops) + first;
}

// The grid's steps but the last: each takes its own time or that of the next one's blocks, which are asked for when it
// starts, behind the results of the one before. How many blocks change depends on the outermost dim that moves on.
double DotKernel::overlappedCycles(double step, int cores) const {
  const timing::MachineModel &model = *context_.model;
  SmallVector<int64_t> dims(grid_->parallel);
  llvm::append_range(dims, grid_->sequential);
  double before = 1, total = 0;
  for (size_t level = 0; level < dims.size(); ++level) {
    int64_t count = domain_.steps(dims[level]);
    if (count == 1) continue;
    double words = 0;
    auto add = [&](const ArrayBlock &b, bool always) {
      bool changes = always || llvm::any_of(ArrayRef<int64_t>(dims).drop_front(level),
                                            [&](int64_t d) { return domain_.steps(d) > 1 && b.dependsOn(*b.view, d); });
      if (changes) words += b.movedWords();
    };
    for (const Operand *o : {&rows_, &weights_})
      for (auto &b : o->blocks) add(*b, false);
    for (auto &b : space_.inputs) add(*b, false);
    if (level < grid_->parallel.size())
      for (auto &b : space_.results) add(*b, true);
    double moving = model.hbmCycles(static_cast<int64_t>(words * isa::kWordBytes), cores) + model.dmaLatency(true);
    total += before * double(count - 1) * std::max(step, moving);
    before *= double(count);
  }
  return total;
}

// Estimated cycles of the kernel.
double DotKernel::cost() {
  const timing::MachineModel &model = *context_.model;
  int cores = static_cast<int>(std::min<int64_t>(context_.target.cores(), grid_->parallelSteps()));
  double perCore = std::ceil(double(grid_->parallelSteps()) / cores) * grid_->sequentialSteps(),
         steps = double(grid_->parallelSteps()) * grid_->sequentialSteps();
  double step = stepCycles(), ends = 2 * model.dmaLatency(true);
  int64_t first = 0, last = 0;
  for (Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) first += b->movedWords();
  for (auto &b : space_.results) last += b->movedWords();
  for (int64_t words : {first, last}) ends += model.hbmCycles(words * isa::kWordBytes, cores);
  double between = steps > 1 ? overlappedCycles(step, cores) * (perCore - 1) / (steps - 1) : 0;
  return between + step + ends + 40 * perCore;
}

double DotKernel::unevenness() const {
  int64_t steps = grid_->parallelSteps();
  if (steps == 1) return grid_->sequentialSteps() == 1 ? kLoneStep : kNotShared;
  return steps < kFew && steps % 2 ? kOdd : 1;
}

LogicalResult DotKernel::chooseBlocks() {
  SmallVector<ArrayBlock *> inputs;
  for (Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) inputs.push_back(b.get());
  llvm::append_range(inputs, space_.inputPointers());
  grid_ = std::make_unique<Grid>(domain_, inputs, space_.resultPointers(), context_.residents);
  // Dims under a tile off their own axis stay whole. A vector of bf16 has elements 128 apart in a word: it is cut
  // between words.
  DenseSet<int64_t> whole;
  int64_t resultRows = 1, resultColumns = 1;
  for (ArrayBlock *b : llvm::concat<ArrayBlock *>(inputs, space_.resultPointers()))
    for (int64_t phys = std::max<int64_t>(b->array.rank() - 2, 0); phys < b->array.rank(); ++phys) {
      int64_t k = b->map[b->array.order[phys]];
      if (k >= 0 && (b->isResult ? b->blockedDim(*b->view, phys) == kUnit
                                 : k != b->view->r() && k != b->view->c() && !b->array.isVector()))
        whole.insert(k);
      if (!b->isResult || !b->array.isVector()) continue;
      if (k == m_) resultRows = std::lcm(resultRows, 128 * b->array.pack);
      if (k == n_) resultColumns = std::lcm(resultColumns, 128 * b->array.pack);
    }
  // Lanes of an exchanged operand are its rows: whole tiles of 128.
  int64_t rowGranule = std::lcm(std::lcm(domain_.unitRows(), rows_.transposed ? 128 : 1), resultRows),
          columnGranule = std::lcm(side_, resultColumns);
  auto sizes = [&](int64_t d, int64_t granule, ArrayRef<int64_t> parts) {
    llvm::SmallSetVector<int64_t, 16> out;
    if (whole.contains(d) || domain_.dims[d] <= granule)
      out.insert(domain_.dims[d]);
    else
      for (int64_t p : parts)
        out.insert(std::min<int64_t>(llvm::alignTo(llvm::divideCeil(domain_.dims[d], p), granule),
                                     d == m_ ? llvm::alignTo(domain_.dims[d], granule) : domain_.dims[d]));
    return SmallVector<int64_t>(out.begin(), out.end());
  };
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(batch_), ArrayRef<int64_t>(nLead_)})
    for (int64_t d : dims)
      if (!whole.contains(d)) domain_.block[d] = 1;
  int64_t spread = rowGranule * std::max<int64_t>(1, domain_.dims[m_] >= 4 * rowGranule ? arrays_ : 1);
  SmallVector<int64_t> ms = sizes(m_, spread, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512}),
                       ns = sizes(n_, columnGranule, {1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128});
  SmallVector<int64_t> ks = sizes(kLast_, side_, {1, 2, 4, 8, 16, 32, 64});
  SmallVector<int64_t> batches{1};
  int64_t lastBatch = batch_.empty() ? -1 : batch_.back();
  if (lastBatch >= 0)
    batches = whole.contains(lastBatch) ? SmallVector<int64_t>{domain_.dims[lastBatch]}
                                        : sizes(lastBatch, 1, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512});
  while (true) {
    double best = -1;
    SmallVector<int64_t> bestBlock;
    bool bestOrder = false;
    for (int64_t bb : batches)
      for (int64_t bm : ms)
        for (int64_t bn : ns)
          for (int64_t bk : ks) {
            if (lastBatch >= 0) domain_.block[lastBatch] = bb;
            domain_.block[m_] = bm;
            domain_.block[n_] = bn;
            domain_.block[kLast_] = bk;
            for (bool columnsOutside : {false, true}) {
              setOrder(columnsOutside);
              if (columnsOutside && (domain_.steps(m_) == 1 || domain_.steps(n_) == 1)) continue;
              if (!fits()) continue;
              double cycles = cost();
              cycles *= unevenness();
              if (best >= 0 && cycles >= best) continue;
              best = cycles;
              bestBlock = domain_.block;
              bestOrder = columnsOutside;
            }
          }
    if (best >= 0) {
      domain_.block = bestBlock;
      setOrder(bestOrder);
      context_.vmemWords = place();
      return success();
    }
    // Nothing fits: more than a kernel's share, blocks of rows that the arrays can't share evenly, then halves of a
    // leading dim.
    if (std::exchange(keepsToShare_, false)) continue;
    if (spread != rowGranule) {
      spread = rowGranule;
      ms = sizes(m_, spread, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512});
      continue;
    }
    int64_t cut = -1;
    for (ArrayRef<int64_t> dims :
         {ArrayRef<int64_t>(mLead_), ArrayRef<int64_t>(kLead_), ArrayRef<int64_t>(nLead_), ArrayRef<int64_t>(batch_)})
      for (int64_t d : dims)
        if (cut < 0 && !whole.contains(d) && domain_.block[d] > 1 && d != lastBatch) cut = d;
    if (cut < 0) break;
    domain_.block[cut] = llvm::divideCeil(domain_.block[cut], 2);
  }
  int64_t words = place();
  return overVmem(context_, dot_, "a block of this matmul", words);
}

// The grid's dims, outermost first.
void DotKernel::setOrder(bool columnsOutside) {
  grid_->parallel.clear();
  grid_->sequential.clear();
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(batch_), ArrayRef<int64_t>(mLead_), ArrayRef<int64_t>(nLead_)})
    llvm::append_range(grid_->parallel, dims);
  grid_->parallel.push_back(columnsOutside ? n_ : m_);
  grid_->parallel.push_back(columnsOutside ? m_ : n_);
  llvm::append_range(grid_->sequential, kLead_);
  grid_->sequential.push_back(kLast_);
}

}  // namespace tpuc::lowering
