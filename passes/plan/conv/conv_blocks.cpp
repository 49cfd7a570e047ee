// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block sizes of a convolution, and what its arrays take side by side: chosen, or as its plan says.
#include "passes/analysis/convolution_form.h"
#include "passes/plan/conv/batch_lanes_plan.h"
#include "passes/plan/conv/conv_plan.h"
#include "passes/plan/conv/depthwise_gradient.h"
#include "passes/plan/conv/gradient_plan.h"
#include "passes/plan/conv/taps_gradient.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

// Rows whose taps lie side by side in lanes meet all phases at once.
int64_t ConvPlan::phases(size_t dim) const {
  if (dim == lead_.size()) return folds_ ? 1 : lastPhases();
  int64_t count = foldsRows_ ? 1 : padded_.lead[dim].phases();
  return domain_.block[lead_[dim]] % count == 0 ? count : 1;
}

// Along the last axis, of sums that come in units of rows: a unit has no less rows for being of one phase.
int64_t ConvPlan::lastPhases() const {
  int64_t count = padded_.last.phases(), units = this->units();
  bool hasRoom = llvm::alignTo(units, count) * domain_.unitRows() <= context_.target.core().mxu_accumulator_rows();
  return units > 1 && count <= 2 * units && hasRoom ? count : 1;
}

// What parts of a dim of rowExtents() are multiples of.
int64_t ConvPlan::granuleOf(size_t dim) const { return dim == lead_.size() ? 1 : phases(dim); }

// Extents of a block's rows: lead dims, then units of rows, as many of each phase; of what one array takes of them.
SmallVector<int64_t> ConvPlan::rowExtents() const {
  SmallVector<int64_t> extents;
  for (int64_t d : lead_) extents.push_back(domain_.block[d]);
  extents.push_back(wholeUnits());
  if (split_ >= 0) extents[split_] = llvm::divideCeil(extents[split_], down_ * granuleOf(split_)) * granuleOf(split_);
  return extents;
}

// Where an array's part begins along a dim of rowExtents(). A last part that would be shorter begins earlier: its first
// rows are the same sums as its neighbour's last.
int64_t ConvPlan::partStart(size_t dim, int64_t part) const {
  if (split_ != static_cast<int64_t>(dim)) return 0;
  int64_t whole = dim == lead_.size() ? units() : domain_.block[lead_[dim]], extent = rowExtents()[dim];
  return std::min(part * extent, whole - extent);
}

int64_t ConvPlan::sharedDim() const {
  const int64_t n = static_cast<int64_t>(lead_.size());
  if (mode_.pack == 1 || domain_.pack != mode_.pack || padded_.last.out > 8) return -1;
  for (int64_t i = 0; i <= n; ++i)
    if (phases(i) > 1) return -1;
  SmallVector<int64_t> extents = rowExtents();
  for (int64_t i = n; i-- > 0;)
    if (extents[i] % mode_.pack == 0) return i;
  return -1;
}

// Whether the accumulators are too few for a block's results.
bool ConvPlan::overflowsSums(int64_t rows) {
  int64_t capacity = context_.target.core().mxu_accumulator_rows();
  if (!kSplit_ && rows <= capacity) return false;
  // Parts of the rows on arrays side by side: each needs room for its own.
  SmallVector<int64_t> block = domain_.block;
  chooseArrays();
  int64_t share = domain_.unitRows() * (kSplit_ ? groups_ : 1);
  for (int64_t e : rowExtents()) share *= e;
  domain_.block = block;
  return share > capacity;
}

// The dim to cut next, of blocks that take `words`; -1: none is left.
int64_t ConvPlan::chooseCut(int64_t words) {
  int64_t budget = vmemBudgetWords(context_.target);
  const int64_t left = budget - context_.firstWord;
  bool heavyWeights = words > budget && weights_->slotWords * weights_->slots > left / 2;
  bool cutOut = domain_.block[co_] > side_, cutIn = domain_.block[ci_] > side_ && !folds_;
  if (heavyWeights && cutOut) return co_;
  if (heavyWeights && cutIn) return ci_;
  const int64_t position = choosePosition(/*batchFirst=*/true);
  return position >= 0 ? position : cutOut ? co_ : cutIn ? ci_ : -1;
}

