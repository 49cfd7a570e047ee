// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses how to sort: of the ways that fit VMEM the one of fewest cycles. Or follows the kernel's plan.
#include "passes/plan/sort/sort_plan.h"

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

// A plan's names. How elements lie is one of the first six, by `Lie`.
constexpr StringRef kLies[] = {"rows", "long_rows", "vector", "columns", "column_tiles", "turned_rows"};
constexpr StringRef kRounds = "rounds";  // the first few one by one
constexpr StringRef kGroups = "groups";  // the first few, out of the groups that contain them
constexpr StringRef kRuns = "runs";      // length of sorted runs in vregs: only the first run is kept
constexpr StringRef kParts = "parts";    // vregs of a sequence that come and go at once
constexpr StringRef kCut = "cut";        // vregs of a sequence that VMEM has at once

}  // namespace

int64_t SortPlan::cyclesOf(Few few) const {
  return few == Few::Rounds ? FirstRounds(first_).cycles() : FirstGroups(first_).cycles();
}

// What takes fewest cycles: sorting all, sorting runs and halving them, rounds or groups. All units' cycles.
int64_t SortPlan::chooseWay() {
  few_ = Few::None;
  run_ = 0;
  place();
  int64_t run = static_cast<int64_t>(llvm::PowerOf2Ceil(first_.kept)), least = shape_.cyclesOfSort();
  if (2 * run <= shape_.vregs && shape_.cyclesOfFirst(run) < least) {
    run_ = run;
    least = shape_.cyclesOfFirst(run);
  }
  Few best = Few::None;
  for (Few few : {Few::Rounds, Few::Groups}) {
    if (!allows(few)) continue;
    few_ = few;
    place();
    if (cyclesOf(few) >= least) continue;
    best = few;
    least = cyclesOf(few);
  }
  few_ = best;
  if (few_ != Few::None) run_ = 0;
  place();
  return least * shape_.units;
}

// A few long rows whose vregs have sublanes of others, where groups take fewer cycles so.
void SortPlan::chooseRows() {
  const int64_t least = chooseWay();
  lieAs(Lie::Rows);
  if (chooseWay() < least && few_ == Few::Groups) return;
  lieAs(Lie::LongRows);
  chooseWay();
}

void SortPlan::lieAs(Lie lie) {
  lie_ = lie;
  domain_.heldTiles = tilesHeldBy(lie);
  for (Result &r : results_) r.view->heldTiles = domain_.heldTiles;
}

// Whether rows may be sorted with others along lanes: they are sorted whole, and each array has a transpose buffer.
bool SortPlan::mayTurn() const {
  constexpr int64_t kBuffers = 2;
  return lie_ == Lie::Rows && few_ == Few::None && !run_ &&
         llvm::count_if(inputs_, [](const auto &b) { return b != nullptr; }) <= kBuffers;
}

// Turns rows where that and sorting them takes less than sorting them as they lie, and VMEM holds them.
bool SortPlan::fitTurned() {
  if (!mayTurn()) return false;
  chooseValues();
  // What the vector ALUs could do while a vreg goes through a buffer, there or back.
  constexpr int64_t kCyclesOfTurn = 2;
  const int64_t slots = context_.target.core().valu_slots();
  const int64_t cores = context_.target.cores();
  auto units = [&] { return llvm::divideCeil(shape_.units, cores); };  // of a core
  const int64_t asTheyLie = units() * shape_.instructionsOfSort(values_);
  int64_t arrays = results_.size();
  for (const auto &b : inputs_) arrays += b != nullptr;
  lieAs(Lie::TurnedRows);
  place();
  const int64_t turns = arrays * shape_.vregs * kCyclesOfTurn * slots;
  const int64_t turned = units() * (shape_.instructionsOfSort(values_) + turns);
  if (turned < asTheyLie && shape_.hasWordRows() && succeeded(chooseBlocks())) return true;
  lieAs(Lie::Rows);
  domain_.block[otherDim()] = domain_.dims[otherDim()];
  place();
  return false;
}

