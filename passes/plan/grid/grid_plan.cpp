// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids to plans and back.
#include "passes/plan/grid/grid_plan.h"

#include "passes/plan/grid/strided_dims.h"

using namespace mlir;

namespace tpuc::plan {

// ---- writing --------------------------------------------------------------------------------------------------------

// The part of an array that a step sees, and which part that is at each step. `all`: the blocks that it is among.
static kernel::BlockAttr blockOf(MLIRContext *context, const ArrayBlock &block, ArrayRef<ArrayBlock *> all) {
  const Domain &domain = *block.view;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> numbers;
  for (int64_t phys = 0; phys < block.array.rank(); ++phys) {
    int64_t d = block.blockedDim(domain, phys), extent = block.array.held(phys);
    if (auto halo = block.halos.find(phys); halo != block.halos.end())
      extent = halo->second.held;
    else if (d != kUnit)
      extent =
          std::min(extent, block.map[block.array.order[phys]] == kLinear ? domain.block[d] * 128 : domain.block[d]);
    shape.push_back(extent);
    numbers.push_back(d == kUnit ? getAffineConstantExpr(0, context) : getAffineDimExpr(d, context));
  }
  AffineMap map = AffineMap::get(domain.dims.size(), 0, numbers, context);
  if (block.within)
    return kernel::BlockAttr::get(context, shape, map, false, 0, llvm::find(all, block.within) - all.begin());
  return kernel::BlockAttr::get(context, shape, map, block.resident != nullptr, block.inPlace ? 0 : block.slots, -1);
}

static SmallVector<kernel::BlockAttr> blocksOf(MLIRContext *context, ArrayRef<ArrayBlock *> blocks) {
  return llvm::map_to_vector(blocks, [&](const ArrayBlock *block) { return blockOf(context, *block, blocks); });
}

kernel::PlanAttr planOf(const KernelContext &context, const Grid &grid, const Choices &choices) {
  MLIRContext *mlir = context.op->getContext();
  const Domain &domain = grid.domain();
  return kernel::PlanAttr::get(mlir, domain.dims, domain.block, grid.parallel, grid.sequential,
                               blocksOf(mlir, grid.inputs()), blocksOf(mlir, grid.results()), choices.get(),
                               context.vmemWords, vmemBudgetWords(context.target));
}

kernel::PlanAttr planOf(const KernelContext &context, const Choices &choices) {
  const bool takesWords = context.vmemWords > context.firstWord;
  return kernel::PlanAttr::get(context.op->getContext(), {}, {}, {}, {}, {}, {}, choices.get(),
                               takesWords ? context.vmemWords : -1, takesWords ? vmemBudgetWords(context.target) : -1);
}

// ---- reading --------------------------------------------------------------------------------------------------------

int64_t GivenPlan::number(StringRef name, int64_t otherwise) const {
  auto value = plan_.getChoices().getAs<IntegerAttr>(name);
  return value ? value.getInt() : otherwise;
}

SmallVector<int64_t> GivenPlan::numbers(StringRef name) const {
  auto values = plan_.getChoices().getAs<DenseI64ArrayAttr>(name);
  return values ? llvm::to_vector(values.asArrayRef()) : SmallVector<int64_t>();
}

LogicalResult GivenPlan::refuse(const Twine &what) const {
  return diagnose(context_.op, codes::kBrokenStage) << "expects a plan with " << what;
}

static std::string text(ArrayRef<int64_t> numbers) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::interleave(numbers, os, "x");
  return out;
}

static bool haveSameDims(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> x(a), y(b);
  llvm::sort(x);
  llvm::sort(y);
  return x == y;
}

LogicalResult GivenPlan::takeBlocks(Domain &domain, Grid &grid, const DenseSet<int64_t> &whole,
                                    ArrayRef<int64_t> granules, ArrayRef<int64_t> most) const {
  if (plan_.getExtents() != ArrayRef(domain.dims))
    return refuse("a grid of " + text(domain.dims) + ", but got one of " + text(plan_.getExtents()));
  if (!haveSameDims(plan_.getParallel(), grid.parallel) || !haveSameDims(plan_.getSequential(), grid.sequential))
    return refuse("parallel dims [" + text(grid.parallel) + "] and sequential dims [" + text(grid.sequential) + "]");
  for (auto [d, block, extent, granule] : llvm::enumerate(plan_.getBlocks(), domain.dims, granules)) {
    if (block == extent) continue;
    if (whole.contains(d))
      return refuse("all " + Twine(extent) + " of d" + Twine(d) + " in a step, but got " + Twine(block));
    if (block % granule || block > most[d])
      return refuse("steps along d" + Twine(d) + " of a multiple of " + Twine(granule) + ", " + Twine(most[d]) +
                    " at most, but got " + Twine(block));
  }
  domain.block.assign(plan_.getBlocks().begin(), plan_.getBlocks().end());
  grid.parallel.assign(plan_.getParallel().begin(), plan_.getParallel().end());
  grid.sequential.assign(plan_.getSequential().begin(), plan_.getSequential().end());
  return success();
}

bool GivenPlan::hasBlocks(const Domain &domain) const {
  return plan_.getExtents() == ArrayRef(domain.dims) && plan_.getBlocks() == ArrayRef(domain.block);
}

LogicalResult GivenPlan::check(const Grid &grid) const {
  MLIRContext *context = context_.op->getContext();
  auto checkBlocks = [&](StringRef name, ArrayRef<kernel::BlockAttr> said, ArrayRef<ArrayBlock *> blocks) {
    if (said.empty()) return success();
    if (said.size() != blocks.size()) return refuse(Twine(blocks.size()) + " blocks that it " + name);
    for (auto [i, a, block] : llvm::enumerate(said, blocks))
      if (kernel::BlockAttr is = blockOf(context, *block, blocks); is != a)
        return LogicalResult(diagnose(context_.op, codes::kBrokenStage)
                             << "expects a plan with blocks that follow from its grid, as block " << i << " that it "
                             << name << ", " << is << ", but got " << a);
    return success();
  };
  if (failed(checkBlocks("reads", plan_.getReads(), grid.inputs())) ||
      failed(checkBlocks("writes", plan_.getWrites(), grid.results())))
    return failure();
  if (!grid.movesByOne())
    return refuse("blocks of " + Twine(kMostStridedDims) + " strided dims at most, as a descriptor has");
  if (plan_.getWords() >= 0 && plan_.getWords() != context_.vmemWords)
    return refuse("the words of VMEM that its blocks take, " + Twine(context_.vmemWords) + ", but got " +
                  Twine(plan_.getWords()));
  return success();
}

LogicalResult planTransfers(KernelContext &context) {
  GivenPlan given(context);
  if (context.plan) return given.has(kTransfers) ? success() : given.refuse("transfers, and nothing else");
  Choices choices(context.op->getContext());
  choices.set(kTransfers);
  context.plan = planOf(context, choices);
  return success();
}

LogicalResult followBlocks(KernelContext &context, Domain &domain, Grid &grid, ArrayRef<int64_t> granules,
                           ArrayRef<int64_t> most, StringRef what, function_ref<int64_t()> place) {
  GivenPlan given(context);
  DenseSet<int64_t> whole;
  for (auto [d, granule] : llvm::enumerate(granules))
    if (!granule) whole.insert(d);
  if (failed(given.takeBlocks(domain, grid, whole, granules, most))) return failure();
  context.vmemWords = place();
  if (context.vmemWords > vmemBudgetWords(context.target))
    return overVmem(context, context.op, what, context.vmemWords);
  return given.check(grid);
}

}  // namespace tpuc::plan
