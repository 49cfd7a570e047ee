// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How to sort, what takes fewest cycles of what fits, as the kernel's plan; and a plan followed.
#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/sort/sort_kernel.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// A plan's names. How elements lie is one of the first five, by `Lie`.
constexpr StringRef kLies[] = {"rows", "long_rows", "vector", "columns", "column_tiles"};
constexpr StringRef kRounds = "rounds";  // the first few one by one
constexpr StringRef kRuns = "runs";      // vregs of the runs of which the first is kept
constexpr StringRef kCut = "cut";        // vregs of a sequence that are there at once

}  // namespace

// What takes fewest cycles: sorting all, sorting runs and halving them, or rounds.
void SortKernel::chooseWay() {
  rounds_ = false;
  run_ = 0;
  place();
  int64_t run = static_cast<int64_t>(llvm::PowerOf2Ceil(first_.kept)), least = SortNetwork::cyclesOfSort(shape_);
  if (2 * run <= shape_.vregs && SortNetwork::cyclesOfFirst(shape_, run) < least) {
    run_ = run;
    least = SortNetwork::cyclesOfFirst(shape_, run);
  }
  rounds_ = true;
  place();
  rounds_ = allowsRounds() && first_.cycles() < least;
  if (rounds_) run_ = 0;
}

void SortKernel::lieAs(Lie lie) {
  lie_ = lie;
  domain_.heldTiles = 1;
  for (Result &r : results_) r.view->heldTiles = 1;
}

// Chooses how to sort what VMEM holds; false: it does not.
bool SortKernel::fit() {
  makeGrid();
  chooseWay();
  chooseValues();
  bool fits = succeeded(chooseBlocks());
  if (fits || lie_ != Lie::ColumnTiles) return fits;
  lieAs(Lie::Columns);  // a column tile alone, its elements in sublanes
  chooseWay();
  chooseValues();
  return succeeded(chooseBlocks());
}

// Where little is kept, each block's runs meet what was kept of those before it, and nothing goes through HBM.
bool SortKernel::fitFirst() {
  rounds_ = false;
  run_ = static_cast<int64_t>(llvm::PowerOf2Ceil(first_.kept));
  chooseValues();
  return chooseStreamBlocks() && leaving_.size() == 1;
}

bool SortKernel::fitStream() {
  rounds_ = false;
  run_ = 0;
  chooseValues();
  if (chooseStreamBlocks()) return true;
  if (lie_ != Lie::LongRows) return false;
  lieAs(Lie::Rows);  // which has a vreg for all of a few rows
  return chooseStreamBlocks();
}

// Whether HBM has the room that cut sequences need; sequences share it where it is small.
bool SortKernel::hasRoom() {
  int64_t room = scratchType_ ? Array(scratchType_, {0, 1}).hbmBytes() : 0;
  inTurn_ = stream_.bytes(grid_->parallelSteps() * shape_.units) > room;
  return stream_.bytes(shape_.units) <= room;
}

LogicalResult SortKernel::choose() {
  way_ = fit() ? Way::Whole : fitFirst() ? Way::First : Way::Streams;
  if (way_ == Way::Streams && !(fitStream() && hasRoom()))
    return overVmem(context_, op_, "a sort of " + Twine(size_) + " elements", cutWords_);
  context_.vmemWords = way_ == Way::Whole ? place() : cutWords_;
  plan::Choices choices(context_.op->getContext());
  choices.set(kLies[static_cast<int>(lie_)]);
  if (rounds_) choices.set(kRounds);
  if (run_) choices.set(kRuns, run_);
  if (way_ != Way::Whole) choices.set(kCut, shape_.vregs);
  context_.plan = plan::planOf(context_, *grid_, choices);
  return success();
}

LogicalResult SortKernel::follow() {
  plan::GivenPlan given(context_);
  const auto *lie = llvm::find_if(kLies, [&](StringRef name) { return given.has(name); });
  auto said = static_cast<Lie>(lie - std::begin(kLies));
  const bool narrower =
      (lie_ == Lie::ColumnTiles && said == Lie::Columns) || (lie_ == Lie::LongRows && said == Lie::Rows);
  if (said != lie_ && !narrower) return given.refuse("elements in " + kLies[static_cast<int>(lie_)]);
  if (said != lie_) lieAs(said);
  rounds_ = given.has(kRounds);
  if (rounds_ && !allowsRounds()) return given.refuse("no rounds: they give less than is asked for");
  run_ = given.number(kRuns, 0);
  if (run_ && (run_ < first_.kept || !llvm::isPowerOf2_64(run_)))
    return given.refuse("runs of a power of two vregs, " + Twine(first_.kept) + " at least");
  chooseValues();
  if (given.has(kCut)) return followCut(given);
  way_ = Way::Whole;
  makeGrid();
  SmallVector<int64_t> granules(domain_.dims.size(), 0);
  if (lie_ != Lie::Vector) granules[otherDim()] = otherGranule();
  return plan::followBlocks(context_, domain_, *grid_, granules, domain_.dims, "a block of this sort",
                            [&] { return place(); });
}

LogicalResult SortKernel::followCut(const plan::GivenPlan &given) {
  way_ = run_ ? Way::First : Way::Streams;
  const int64_t vregs = given.number(kCut, 0);
  if (vregs < leastCut() || !llvm::isPowerOf2_64(vregs) || rounds_)
    return given.refuse("sequences cut to a power of two vregs, " + Twine(leastCut()) + " at least");
  prepareStream();
  cutWords_ = context_.vmemWords = placeStream(vregs);
  if (cutWords_ > vmemBudgetWords(context_.target))
    return overVmem(context_, op_, "a sort of " + Twine(size_) + " elements", cutWords_);
  if (way_ == Way::First ? leaving_.size() != 1 : !hasRoom()) return given.refuse("a place for what is cut");
  if (!given.hasBlocks(domain_)) return given.refuse("the steps that its cut sequences take");
  return given.check(*grid_);
}

}  // namespace tpuc::lowering
