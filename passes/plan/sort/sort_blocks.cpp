// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a sort's blocks and its network lie in VMEM, and how much of a sequence comes in at once.
#include "passes/plan/sort/sort_plan.h"

using namespace mlir;

namespace tpuc::plan {

// Words that a sort may take. Where an element is several values, comparisons and bits of slots need more masks than
// the machine has registers for. VMEM has room for those that wait.
int64_t SortPlan::roomWords() const {
  constexpr int64_t kSpilledVregs = 36;
  const int64_t all = static_cast<int64_t>(context_.target.core().vmem_bytes() / isa::kWordBytes);
  const int64_t spilled = values_ == 1 ? 0 : kSpilledVregs * isa::kVregBytes / isa::kWordBytes;
  return std::min(vmemBudgetWords(context_.target), all - std::min(spilled, all / 8 * 3));
}

void SortPlan::setShape(int64_t vregs) {
  int64_t tiles = llvm::divideCeil(domain_.block[domain_.c()], 128), rows = domain_.block[domain_.r()];
  int64_t rowUnits = llvm::divideCeil(rows, domain_.unitRows()) * groups_;
  shape_.size = size_;
  shape_.vregs = vregs;
  shape_.units = lie_ == Lie::Rows          ? rowUnits
                 : lie_ == Lie::LongRows    ? rows
                 : lie_ == Lie::TurnedRows  ? llvm::divideCeil(rows, 128)
                 : lie_ == Lie::Columns     ? tiles
                 : lie_ == Lie::ColumnTiles ? llvm::divideCeil(tiles, 8)
                                            : 1;
}

int64_t SortPlan::place() {
  for (Result &r : results_) r.view->block[otherDim()] = domain_.block[otherDim()];
  for (Result &r : results_) r.view->block[sortedDim()] = r.view->dims[sortedDim()];
  shape_.lanes = lie_ != Lie::Columns && lie_ != Lie::ColumnTiles && lie_ != Lie::TurnedRows;
  shape_.sublanes = lie_ == Lie::LongRows || lie_ == Lie::Vector || lie_ == Lie::Columns || lie_ == Lie::TurnedRows;
  int64_t vregs = llvm::divideCeil(size_, int64_t{1} << shape_.slotBits()), least = lie_ == Lie::ColumnTiles ? 8 : 1;
  bool packed = pack_ > 1 && lie_ != Lie::Rows;
  setShape(few_ == Few::Rounds   ? llvm::alignTo(vregs, packed ? least * pack_ : least)
           : few_ == Few::Groups ? FirstGroups::vregsFor(vregs, first_.kept)
                                 : llvm::PowerOf2Ceil(std::max(vregs, least)));
  padded_ = size_ < shape_.positions();
  word_ = llvm::alignTo(grid_->placeBlocks(context_.firstWord), 8);
  first_.shape = shape_;
  int64_t words = few_ == Few::Rounds   ? FirstRounds(first_).words()
                  : few_ == Few::Groups ? FirstGroups(first_).words()
                                        : shape_.words(values_);
  if (word_ + words > roomWords()) placeInTurn();
  first_.word = word_;
  return word_ + words;
}

// Blocks one after the other in a place that others take at another time; the first word after them.
int64_t SortPlan::layInTurn(ArrayRef<ArrayBlock *> blocks) {
  int64_t region = 1 << 20, word = llvm::alignTo(context_.firstWord, 8);
  for (ArrayBlock *b : blocks) {
    if (b->inPlace) continue;
    b->word = word;
    b->base = Linear(word);
    b->region = region;
    word = llvm::alignTo(word + b->slotWords * b->slots, 8);
  }
  return word;
}

// Results of a single step lie where operands did, which the network has by then.
void SortPlan::placeInTurn() {
  if (grid_->parallelSteps() > 1) return;
  SmallVector<ArrayBlock *> inputs, results;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  for (Result &r : results_) results.push_back(r.block.get());
  word_ = std::max(layInTurn(inputs), layInTurn(results));
}

void SortPlan::makeGrid() {
  SmallVector<ArrayBlock *> inputs, results;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  for (Result &r : results_) results.push_back(r.block.get());
  grid_ = std::make_unique<Grid>(domain_, inputs, results, context_.residents);
  grid_->parallel = {otherDim()};
}

// Operands come in by one grid; results that keep as many elements leave by another one.
void SortPlan::makeStreamGrids() {
  SmallVector<ArrayBlock *> inputs;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  grid_ = std::make_unique<Grid>(domain_, inputs, ArrayRef<ArrayBlock *>(), context_.residents);
  leaving_.clear();
  for (Result &r : results_) {
    auto *with = llvm::find_if(leaving_, [&](const Leaving &l) {
      return l.results[0]->view->dims == r.view->dims && l.results[0]->view->linearSize == r.view->linearSize;
    });
    if (with == leaving_.end()) with = &leaving_.emplace_back();
    with->results.push_back(&r);
  }
  for (Leaving &l : leaving_) {
    auto blocks = llvm::map_to_vector(l.results, [](Result *r) { return r->block.get(); });
    l.grid = std::make_unique<Grid>(*l.results[0]->view, ArrayRef<ArrayBlock *>(), blocks, context_.residents);
    l.grid->parallel = {otherDim()};
    l.grid->sequential = {sortedDim()};
  }
  grid_->parallel = {otherDim()};
  grid_->sequential = {sortedDim()};
}

// Blocks of so many of a sequence's vregs; the first word after them.
void SortPlan::placeCut(int64_t vregs) {
  domain_.block[sortedDim()] = domain_.linear ? vregs * 8 : vregs << shape_.slotBits();
  for (Result &r : results_) {
    r.view->block[otherDim()] = domain_.block[otherDim()];
    r.view->block[sortedDim()] = std::min(domain_.block[sortedDim()], r.view->dims[sortedDim()]);
  }
  SmallVector<ArrayBlock *> inputs;
  for (auto &b : inputs_)
    if (b) inputs.push_back(b.get());
  grid_->placeBlocks(context_.firstWord);
  word_ = layInTurn(inputs);
  for (Leaving &l : leaving_) {
    l.grid->placeBlocks(context_.firstWord);
    word_ = std::max(word_, layInTurn(llvm::map_to_vector(l.results, [](Result *r) { return r->block.get(); })));
  }
}

int64_t SortPlan::placeStream(int64_t vregs) {
  int64_t elements = vregs << shape_.slotBits();
  placeCut(vregs);
  setShape(vregs);
  shape_.size = elements;
  cut_.shape = shape_;
  cut_.values = values_;
  cut_.blocks = llvm::divideCeil(size_, elements);
  padded_ = size_ < cut_.blocks * elements;
  if (run_) {
    keptWord_ = word_ + shape_.words(values_);
    return keptWord_ + keptShape().words(values_);
  }
  keptWord_ = -1;
  cut_.word = word_;
  cut_.semaphore = 2 * (llvm::count_if(inputs_, [](const auto &b) { return b != nullptr; }) + results_.size());
  return word_ + cut_.words();
}

int64_t SortPlan::placeParts() {
  placeCut(part_);
  setShape(static_cast<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(size_, int64_t{1} << shape_.slotBits()))));
  padded_ = size_ < shape_.positions();
  return word_ + shape_.words(values_);
}