// The dim of positions to cut next; -1: none is left. Images that lie side by side stay together.
int64_t ConvPlan::choosePosition(bool batchFirst) const {
  const bool together = turnsTaps_ && domain_.block[lead_[0]] <= turnedTaps_.mostImages();
  auto canBeCut = [&](int64_t d) { return domain_.block[d] > 1 && !resultsHoldWhole(d); };
  for (int64_t d : ArrayRef(lead_).drop_front(together || !batchFirst))
    if (canBeCut(d)) return d;
  return canBeCut(lead_[0]) ? lead_[0] : -1;
}

void ConvPlan::resetPositions() {
  for (auto [i, d] : llvm::enumerate(lead_))
    domain_.block[d] = foldsRows_ ? domain_.dims[d] : llvm::alignTo(domain_.dims[d], padded_.lead[i].phases());
}

// The rows of a block.
int64_t ConvPlan::rows() const {
  int64_t rows = wholeUnits() * domain_.unitRows();
  for (int64_t d : lead_) rows *= domain_.block[d];
  return rows;
}

// Blocks hold whole sets of phases, and of images side by side, as long as they are larger than one.
int64_t ConvPlan::cutGranule(int64_t d) const {
  int64_t granule = granuleOf(llvm::find(lead_, d) - lead_.begin());
  if (turnsTaps_ && d == lead_[0]) granule *= turnedTaps_.mostImages();
  return domain_.block[d] > granule ? granule : 1;
}

constexpr char kWhat[] = "a block of this convolution";

// Steps that are enough where more would bring rows of the input again, and how much more of them that is.
constexpr int64_t kFewSteps = 4;
constexpr double kRepeated = 1.25;

// Whether cores have as much to do each.
bool ConvPlan::areEven() const {
  const auto cores = static_cast<int64_t>(context_.target.cores());
  return cores == 1 ||
         (grid_->parallelSteps() % cores == 0 && llvm::none_of(lead_, [&](int64_t d) { return domain_.hasTail(d); }));
}

// Whether blocks overlap that much more with dim `cut` cut.
bool ConvPlan::repeats(int64_t cut) {
  if (cut < 0 || cut == co_ || cut == ci_) return false;
  auto moved = [&] {
    place();
    int64_t words = input_->movedWords();
    for (int64_t d : lead_) words *= domain_.steps(d);
    return static_cast<double>(words);
  };
  const int64_t whole = domain_.block[cut];
  const double before = moved();
  halve(cut, cutGranule(cut));
  const double after = moved();
  domain_.block[cut] = whole;
  place();
  return after > kRepeated * before;
}

// Halves positions, and features where weights are heavy, until blocks fit and there are steps to overlap.
LogicalResult ConvPlan::fitBlocks() {
  resetPositions();
  while (true) {
    int64_t words = place(), rows = this->rows();
    kSplit_ = domain_.steps(ci_) > 1;
    bool tooBig = words > vmemBudgetWords(context_.target);
    bool tooFew = grid_->parallelSteps() < 8 && rows > 1024 && input_->slotWords + space_.results[0]->slotWords > 2048;
    bool fits = !tooBig && !overflowsSums(rows);
    if (fits && !tooFew) return success();
    int64_t cut = chooseCut(words);
    if (fits && grid_->parallelSteps() >= kFewSteps && areEven() && repeats(cut)) return success();
    // One step, then; so it is where the features' parts, summed in turn, would need all sums in one array.
    if (fits && (cut < 0 || (cut == ci_ && rows > context_.target.core().mxu_accumulator_rows()))) return success();
    if (cut < 0) return overVmem(context_, conv_, kWhat, words);
    halve(cut, cut == co_ || cut == ci_ ? side_ : cutGranule(cut));
  }
}

// Blocks of a dim in each number of parts, in whole tiles of the arrays.
SmallVector<int64_t> ConvPlan::parts(int64_t d) const {
  const auto tiles = static_cast<int64_t>(llvm::divideCeil(domain_.dims[d], side_));
  SmallVector<int64_t> blocks{domain_.dims[d]};
  for (int64_t count = 2; count <= tiles; ++count) {
    const auto block = static_cast<int64_t>(llvm::divideCeil(tiles, count)) * side_;
    if (block < blocks.back()) blocks.push_back(block);
  }
  return blocks;
}

