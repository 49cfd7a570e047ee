// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of kernels around one op.
#include "passes/plan/grid/root_plan.h"

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

void RootPlan::bindRoot(Operation *root, ArrayRef<int64_t> resultDims) {
  root_ = root;
  for (Operation &inner : context_.op.getBlock().without_terminator())
    if (&inner != root && !within_.contains(&inner)) (void)space_.classes.add(&inner);
  for (auto [d, to] : llvm::enumerate(resultDims))
    if (int64_t cls = space_.classes.classOf(root->getResult(0), d); cls >= 0) space_.dimOfClass[cls] = to;
}

DimMap RootPlan::bindElements(Operation *root) {
  auto type = typeOf(root->getResult(0));
  DimMap map;
  domain_.dims.assign(type.getShape().begin(), type.getShape().end());
  for (int64_t d = 0; d < type.getRank(); ++d) map.push_back(type.getDimSize(d) == 1 ? kUnit : d);
  if (type.getRank() == 1) {
    domain_.linear = true;
    domain_.linearSize = type.getDimSize(0);
    domain_.dims = {static_cast<int64_t>(llvm::divideCeil(type.getDimSize(0), 128)), 128};
    map = {kLinear};
  }
  domain_.block = domain_.dims;
  space_.domain = domain_;
  bindRoot(root, map);
  return map;
}

std::unique_ptr<ArrayBlock> RootPlan::makeBlock(Value v, ArrayAttr orders, unsigned i, const Origin &origin, DimMap map,
                                                const Domain *view) {
  auto block = std::make_unique<ArrayBlock>(Array(typeOf(v), orderOf(orders, i, v)), map);
  block->origin = origin;
  block->view = view;
  return block;
}

std::unique_ptr<ArrayBlock> RootPlan::operandBlock(Value v, DimMap map, const Domain *view) {
  unsigned i = cast<BlockArgument>(v).getArgNumber();
  return makeBlock(v, context_.op.getInputOrdersAttr(), i, context_.inputs[i], map, view);
}

// Whether an op besides the root reads it.
bool RootPlan::inEpilogue(BlockArgument arg) const {
  return llvm::any_of(arg.getUsers(), [&](Operation *user) { return user != root_ && !within_.contains(user); });
}

void RootPlan::makeEpilogueBlocks() {
  kernel::FusionOp op = context_.op;
  auto add = [&](std::vector<std::unique_ptr<ArrayBlock>> &blocks, std::unique_ptr<ArrayBlock> block) {
    domain_.pack = std::max(domain_.pack, block->array.pack);
    blocks.push_back(std::move(block));
  };
  for (auto [i, arg] : llvm::enumerate(op.getBlock().getArguments()))
    if (inEpilogue(arg))
      add(space_.inputs, makeBlock(arg, op.getInputOrdersAttr(), i, context_.inputs[i], space_.mapOf(arg), &domain_));
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands())) {
    add(space_.results, makeBlock(v, op.getResultOrdersAttr(), i, context_.results[i], space_.mapOf(v), &domain_));
    space_.results.back()->isResult = true;
    if (i < context_.ends.size()) space_.results.back()->ends = context_.ends[i];
  }
  space_.domain = domain_;
}

void RootPlan::makeGrid(ArrayRef<ArrayBlock *> operands) {
  SmallVector<ArrayBlock *> inputs(operands);
  llvm::append_range(inputs, space_.inputPointers());
  grid_ = std::make_unique<Grid>(domain_, inputs, space_.resultPointers(), context_.residents);
}

SmallVector<std::pair<Value, ArrayBlock *>> RootPlan::epilogueBlocks() const {
  SmallVector<std::pair<Value, ArrayBlock *>> blocks;
  for (BlockArgument arg : context_.op.getBlock().getArguments())
    if (inEpilogue(arg)) blocks.push_back({arg, space_.inputs[blocks.size()].get()});
  return blocks;
}

uint64_t RootPlan::positions() const {
  uint64_t n = 1;
  for (int64_t extent : domain_.dims) n *= extent;
  return n;
}

bool RootPlan::resultsHoldWhole(int64_t d) const {
  if (d == domain_.r() || d == domain_.c()) return false;
  return llvm::any_of(space_.results, [&](const auto &b) {
    const ArrayRef<int64_t> order = b->array.order, tiles = order.take_back(2);
    return llvm::any_of(tiles, [&](int64_t logical) { return b->map[logical] == d; });
  });
}

