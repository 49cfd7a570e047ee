// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts: blocks of whole sequences, a network over their vregs in VMEM.
//
//  1. Elements come as 32-bit lanes into the network's vregs: keys of the comparator, computed once, what the results
//     need, and where nothing else tells equal elements apart, positions. So every sort is stable.
//  2. The network sorts; padding comes last, by its key or its position. Where only a few of the first are kept, each
//     is looked for.
//  3. Results are packed from there.
//
// Sequences that VMEM does not hold are cut in blocks, and go through the first and the last of these steps block by
// block; between them lies HBM (`SortStream`), or, where only a few are kept, the first of all blocks so far.
#include "passes/lowering/sort/sort_kernel.h"

#include "passes/lowering/move/op_kernel.h"

using namespace mlir;

namespace tpuc::lowering {

void SortKernel::emitStep(const Step &step) {
  in_->blockIndex = step.index;
  for (auto &body : bodies_) body->blockIndex = step.index;
  forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
  if (few_ == Few::Rounds)
    emitFirstRounds(c_, FirstRounds(first_));
  else if (few_ == Few::Groups)
    emitFirstGroups(c_, FirstGroups(first_));
  else if (run_)
    network().sortFirst(run_);
  else
    network().sort();
  const auto results = llvm::map_to_vector(results_, [](Result &r) { return &r; });
  settle(results);
  putOut(results);
}

// Sorts each block of the sequences of grid step `group`.
void SortKernel::sortBlocks(Value group) {
  Linear sequence = firstSequence(group);
  emitGrid(*grid_, c_, group, c_.i64(1), [&](const Step &step) {
    const Linear &number = step.index[sortedDim()];
    Value block = c_.value(number);
    c_.ifThen(c_.cmp(arith::CmpIPredicate::sge, block, c_.i64(2)), [&] { stream_.awaitSave(c_, block); });
    slot_ = stream_.slotOf(c_.rem(block, 2));
    firstPosition_ = number * shape_.positions();
    in_->blockIndex = step.index;
    forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
    network().sort();
    stream_.save(c_, sequence, block);
  });
  for (int64_t i = 0; i < 2; ++i) stream_.awaitSave(c_, c_.i64(i));
}

// The last steps of the last merge, block by block, and the results.
void SortKernel::finishBlocks(Value group, Grid &grid, ArrayRef<Result *> results) {
  Linear sequence = firstSequence(group);
  stream_.load(c_, sequence, c_.i64(0));
  emitGrid(grid, c_, group, c_.i64(1), [&](const Step &step) {
    Value block = c_.value(step.index[sortedDim()]), next = c_.add(block, c_.i64(1));
    stream_.awaitLoad(c_, block);
    c_.ifThen(c_.cmp(arith::CmpIPredicate::slt, next, c_.i64(grid.sequentialSteps())),
              [&] { stream_.load(c_, sequence, next); });
    slot_ = stream_.slotOf(c_.rem(block, 2));
    for (Result *r : results) bodyOf(*r).blockIndex = step.index;
    network().mergeWithin();
    settle(results);
    putOut(results);
  });
}

// One that comes after all others.
SmallVector<uint32_t> SortKernel::lastElement() {
  SmallVector<uint32_t> last(values_, 0);
  if (positionAt_ >= 0) last[positionAt_] = 0x7fffffff;
  if (order_.isSimple() && keyAt_[0] != positionAt_) last[keyAt_[0]] = lastKey();
  return last;
}

void SortKernel::emitFirst(Value start, Value count) {
  Leaving &leaving = leaving_[0];
  c_.loop(start, c_.add(start, count), 1, {}, [&](Value group, ValueRange) {
    outcome().fill(lastElement());
    emitGrid(*grid_, c_, group, c_.i64(1), [&](const Step &step) {
      firstPosition_ = step.index[sortedDim()] * shape_.positions();
      in_->blockIndex = step.index;
      forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
      network().sortRuns(run_);
      outcome().keepFirstRuns(network());
    });
    outcome().joinRuns(run_);
    settle(leaving.results);
    emitGrid(*leaving.grid, c_, group, c_.i64(1), [&](const Step &step) {
      for (Result *r : leaving.results) bodyOf(*r).blockIndex = step.index;
      putOut(leaving.results);
    });
    return Values();
  });
}

// Vregs that no part comes to.
void SortKernel::fillRest(int64_t first) {
  const SmallVector<uint32_t> last = lastElement();
  SortNetwork net = network();
  c_.loop(
      c_.i64(first), c_.i64(shape_.vregs), 1, {},
      [&](Value v, ValueRange) {
        for (int64_t i = 0; i < values_; ++i)
          c_.store(c_.splatBits(last[i]), net.wordOf(i, c_.linear(v)), 1, net.regionOf(i));
        return Values();
      },
      true);
}

void SortKernel::emitParts(Value start, Value count) {
  auto begin = [&](const Linear &number) {
    slot_ = number * (part_ * 8);
    firstPosition_ = number * (part_ << shape_.slotBits());
  };
  c_.loop(start, c_.add(start, count), 1, {}, [&](Value group, ValueRange) {
    emitGrid(*grid_, c_, group, c_.i64(1), [&](const Step &step) {
      begin(step.index[sortedDim()]);
      in_->blockIndex = step.index;
      forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
    });
    begin(Linear(0));
    fillRest(grid_->sequentialSteps() * part_);
    network().sort();
    settle(llvm::map_to_vector(results_, [](Result &r) { return &r; }));
    for (Leaving &l : leaving_)
      emitGrid(*l.grid, c_, group, c_.i64(1), [&](const Step &step) {
        begin(step.index[sortedDim()]);
        for (Result *r : l.results) bodyOf(*r).blockIndex = step.index;
        putOut(l.results);
      });
    begin(Linear(0));
    return Values();
  });
}

void SortKernel::emitStream(Value start, Value count) {
  static_cast<SortBlocks &>(stream_) = cut_;
  stream_.order = network().order();
  stream_.buffer = scratch_;
  stream_.last = lastElement();
  Value end = inTurn_ ? c_.i64(grid_->parallelSteps()) : c_.add(start, count);
  c_.loop(inTurn_ ? c_.i64(0) : start, end, 1, {}, [&](Value group, ValueRange) {
    sortBlocks(group);
    c_.loop(c_.i64(0), c_.i64(shape_.units), 1, {}, [&](Value unit, ValueRange) {
      stream_.merge(c_, firstSequence(group) + c_.linear(unit));
      return Values();
    });
    for (Leaving &l : leaving_) finishBlocks(group, *l.grid, l.results);
    return Values();
  });
}

LogicalResult SortKernel::run(Value start, Value count) {
  if (!isLaneRegion(op_.getComparator().front())) return refuseComparator();
  if (failed(plan())) return failure();
  context_.gridSteps = inTurn_ ? 1 : grid_->parallelSteps();
  if (way_ != Way::Whole)  // every sequence's blocks are walked by themselves, by several grids
    for (Result &r : results_) r.block->ends.clear();
  in_ = std::make_unique<Body>(c_, domain_);
  for (auto [v, block] : llvm::zip(op_.getInputs(), inputs_))
    if (block) in_->blocks[v] = block.get();
  for (Result &r : results_) bodies_.push_back(std::make_unique<Body>(c_, *r.view));
  if (way_ == Way::Parts)
    emitParts(start, count);
  else if (way_ == Way::First)
    emitFirst(start, count);
  else if (way_ == Way::Streams)
    emitStream(start, count);
  else
    emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

LogicalResult lowerSort(KernelContext &context, Code &code, stablehlo::SortOp op, Value start, Value count) {
  return SortKernel(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