// Positions in fewer and fewer, for the parts of the features that blocks have.
void ConvPlan::searchPositions(bool batchFirst, double &best, SmallVectorImpl<int64_t> &bestBlock) {
  resetPositions();
  while (true) {
    kSplit_ = domain_.steps(ci_) > 1;
    if (place() <= vmemBudgetWords(context_.target) && !overflowsSums(rows()))
      if (const double cycles = cyclesOfBlocks(); cycles < best) {
        best = cycles;
        bestBlock = domain_.block;
      }
    const int64_t cut = choosePosition(batchFirst);
    if (cut < 0) return;
    halve(cut, cutGranule(cut));
  }
}

// Other blocks may take less: steps for transfers to overlap with; parts of the features, whose sums wait for each
// other or whose inputs come again, instead of weights that many steps bring to the arrays for a few positions each.
void ConvPlan::searchBlocks() {
  constexpr double kGain = 0.98;  // estimates are not exact
  SmallVector<int64_t> bestBlock(domain_.block);
  double best = kGain * cyclesOfBlocks();
  for (int64_t out : parts(co_))
    for (int64_t in : folds_ ? SmallVector<int64_t>{domain_.dims[ci_]} : parts(ci_))
      for (bool batchFirst : {true, false}) {
        domain_.block[co_] = out;
        domain_.block[ci_] = in;
        searchPositions(batchFirst, best, bestBlock);
      }
  domain_.block = bestBlock;
  kSplit_ = domain_.steps(ci_) > 1;
  place();
}

LogicalResult ConvPlan::chooseBlocks() {
  makeGrid({input_.get(), weights_.get()});
  grid_->parallel = lead_;
  grid_->parallel.push_back(co_);
  grid_->sequential = {ci_};
  if (context_.plan) return followBlocks();
  if (failed(fitBlocks())) return failure();
  if (!context_.isQuestion) searchBlocks();
  chooseArrays();
  orderGrid();
  context_.vmemWords = place();
  Choices choices(context_.op->getContext());
  choices.set("arrays", {across_, down_, split_});
  context_.plan = planOf(context_, *grid_, choices);
  return success();
}

LogicalResult ConvPlan::followBlocks() {
  GivenPlan given(context_);
  SmallVector<int64_t> granules(domain_.dims.size(), 0), most(domain_.dims);
  for (auto [i, d] : llvm::enumerate(lead_)) {
    granules[d] = 1;
    // Arrays side by side take equal parts, of whole sets of phases.
    most[d] = llvm::alignTo(most[d], arrays_ * padded_.lead[i].phases());
  }
  granules[co_] = side_;
  granules[ci_] = folds_ ? 0 : side_;
  SmallVector<int64_t> arrays = given.numbers("arrays");
  auto refuse = [&] { return given.refuse("arrays of columns, of rows, and the dim whose rows they share"); };
  if (arrays.size() != 3) return refuse();
  across_ = arrays[0], down_ = arrays[1], split_ = arrays[2];
  if (across_ < 1 || down_ < 1 || across_ * down_ > arrays_ || split_ < -1 ||
      split_ > static_cast<int64_t>(lead_.size()) || (split_ < 0) != (down_ == 1))
    return refuse();
  auto lay = [&] { return place(); };
  if (failed(plan::followBlocks(context_, domain_, *grid_, granules, most, kWhat, lay))) return failure();
  for (int64_t d : lead_)
    if (domain_.steps(d) > 1 && resultsHoldWhole(d)) return given.refuse("all of d" + Twine(d) + " in a step");
  kSplit_ = domain_.steps(ci_) > 1;
  const int64_t tiles = llvm::divideCeil(domain_.block[co_], side_);
  groups_ = tiles / across_;
  int64_t rows = domain_.unitRows() * (kSplit_ ? groups_ : 1);
  for (int64_t e : rowExtents()) rows *= e;
  const bool evenly = split_ < 0 || (split_ == static_cast<int64_t>(lead_.size())
                                         ? phases(split_) == 1
                                         : domain_.block[lead_[split_]] % (down_ * granuleOf(split_)) == 0);
  if (tiles % across_ || !evenly) return refuse();
  if (rows > context_.target.core().mxu_accumulator_rows()) return given.refuse("sums that the accumulators hold");
  return success();
}