SortShape SortPlan::keptShape() const {
  SortShape kept = shape_;
  kept.vregs = run_;
  kept.size = run_ << shape_.slotBits();
  return kept;
}

// A cut sequence has as few others beside it as share its vregs.
void SortPlan::prepareStream() {
  int64_t other = otherDim(), granule = other == domain_.c() ? 128 : domain_.unitRows();
  domain_.block = domain_.dims;
  domain_.block[other] = std::min(granule, domain_.dims[other]);
  makeStreamGrids();
  shape_.lanes = lie_ != Lie::Columns;
  shape_.sublanes = lie_ != Lie::Rows;
}

// The largest blocks of a sequence that fit.
bool SortPlan::chooseStreamBlocks() {
  prepareStream();
  for (int64_t vregs = llvm::PowerOf2Ceil(llvm::divideCeil(size_, int64_t{1} << shape_.slotBits())) / 2;
       vregs >= leastCut(); vregs /= 2)
    if ((cutWords_ = placeStream(vregs)) <= roomWords()) return true;
  return false;
}

// What the steps of a grid take, where a network sorts all: each one's loops begin and end, which is code that depends
// on how long sequences are and not on how many; the vector ALUs' work, or the transfers meanwhile; the first and the
// last transfer, which nothing hides.
double SortPlan::cyclesOfSteps() const {
  constexpr double kCyclesOfLoop = 40;  // beginning and ending, beyond what they do of the work
  const timing::MachineModel &model = *context_.model;
  const auto cores = static_cast<int>(std::min<int64_t>(context_.target.cores(), grid_->parallelSteps()));
  const double work =
      static_cast<double>(shape_.units * shape_.instructionsOfSort(values_)) / context_.target.core().valu_slots();
  const double step = kCyclesOfStep + kCyclesOfLoop * static_cast<double>(shape_.loopsOfSort(values_)) + work;
  return grid_->overlappedCycles(model, step, cores) + step + grid_->endCycles(model, cores);
}

// Halves the other dim until blocks fit; of those that do, the one whose steps take the fewest cycles. Where the first
// few are looked for, until there are steps to overlap with transfers.
LogicalResult SortPlan::chooseBlocks() {
  const int64_t other = otherDim(), granule = otherGranule();
  if (lie_ == Lie::Vector) return success(place() <= roomWords());
  constexpr int64_t kFewVregs = 64;
  // Groups leave networks of a few vregs, whose time is the ends of their loops and falls with units side by side: less
  // is cut for the sake of transfers.
  const int64_t enough = few_ == Few::Groups ? 4 : 8;
  const bool sortsAll = few_ == Few::None && !run_;
  int64_t best = granule;
  double least = std::numeric_limits<double>::infinity();
  for (;; domain_.block[other] = llvm::alignTo(llvm::divideCeil(domain_.block[other], 2), granule)) {
    const int64_t words = place();
    const bool large = words - context_.firstWord > kernelVmemWords(context_.target) || words > roomWords();
    if (sortsAll && !large && cyclesOfSteps() < least) {
      least = cyclesOfSteps();
      best = domain_.block[other];
    }
    const bool isEnough = grid_->parallelSteps() >= enough || shape_.units * shape_.vregs <= kFewVregs;
    if (domain_.block[other] <= granule || (!sortsAll && !large && isEnough)) break;
  }
  if (sortsAll) domain_.block[other] = std::min(best, domain_.dims[other]);
  return success(place() <= roomWords());
}

}  // namespace tpuc::plan