LogicalResult RootPlan::follow(ArrayRef<int64_t> granules, StringRef what, function_ref<int64_t()> place) {
  SmallVector<int64_t> walked(domain_.dims.size(), 0);
  for (int64_t d : llvm::concat<int64_t>(grid_->parallel, grid_->sequential)) walked[d] = granules[d];
  return followBlocks(context_, domain_, *grid_, walked, domain_.dims, what, place);
}

void RootPlan::notePlan(function_ref<int64_t()> place) {
  context_.vmemWords = place();
  context_.plan = planOf(context_, *grid_, Choices(context_.op->getContext()));
}

LogicalResult RootPlan::fitBlocks(const ArrayBlock &input, StringRef what, function_ref<int64_t()> place,
                                  SmallVector<int64_t> granules) {
  int64_t budget = vmemBudgetWords(context_.target), lanes = grid_->parallel.front();
  granules.resize(domain_.dims.size(), 1);
  granules[lanes] = 128;
  for (int64_t d : ArrayRef<int64_t>(grid_->parallel).drop_front())
    if (resultsHoldWhole(d)) granules[d] = 0;
  if (context_.plan) return follow(granules, what, place);
  while (true) {
    int64_t words = place();
    bool fits = words <= budget, tooFew = grid_->parallelSteps() < 8 && input.slotWords > 1024;
    if (fits && !tooFew) break;
    int64_t cut = -1;
    if (words > budget / 4 && domain_.block[lanes] > 128) cut = lanes;
    for (int64_t d : ArrayRef<int64_t>(grid_->parallel).drop_front())
      if (cut < 0 && granules[d] && domain_.block[d] > granules[d]) cut = d;
    if (cut < 0 && !fits && domain_.block[lanes] > 128) cut = lanes;
    if (cut < 0 && fits) break;
    if (cut < 0) return overVmem(context_, root_, what, words);
    halve(cut, granules[cut]);
  }
  notePlan(place);
  return success();
}

// What each dim is cut in multiples of; 0: it stays whole.
SmallVector<int64_t> RootPlan::granulesOf(ArrayRef<int64_t> cuts) const {
  const Domain &d = domain_;
  SmallVector<int64_t> granules(d.dims.size(), 0);
  for (int64_t k : cuts) granules[k] = k == d.r() ? d.unitRows() : k == d.c() ? 128 : 1;
  for (auto &b : space_.results)
    for (int64_t phys = 0; phys < b->array.rank(); ++phys) {
      int64_t k = b->map[b->array.order[phys]];
      if (k < 0 || !granules[k]) continue;
      bool last = phys + 1 == b->array.rank();
      if (b->array.isVector() || (k == d.r() && last)) granules[k] = std::lcm(granules[k], 128 * b->array.pack);
    }
  for (int64_t k : cuts)
    if (resultsHoldWhole(k)) granules[k] = 0;
  return granules;
}

LogicalResult RootPlan::cutBlocks(const ArrayBlock &input, ArrayRef<int64_t> cuts, int64_t fewWords, StringRef what,
                                  function_ref<int64_t()> place) {
  const Domain &d = domain_;
  SmallVector<int64_t> granules = granulesOf(cuts);
  if (context_.plan) return follow(granules, what, place);
  while (true) {
    int64_t words = place(), budget = vmemBudgetWords(context_.target);
    bool tooFew = grid_->parallelSteps() * grid_->sequentialSteps() < 16 && input.stepWords > fewWords;
    if (words <= budget && !tooFew) break;
    const auto *cut = llvm::find_if(cuts, [&](int64_t k) { return granules[k] && d.block[k] > granules[k]; });
    if (cut == cuts.end() && words > budget) return overVmem(context_, root_, what, words);
    if (cut == cuts.end()) break;
    halve(*cut, granules[*cut]);
  }
  notePlan(place);
  return success();
}

LogicalResult RootPlan::refuseMode(Value lhs, Value rhs, StringRef modes) {
  if (context_.isQuestion) return failure();
  return diagnose(root_, codes::kNoMatrixMode)
         << "expects operands of a mode of " << context_.target.name() << "'s matrix unit, but got " << elementOf(lhs)
         << " and " << elementOf(rhs) << " to " << elementOf(root_->getResult(0)) << "; convert them to " << modes;
}

}  // namespace tpuc::plan