// Column tiles side by side on the arrays, and parts of the rows where tiles are few.
void ConvPlan::chooseArrays() {
  across_ = down_ = 1;
  split_ = -1;
  int64_t tiles = llvm::divideCeil(domain_.block[co_], side_);
  for (int64_t a = 1; a <= arrays_; ++a) {
    if (tiles % a || a * (arrays_ / a) < across_ * down_) continue;
    across_ = a;
    down_ = arrays_ / a;
  }
  groups_ = tiles / across_;
  splitRows();
}

// The parts of the rows: along the dim that leaves the least to each array. Units may be shared by two arrays; a
// leading dim that one block holds may run over its end.
void ConvPlan::splitRows() {
  int64_t most = std::exchange(down_, 1);
  SmallVector<int64_t> extents = rowExtents();
  double best = 1;
  for (int64_t parts = most; parts > 1; --parts)
    for (size_t i = 0; i < extents.size(); ++i) {
      int64_t unit = parts * granuleOf(i);
      double share = static_cast<double>(llvm::divideCeil(extents[i], unit)) * granuleOf(i) / extents[i];
      bool even = extents[i] % unit == 0;
      if (share >= best || extents[i] < unit || (i == lead_.size() && phases(i) > 1)) continue;
      bool overruns = !even && i < lead_.size();
      if (overruns && (domain_.steps(lead_[i]) > 1 || !fitsWith(lead_[i], llvm::alignTo(extents[i], unit)))) continue;
      best = share;
      down_ = parts;
      split_ = i;
    }
  if (split_ >= 0 && split_ < static_cast<int64_t>(lead_.size()))
    domain_.block[lead_[split_]] = llvm::alignTo(extents[split_], down_ * granuleOf(split_));
}

// Whether the blocks still fit with an extent of `extent` along dim d.
bool ConvPlan::fitsWith(int64_t d, int64_t extent) {
  int64_t before = std::exchange(domain_.block[d], extent);
  bool fits = place() <= vmemBudgetWords(context_.target);
  domain_.block[d] = before;
  place();
  return fits;
}

// The dim that moves fastest leaves the larger operand in place.
void ConvPlan::orderGrid() {
  int64_t coSteps = domain_.steps(co_), others = 1;
  for (int64_t d : lead_) others *= domain_.steps(d);
  int64_t in = input_->array.hbmBytes(), w = weights_->array.hbmBytes();
  grid_->parallel = lead_;
  grid_->parallel.push_back(co_);
  if (in * coSteps + w < in + w * others) {
    grid_->parallel.pop_back();
    grid_->parallel.insert(grid_->parallel.begin(), co_);
  }
}

LogicalResult ConvPlan::plan() {
  if (failed(chooseMode())) return failure();
  chooseDims();
  makeBlocks();
  return chooseBlocks();
}

stablehlo::ConvolutionOp convolutionOf(kernel::FusionOp op) {
  return *op.getBlock().getOps<stablehlo::ConvolutionOp>().begin();
}

bool isWeightGradient(stablehlo::ConvolutionOp conv) {
  return conv.getDimensionNumbers().getInputBatchDimension() != 0;
}

LogicalResult planConv(KernelContext &context) {
  stablehlo::ConvolutionOp conv = convolutionOf(context.op);
  if (analysis::hasBatchLanes(conv)) return BatchLanesPlan(context, conv).plan();
  if (analysis::isBatchLanesGradient(conv)) return BatchLanesGradientPlan(context, conv).plan();
  if (analysis::isDepthwiseGradient(conv)) return DepthwiseGradientPlan(context, conv).plan();
  if (TapsGradientPlan::takes(context.target, conv)) return TapsGradientPlan(context, conv).plan();
  return isWeightGradient(conv) ? GradientPlan(context, conv).plan() : ConvPlan(context, conv).plan();
}

}  // namespace tpuc::plan
