// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop kernels: elementwise ops and reductions over one domain.
//
//  1. Choose blocks: dims that a reduction's consumers walk again stay whole; other reduced dims may be walked in
//     sequence.
//  2. Each reduction: a nest over its kept dims, accumulators in vregs over the reduced ones; partial results in VMEM
//     scratch.
//  3. When a reduction is complete: across lanes and sublanes, combined with its initial value, into scratch.
//  4. The results: one nest for each set of dims.
//
// Rows of a few vregs go through 2 to 4 in one nest (loop_rows.cpp).
#include "passes/lowering/loop/loop_kernel.h"

#include "dialects/diagnostics/diagnose.h"
#include "passes/analysis/scan.h"
#include "passes/lowering/body/kept_values.h"
#include "passes/lowering/body/region.h"

using namespace mlir;

namespace tpuc::lowering {

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

// Whether no array has the dim that `hero` has along lanes in another place than its last.
static bool allowsAll(const analysis::OrderedArray &hero, ArrayRef<analysis::OrderedArray> arrays,
                      analysis::DimClasses &classes) {
  int64_t lanes = hero.order.empty() ? -1 : classes.classOf(hero.value, hero.order.back());
  return lanes < 0 || llvm::all_of(
                          arrays,
                          [&](const analysis::OrderedArray &a) {
                            return a.order.empty() || llvm::none_of(ArrayRef(a.order).drop_back(), [&](int64_t d) {
                                     return classes.classOf(a.value, d) == lanes;
                                   });
                          });
}

SmallVector<int64_t> LoopKernel::dimsOf(Value v) {
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

LogicalResult LoopKernel::analyse() {
  kernel::FusionOp op = context_.op;
  SmallVector<Source, 8> sources = sourcesOf(op);
  SmallVector<Value> values = llvm::map_to_vector(sources, [](const Source &s) { return s.value; });
  for (Operation &inner : op.getBlock().without_terminator()) {
    if (!space_.classes.add(&inner))
      return diagnose(&inner, codes::kBrokenStage)
             << "expects ops that walk their operands' dims in a loop kernel, but got '" << inner.getName() << "'";
    llvm::append_range(values, inner.getResults());
  }
  SmallVector<analysis::OrderedArray> arrays;
  for (auto [i, v] : llvm::enumerate(op.getBlock().getTerminator()->getOperands()))
    arrays.push_back({v, orderOf(op.getResultOrdersAttr(), i, v)});
  for (auto [v, i] : sources) arrays.push_back({v, orderOf(op.getInputOrdersAttr(), i, v)});
  // Fusion may have listed them otherwise, and chosen the order of another array: one that allows all to be read comes
  // first here.
  SmallVector<analysis::OrderedArray> all(arrays);
  std::stable_partition(arrays.begin(), arrays.end(),
                        [&](const analysis::OrderedArray &a) { return allowsAll(a, all, space_.classes); });
  auto dims = analysis::chooseDomain(space_.classes, arrays, values);
  if (!dims)
    return diagnose(op, codes::kNoIndexSpace)
           << "expects a value that spans all dims of the kernel, but got none; compile with --no-fuse";
  makeBlocks(context_, space_, *dims);
  for (const auto &block : llvm::concat<std::unique_ptr<ArrayBlock>>(space_.inputs, space_.results))
    if (!isAccessible(space_.domain, block->array.type, block->array.order, block->map))
      return diagnose(op, codes::kNoIndexSpace) << "expects arrays with one dim along lanes, but got "
                                                << block->array.type << " with it elsewhere; compile with --no-fuse";
  for (Operation &inner : op.getBlock().without_terminator()) {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(&inner);
    if (!reduce) continue;
    Reduction r;
    r.op = reduce;
    Block &body = reduce.getBody().front();
    if (Operation *by = analysis::onlyOp(body)) r.reducer = reducerOf(by);
    if (!r.reducer && !isLaneRegion(body))
      return diagnose(&inner, codes::kNoLowering) << "expects a reduction by ops that the instruction set has for "
                                                  << inner.getOperand(0).getType() << "; cast to f32 or i32 around it";
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
  return success();
}

int64_t LoopKernel::place() {
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
int64_t LoopKernel::vregsOf(ArrayRef<int64_t> dims) const {
  const Domain &d = space_.domain;
  int64_t vregs = 1;
  for (int64_t k : dims)
    vregs *= k == d.r()   ? llvm::divideCeil(d.block[k], 8) + d.pack
             : k == d.c() ? llvm::divideCeil(d.block[k], 128)
                          : d.block[k];
  return vregs;
}

// The word of a point's vreg among those of `dims`, of which `first` sets come before.
Linear LoopKernel::vregAt(ArrayRef<int64_t> dims, const Linear &first, const Point &p) const {
  const Domain &d = space_.domain;
  Linear index = first;
  for (int64_t k : dims) index = index * vregsOf({k}) + (k == d.r() ? p.at[k] * d.pack + Linear(p.sub) : p.at[k]);
  return index * 8;
}

// Operands of reductions whose reduced dims are walked again.
void LoopKernel::findKept() {
  for (Reduction &r : reductions_)
    for (Value v : r.op.getInputs())
      if (r.pinned && isKept(r.op, v)) kept_.insert({v, {dimsOf(v)}});
}

// Results in VMEM over an input that nothing reads after this kernel: a step's parts of both lie in one place where no
// dim under their tile is cut.
void LoopKernel::findReplaced(DenseSet<int64_t> &whole) {
  replaced_.clear();
  for (auto [k, result] : llvm::enumerate(space_.results))
    for (auto [i, input] : llvm::enumerate(space_.inputs)) {
      if (!result->resident || !input->resident || result->resident->word != input->resident->word) continue;
      replaced_.push_back({i, k});
      for (int64_t phys = result->array.rank() - 2; phys < result->array.rank(); ++phys)
        if (int64_t d = result->map[result->array.order[phys]]; d >= 0) whole.insert(d);
    }
}

// The first vreg is written when the last has been read: code in one piece must not exchange them either.
LogicalResult LoopKernel::checkReplaced() {
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
  return success();
}

// Halves the outermost dim that may be cut until blocks fit and there are steps enough to overlap transfers with work.
LogicalResult LoopKernel::chooseBlocks() {
  Domain &d = space_.domain;
  DenseSet<int64_t> whole, reducedDims;
  for (Reduction &r : reductions_)
    for (int64_t k : r.reduced) {
      reducedDims.insert(k);
      if (r.pinned) whole.insert(k);
    }
  SmallVector<int64_t> granule(d.dims.size(), 1);
  granule[d.r()] = d.unitRows();
  granule[d.c()] = 128;
  for (const auto *blocks : {&space_.inputs, &space_.results})
    for (auto &b : *blocks)
      for (int64_t phys = 0; phys < b->array.rank(); ++phys) {
        int64_t k = b->map[b->array.order[phys]];
        if (k < 0) continue;
        bool minor = phys + 2 >= b->array.rank();
        if (b->isResult && b->blockedDim(d, phys) == kUnit) whole.insert(k);
        if (minor && k < d.r()) {
          // Tiles of a leading dim are not cut, unless nothing would fit.
          if (!d.cutsTiles)
            whole.insert(k);
          else if (b->blockedDim(d, phys) == k)
            granule[k] = std::lcm(granule[k], (b->array.isVector() ? 128 : 8) * b->array.pack);
        }
        if (b->isResult && (k == d.c() || k == d.r()) &&
            (b->array.isVector() || (k == d.r() && phys == b->array.rank() - 1)))
          granule[k] = std::lcm(granule[k], 128 * b->array.pack);
      }
  if (d.linear) whole.insert(d.c());
  grid_ = std::make_unique<Grid>(d, space_.inputPointers(), space_.resultPointers(), context_.residents);
  grid_->exactTails = true;
  findReplaced(whole);
  inRows_ = fitsRows();
  if (inRows_) whole.insert(d.c());
  for (size_t k = 0; k < d.dims.size(); ++k)
    (reducedDims.contains(k) ? grid_->sequential : grid_->parallel).push_back(k);
  // A reduction sums over steps from the first one to the last: what it keeps is then the same in all of them.
  auto mixesSums = [&](int64_t cut) {
    auto isCut = [&](int64_t k) { return reducedDims.contains(k) && (k == cut || d.steps(k) > 1); };
    return llvm::any_of(
        reductions_, [&](const Reduction &r) { return llvm::any_of(r.kept, isCut) && llvm::any_of(r.reduced, isCut); });
  };
  int64_t budget = vmemBudgetWords(context_.target);
  if (!inRows_) findKept();
  while (true) {
    int64_t words = place(), moved = 0;
    for (const auto *blocks : {&space_.inputs, &space_.results})
      for (auto &b : *blocks) moved += b->stepWords;
    int64_t steps = grid_->parallelSteps() * grid_->sequentialSteps();
    bool tooBig = words > budget;
    bool tooFew = steps < 16 && moved > 1024;  // over 512 KiB a step
    if (!tooBig && !tooFew) break;
    int64_t cut = -1;
    for (int64_t pass = 0; pass < 2 && cut < 0; ++pass)  // parallel dims first
      for (size_t k = 0; k < d.dims.size() && cut < 0; ++k)
        if (!whole.contains(k) && d.block[k] > granule[k] && reducedDims.contains(k) == (pass == 1) && !mixesSums(k))
          cut = k;
    if (cut < 0) {
      if (!tooBig) break;
      if (!kept_.empty()) {
        kept_.clear();
        d.block = d.dims;
        continue;
      }
      if (!d.cutsTiles) {
        d.cutsTiles = true;
        d.block = d.dims;
        return chooseBlocks();
      }
      return overVmem(context_, context_.op, "a block of this kernel", words);
    }
    d.block[cut] = llvm::alignTo(llvm::divideCeil(d.block[cut], 2), granule[cut]);
  }
  for (Reduction &r : reductions_)
    for (int64_t k : r.reduced) r.sequential |= d.steps(k) > 1;
  // What needs a sequence's total runs at its end.
  for (Reduction &r : reductions_) {
    SmallVector<Value> work(r.op.getOperands());
    DenseSet<Value> seen;
    while (!work.empty()) {
      Value v = work.pop_back_val();
      if (!seen.insert(v).second) continue;
      auto it = reductionOf_.find(v);
      if (it != reductionOf_.end()) r.late |= reductions_[it->second].sequential || reductions_[it->second].late;
      if (Operation *def = v.getDefiningOp()) llvm::append_range(work, def->getOperands());
    }
  }
  context_.vmemWords = place();
  return checkReplaced();
}

Linear LoopKernel::scratchAddress(const Reduction &r, unsigned operand, const Point &p) {
  return vregAt(r.kept, Linear(operand), p) + Linear(r.scratchWord);
}

LogicalResult LoopKernel::run(Value start, Value count) {
  if (failed(analyse()) || failed(chooseBlocks())) return failure();
  body_ = std::make_unique<Body>(c_, space_.domain);
  for (auto [i, source] : llvm::enumerate(sourcesOf(context_.op))) body_->blocks[source.value] = space_.inputs[i].get();
  for (Reduction &r : inRows_ ? MutableArrayRef<Reduction>() : reductions_)
    for (auto [k, result] : llvm::enumerate(r.op.getResults())) {
      bool pred = elementOf(result).isInteger(1);
      body_->providers[result] = [this, &r, pred, k = static_cast<unsigned>(k)](const Point &p) {
        Value v = c_.load(scratchAddress(r, k, p), 1, r.region);
        return pred ? intToMask(c_, v) : v;
      };
    }
  context_.gridSteps = grid_->parallelSteps();
  grid_->emit(c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

LogicalResult lowerLoopKernel(KernelContext &context, Code &code, Value start, Value count) {
  return LoopKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
