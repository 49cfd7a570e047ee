// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a transpose: tiles of 128 x 128, and leading dims.
#include "passes/plan/move/transpose_plan.h"

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr StringRef kTransposes = "transposes";  // of a plan: tiles through the transpose buffer

// Moved as bits: a NaN keeps its own.
static RankedTensorType bitsOf(Value v) {
  auto type = cast<RankedTensorType>(v.getType());
  Type element = type.getElementType();
  if (!element.isBF16() && !element.isF16()) return type;
  return type.clone(IntegerType::get(v.getContext(), 16, IntegerType::Unsigned));
}

bool TransposePlan::bind() {
  kernel::FusionOp fusion = context_.op;
  Value result = fusion.getBlock().getTerminator()->getOperand(0);
  auto argument = cast<BlockArgument>(op_.getOperand());
  Array to(bitsOf(result), orderOf(fusion.getResultOrdersAttr(), 0, result));
  Array from(bitsOf(argument), orderOf(fusion.getInputOrdersAttr(), argument.getArgNumber(), argument));
  if (from.rank() < 2) return false;
  DimMap toMap(to.rank());
  for (int64_t phys = 0; phys < to.rank(); ++phys) {
    toMap[to.order[phys]] = phys;
    resultView_.dims.push_back(to.extent(phys));
  }
  sourceMap_.resize(from.rank());
  for (auto [d, source] : llvm::enumerate(op_.getPermutation())) sourceMap_[source] = toMap[d];
  resultView_.cDim = to.rank() - 1;
  resultView_.rDim = sourceMap_[from.order.back()];
  if (resultView_.rDim == resultView_.cDim) return false;
  if (resultView_.dims[resultView_.rDim] == 1 || resultView_.dims[resultView_.cDim] == 1) return false;
  resultView_.pack = to.pack;
  resultView_.block = resultView_.dims;
  sourceView_ = resultView_;
  std::swap(sourceView_.rDim, sourceView_.cDim);
  // Tiles are worked on whole where a dim has more than one.
  for (Domain *view : {&sourceView_, &resultView_})
    if (view->dims[view->r()] > kTile) view->heldRows = kTile;
  source_ = std::make_unique<ArrayBlock>(from, sourceMap_);
  source_->origin = context_.inputs[argument.getArgNumber()];
  source_->view = &sourceView_;
  result_ = std::make_unique<ArrayBlock>(to, toMap);
  result_->origin = context_.results[0];
  result_->view = &resultView_;
  result_->isResult = true;
  if (!context_.ends.empty()) result_->ends = context_.ends[0];
  return true;
}

void TransposePlan::makeGrid() {
  const Domain &d = resultView_;
  granule_.assign(d.dims.size(), 1);
  granule_[d.r()] = granule_[d.c()] = kTile;
  grid_ = std::make_unique<Grid>(d, ArrayRef<ArrayBlock *>(source_.get()), ArrayRef<ArrayBlock *>(result_.get()),
                                 context_.residents);
  for (size_t k = 0; k < d.dims.size(); ++k) grid_->parallel.push_back(k);
}

// Tiles of a result's leading dim are not cut.
bool TransposePlan::isWhole(int64_t k) const {
  const Domain &d = resultView_;
  return k != d.r() && k != d.c() && k == result_->map[result_->array.order[result_->array.rank() - 2]];
}

int64_t TransposePlan::place() {
  sourceView_.block = resultView_.block;
  return grid_->placeBlocks(context_.firstWord);
}

// Halves the longest dim that may be cut until blocks fit and there are steps enough to overlap transfers with work.
bool TransposePlan::choose() {
  if (!bind()) return false;
  makeGrid();
  Domain &d = resultView_;
  while (true) {
    bool tooBig = place() > vmemBudgetWords(context_.target),
         tooFew = grid_->parallelSteps() < 16 && source_->stepWords + result_->stepWords > 1024;
    if (!tooBig && !tooFew) break;
    int64_t cut = -1;
    for (size_t k = 0; k < d.dims.size(); ++k)
      if (!isWhole(k) && d.block[k] > granule_[k] &&
          (cut < 0 || d.block[k] / granule_[k] > d.block[cut] / granule_[cut]))
        cut = k;
    if (cut < 0 && tooBig) return false;
    if (cut < 0) break;
    d.block[cut] = llvm::alignTo(llvm::divideCeil(d.block[cut], 2), granule_[cut]);
  }
  context_.vmemWords = place();
  Choices choices(context_.op->getContext());
  choices.set(kTransposes);
  context_.plan = planOf(context_, *grid_, choices);
  return true;
}

LogicalResult TransposePlan::plan() {
  if (!bind()) return GivenPlan(context_).refuse("transfers, and nothing else");
  makeGrid();
  for (size_t k = 0; k < granule_.size(); ++k)
    if (isWhole(k)) granule_[k] = 0;
  return followBlocks(context_, resultView_, *grid_, granule_, resultView_.dims, "a block of this transpose",
                      [&] { return place(); });
}

}  // namespace tpuc::plan
