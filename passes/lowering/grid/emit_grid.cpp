// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The software pipeline of a grid: while step t computes, the blocks of step t + 1 arrive and those of t - 1 leave.
// Behind its work the blocks of t + 2 are asked for, in the slots that it read: where steps wait for HBM, it has those
// to go on with.
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
      if (block->isBrought())
        emitBlockDma(c, *block->view, *block, step.index, Linear(block->word), c.i64(2 * (first + i)));
    for (auto [i, block] : llvm::enumerate(blocks))
      if (block->isBrought()) wait(c, c.i64(2 * (first + i)));
  };
  for (ArrayRef<ArrayBlock *> blocks : {grid.inputs(), grid.results()})
    for (ArrayBlock *block : blocks) setBase(c, *block, step.index, Linear(block->word));
  move(grid.inputs(), 0);
  body(step);
  move(grid.results(), grid.inputs().size());
}

namespace {

// Blocks that move at the same steps: they are in the same slot.
struct Movers {
  SmallVector<int64_t> dims;   // of the grid, that move them
  SmallVector<size_t> blocks;  // which of the inputs, of the results
  int64_t slots = 2;
  bool leavesEachStep = false;                  // of results, as are the following
  std::optional<size_t> begins = std::nullopt;  // of those that repeat: which of them these are
};

// The loop over a grid's steps. It carries, of inputs that move together, their slot and whether the transfers into it
// are under way; of such results, their slot and how many transfers of each have left; of those of them that repeat,
// whether their blocks begin. What the steps behind need is found behind the body: it would take registers from it.
class StepLoop {
 public:
  StepLoop(const Grid &grid, const GridEnds &ends, Code &c, Value begin, Value total)
      : grid_(grid), ends_(ends), c_(c), begin_(begin), total_(total), zero_(c.i64(0)), one_(c.i64(1)) {
    for (auto [i, block] : llvm::enumerate(grid.inputs()))
      if (block->slots == 2) add(movingIn_, Movers{dimsOf(*block), {}}, i);
    for (auto [i, block] : llvm::enumerate(grid.results())) {
      if (block->inPlace) continue;
      Movers movers{dimsOf(*block), {}, block->slots, grid.leavesEachStep(*block)};
      if (grid.repeats(*block)) movers.begins = 0;
      add(movingOut_, movers, i);
    }
    for (Movers &out : movingOut_)
      if (out.begins) out.begins = repeating_++;
  }

  void emit(function_ref<void(const Step &)> body) {
    bringFirst();
    SmallVector<Value> init;
    for (size_t k = 0; k < movingIn_.size(); ++k) init.append({zero_, one_});
    init.append(2 * movingOut_.size(), zero_);
    init.append(repeating_, one_);
    SmallVector<Value> left = c_.loop(zero_, total_, 1, init, [&](Value i, ValueRange carried) {
      Turn turn{carried};
      Value t = c_.add(begin_, i);
      turn.step.index = indexOf(grid_, ends_, c_, t);
      turn.step.fresh.assign(grid_.inputs().size(), c_.cmp(arith::CmpIPredicate::eq, i, zero_));
      for (size_t k = 0; k < movingIn_.size(); ++k) awaitBlocks(turn, k);
      findSequence(turn, t);
      for (ArrayBlock *block : grid_.results())
        if (block->inPlace) setBase(c_, *block, turn.step.index, Linear());
      for (size_t k = 0; k < movingOut_.size(); ++k) waitForSlot(turn, k);
      body(turn.step);
      lookAhead(turn, i, t);
      for (size_t k = 0; k < movingIn_.size(); ++k) bringSecond(turn, k);
      for (size_t k = 0; k < movingOut_.size(); ++k) send(turn, k);
      llvm::append_range(turn.yields, turn.begins);
      return turn.yields;
    });
    waitForLast(left);
  }

 private:
  static void add(SmallVector<Movers> &all, const Movers &like, size_t block) {
    auto *it = llvm::find_if(all, [&](const Movers &m) {
      return m.dims == like.dims && m.slots == like.slots && m.leavesEachStep == like.leavesEachStep &&
             m.begins.has_value() == like.begins.has_value();
    });
    if (it == all.end()) it = &all.emplace_back(like);
    it->blocks.push_back(block);
  }

  // The dims of the grid that move a block.
  SmallVector<int64_t> dimsOf(const ArrayBlock &block) const {
    SmallVector<int64_t> dims;
    for (ArrayRef<int64_t> some : {ArrayRef<int64_t>(grid_.parallel), ArrayRef<int64_t>(grid_.sequential)})
      for (int64_t d : some)
        if (grid_.domain().steps(d) != 1 && block.dependsOn(*block.view, d)) dims.push_back(d);
    return dims;
  }

  // One iteration, as it is written.
  struct Turn {
    ValueRange carried;
    Step step = {};
    Value hasNext = {}, hasSecond = {};          // steps behind this one
    SmallVector<Linear> next = {}, second = {};  // block numbers of these
    SmallVector<Value> yields = {};
    SmallVector<Value> begins = {};  // whether the next step begins blocks, of those that repeat
  };

