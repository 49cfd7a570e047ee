// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a transpose: tiles of 128 x 128, and leading dims.
#include "passes/plan/move/transpose_plan.h"

#include <numeric>

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr StringRef kTransposes = "transposes";  // of a plan: tiles through the transpose buffer
constexpr StringRef kCutsTiles = "cuts_tiles";   // of a plan: a third dim under tiles comes in blocks of whole tiles

// Moved as bits: a NaN keeps its own.
static RankedTensorType bitsOf(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  Type element = type.getElementType();
  if (!element.isBF16() && !element.isF16()) return type;
  return type.clone(IntegerType::get(v.getContext(), 16, IntegerType::Unsigned));
}

// The arguments that `v` is computed from, and how they lie in the space; false where one is seen in two ways, or has
// the view's lanes along another dim than its last.
bool TransposePlan::addReads(Value v, const DimMap &map, const Domain &view, std::vector<Read> &reads, Maps &seen) {
  if (v == op_.getResult()) return true;
  if (auto [known, added] = seen.try_emplace(v, map); !added) return known->second == map;
  auto argument = dyn_cast<BlockArgument>(v);
  if (!argument) {
    Operation *op = v.getDefiningOp();
    if (mlir::isa<stablehlo::ConstantOp, stablehlo::IotaOp>(op)) return true;
    if (!analysis::walksDims(op) || mlir::isa<stablehlo::ReduceOp>(op)) return false;
    return llvm::all_of(llvm::seq<unsigned>(0, op->getNumOperands()), [&](unsigned i) {
      auto own = operandMap(op, i, map);
      return own && addReads(op->getOperand(i), *own, view, reads, seen);
    });
  }
  const bool isMoved = v == op_.getOperand() && result_ == op_.getResult();
  Array array(isMoved ? bitsOf(v) : cast<RankedTensorType>(v.getType()),
              orderOf(context_.op.getInputOrdersAttr(), argument.getArgNumber(), v));
  if (!isAccessible(view, array.type, array.order, map)) return false;
  reads.push_back({v, std::make_unique<ArrayBlock>(array, map)});
  reads.back().block->origin = context_.inputs[argument.getArgNumber()];
  reads.back().block->view = &view;
  return true;
}

bool TransposePlan::bind() {
  kernel::FusionOp fusion = context_.op;
  auto shape = op_.getType().getShape();
  if (fusion.getNumResults() != 1 || cast<RankedTensorType>(result_.getType()).getShape() != shape) return false;
  const bool isMoved = mlir::isa<BlockArgument>(op_.getOperand()) && result_ == op_.getResult();
  Array to(isMoved ? bitsOf(result_) : cast<RankedTensorType>(result_.getType()),
           orderOf(fusion.getResultOrdersAttr(), 0, result_));
  if (to.rank() < 2) return false;
  resultMap_.resize(to.rank());
  for (int64_t phys = 0; phys < to.rank(); ++phys) {
    resultMap_[to.order[phys]] = phys;
    resultView_.dims.push_back(to.extent(phys));
  }
  sourceMap_.resize(to.rank());
  for (auto [d, source] : llvm::enumerate(op_.getPermutation())) sourceMap_[source] = resultMap_[d];
  auto argument = dyn_cast<BlockArgument>(op_.getOperand());
  const int64_t lanes =
      argument ? orderOf(fusion.getInputOrdersAttr(), argument.getArgNumber(), argument).back() : to.rank() - 1;
  resultView_.cDim = to.rank() - 1;
  resultView_.rDim = sourceMap_[lanes];
  if (resultView_.rDim == resultView_.cDim) return false;
  if (resultView_.dims[resultView_.rDim] == 1 || resultView_.dims[resultView_.cDim] == 1) return false;
  resultView_.block = resultView_.dims;
  sourceView_ = resultView_;
  std::swap(sourceView_.rDim, sourceView_.cDim);
  Maps before, behind;
  if (!addReads(op_.getOperand(), sourceMap_, sourceView_, before_, before) ||
      !addReads(result_, resultMap_, resultView_, behind_, behind))
    return false;
  written_ = std::make_unique<ArrayBlock>(to, resultMap_);
  written_->origin = context_.results[0];
  written_->view = &resultView_;
  written_->isResult = true;
  if (!context_.ends.empty()) written_->ends = context_.ends[0];
  int64_t pack = to.pack;
  for (const Read &read : llvm::concat<Read>(before_, behind_)) pack = std::max(pack, read.block->array.pack);
  // Tiles are worked on whole where a dim has more than one.
  for (Domain *view : {&sourceView_, &resultView_}) {
    view->pack = pack;
    if (view->dims[view->r()] > kTile) view->heldRows = kTile;
  }
  return true;
}