// In how many parts a sequence comes and goes. While one is put into the network, or taken out, the next is under way:
// either hides the other, but for one part. Every part costs steps of a grid.
int64_t SortPlan::chooseParts() const {
  constexpr int64_t kCyclesOfVreg = 4;  // put or taken out
  const auto &memory = context_.target.memory();
  const double rate = memory.hbm_bandwidth_gbps() * memory.hbm_efficiency() / context_.target.clock_ghz();
  const double work = static_cast<double>(shape_.vregs * kCyclesOfVreg);
  double hidden = 0;
  auto add = [&](const ArrayBlock &b) { hidden += std::min(work, static_cast<double>(b.array.hbmBytes()) / rate); };
  for (const auto &b : inputs_)
    if (b) add(*b);
  for (const Result &r : results_) add(*r.block);
  int64_t parts = 1;
  while (hidden / static_cast<double>(2 * parts) > 2 * kCyclesOfStep * static_cast<double>(parts)) parts *= 2;
  return parts;
}

bool SortPlan::fitParts() {
  if (lie_ != Lie::Vector || few_ != Few::None || run_) return false;
  chooseValues();
  const int64_t parts = chooseParts();
  if (parts == 1 && place() <= roomWords()) return false;
  prepareStream();
  for (part_ = shape_.vregs / std::max<int64_t>(parts, 2); part_ >= leastCut(); part_ /= 2) {
    cutWords_ = placeParts();
    if (cutWords_ > roomWords()) continue;
    way_ = Way::Parts;
    return true;
  }
  part_ = 0;
  domain_.block = domain_.dims;
  makeGrid();
  chooseWay();
  return false;
}

// Chooses how to sort what VMEM holds; false: it does not.
bool SortPlan::fit() {
  makeGrid();
  if (lie_ == Lie::LongRows)
    chooseRows();
  else
    chooseWay();
  if (fitTurned() || fitParts()) return true;
  chooseValues();
  bool fits = succeeded(chooseBlocks());
  if (fits || lie_ != Lie::ColumnTiles) return fits;
  lieAs(Lie::Columns);  // a column tile alone, its elements in sublanes
  chooseWay();
  chooseValues();
  return succeeded(chooseBlocks());
}

// Where little is kept, each block's runs meet what was kept of those before it, and nothing goes through HBM.
bool SortPlan::fitFirst() {
  few_ = Few::None;
  run_ = static_cast<int64_t>(llvm::PowerOf2Ceil(first_.kept));
  chooseValues();
  return chooseStreamBlocks() && leaving_.size() == 1;
}

bool SortPlan::fitStream() {
  few_ = Few::None;
  run_ = 0;
  chooseValues();
  if (chooseStreamBlocks()) return true;
  if (lie_ != Lie::LongRows) return false;
  lieAs(Lie::Rows);  // which has a vreg for all of a few rows
  return chooseStreamBlocks();
}

// Whether HBM has the room that cut sequences need; sequences share it where it is small.
bool SortPlan::hasRoom() {
  int64_t room = scratchType_ ? Array(scratchType_, {0, 1}).hbmBytes() : 0;
  inTurn_ = cut_.bytes(grid_->parallelSteps() * shape_.units) > room;
  return cut_.bytes(shape_.units) <= room;
}

LogicalResult SortPlan::choose() {
  if (!fit()) way_ = fitFirst() ? Way::First : Way::Streams;
  if (way_ == Way::Streams && !(fitStream() && hasRoom()))
    return overVmem(context_, op_, "a sort of " + Twine(size_) + " elements", cutWords_, roomWords());
  context_.vmemWords = way_ == Way::Whole ? place() : cutWords_;
  Choices choices(context_.op->getContext());
  choices.set(kLies[static_cast<int>(lie_)]);
  if (few_ == Few::Rounds) choices.set(kRounds);
  if (few_ == Few::Groups) choices.set(kGroups);
  if (run_) choices.set(kRuns, run_);
  if (way_ == Way::Parts) choices.set(kParts, part_);
  if (way_ == Way::First || way_ == Way::Streams) choices.set(kCut, shape_.vregs);
  context_.plan = planOf(context_, *grid_, choices);
  return success();
}

