// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a loop kernel.
#include <numeric>

#include "passes/plan/grid/grid_plan.h"
#include "passes/plan/loop/loop_plan.h"
#include "passes/plan/memory/in_place.h"
#include "passes/plan/memory/true_sizes.h"

using namespace mlir;

namespace tpuc::plan {

// Steps of 512 KiB, or 16 of them, overlap transfers with work well enough. Others are taken that are sooner by more
// than estimates are wrong. Four parallel steps that fit are enough where more would cost something: padding in the
// steps of a dim (`wastes`), or parts of sums, which are kept between steps. Sums are cut all the same where a step
// moves more than 4 MiB.
constexpr int64_t kEnoughSteps = 16, kShortWords = 1024, kMostSteps = 512, kFewSteps = 4, kFewWords = 8192;
constexpr double kSooner = 0.92;
// Little that moves may be much to compute, which cores share. Arrays of small kernels rather stay in one core's VMEM.
constexpr double kMuchWork = 20000;  // cycles

// Dims that stay whole for their arrays' tiles, and what others are cut by.
void LoopPlan::findGranules() {
  Domain &d = space_.domain;
  granule_.assign(d.dims.size(), 1);
  granule_[d.r()] = d.unitRows();
  granule_[d.c()] = 128;
  for (const auto *blocks : {&space_.inputs, &space_.results})
    for (auto &b : *blocks)
      for (int64_t phys = 0; phys < b->array.rank(); ++phys) {
        int64_t k = b->map[b->array.order[phys]];
        if (k < 0) continue;
        bool minor = phys + 2 >= b->array.rank();
        if (b->isResult && b->blockedDim(d, phys) == kUnit) whole_.insert(k);
        if (minor && k < d.r()) {
          // Tiles of a leading dim are not cut, unless nothing would fit.
          if (!d.cutsTiles)
            whole_.insert(k);
          else if (b->blockedDim(d, phys) == k)
            granule_[k] = std::lcm(granule_[k], (b->array.isVector() ? 128 : 8) * b->array.pack);
        }
        const bool isCutVector = b->array.isVector() && b->blockedDim(d, phys) == k;
        if ((b->isResult || isCutVector) && (k == d.c() || k == d.r()) &&
            (b->array.isVector() || (k == d.r() && phys == b->array.rank() - 1)))
          granule_[k] = std::lcm(granule_[k], 128 * b->array.pack);
      }
  if (d.linear) whole_.insert(d.c());
}

// Finds which dims may be cut, and makes a grid in which all are whole.
void LoopPlan::prepare() {
  Domain &d = space_.domain;
  d.block = d.dims;
  whole_.clear();
  reduced_.clear();
  for (Reduction &r : reductions_)
    for (int64_t k : r.reduced) {
      reduced_.insert(k);
      if (r.pinned) whole_.insert(k);
    }
  findGranules();
  grid_ = std::make_unique<Grid>(d, space_.inputPointers(), space_.resultPointers(), context_.residents);
  grid_->sharesWords = true;
  grid_->exactTails = true;
  findReplaced();
  inRows_ = fitsRows();
  if (inRows_) whole_.insert(d.c());
  for (size_t k = 0; k < d.dims.size(); ++k) (reduced_.contains(k) ? grid_->sequential : grid_->parallel).push_back(k);
}

// A reduction sums over steps from the first one to the last: what it keeps is then the same in all of them. Whether
// another cut would break that; -1: whether the cuts do.
bool LoopPlan::mixesSums(int64_t cut) const {
  auto isCut = [&](int64_t k) { return reduced_.contains(k) && (k == cut || space_.domain.steps(k) > 1); };
  return llvm::any_of(
      reductions_, [&](const Reduction &r) { return llvm::any_of(r.kept, isCut) && llvm::any_of(r.reduced, isCut); });
}

// Words that the grid brings with another dim cut: blocks of views that overlap bring some of them twice.
int64_t LoopPlan::wordsWith(int64_t cut) {
  Domain &d = space_.domain;
  const int64_t before = std::exchange(d.block[cut], halved(cut));
  int64_t words = 0;
  for (auto &b : space_.inputs) {
    b->layOut(d);
    int64_t block = b->movedWords();
    for (size_t k = 0; k < d.dims.size(); ++k)
      if (b->dependsOn(d, k)) block *= d.steps(k);
    words += block;
  }
  d.block[cut] = before;
  return words;
}

// Half of a block, or less where that leaves no shorter block at the dim's end: of 14 by 7 it is 2. Down to a quarter,
// and not to single positions: of 7 by 4 it is 2. Tiles may be fewer: of 251 by 8 it is 1.
int64_t LoopPlan::halved(int64_t k) const {
  const int64_t size = space_.domain.dims[k], granule = granule_[k],
                half = llvm::alignTo(llvm::divideCeil(space_.domain.block[k], 2), granule);
  const int64_t least = granule > 1 ? llvm::divideCeil(half, 4) : std::max<int64_t>(2, llvm::divideCeil(half, 2));
  for (int64_t n = half; n >= least; n -= granule)
    if (size % n == 0) return n;
  return half;
}

// Whether the steps along a dim that is cut once more have an eighth more of it than there is.
bool LoopPlan::wastes(int64_t k) const {
  const int64_t size = space_.domain.dims[k];
  return static_cast<int64_t>(llvm::alignTo(size, halved(k))) > size + size / 8;
}

// Whether all arrays are cut along a dim: no step waits for one that others need too.
bool LoopPlan::cutsAll(int64_t k) const {
  auto lacks = [&](const auto &b) { return !b->dependsOn(space_.domain, k); };
  return llvm::none_of(space_.inputs, lacks) && llvm::none_of(space_.results, lacks);
}

// The dim that is cut next, parallel ones first: the outermost that may be, or, of views whose blocks overlap, the one
// that brings least; -1: none. Those of all arrays first where the search is for these.
int64_t LoopPlan::chooseCut(bool mayWaste, bool maySplitSums, bool cutsAllFirst) {
  const Domain &d = space_.domain;
  for (size_t k = 0; k < d.dims.size() && cutsAllFirst; ++k)
    if (!whole_.contains(k) && !reduced_.contains(k) && d.block[k] > granule_[k] && !mixesSums(k) && cutsAll(k) &&
        (mayWaste || !wastes(k)))
      return static_cast<int64_t>(k);
  const bool overlap = llvm::any_of(space_.inputs, [](const auto &b) { return b->array.isShuffled(); });
  for (bool isReduced : {false, true}) {
    if (isReduced && !maySplitSums) break;
    int64_t cut = -1, least = 0;
    for (size_t k = 0; k < d.dims.size(); ++k) {
      if (whole_.contains(k) || d.block[k] <= granule_[k] || reduced_.contains(k) != isReduced || mixesSums(k))
        continue;
      if (!mayWaste && wastes(k)) continue;
      if (!overlap) return k;
      if (int64_t words = wordsWith(k); cut < 0 || words < least) cut = k, least = words;
    }
    if (cut >= 0) return cut;
  }
  return -1;
}

// Whether all is one step, of a dim that lies under tiles and has some for each core.
bool LoopPlan::leavesCoresIdle() const {
  const Domain &d = space_.domain;
  const auto cores = static_cast<int64_t>(context_.target.cores());
  if (d.cutsTiles || cores == 1 || grid_->parallelSteps() > 1) return false;
  int64_t words = 0, tile = 8 * d.pack;
  for (const auto *blocks : {&space_.inputs, &space_.results})
    for (const auto &b : *blocks) {
      words += b->stepWords;
      if (b->array.isVector()) tile = 128 * d.pack;
    }
  auto hasTiles = [&](int64_t k) { return whole_.contains(k) && !reduced_.contains(k) && d.dims[k] > tile; };
  return words > kFewWords && llvm::any_of(llvm::seq<int64_t>(0, d.r()), hasTiles);
}

// Halves the dim that chooseCut() names until blocks fit and there are steps enough, and on while that may pay. The
// estimated cycles of the blocks that it leaves; -1: none fits.
double LoopPlan::search(bool cutsAllFirst) {
  struct Blocks {
    SmallVector<int64_t> block;
    double cycles = -1;
  } usual, last, cheapest;
  Domain &d = space_.domain;
  const int64_t budget = vmemBudgetWords(context_.target),
                share = context_.firstWord + kernelVmemWords(context_.target);
  // An array in VMEM needs no steps, as nothing of it moves. With open sizes it has them: those behind a true size are
  // left out.
  const auto main = context_.op->getParentOfType<func::FuncOp>();
  const bool hasSizes = main && !TrueSizes(main).empty();
  while (true) {
    const int64_t words = place(), parallel = grid_->parallelSteps(), steps = parallel * grid_->sequentialSteps();
    const bool fits = words <= budget && grid_->movesByOne();
    int64_t moved = 0;
    for (const auto *of : {&space_.inputs, &space_.results})
      for (const auto &b : *of) moved += b->within || (b->inPlace && !hasSizes) ? 0 : b->stepWords;
    if (fits) {
      last = {d.block, cost()};
      if (words <= share && (cheapest.cycles < 0 || last.cycles < cheapest.cycles)) cheapest = last;
      // A kernel whose result may lie over its operand has one step.
      const bool isShort = moved <= kShortWords || readsBeforeWriting(context_.op);
      if (usual.cycles < 0 && (isShort || steps >= kEnoughSteps)) usual = last;
      if (isShort || steps >= kMostSteps) break;
    }
    const bool hasFew = fits && !hasSizes && parallel >= kFewSteps;
    const int64_t cut = chooseCut(/*mayWaste=*/!hasFew, /*maySplitSums=*/!hasFew || moved > kFewWords, cutsAllFirst);
    if (cut < 0) break;
    d.block[cut] = halved(cut);
  }
  if (usual.cycles < 0) usual = last;
  const bool isSooner = !hasSizes && cheapest.cycles >= 0 && cheapest.cycles < kSooner * usual.cycles;
  const Blocks &chosen = isSooner ? cheapest : usual;
  if (chosen.cycles >= 0) d.block = chosen.block;
  const double cycles = chosen.cycles < 0 ? chosen.cycles : shareOut(chosen.cycles);
  place();
  chooseJam();
  return cycles;
}

// Cuts the blocks once more, if that gives work to a core that has none, and enough of it. The estimated cycles.
double LoopPlan::shareOut(double cycles) {
  Domain &d = space_.domain;
  place();
  if (cycles < kMuchWork || grid_->parallelSteps() >= context_.target.cores() || readsBeforeWriting(context_.op))
    return cycles;
  for (size_t k = 0; k < d.dims.size(); ++k) {
    if (whole_.contains(k) || reduced_.contains(k) || d.block[k] <= granule_[k] || mixesSums(k)) continue;
    const int64_t before = std::exchange(d.block[k], halved(k));
    if (place() <= vmemBudgetWords(context_.target) && grid_->movesByOne())
      if (const double shared = cost(); shared < kSooner * cycles) return shared;
    d.block[k] = before;
  }
  return cycles;
}

// Sums of products may wait for an array that all steps have in common before the first one: another search cuts
// what all arrays are cut along, outermost, so that what others cut is not brought again.
double LoopPlan::searchBoth() {
  Domain &d = space_.domain;
  const double usual = search(/*cutsAllFirst=*/false);
  auto isShared = [&](int64_t k) { return d.steps(k) > 1 && !cutsAll(k); };
  if (usual < 0 || reductions_.size() != 1 || !mayJam(reductions_.front()) ||
      llvm::none_of(llvm::seq<int64_t>(0, d.dims.size()), isShared))
    return usual;
  const auto blocks = std::exchange(d.block, d.dims);
  const auto order = grid_->parallel;
  std::stable_partition(grid_->parallel.begin(), grid_->parallel.end(), [&](int64_t k) { return cutsAll(k); });
  const double cycles = search(/*cutsAllFirst=*/true);
  if (cycles >= 0 && cycles < usual) return cycles;
  d.block = blocks;
  grid_->parallel = order;
  place();
  chooseJam();
  return usual;
}

LogicalResult LoopPlan::chooseBlocks() {
  Domain &d = space_.domain;
  prepare();
  if (!inRows_) findKept();
  context_.cycles = searchBoth();
  if (context_.cycles < 0 && !kept_.empty()) {
    kept_.clear();
    d.block = d.dims;
    context_.cycles = search(/*cutsAllFirst=*/false);
  }
  if (context_.cycles < 0) {
    if (d.cutsTiles) return overVmem(context_, context_.op, "a block of this kernel", place());
    d.cutsTiles = true;
    return chooseBlocks();
  }
  if (leavesCoresIdle()) {
    d.cutsTiles = true;
    return chooseBlocks();
  }
  finish();
  if (failed(checkReplaced())) return failure();
  Choices choices(context_.op->getContext());
  if (inRows_) choices.set("rows");
  if (!kept_.empty()) choices.set("keeps");
  if (d.cutsTiles) choices.set("cuts_tiles");
  if (!jam_.empty()) choices.set("jam", jam_);
  context_.plan = planOf(context_, *grid_, choices);
  return success();
}

LogicalResult LoopPlan::follow() {
  Domain &d = space_.domain;
  GivenPlan given(context_);
  d.cutsTiles = given.has("cuts_tiles");
  prepare();
  if (given.has("rows") && !inRows_) return given.refuse("rows of a few vregs that are reduced along lanes");
  inRows_ = given.has("rows");
  if (failed(given.takeBlocks(d, *grid_, whole_, granule_, d.dims))) return failure();
  if (mixesSums(-1)) return given.refuse("no sum over steps of a dim that another one keeps");
  if (readsBeforeWriting(context_.op) && grid_->parallelSteps() * grid_->sequentialSteps() > 1)
    return given.refuse("one step: results of small kernels may lie where what they read does");
  if (given.has("keeps")) findKept();
  jam_ = given.numbers("jam");
  if (!jam_.empty() && !mayFollowJam())
    return given.refuse("a jam of one factor a dim, for one sum alone: of kept dims what divides their loops' trips");
  if (place() > vmemBudgetWords(context_.target))
    return overVmem(context_, context_.op, "a block of this kernel", place());
  finish();
  if (failed(checkReplaced())) return failure();
  return given.check(*grid_);
}

// Whether a given jam is one that could have been chosen, but for how many sums there are at once.
bool LoopPlan::mayFollowJam() {
  const Domain &d = space_.domain;
  if (jam_.size() != d.dims.size() || reductions_.size() != 1 || !mayJam(reductions_.front())) return false;
  int64_t sums = 1;
  for (auto [k, factor] : llvm::enumerate(jam_)) {
    const bool isKept = llvm::is_contained(reductions_.front().kept, static_cast<int64_t>(k));
    if (factor != 1 && (!isKept || !llvm::is_contained(jamsAlong(static_cast<int64_t>(k)), factor))) return false;
    sums *= factor;
  }
  return sums <= isa::kNumVregs / 2;
}

// Which reductions are complete at a sequence's end, and what needs them.
void LoopPlan::finish() {
  for (Reduction &r : reductions_)
    for (int64_t k : r.reduced) r.sequential |= space_.domain.steps(k) > 1;
  for (Reduction &r : reductions_) {
    SmallVector<Value> work(r.op.getOperands());
    DenseSet<Value> seen;
    while (!work.empty()) {
      Value v = work.pop_back_val();
      if (!seen.insert(v).second) continue;
      auto it = reductionOf_.find(v);
      if (it != reductionOf_.end()) r.late |= reductions_[it->second].sequential || reductions_[it->second].late;
      if (Operation *def = v.getDefiningOp()) llvm::append_range(work, def->getOperands());
    }
  }
  context_.vmemWords = place();
}

LogicalResult LoopPlan::plan() {
  if (failed(analyse())) return failure();
  return context_.plan ? follow() : chooseBlocks();
}

LogicalResult planLoop(KernelContext &context) { return LoopPlan(context).plan(); }

}  // namespace tpuc::plan
