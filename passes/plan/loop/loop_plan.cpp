// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop kernel walks: its index space, its reductions, and what they keep.
#include "passes/plan/loop/loop_plan.h"

#include "dialects/kernel/function.h"
#include "passes/analysis/readable.h"
#include "passes/analysis/scan.h"
#include "passes/plan/loop/kept_values.h"
#include "passes/plan/memory/in_place.h"

using namespace mlir;

namespace tpuc::plan {

// Whether the positions of a shuffled view are those of the kernel's vregs.
static bool isInOrder(const Domain &domain, const ArrayBlock &block) {
  const Array &a = block.array;
  if (!a.isShuffled()) return true;
  const int64_t rows = block.map[a.order[a.rank() - 2]], lanes = block.map[a.order[a.rank() - 1]];
  return (lanes == domain.c() || (lanes == kUnit && !a.laneShuffle)) && (rows == domain.r() || !a.rowShuffle);
}

SmallVector<int64_t> LoopPlan::dimsOf(Value v) {
  SmallVector<int64_t> dims;
  for (int64_t d : space_.mapOf(v)) {
    if (d == kLinear)
      dims.append({space_.domain.r(), space_.domain.c()});
    else if (d != kUnit)
      dims.push_back(d);
  }
  llvm::sort(dims);
  if (space_.domain.linear && dims.size() == 2) return {space_.domain.r()};  // rows of 128 are one dim to walk
  return dims;
}

LogicalResult LoopPlan::analyse() {
  kernel::FusionOp op = context_.op;
  SmallVector<Source, 8> sources = sourcesOf(op);
  SmallVector<Value> values = llvm::map_to_vector(sources, [](const Source &s) { return s.value; });
  for (auto [i, v] : llvm::enumerate(values)) sourceOf_[v] = i;
  for (Operation &inner : op.getBlock().without_terminator()) {
    if (space_.classes.add(&inner)) {
      llvm::append_range(values, inner.getResults());
      continue;
    }
    if (context_.isQuestion) return failure();
    return diagnose(&inner, codes::kBrokenStage)
           << "expects ops that walk their operands' dims in a loop kernel, but got '" << inner.getName() << "'";
  }
  SmallVector<analysis::OrderedArray> arrays;
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands()))
    arrays.push_back({v, orderOf(op.getResultOrdersAttr(), i, v)});
  for (auto [v, i] : sources) arrays.push_back({v, orderOf(op.getInputOrdersAttr(), i, v)});
  // Fusion may have listed them otherwise, and chosen the order of another array: one that allows all to be read comes
  // first here.
  SmallVector<analysis::OrderedArray> all(arrays);
  std::stable_partition(arrays.begin(), arrays.end(),
                        [&](const analysis::OrderedArray &a) { return analysis::allowsAll(space_.classes, a, all); });
  auto dims = analysis::chooseDomain(space_.classes, arrays, values);
  if (!dims && context_.isQuestion) return failure();
  if (!dims)
    return diagnose(op, codes::kNoIndexSpace)
           << "expects a value that spans all dims of the kernel, but got none; compile with --no-fuse";
  makeBlocks(context_, space_, *dims);
  for (const auto &block : llvm::concat<std::unique_ptr<ArrayBlock>>(space_.inputs, space_.results))
    if (!isAccessible(space_.domain, block->array.type, block->array.order, block->map)) {
      if (context_.isQuestion) return failure();
      return diagnose(op, codes::kNoIndexSpace) << "expects arrays with one dim along lanes, but got "
                                                << block->array.type << " with it elsewhere; compile with --no-fuse";
    }
  for (const auto &block : space_.inputs)
    if (!isInOrder(space_.domain, *block)) {
      if (context_.isQuestion) return failure();
      return diagnose(op, codes::kNoIndexSpace) << "expects moved rows and lanes along those of the kernel, but got "
                                                << block->array.type << " with them elsewhere; compile with --no-fuse";
    }
  findReductions();
  return success();
}

void LoopPlan::findReductions() {
  for (Operation &inner : context_.op.getBlock().without_terminator()) {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(&inner);
    if (!reduce) continue;
    Reduction r;
    r.op = reduce;
    if (Operation *by = analysis::onlyOp(reduce.getBody().front())) r.reducer = reducerOf(by);
    r.kept = dimsOf(reduce.getResult(0));
    for (int64_t d : dimsOf(reduce.getInputs()[0]))
      if (!llvm::is_contained(r.kept, d)) r.reduced.push_back(d);
    for (Value result : reduce.getResults()) reductionOf_[result] = reductions_.size();
    reductions_.push_back(r);
  }
  // A consumer that has one of the reduced dims walks it again.
  for (Reduction &r : reductions_) {
    SmallVector<Value> work(r.op.getResults());
    DenseSet<Value> seen;
    while (!work.empty()) {
      Value v = work.pop_back_val();
      if (!seen.insert(v).second) continue;
      for (Operation *user : v.getUsers()) {
        for (Value result : user->getResults()) work.push_back(result);
        for (Value operand :
             llvm::concat<Value>(llvm::to_vector(user->getOperands()), llvm::to_vector(user->getResults())))
          for (int64_t d : dimsOf(operand))
            r.pinned |= !mlir::isa<kernel::YieldOp>(user) && llvm::is_contained(r.reduced, d);
      }
    }
  }
}

int64_t LoopPlan::place() {
  int64_t word = grid_->placeBlocks(context_.firstWord);
  int64_t region = space_.inputs.size() + space_.results.size();
  if (inRows_) return word;
  for (Reduction &r : reductions_) {
    r.scratchWord = word;
    r.scratchWords = vregsOf(r.kept) * 8 * r.op.getInputs().size();
    r.region = region++;
    word += r.scratchWords;
  }
  for (auto &[v, kept] : kept_) {
    kept.word = word;
    kept.region = region++;
    word += vregsOf(kept.dims) * 8;
  }
  return word;
}

