// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The software pipeline of a grid: while step t computes, the blocks of step t + 1 arrive and those of t - 1 leave.
#include "passes/lowering/grid/emit_grid.h"

#include "passes/lowering/grid/transfers.h"

using namespace mlir;

namespace tpuc::lowering {

// Block numbers of flattened step `step`, the last dim fastest.
static SmallVector<Linear> indexOf(const Grid &grid, const GridEnds &ends, Code &c, Value step) {
  const Domain &domain = grid.domain();
  SmallVector<Linear> index(domain.dims.size());
  SmallVector<int64_t> dims(grid.parallel);
  llvm::append_range(dims, grid.sequential);
  Value rest = step;
  for (size_t i = dims.size(); i-- > 0;) {
    int64_t n = domain.steps(dims[i]);
    if (n == 1) continue;
    bool outermost =
        llvm::all_of(ArrayRef<int64_t>(dims).take_front(i), [&](int64_t d) { return domain.steps(d) == 1; });
    Value count = ends.countOf(dims[i]);
    index[dims[i]] = Linear(outermost ? rest : count ? c.rem(rest, count) : c.rem(rest, n));
    if (dims[i] == grid.backwards) index[dims[i]] = index[dims[i]] * -1 + Linear(n - 1);
    if (!outermost) rest = count ? c.div(rest, count) : c.div(rest, n);
  }
  return index;
}

static Value semaphore(Code &c, size_t block, Value slot) { return c.add(c.i64(2 * block), slot); }
// Where a block lies: in place it depends on the step, else on the slot.
static void setBase(Code &c, ArrayBlock &block, ArrayRef<Linear> index, const Linear &word) {
  block.base = block.inPlace ? baseInPlace(c, block, index) : word;
}
static void wait(Code &c, Value sem) { c.inst("dma.wait", {sem}, {{"count", 1}}); }
static Linear slotWord(const ArrayBlock &block, Value slot) {
  return Linear(block.word) + Linear(slot) * block.slotWords;
}

// One step: everything in, compute, everything out.
static void emitSingle(const Grid &grid, Code &c, function_ref<void(const Step &)> body) {
  Step step;
  step.index.assign(grid.domain().dims.size(), Linear(0));
  Value yes = arith::ConstantIntOp::create(c.b, c.loc, c.b.getI1Type(), 1);
  step.first = step.last = yes;
  step.fresh.assign(grid.inputs().size(), yes);
  auto move = [&](ArrayRef<ArrayBlock *> blocks, size_t first) {
    for (auto [i, block] : llvm::enumerate(blocks))
      if (!block->inPlace)
        emitBlockDma(c, *block->view, *block, step.index, Linear(block->word), c.i64(2 * (first + i)));
    for (auto [i, block] : llvm::enumerate(blocks))
      if (!block->inPlace) wait(c, c.i64(2 * (first + i)));
  };
  for (ArrayRef<ArrayBlock *> blocks : {grid.inputs(), grid.results()})
    for (ArrayBlock *block : blocks) setBase(c, *block, step.index, Linear(block->word));
  move(grid.inputs(), 0);
  body(step);
  move(grid.results(), grid.inputs().size());
}

static void emitSteps(const Grid &grid, const GridEnds &ends, Code &c, Value begin, Value total,
                      function_ref<void(const Step &)> body) {
  const Domain &domain = grid.domain();
  ArrayRef<ArrayBlock *> inputs = grid.inputs(), results = grid.results();
  const int64_t q = grid.sequentialSteps();
  Value zero = c.i64(0), one = c.i64(1);
  SmallVector<size_t> moving, movingOut;
  for (auto [i, block] : llvm::enumerate(inputs)) {
    SmallVector<Linear> index = indexOf(grid, ends, c, begin);
    if (!block->inPlace) emitBlockDma(c, *block->view, *block, index, Linear(block->word), c.i64(2 * i));
    if (block->slots == 2)
      moving.push_back(i);
    else
      setBase(c, *block, index, Linear(block->word));
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i]->slots == 1 && !inputs[i]->inPlace) wait(c, c.i64(2 * i));
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i]->inPlace) movingOut.push_back(i);

  // Carried: for each moving input its slot and whether its transfer is new; for each result its slot and writes so
  // far.
  SmallVector<Value> init;
  for (size_t i = 0; i < moving.size(); ++i) {
    init.push_back(zero);
    init.push_back(one);
  }
  for (size_t i = 0; i < movingOut.size(); ++i) {
    init.push_back(zero);
    init.push_back(zero);
  }
  SmallVector<Value> out = c.loop(zero, total, 1, init, [&](Value i, ValueRange carried) {
    Value t = c.add(begin, i);
    Value nextValid = c.cmp(arith::CmpIPredicate::slt, c.add(i, one), total);
    SmallVector<Linear> now = indexOf(grid, ends, c, t), next = indexOf(grid, ends, c, c.add(t, one));
    // Whether the next step needs another block of `block`.
    auto changes = [&](const ArrayBlock &block) {
      Value any;
      for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(grid.parallel), ArrayRef<int64_t>(grid.sequential)})
        for (int64_t d : dims) {
          if (domain.steps(d) == 1 || !block.dependsOn(*block.view, d)) continue;
          Value differs = c.cmp(arith::CmpIPredicate::ne, c.value(now[d]), c.value(next[d]));
          any = any ? c.b.createOrFold<arith::OrIOp>(c.loc, any, differs) : differs;
        }
      return any;
    };
    SmallVector<Value> yields;
    Step step;
    step.fresh.assign(inputs.size(), c.cmp(arith::CmpIPredicate::eq, i, zero));
    for (auto [k, input] : llvm::enumerate(moving)) {
      ArrayBlock &block = *inputs[input];
      Value slot = carried[2 * k], fresh = carried[2 * k + 1];
      Value other = c.b.createOrFold<arith::SubIOp>(c.loc, one, slot);
      Value isFresh = c.cmp(arith::CmpIPredicate::ne, fresh, zero);
      step.fresh[input] = isFresh;
      Value fetch = c.b.createOrFold<arith::AndIOp>(c.loc, nextValid, changes(block));
      if (!block.inPlace) {
        c.ifThen(isFresh, [&] { wait(c, semaphore(c, input, slot)); });
        c.ifThen(fetch, [&] {
          emitBlockDma(c, *block.view, block, next, slotWord(block, other), semaphore(c, input, other));
        });
      }
      setBase(c, block, now, slotWord(block, slot));
      yields.push_back(c.select(fetch, other, slot));
      yields.push_back(c.select(fetch, one, zero));
    }
    step.index = now;
    Value yes = arith::ConstantIntOp::create(c.b, c.loc, c.b.getI1Type(), 1);
    Value steps = ends.stepsOf(c, grid.sequential);
    Value sequence = q == 1 ? zero : c.rem(t, steps);
    step.first = q == 1 ? yes : c.cmp(arith::CmpIPredicate::eq, sequence, zero);
    step.last = q == 1 ? yes : c.cmp(arith::CmpIPredicate::eq, sequence, c.add(steps, c.i64(-1)));
    for (ArrayBlock *block : results)
      if (block->inPlace) setBase(c, *block, now, Linear());
    size_t base = 2 * moving.size();
    for (auto [k, result] : llvm::enumerate(movingOut)) {
      ArrayBlock &block = *results[result];
      Value slot = carried[base + 2 * k], writes = carried[base + 2 * k + 1];
      // The slot's last transfer must have left before it is written again.
      Value pending = c.cmp(arith::CmpIPredicate::sge, writes, c.i64(block.slots));
      Value must = pending;
      if (q != 1 && !grid.leavesEachStep(block)) must = c.b.createOrFold<arith::AndIOp>(c.loc, pending, step.first);
      c.ifThen(must, [&] { wait(c, semaphore(c, inputs.size() + result, slot)); });
      block.base = block.slots == 2 ? slotWord(block, slot) : Linear(block.word);
    }
    body(step);
    for (auto [k, result] : llvm::enumerate(movingOut)) {
      ArrayBlock &block = *results[result];
      Value slot = carried[base + 2 * k], writes = carried[base + 2 * k + 1];
      // A result that changes with the sequence leaves at every step, another one at the sequence's end.
      Value leaves = grid.leavesEachStep(block) ? yes : step.last;
      c.ifThen(leaves, [&] {
        emitBlockDma(c, *block.view, block, now, block.base, semaphore(c, inputs.size() + result, slot));
      });
      Value other = block.slots == 2 ? c.b.createOrFold<arith::SubIOp>(c.loc, one, slot) : slot;
      yields.push_back(c.select(leaves, other, slot));
      yields.push_back(c.select(leaves, c.add(writes, one), writes));
    }
    return yields;
  });
  for (auto [k, result] : llvm::enumerate(movingOut)) {
    ArrayBlock &block = *results[result];
    Value slot = out[2 * moving.size() + 2 * k], writes = out[2 * moving.size() + 2 * k + 1];
    Value sem = c.i64(2 * (inputs.size() + result));
    if (block.slots == 1) {
      c.ifThen(c.cmp(arith::CmpIPredicate::sge, writes, one), [&] { wait(c, sem); });
      continue;
    }
    Value other = c.b.createOrFold<arith::SubIOp>(c.loc, one, slot);
    c.ifThen(c.cmp(arith::CmpIPredicate::sge, writes, one), [&] { wait(c, c.add(sem, other)); });
    c.ifThen(c.cmp(arith::CmpIPredicate::sge, writes, c.i64(2)), [&] { wait(c, c.add(sem, slot)); });
  }
}

void emitGrid(const Grid &grid, Code &c, Value start, Value count, function_ref<void(const Step &)> body,
              GridEnds *known) {
  const int64_t q = grid.sequentialSteps();
  if (grid.parallelSteps() * q == 1) return emitSingle(grid, c, body);
  GridEnds own(grid);
  GridEnds &ends = known ? *known : own;
  if (ends.empty()) return emitSteps(grid, ends, c, c.mul(start, q), c.mul(count, q), body);
  ends.countSteps(c);
  Value begin = ends.firstOf(c, start), end = ends.firstOf(c, c.add(start, count));
  Value total = c.b.createOrFold<arith::SubIOp>(c.loc, end, begin);
  c.ifThen(c.cmp(arith::CmpIPredicate::sgt, total, c.i64(0)), [&] { emitSteps(grid, ends, c, begin, total, body); });
}

}  // namespace tpuc::lowering
