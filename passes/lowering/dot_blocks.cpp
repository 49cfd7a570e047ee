// Block sizes of a matmul and how the arrays share a block, by estimated cycles.
//
//  1. For each candidate block: arrays side by side over columns, rows or batches, whichever takes the fewest cycles a tile;
//     operands that need work are staged where their rows would otherwise be worked on more than once.
//  2. Cost: the grid's steps at the slower of computing and moving a step's blocks, plus the first and last transfers.
//  3. The cheapest that fits VMEM and the accumulators; when none fits, leading dims are halved and the search repeats.
#include <numeric>

#include "passes/lowering/dot_kernel.h"
#include "dialects/diagnostics/diagnose.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::lowering {

// How much cheaper a grid must be that leaves nothing to share among cores and threads, that overlaps no transfer with its only
// step either, or whose few steps two cannot share evenly.
static constexpr double kNotShared = 1.15, kLoneStep = 1.25, kOdd = 1.03;
static constexpr int64_t kFew = 8;

SmallVector<int64_t> DotKernel::outerDims() const {
  SmallVector<int64_t> outer(nLead_);
  llvm::append_range(outer, batch_);
  return outer;
}

// Arrays over columns, then rows, then batches; what leaves none idle.
void DotKernel::splitArrays() {
  int64_t tiles = llvm::divideCeil(domain_.block[n_], side_), units = llvm::divideCeil(domain_.block[m_], domain_.unitRows());
  int64_t batches = batch_.empty() ? 1 : domain_.block[batch_.back()];
  double best = -1;
  // Over k last of all: its partial results meet as they leave.
  for (int64_t deep = 1; deep <= arrays_; ++deep)
    for (int64_t across = 1; across * deep <= arrays_; ++across)
      for (int64_t down = 1; across * down * deep <= arrays_; ++down)
        for (int64_t wide = 1; across * down * wide * deep <= arrays_; ++wide) {
          if (tiles % across || units % down || batches % wide || kTiles() % deep) continue;
          if (deep > 1 && ((domain_.steps(kLast_) > 1 && domain_.hasTail(kLast_)) || product(kLead_) > 1)) continue;
          // Rows at one a cycle, but no faster than the next tile's weights arrive.
          double rows = std::max<double>(units / down * domain_.unitRows() * product(mLead_), side_);
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
      Type t = mode_.passes > 1 || mode_.suffix == "f32" ? Type(b.getF32Type()) : mode_.suffix == "bf16" ? Type(b.getBF16Type()) : Type(b.getIntegerType(8));
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

bool DotKernel::fits() {
  if (place() > vmemBudgetWords(context_.target)) return false;
  int64_t copies = kSplit_ ? groups_ * product(outerDims()) / wide_ : overlapsPops() ? 2 : 1;
  int64_t kept = unitsPerArray() * domain_.unitRows() * product(mLead_) * copies;  // rows in each array's accumulators
  return kept <= static_cast<int64_t>(context_.target.core().mxu_accumulator_rows());
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

double DotKernel::stepCycles() {
  const timing::MachineModel &model = *context_.model;
  Ops ops = opsOf(mode_.suffix);
  const auto &slots = model.slots();
  double halves = side_ / 128, leads = product(mLead_);
  double pushes = unitsPerArray() * double(domain_.pack) / mode_.pack * leads;  // an array's, a tile
  double ldws = side_ / (8.0 * mode_.pack) * halves;
  // Vector work of an operand's vreg: a load, or the body's ops on each of its groups.
  auto work = [&](const Operand &o, bool staged) { return o.ready || staged ? 0.0 : mode_.pack * (1.0 + o.blocks.size()) + 1; };
  double rowVregs = pushes * halves * down_ * wide_ * deep_, weightVregs = ldws * arraysUsed();
  double loads = (rowVregs * (rows_.ready || rows_.scratch ? 1 : mode_.pack) + weightVregs) / slots.vload;
  double alu = (rowVregs * work(rows_, bool(rows_.scratch)) + weightVregs * work(weights_, bool(weights_.scratch))) / slots.valu;
  double tile = std::max({pushes * model.occupancy(ops.push) + model.occupancy(isa::Op::MxuSwap), ldws * model.stageCycles(ops.ldw), loads, alu}) + 12;
  double tiles = double(kTiles()) / deep_ * product(kLead_) * mode_.passes;
  double results = unitsPerArray() * double(domain_.pack) * leads * resultArrays() * halves;
  double pops = std::max(results / slots.vstore / (space_.results.empty() ? 1 : space_.results[0]->array.pack), results * (1.0 + epilogue_.size()) / slots.valu);
  double drain = model.latency(ops.push);
  double units = double(product(outerDims())) / wide_ * groups_;
  double stages = 0;
  for (const Operand *o : {&rows_, &weights_})
    if (o->scratch) stages += o->scratch->slotWords / 8.0 * (o->transposed ? 6 : 2) * o->scratch->array.pack;
  double popSteps = kSplit_ ? units / grid_->sequentialSteps() : units;
  double hidden = overlapsPops() && units > 1 ? (units - 1) * std::min(pops, tile) : 0;  // they leave while rows are pushed
  if (hidden > 0) popSteps -= units - 1;
  return units * tiles * tile + popSteps * (pops + drain) + (hidden > 0 ? (units - 1) * pops - hidden : 0) + stages + ldws * model.stageCycles(ops.ldw) + 150;
}

// Of all blocks that the grid moves, one core's.
double DotKernel::transferCycles() {
  const timing::MachineModel &model = *context_.model;
  SmallVector<int64_t> dims(grid_->parallel);
  llvm::append_range(dims, grid_->sequential);
  double bytes = 0;
  auto count = [&](const ArrayBlock &b, bool moving) {
    double fetches = 1, all = 1;
    for (int64_t d : dims) {
      all *= domain_.steps(d);
      if (domain_.steps(d) > 1 && b.dependsOn(*b.view, d)) fetches = all;
    }
    bytes += fetches * b.slotWords * isa::kWordBytes;
  };
  for (Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) count(*b, true);
  for (auto &b : space_.inputs) count(*b, true);
  for (auto &b : space_.results) {
    double steps = 1;
    for (int64_t d : dims)
      if (b->dependsOn(*b->view, d)) steps *= domain_.steps(d);
    bytes += steps * b->slotWords * isa::kWordBytes;
  }
  return model.hbmCycles(static_cast<int64_t>(bytes), 1);
}

// Estimated cycles of the kernel.
double DotKernel::cost() {
  const timing::MachineModel &model = *context_.model;
  double cores = context_.target.cores(), steps = double(grid_->parallelSteps()) * grid_->sequentialSteps();
  double perCore = std::ceil(grid_->parallelSteps() / cores) * grid_->sequentialSteps();
  double moved = transferCycles(), step = stepCycles();
  int64_t first = 0;
  for (Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) first += b->slotWords;
  int64_t last = 0;
  for (auto &b : space_.results) last += b->slotWords;
  double ends = model.hbmCycles((first + last) * isa::kWordBytes, 1) + 2 * model.dmaLatency(true);
  // A step's blocks are asked for when the one before starts.
  double arrives = moved * cores / steps + (steps > 1 ? model.dmaLatency(true) : 0);
  return perCore * std::max(step, arrives) + ends + 40 * perCore;
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
  // Dims under a tile off their own axis stay whole.
  DenseSet<int64_t> whole;
  for (ArrayBlock *b : llvm::concat<ArrayBlock *>(inputs, space_.resultPointers()))
    for (int64_t phys = std::max<int64_t>(b->array.rank() - 2, 0); phys < b->array.rank(); ++phys) {
      int64_t k = b->map[b->array.order[phys]];
      if (k >= 0 && (b->isResult ? b->blockedDim(*b->view, phys) == kUnit : k != b->view->r() && k != b->view->c() && !b->array.isVector())) whole.insert(k);
    }
  // Lanes of an exchanged operand are its rows: whole tiles of 128.
  int64_t rowGranule = std::lcm(domain_.unitRows(), rows_.transposed ? 128 : 1);
  auto sizes = [&](int64_t d, int64_t granule, ArrayRef<int64_t> parts) {
    llvm::SmallSetVector<int64_t, 16> out;
    if (whole.contains(d) || domain_.dims[d] <= granule) out.insert(domain_.dims[d]);
    else
      for (int64_t p : parts)
        out.insert(std::min<int64_t>(llvm::alignTo(llvm::divideCeil(domain_.dims[d], p), granule), d == m_ ? llvm::alignTo(domain_.dims[d], granule) : domain_.dims[d]));
    return SmallVector<int64_t>(out.begin(), out.end());
  };
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(batch_), ArrayRef<int64_t>(nLead_)})
    for (int64_t d : dims)
      if (!whole.contains(d)) domain_.block[d] = 1;
  int64_t spread = rowGranule * std::max<int64_t>(1, domain_.dims[m_] >= 4 * rowGranule ? arrays_ : 1);
  SmallVector<int64_t> ms = sizes(m_, spread, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512}), ns = sizes(n_, side_, {1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128});
  SmallVector<int64_t> ks = sizes(kLast_, side_, {1, 2, 4, 8, 16, 32, 64});
  SmallVector<int64_t> batches{1};
  int64_t lastBatch = batch_.empty() ? -1 : batch_.back();
  if (lastBatch >= 0) batches = whole.contains(lastBatch) ? SmallVector<int64_t>{domain_.dims[lastBatch]} : sizes(lastBatch, 1, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512});
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
    // Nothing fits: blocks of rows that the arrays can't share evenly, then halves of a leading dim.
    if (spread != rowGranule) {
      spread = rowGranule;
      ms = sizes(m_, spread, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512});
      continue;
    }
    int64_t cut = -1;
    for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(mLead_), ArrayRef<int64_t>(kLead_), ArrayRef<int64_t>(nLead_), ArrayRef<int64_t>(batch_)})
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
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(batch_), ArrayRef<int64_t>(mLead_), ArrayRef<int64_t>(nLead_)}) llvm::append_range(grid_->parallel, dims);
  grid_->parallel.push_back(columnsOutside ? n_ : m_);
  grid_->parallel.push_back(columnsOutside ? m_ : n_);
  llvm::append_range(grid_->sequential, kLead_);
  grid_->sequential.push_back(kLast_);
}

}  // namespace tpuc::lowering