// Vregs of a block's dims, of which rows may run over to a whole unit.
int64_t LoopPlan::vregsOf(ArrayRef<int64_t> dims) const {
  const Domain &d = space_.domain;
  int64_t vregs = 1;
  for (int64_t k : dims)
    vregs *= k == d.r()   ? llvm::divideCeil(d.block[k], 8) + d.pack
             : k == d.c() ? llvm::divideCeil(d.block[k], 128)
                          : d.block[k];
  return vregs;
}

bool LoopPlan::isStraight(const Reduction &r) const {
  constexpr int64_t kStraight = 4;
  return r.reducer && vregsOf(r.reduced) <= kStraight;
}

stablehlo::MulOp LoopPlan::productOf(Reduction &r) const {
  const Domain &d = space_.domain;
  const bool masksRows = llvm::is_contained(r.reduced, d.r()) && (d.linear || d.dims[d.r()] % d.unitRows()),
             masksLanes = llvm::is_contained(r.reduced, d.c()) && d.dims[d.c()] % 128;
  if (inRows_ || r.reducer != Reducer::Add || masksRows || masksLanes) return {};
  auto product = r.op.getInputs()[0].getDefiningOp<stablehlo::MulOp>();
  const bool isIts = product && product->hasOneUse() && getElementTypeOrSelf(product.getType()).isF32();
  return isIts && !kept_.contains(product) ? product : stablehlo::MulOp();
}

bool LoopPlan::isJammed(const Reduction &r) const {
  return llvm::any_of(r.kept, [&](int64_t k) { return !jam_.empty() && jam_[k] > 1; });
}

// Operands of reductions whose reduced dims are walked again.
void LoopPlan::findKept() {
  for (Reduction &r : reductions_)
    for (Value v : r.op.getInputs())
      if (r.pinned && isKept(r.op, v)) kept_.insert({v, {dimsOf(v)}});
}

// Whether input `i`, what a loop carries, may be read where result `k`, what it carries next, is written.
bool LoopPlan::mayStayUnder(size_t i, size_t k) const {
  auto isNext = [&](const auto &result) {
    return result->resident && result->origin.buffer == space_.inputs[i]->origin.buffer;
  };
  return llvm::count_if(space_.results, isNext) == 1 &&
         replacesEachVreg(context_.op, sourcesOf(context_.op)[i].argument, k);
}

// Results in VMEM over an input that nothing reads after this kernel: a step's parts of both lie in one place where no
// dim under their tile is cut.
void LoopPlan::findReplaced() {
  replaced_.clear();
  carried_.clear();
  for (auto [k, result] : llvm::enumerate(space_.results))
    for (auto [i, input] : llvm::enumerate(space_.inputs)) {
      if (!result->resident || !input->resident || result->resident->word != input->resident->word) continue;
      if (input->isCopied) {
        if (mayStayUnder(i, k)) carried_.push_back({i, k});
        continue;
      }
      replaced_.push_back({i, k});
      for (int64_t phys = result->array.rank() - 2; phys < result->array.rank(); ++phys)
        if (int64_t d = result->map[result->array.order[phys]]; d >= 0) whole_.insert(d);
    }
  for (auto [i, k] : carried_) space_.inputs[i]->isCopied = false;
}

// The first vreg is written when the last has been read: code in one piece must not exchange them either.
LogicalResult LoopPlan::checkReplaced() {
  for (auto [i, k] : replaced_) {
    auto isStill = [&](Value v) {
      return inRows_ ? llvm::any_of(reductions_, [&](Reduction &r) { return llvm::is_contained(r.op.getInputs(), v); })
                     : kept_.contains(v);
    };
    BlockArgument read = context_.op.getBlock().getArgument(sourcesOf(context_.op)[i].argument);
    if (!isReadByReductionsAlone(context_.op, read, isStill))
      return overVmem(context_, context_.op, "what this kernel keeps while it writes over an input", place());
    space_.results[k]->region = space_.inputs[i]->region;
  }
  for (auto [i, k] : carried_) space_.results[k]->region = space_.inputs[i]->region;
  return success();
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// Whether all reductions are along lanes, of the same rows, which their users have again, and results are these rows.
bool LoopPlan::fitsRows() {
  // Two rows are in flight, and each has about as many vregs again of what it is computed with.
  constexpr int64_t kMostVregs = isa::kNumVregs / 4;
  constexpr size_t kMostOps = 32;
  const Domain &d = space_.domain;
  if (d.linear || d.pack * llvm::divideCeil(d.dims[d.c()], 128) > kMostVregs) return false;
  SmallVector<int64_t> rows = llvm::to_vector(llvm::seq<int64_t>(0, d.c()));
  auto alongLanes = [&](const Reduction &r) {
    return r.reducer && r.kept == rows && r.reduced == SmallVector<int64_t>{d.c()};
  };
  if (!llvm::all_of(reductions_, alongLanes) || llvm::none_of(reductions_, [](const Reduction &r) { return r.pinned; }))
    return false;
  if (kernel::lengthOf(context_.op.getBlock()) > kMostOps) return false;
  for (auto [i, v] : llvm::enumerate(context_.op.getBlock().getTerminator()->getOperands()))
    if (ArrayRef(dimsOf(v)).take_front(rows.size()) != ArrayRef(rows) ||
        !storesWholeWords(*space_.results[i], space_.mapOf(v), d))
      return false;
  return true;
}

}  // namespace tpuc::plan