  Value otherSlot(Value slot) { return c_.b.createOrFold<arith::SubIOp>(c_.loc, one_, slot); }
  Value isBefore(Value a, Value b) { return c_.cmp(arith::CmpIPredicate::slt, a, b); }
  Value both(Value a, Value b) { return c_.b.createOrFold<arith::AndIOp>(c_.loc, a, b); }
  Value resultSemaphore(size_t result, Value slot) { return semaphore(c_, grid_.inputs().size() + result, slot); }
  size_t carriedAt(size_t moving) const { return 2 * (movingIn_.size() + moving); }
  // Where it is carried whether results' blocks begin.
  size_t beginsAt(const Movers &out) const { return carriedAt(movingOut_.size()) + *out.begins; }
  // Of those among inputs that lie in place nothing is transferred.
  bool areTransferred(const Movers &in) const {
    return llvm::any_of(in.blocks, [&](size_t i) { return grid_.inputs()[i]->isBrought(); });
  }

  // The first step's inputs: of those that do not change these are all transfers.
  void bringFirst() {
    ArrayRef<ArrayBlock *> inputs = grid_.inputs();
    for (auto [i, block] : llvm::enumerate(inputs)) {
      SmallVector<Linear> index = indexOf(grid_, ends_, c_, begin_);
      if (block->isBrought()) emitBlockDma(c_, *block->view, *block, index, Linear(block->word), c_.i64(2 * i));
      if (block->slots != 2) setBase(c_, *block, index, Linear(block->word));
    }
    const Value hasNext = isBefore(one_, total_);
    const SmallVector<Linear> first = indexOf(grid_, ends_, c_, begin_),
                              next = indexOf(grid_, ends_, c_, c_.add(begin_, one_));
    for (const Movers &in : movingIn_)
      if (areTransferred(in)) c_.ifThen(both(hasNext, changes(first, next, in)), [&] { bring(in, next, one_); });
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i]->slots == 1 && inputs[i]->isBrought()) wait(c_, c_.i64(2 * i));
  }

  void bring(const Movers &in, ArrayRef<Linear> index, Value slot) {
    for (size_t input : in.blocks)
      if (ArrayBlock &block = *grid_.inputs()[input]; block.isBrought())
        emitBlockDma(c_, *block.view, block, index, slotWord(block, slot), semaphore(c_, input, slot));
  }

  // Whether a step needs other blocks than the one before.
  Value changes(ArrayRef<Linear> from, ArrayRef<Linear> to, const Movers &movers) {
    Value any;
    for (int64_t d : movers.dims) {
      Value differs = c_.cmp(arith::CmpIPredicate::ne, c_.value(from[d]), c_.value(to[d]));
      any = any ? c_.b.createOrFold<arith::OrIOp>(c_.loc, any, differs) : differs;
    }
    return any;
  }

  // Waits for inputs' blocks.
  void awaitBlocks(Turn &turn, size_t k) {
    const Movers &in = movingIn_[k];
    Value slot = turn.carried[2 * k], fresh = turn.carried[2 * k + 1];
    Value isFresh = c_.cmp(arith::CmpIPredicate::ne, fresh, zero_);
    if (areTransferred(in))
      c_.ifThen(isFresh, [&] {
        for (size_t input : in.blocks)
          if (grid_.inputs()[input]->isBrought()) wait(c_, semaphore(c_, input, slot));
      });
    for (size_t input : in.blocks) {
      ArrayBlock &block = *grid_.inputs()[input];
      turn.step.fresh[input] = isFresh;
      setBase(c_, block, turn.step.index, slotWord(block, slot));
    }
  }

  void lookAhead(Turn &turn, Value i, Value t) {
    turn.hasNext = isBefore(c_.add(i, one_), total_);
    turn.next = indexOf(grid_, ends_, c_, c_.add(t, one_));
    turn.hasSecond = isBefore(c_.add(i, c_.i64(2)), total_);
    turn.second = indexOf(grid_, ends_, c_, c_.add(t, c_.i64(2)));
  }

  // Starts the transfers of the blocks of the step after the next one into the slot that the next one's are not in.
  void bringSecond(Turn &turn, size_t k) {
    const Movers &in = movingIn_[k];
    Value slot = turn.carried[2 * k], moves = both(turn.hasNext, changes(turn.step.index, turn.next, in));
    Value next = c_.select(moves, otherSlot(slot), slot), free = otherSlot(next);
    if (areTransferred(in))
      c_.ifThen(both(turn.hasSecond, changes(turn.next, turn.second, in)), [&] { bring(in, turn.second, free); });
    turn.yields.append({next, c_.select(moves, one_, zero_)});
  }

  // Whether step `t` is the first or the last one of a sequence.
  void findSequence(Turn &turn, Value t) {
    const int64_t length = grid_.sequentialSteps();
    yes_ = arith::ConstantIntOp::create(c_.b, c_.loc, c_.b.getI1Type(), 1);
    Value steps = ends_.stepsOf(c_, grid_.sequential);
    turn.step.first = turn.step.last = yes_;
    if (length == 1) return;
    Value sequence = c_.rem(t, steps);
    turn.step.first = c_.cmp(arith::CmpIPredicate::eq, sequence, zero_);
    turn.step.last = c_.cmp(arith::CmpIPredicate::eq, sequence, c_.add(steps, c_.i64(-1)));
  }

  // Results' slots are written again when the last transfers from them have left.
  void waitForSlot(Turn &turn, size_t k) {
    const Movers &out = movingOut_[k];
    Value slot = turn.carried[carriedAt(k)], writes = turn.carried[carriedAt(k) + 1];
    Value must = c_.cmp(arith::CmpIPredicate::sge, writes, c_.i64(out.slots));
    if (out.begins) must = both(must, c_.cmp(arith::CmpIPredicate::ne, turn.carried[beginsAt(out)], zero_));
    if (grid_.sequentialSteps() != 1 && !out.leavesEachStep) must = both(must, turn.step.first);
    c_.ifThen(must, [&] {
      for (size_t result : out.blocks) wait(c_, resultSemaphore(result, slot));
    });
    for (size_t result : out.blocks) {
      ArrayBlock &block = *grid_.results()[result];
      block.base = out.slots == 2 ? slotWord(block, slot) : Linear(block.word);
    }
  }

  // Results that change with the sequence leave at every step, others at the sequence's end; those that repeat only
  // where the next step has other blocks. Two transfers of one block would write the same bytes at once.
  void send(Turn &turn, size_t k) {
    const Movers &out = movingOut_[k];
    Value slot = turn.carried[carriedAt(k)], writes = turn.carried[carriedAt(k) + 1];
    Value leaves = out.leavesEachStep ? yes_ : turn.step.last;
    if (out.begins) leaves = both(leaves, isLastOf(turn, out));
    c_.ifThen(leaves, [&] {
      for (size_t result : out.blocks) {
        ArrayBlock &block = *grid_.results()[result];
        emitBlockDma(c_, *block.view, block, turn.step.index, block.base, resultSemaphore(result, slot));
      }
    });
    Value other = out.slots == 2 ? otherSlot(slot) : slot;
    turn.yields.push_back(c_.select(leaves, other, slot));
    turn.yields.push_back(c_.select(leaves, c_.add(writes, one_), writes));
    if (out.begins) turn.begins.push_back(c_.select(leaves, one_, zero_));
  }

  // Whether no step follows that has the same blocks.
  Value isLastOf(const Turn &turn, const Movers &out) {
    Value isEnd = c_.b.createOrFold<arith::XOrIOp>(c_.loc, turn.hasNext, yes_);
    Value another = changes(turn.step.index, turn.next, out);
    return another ? c_.b.createOrFold<arith::OrIOp>(c_.loc, isEnd, another) : isEnd;
  }

  // `left`: what the loop carried, behind the last step.
  void waitForLast(ArrayRef<Value> left) {
    for (auto [k, out] : llvm::enumerate(movingOut_)) {
      Value slot = left[carriedAt(k)], writes = left[carriedAt(k) + 1];
      auto waitAfter = [&](Value count, Value slot) {
        c_.ifThen(c_.cmp(arith::CmpIPredicate::sge, writes, count), [&] {
          for (size_t result : out.blocks) wait(c_, resultSemaphore(result, slot));
        });
      };
      if (out.slots == 1) {
        waitAfter(one_, zero_);
        continue;
      }
      waitAfter(one_, otherSlot(slot));
      waitAfter(c_.i64(2), slot);
    }
  }

  const Grid &grid_;
  const GridEnds &ends_;
  Code &c_;
  Value begin_, total_, zero_, one_, yes_;
  SmallVector<Movers> movingIn_, movingOut_;
  size_t repeating_ = 0;  // of movingOut_
};

}  // namespace

void emitGrid(const Grid &grid, Code &c, Value start, Value count, function_ref<void(const Step &)> body,
              GridEnds *known) {
  const int64_t q = grid.sequentialSteps();
  if (grid.parallelSteps() * q == 1) return emitSingle(grid, c, body);
  GridEnds own(grid);
  GridEnds &ends = known ? *known : own;
  if (ends.empty()) return StepLoop(grid, ends, c, c.mul(start, q), c.mul(count, q)).emit(body);
  ends.countSteps(c);
  Value begin = ends.firstOf(c, start), end = ends.firstOf(c, c.add(start, count));
  Value total = c.b.createOrFold<arith::SubIOp>(c.loc, end, begin);
  c.ifThen(c.cmp(arith::CmpIPredicate::sgt, total, c.i64(0)),
           [&] { StepLoop(grid, ends, c, begin, total).emit(body); });
}

}  // namespace tpuc::lowering