LogicalResult SortPlan::follow() {
  GivenPlan given(context_);
  const auto *lie = llvm::find_if(kLies, [&](StringRef name) { return given.has(name); });
  auto said = static_cast<Lie>(lie - std::begin(kLies));
  const bool instead = (lie_ == Lie::ColumnTiles && said == Lie::Columns) ||
                       (lie_ == Lie::LongRows && said == Lie::Rows) || (said == Lie::TurnedRows && mayTurn());
  if (said != lie_ && !instead) return given.refuse("elements in " + kLies[static_cast<int>(lie_)]);
  if (said != lie_) lieAs(said);
  few_ = given.has(kRounds) ? Few::Rounds : given.has(kGroups) ? Few::Groups : Few::None;
  makeGrid();
  place();
  if (few_ == Few::Rounds && !allows(few_)) return given.refuse("no rounds: they give less than is asked for");
  if (few_ == Few::Groups && !allows(few_))
    return given.refuse("no groups: the elements have none, or they give less than is asked for");
  run_ = given.number(kRuns, 0);
  if (run_ && few_ != Few::None) return given.refuse("either runs, or rounds or groups");
  if (run_ && (run_ < first_.kept || !llvm::isPowerOf2_64(run_)))
    return given.refuse("runs of a power of two vregs, " + Twine(first_.kept) + " at least");
  if (lie_ == Lie::TurnedRows && (run_ || few_ != Few::None || given.has(kCut)))
    return given.refuse("turned rows that are sorted whole");
  chooseValues();
  if (given.has(kParts)) return followParts(given);
  if (given.has(kCut)) return followCut(given);
  way_ = Way::Whole;
  SmallVector<int64_t> granules(domain_.dims.size(), 0);
  if (lie_ != Lie::Vector) granules[otherDim()] = otherGranule();
  return followBlocks(context_, domain_, *grid_, granules, domain_.dims, "a block of this sort",
                      [&] { return place(); });
}

LogicalResult SortPlan::followParts(const GivenPlan &given) {
  way_ = Way::Parts;
  part_ = given.number(kParts, 0);
  if (lie_ != Lie::Vector || few_ != Few::None || run_ || given.has(kCut) || part_ < leastCut() ||
      part_ >= shape_.vregs || !llvm::isPowerOf2_64(part_))
    return given.refuse("a vector, all sorted, in parts of a power of two vregs, " + Twine(leastCut()) + " at least");
  prepareStream();
  cutWords_ = context_.vmemWords = placeParts();
  if (cutWords_ > roomWords())
    return overVmem(context_, op_, "a sort of " + Twine(size_) + " elements", cutWords_, roomWords());
  if (!given.hasBlocks(domain_)) return given.refuse("the steps that its parts take");
  return given.check(*grid_);
}

LogicalResult SortPlan::followCut(const GivenPlan &given) {
  way_ = run_ ? Way::First : Way::Streams;
  const int64_t vregs = given.number(kCut, 0);
  if (vregs < leastCut() || !llvm::isPowerOf2_64(vregs) || few_ != Few::None)
    return given.refuse("sequences cut to a power of two vregs, " + Twine(leastCut()) + " at least");
  prepareStream();
  cutWords_ = context_.vmemWords = placeStream(vregs);
  if (cutWords_ > roomWords())
    return overVmem(context_, op_, "a sort of " + Twine(size_) + " elements", cutWords_, roomWords());
  if (way_ == Way::First ? leaving_.size() != 1 : !hasRoom()) return given.refuse("a place for what is cut");
  if (!given.hasBlocks(domain_)) return given.refuse("the steps that its cut sequences take");
  return given.check(*grid_);
}

LogicalResult SortPlan::plan() {
  if (!hasComparator()) return refuseComparator();
  bind();
  return context_.plan ? follow() : choose();
}

int64_t SortPlan::scratchBytes() {
  if (!hasComparator()) return 0;
  bind();
  if (fit() || fitFirst() || !fitStream()) return 0;
  int64_t all = cut_.bytes(grid_->parallelSteps() * shape_.units);
  // In turn they take the memory of one step.
  return all <= static_cast<int64_t>(context_.target.memory().hbm_bytes()) / 8 ? all : cut_.bytes(shape_.units);
}

int64_t sortScratchBytes(kernel::FusionOp fusion, const target::Target &target) {
  for (auto sort : fusion.getBlock().getOps<stablehlo::SortOp>()) {
    const ResidentMap none;
    const timing::MachineModel model(target);
    KernelContext context{fusion, target, &model, {}, {}, none, 0, ""};
    context.inputs.assign(fusion.getNumOperands(), {});
    context.results.assign(fusion.getNumResults(), {});
    return SortPlan(context, sort).scratchBytes();
  }
  return 0;
}

}  // namespace tpuc::plan