void TransposePlan::makeGrid() {
  const Domain &d = resultView_;
  granule_.assign(d.dims.size(), 1);
  granule_[d.r()] = granule_[d.c()] = kTile;
  SmallVector<ArrayBlock *> reads;
  for (const Read &read : llvm::concat<Read>(before_, behind_)) reads.push_back(read.block.get());
  grid_ = std::make_unique<Grid>(d, reads, ArrayRef<ArrayBlock *>(written_.get()), context_.residents);
  // A dim under tiles of the source is brought whole: its steps follow one another, and bring it once.
  SmallVector<int64_t> last;
  for (const Read &read : before_) {
    const ArrayBlock &block = *read.block;
    const int64_t k = block.array.isVector() ? kUnit : block.map[block.array.order[block.array.rank() - 2]];
    if (k >= 0 && k != d.r() && k != d.c() && !llvm::is_contained(last, k)) last.push_back(k);
  }
  for (size_t k = 0; k < d.dims.size(); ++k)
    if (!llvm::is_contained(last, static_cast<int64_t>(k))) grid_->parallel.push_back(k);
  grid_->parallel.append(last.begin(), last.end());
}

// Tiles of a result's leading dim are not cut, unless nothing else fits.
bool TransposePlan::isWhole(int64_t k) const {
  const Domain &d = resultView_;
  return !d.cutsTiles && k != d.r() && k != d.c() &&
         k == written_->map[written_->array.order[written_->array.rank() - 2]];
}

// Lets blocks have a part of a dim that lies under tiles of an array and is neither transposed one: whole tiles of it.
// False where they do already.
bool TransposePlan::cutTiles() {
  if (resultView_.cutsTiles) return false;
  resultView_.cutsTiles = sourceView_.cutsTiles = true;
  auto takeTiles = [&](const ArrayBlock &block) {
    const Array &array = block.array;
    if (array.rank() == 0) return;
    const int64_t dim = block.map[array.order[array.isVector() ? 0 : array.rank() - 2]];
    if (dim >= 0) granule_[dim] = std::lcm(granule_[dim], (array.isVector() ? 128 : 8) * array.pack);
  };
  for (const Read &read : llvm::concat<Read>(before_, behind_)) takeTiles(*read.block);
  takeTiles(*written_);
  resultView_.block = resultView_.dims;
  return true;
}

int64_t TransposePlan::place() {
  sourceView_.block = resultView_.block;
  return grid_->placeBlocks(context_.firstWord);
}

int64_t TransposePlan::stepWords() const {
  int64_t words = written_->stepWords;
  for (const ArrayBlock *block : grid_->inputs()) words += block->stepWords;
  return words;
}

// Halves the longest dim that may be cut until blocks fit and there are steps enough to overlap transfers with work.
bool TransposePlan::choose() {
  if (!bind()) return false;
  makeGrid();
  Domain &d = resultView_;
  while (true) {
    bool tooBig = place() > vmemBudgetWords(context_.target) || !grid_->movesByOne(),
         tooFew = grid_->parallelSteps() < 16 && stepWords() > 1024;
    if (!tooBig && !tooFew) break;
    int64_t cut = -1;
    for (size_t k = 0; k < d.dims.size(); ++k)
      if (!isWhole(k) && d.block[k] > granule_[k] &&
          (cut < 0 || d.block[k] / granule_[k] > d.block[cut] / granule_[cut]))
        cut = k;
    if (cut < 0 && tooBig && cutTiles()) continue;
    if (cut < 0 && tooBig) {
      wordsOverVmem_ = place();
      return false;
    }
    if (cut < 0) break;
    d.block[cut] = llvm::alignTo(llvm::divideCeil(d.block[cut], 2), granule_[cut]);
  }
  context_.vmemWords = place();
  Choices choices(context_.op->getContext());
  choices.set(kTransposes);
  if (d.cutsTiles) choices.set(kCutsTiles);
  context_.plan = planOf(context_, *grid_, choices);
  return true;
}

LogicalResult TransposePlan::plan() {
  if (!bind()) return GivenPlan(context_).refuse("transfers, and nothing else");
  makeGrid();
  if (GivenPlan(context_).has(kCutsTiles)) cutTiles();
  for (size_t k = 0; k < granule_.size(); ++k)
    if (isWhole(k)) granule_[k] = 0;
  return followBlocks(context_, resultView_, *grid_, granule_, resultView_.dims, "a block of this transpose",
                      [&] { return place(); });
}

}  // namespace tpuc::plan
