// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of a grid, and its blocks in VMEM.
#include "passes/plan/grid/grid.h"

#include "passes/plan/grid/strided_dims.h"

using namespace mlir;

namespace tpuc::plan {

Grid::Grid(const Domain &domain, ArrayRef<ArrayBlock *> inputs, ArrayRef<ArrayBlock *> results,
           const ResidentMap &residents)
    : domain_(domain), inputs_(inputs), results_(results) {
  for (ArrayRef<ArrayBlock *> blocks : {inputs, results})
    for (ArrayBlock *block : blocks)
      for (const Resident &r : residents.lookup(block->origin.buffer))
        if (r.type == block->array.stored) block->resident = &r;
  // What becomes another array in its place is copied first, as it would be from HBM.
  for (ArrayBlock *input : inputs)
    input->isCopied = llvm::any_of(results, [&](const ArrayBlock *result) {
      return result->resident && result->origin.buffer == input->origin.buffer;
    });
}

static int64_t product(const Domain &domain, ArrayRef<int64_t> dims) {
  int64_t n = 1;
  for (int64_t d : dims) n *= domain.steps(d);
  return n;
}
int64_t Grid::parallelSteps() const { return product(domain_, parallel); }
int64_t Grid::sequentialSteps() const { return product(domain_, sequential); }

bool Grid::moves(const ArrayBlock &block) const {
  for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(parallel), ArrayRef<int64_t>(sequential)})
    for (int64_t d : dims)
      if (domain_.steps(d) > 1 && block.dependsOn(*block.view, d)) return true;
  return false;
}

void Grid::layOutBlocks() {
  int64_t region = 0;
  for (ArrayRef<ArrayBlock *> blocks : {ArrayRef<ArrayBlock *>(inputs_), ArrayRef<ArrayBlock *>(results_)})
    for (ArrayBlock *block : blocks) {
      block->layOut(*block->view);
      block->stepWords = block->slotWords;
      block->slots = moves(*block) ? 2 : 1;
      block->inPlace = false;
      block->within = nullptr;
      if (block->worksInPlace(*block->view, exactTails)) block->layOutInPlace();
      block->region = region++;
    }
}

// The widest input that has all of `block`'s words, the first of equal ones; null: that is this one.
const ArrayBlock *Grid::widestAround(const ArrayBlock &block) const {
  const ArrayBlock *widest = &block;
  for (const ArrayBlock *other : inputs_) {
    const bool isWider = other->slotWords > widest->slotWords;
    if (other == &block || !block.liesWithin(*other, *block.view)) continue;
    if (isWider || (other->slotWords == widest->slotWords && other->region < widest->region)) widest = other;
  }
  return widest == &block ? nullptr : widest;
}

int64_t Grid::placeBlocks(int64_t word) {
  layOutBlocks();
  SmallVector<std::pair<ArrayBlock *, const ArrayBlock *>> shared;
  if (sharesWords)
    for (ArrayBlock *block : inputs_)
      if (const ArrayBlock *widest = widestAround(*block)) shared.push_back({block, widest});
  auto isShared = [&](const ArrayBlock *block) { return llvm::is_contained(llvm::make_first_range(shared), block); };
  for (ArrayRef<ArrayBlock *> blocks : {ArrayRef<ArrayBlock *>(inputs_), ArrayRef<ArrayBlock *>(results_)})
    for (ArrayBlock *block : blocks) {
      if (isShared(block)) continue;
      block->word = word;
      block->base = Linear(word);
      word += block->slotWords * block->slots;
    }
  for (auto [block, widest] : shared) block->layOutWithin(*widest);
  return word;
}

bool Grid::movesByOne() const {
  return llvm::all_of(llvm::concat<ArrayBlock *const>(inputs_, results_),
                      [](const ArrayBlock *block) { return stridedDims(*block) <= kMostStridedDims; });
}

void Moves::add(const ArrayBlock &block) { (block.resident ? local : hbm) += block.movedWords(); }

double Moves::cycles(const timing::MachineModel &model, int sharers) const {
  return static_cast<double>(
      std::max(model.hbmCycles(hbm * isa::kWordBytes, sharers), model.localCycles(local * isa::kWordBytes)));
}

double Moves::latency(const timing::MachineModel &model) const {
  return hbm + local == 0 ? 0 : static_cast<double>(model.dmaLatency(/*hbm=*/hbm > 0));
}

int64_t Grid::stepsOfCore(int cores) const {
  return static_cast<int64_t>(llvm::divideCeil(parallelSteps(), cores)) * sequentialSteps();
}

// How many blocks change depends on the outermost dim that moves on.
double Grid::overlappedCycles(const timing::MachineModel &model, double step, int cores) const {
  const int64_t steps = parallelSteps() * sequentialSteps(), own = stepsOfCore(cores);
  if (own <= 1) return 0;
  SmallVector<int64_t> dims(parallel);
  llvm::append_range(dims, sequential);
  double before = 1, total = 0;
  for (size_t level = 0; level < dims.size(); ++level) {
    const int64_t count = domain_.steps(dims[level]);
    if (count == 1) continue;
    Moves moves;
    for (const ArrayBlock *b : inputs_)
      if (llvm::any_of(ArrayRef<int64_t>(dims).drop_front(level),
                       [&](int64_t d) { return domain_.steps(d) > 1 && b->dependsOn(*b->view, d); }))
        moves.add(*b);
    if (level < parallel.size())
      for (const ArrayBlock *b : results_) moves.add(*b);
    // A block is asked for two steps ahead, behind a step's work.
    const double moving = moves.cycles(model, cores), latency = moves.latency(model);
    total += before * double(count - 1) * std::max({step, moving, (step + moving + latency) / 2});
    before *= double(count);
  }
  return total * double(own - 1) / double(steps - 1);
}

Moves Grid::arriving() const {
  Moves moves;
  for (const ArrayBlock *b : inputs_) moves.add(*b);
  return moves;
}

Moves Grid::leaving() const {
  Moves moves;
  for (const ArrayBlock *b : results_) moves.add(*b);
  return moves;
}

double Grid::endCycles(const timing::MachineModel &model, int cores) const {
  double cycles = 0;
  for (const Moves &moves : {arriving(), leaving()}) cycles += moves.cycles(model, cores) + moves.latency(model);
  return cycles;
}

bool Grid::leavesEachStep(const ArrayBlock &block) const {
  return llvm::any_of(sequential, [&](int64_t d) { return domain_.steps(d) > 1 && block.dependsOn(*block.view, d); });
}

bool Grid::repeats(const ArrayBlock &block) const {
  SmallVector<int64_t> dims(parallel);
  if (leavesEachStep(block)) llvm::append_range(dims, sequential);
  auto innermost = llvm::find_if(llvm::reverse(dims), [&](int64_t d) { return domain_.steps(d) > 1; });
  return innermost != dims.rend() && !block.dependsOn(*block.view, *innermost);
}

}  // namespace tpuc::plan
