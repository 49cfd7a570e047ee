// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop kernels: elementwise ops and reductions over one domain.
//
//  1. The plan: blocks, and what is kept (plan/loop).
//  2. Each reduction: a nest over its kept dims, accumulators in vregs over the reduced ones; partial results in VMEM
//     scratch.
//  3. When a reduction is complete: across lanes and sublanes, combined with its initial value, into scratch.
//  4. The results: one nest for each set of dims.
//
// Rows of a few vregs go through 2 to 4 in one nest (loop_rows.cpp).
#include "passes/lowering/loop/loop_kernel.h"

#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/body/masks.h"
#include "passes/lowering/body/region.h"

using namespace mlir;

namespace tpuc::lowering {

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

// The word of a point's vreg among those of `dims`, of which `first` sets come before.
Linear LoopKernel::vregAt(ArrayRef<int64_t> dims, const Linear &first, const Point &p) const {
  const Domain &d = space_.domain;
  Linear index = first;
  for (int64_t k : dims) index = index * vregsOf({k}) + (k == d.r() ? p.at[k] * d.pack + Linear(p.sub) : p.at[k]);
  return index * 8;
}

Linear LoopKernel::scratchAddress(const Reduction &r, unsigned operand, const Point &p) {
  return vregAt(r.kept, Linear(operand), p) + Linear(r.scratchWord);
}

// Of a vreg in scratch with dims `dims`: lanes behind the last are nobody's.
Code::Extent LoopKernel::extentOf(ArrayRef<int64_t> dims) const {
  const Domain &d = space_.domain;
  const bool isNarrow = !d.linear && llvm::is_contained(dims, d.c()) && d.dims[d.c()] < 128;
  return {8, isNarrow ? d.dims[d.c()] : 128};
}

LogicalResult LoopKernel::checkReducers() {
  for (Reduction &r : reductions_)
    if (!r.reducer && !isLaneRegion(r.op.getBody().front()))
      return diagnose(r.op, codes::kNoLowering) << "expects a reduction by ops that the instruction set has for "
                                                << r.op.getInputs()[0].getType() << "; cast to f32 or i32 around it";
  return success();
}

// Behind which steps of a sequential dim change no sum. Of results none may walk it.
std::optional<SizeEnd> LoopKernel::endOfSequence(int64_t d) {
  std::optional<SizeEnd> common;
  if (!context_.reducedEnd || space_.domain.linear || d == grid_->backwards) return std::nullopt;
  for (const auto &result : space_.results)
    if (llvm::is_contained(result->map, d)) return std::nullopt;
  for (const Reduction &r : reductions_) {
    if (llvm::is_contained(r.kept, d)) return std::nullopt;
    if (!llvm::is_contained(r.reduced, d)) continue;
    stablehlo::ReduceOp op = r.op;
    const DimMap map = space_.mapOf(op.getInputs()[0]);
    const auto dim = llvm::find(map, d) - map.begin();
    auto end = dim < static_cast<int64_t>(map.size()) ? context_.reducedEnd(op, dim) : std::nullopt;
    if (!end || (common && *common != *end)) return std::nullopt;
    common = end;
  }
  return common;
}

// Whether no mask of a true size leaves anything out; null of a kernel without such masks.
Value LoopKernel::areSizesLargest() {
  llvm::SetVector<std::pair<int64_t, int64_t>> ends;
  context_.op.walk([&](stablehlo::SelectOp select) {
    auto mask = sizeMaskOf(select.getPred());
    auto size = mask ? dyn_cast<BlockArgument>(mask->size) : BlockArgument();
    if (!size || size.getOwner() != &context_.op.getBlock()) return;
    const int64_t extent = mask->iota.getType().getDimSize(mask->iota.getIotaDimension());
    const unsigned i = size.getArgNumber();
    if (context_.sizeWords[i] >= 0 && context_.leastSizes[i] < extent) ends.insert({context_.sizeWords[i], extent});
  });
  Value all;
  for (auto [word, extent] : ends) {
    Value largest = c_.cmp(arith::CmpIPredicate::sge, c_.inst("s.ldw", {c_.i64(word)}), c_.i64(extent));
    all = all ? c_.b.createOrFold<arith::AndIOp>(c_.loc, all, largest) : largest;
  }
  return all;
}

// The step's code twice, of which one is executed.
template <typename Emit>
void LoopKernel::emitEither(Value isFirst, Emit emit) {
  auto emitOne = [&, providers = body_->providers](bool first) {
    body_->providers = providers;  // what one of them keeps, the other has not made
    body_->nextPoint();
    emit(first);
  };
  c_.ifThen(isFirst, [&] { emitOne(true); }, [&] { emitOne(false); });
}

// Short nests of trips that only the run knows are not joined. So whole blocks, which most are, have code of their own.
void LoopKernel::emitBySize(const Step &step) {
  const Domain &d = space_.domain;
  const auto cut = llvm::filter_to_vector(llvm::seq<int64_t>(0, d.c() + 1), [&](int64_t k) { return d.endsShort(k); });
  if (cut.empty() || isLong(context_.op.getBlock())) return emitStep(step, step.index);
  SmallVector<Linear> whole(step.index), last(step.index);
  Value isWhole;
  for (int64_t k : cut) {
    whole[k] = Linear(0);
    if (cut.size() == 1) last[k] = Linear(d.steps(k) - 1);
    Value before = c_.cmp(arith::CmpIPredicate::slt, c_.value(step.index[k]), c_.i64(d.steps(k) - 1));
    isWhole = isWhole ? c_.b.createOrFold<arith::AndIOp>(c_.loc, isWhole, before) : before;
  }
  emitEither(isWhole, [&](bool first) { emitStep(step, first ? whole : last); });
}

LogicalResult LoopKernel::run(Value start, Value count) {
  if (failed(plan()) || failed(checkReducers())) return failure();
  body_ = std::make_unique<Body>(c_, space_.domain);
  body_->readLeastSizes(context_);
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
  GridEnds ends(*grid_);
  for (int64_t d : grid_->sequential)
    if (auto end = endOfSequence(d)) ends.add(d, *end);
  auto emit = [&](const Step &step) {
    Value largest = areSizesLargest();
    if (!largest) return emitBySize(step);
    emitEither(largest, [&](bool isLargest) {
      body_->leaveMasksOut(isLargest);
      emitStep(step, step.index);
    });
  };
  emitGrid(*grid_, c_, start, count, emit, &ends);
  return success();
}

LogicalResult lowerLoopKernel(KernelContext &context, Code &code, Value start, Value count) {
  return LoopKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
