// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow on the scalar unit: a predicate comes from HBM to SMEM, carried values stay where they are.
#include "passes/lowering/entry.h"

#include "dialects/kernel/counts.h"
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/host_call.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/memory/fetches.h"
#include "passes/lowering/memory/relocations.h"
#include "passes/plan/grid/arrays.h"
#include "passes/plan/memory/true_sizes.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class Entry {
 public:
  Entry(const BufferPlan &plan, const Exchanges &exchanges, OpBuilder &b,
        function_ref<LogicalResult(kernel::FusionOp, OpBuilder &)> lowerFusion)
      : plan_(plan), exchanges_(exchanges), fetches_(plan), b_(b), lowerFusion_(lowerFusion) {}

  LogicalResult block(Block &block) {
    for (Operation &op : block.without_terminator())
      if (failed(emit(op))) return failure();
    fetches_.waitForAll(block, b_);
    relocate(plan_.storage->exitCopies(block.getTerminator()), block.getTerminator()->getLoc());
    return success();
  }

 private:
  LogicalResult emit(Operation &op) {
    if (kernel::isFetch(&op)) return fetches_.start(cast<kernel::FusionOp>(op), b_);
    fetches_.waitFor(&op, b_);
    if (auto fusion = dyn_cast<kernel::FusionOp>(op)) return lowerFusion_(fusion, b_);
    if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) return emitWhile(loop);
    if (auto branch = dyn_cast<stablehlo::IfOp>(op)) {
      Code c(b_, op.getLoc());
      return emitBranches(op, c.cmp(arith::CmpIPredicate::ne, fetch(branch.getPred(), op.getLoc()), c.i64(0)));
    }
    if (kernel::isHostCall(&op)) {
      emitHostCall(op);
      return success();
    }
    if (auto start = dyn_cast<kernel::ExchangeStartOp>(op))
      exchanges_.emitStart(b_, start, plan_.symbol.lookup(start.getOperand()), plan_.symbol.lookup(start.getResult()));
    if (auto done = dyn_cast<kernel::ExchangeDoneOp>(op)) exchanges_.emitDone(b_, done);
    if (auto id = dyn_cast<kernel::DeviceIdOp>(op))
      exchanges_.emitDeviceId(b_, id, plan_.symbol.lookup(id.getResult()));
    if (mlir::isa<stablehlo::CaseOp>(op)) {
      return emitCase(op, fetch(op.getOperand(0), op.getLoc()), 0);
    }
    return success();  // constants and views
  }

  // The scalar in `v`, zero-extended for i1.
  Value fetch(Value v, Location loc) {
    Code c(b_, loc);
    const int64_t bytes = Array(cast<RankedTensorType>(v.getType()), {}).bytes;
    auto from = FlatSymbolRefAttr::get(b_.getContext(), plan_.symbol.lookup(v));
    auto zero = b_.getI64IntegerAttr(0);
    auto none = b_.getDenseI64ArrayAttr({});
    c.inst("s.stw", {c.i64(0), c.i64(0)});
    tpu::DmaStartOp::create(b_, loc, c.i64(0), c.i64(0), c.i64(0), b_.getStringAttr("hbm"), b_.getStringAttr("smem"),
                            from, FlatSymbolRefAttr(), zero, zero, b_.getI64IntegerAttr(bytes), none, none, none);
    c.inst("dma.wait", {}, {{"imm", 0}, {"count", 1}});
    return c.inst("s.ldw", {c.i64(0)});
  }

  void relocate(ArrayRef<Relocation> copies, Location loc) {
    Code c(b_, loc);
    emitRelocations(c, plan_, copies);
  }

  void emitHostCall(Operation &op) {
    auto symbols = [&](ValueRange values) {
      return b_.getArrayAttr(llvm::map_to_vector(
          values, [&](Value v) { return Attribute(FlatSymbolRefAttr::get(b_.getContext(), plan_.symbol.lookup(v))); }));
    };
    auto types = [&](ValueRange values) { return b_.getTypeArrayAttr(llvm::to_vector(values.getTypes())); };
    for (Value v : llvm::SetVector<Value>(op.operand_begin(), op.operand_end()))
      relocate(plan_.storage->joinCopies(v), op.getLoc());
    auto id = b_.getI64IntegerAttr(static_cast<int64_t>(kernel::hostFunctionOf(&op).getValue().getZExtValue()));
    tpu::HostCallOp::create(b_, op.getLoc(), id, symbols(op.getOperands()), types(op.getOperands()),
                            symbols(op.getResults()), types(op.getResults()));
  }

  LogicalResult emitWhile(stablehlo::WhileOp op) {
    relocate(plan_.storage->entryCopies(op), op.getLoc());
    if (failed(emitLoop(op))) return failure();
    relocate(plan_.storage->copiesBehind(op), op.getLoc());
    return success();
  }

  LogicalResult emitLoop(stablehlo::WhileOp op) {
    if (std::optional<int64_t> trips = kernel::tripCountOf(op))
      return op->hasAttr(kernel::kOverCoresAttr) ? emitOverCores(op, *trips) : emitCounted(op, *trips);
    auto loop = scf::WhileOp::create(b_, op.getLoc(), TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(b_);
    b_.createBlock(&loop.getBefore());
    if (failed(block(op.getCond().front()))) return failure();
    Code c(b_, op.getLoc());
    Value again = fetch(op.getCond().front().getTerminator()->getOperand(0), op.getLoc());
    scf::ConditionOp::create(b_, op.getLoc(), c.cmp(arith::CmpIPredicate::ne, again, c.i64(0)), ValueRange());
    b_.createBlock(&loop.getAfter());
    if (failed(block(op.getBody().front()))) return failure();
    scf::YieldOp::create(b_, op.getLoc());
    return success();
  }

  // The scalar unit counts; nothing of the condition runs.
  LogicalResult emitCounted(stablehlo::WhileOp op, int64_t trips) {
    if (trips == 0) return success();
    Code c(b_, op.getLoc());
    return emitIterations(op, c.i64(0), c.i64(trips));
  }

  // Iterations are the steps of a grid: each core runs its share, and the kernels in them by itself.
  LogicalResult emitOverCores(stablehlo::WhileOp op, int64_t trips) {
    if (trips == 0) return success();
    const Location loc = op.getLoc();
    const std::string name = ("cores" + Twine(loops_++)).str();
    Operation *entry = b_.getInsertionBlock()->getParentOp();
    if (!mlir::isa<tpu::RoutineOp>(entry)) entry = entry->getParentOfType<tpu::RoutineOp>();
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointAfter(entry);
      Block &steps = tpu::createLaunch(b_, loc, name, b_.getI64IntegerAttr(exchanges_.smemEnd())).getBody().front();
      b_.setInsertionPointToStart(&steps);
      if (failed(emitIterations(op, steps.getArgument(0), steps.getArgument(1)))) return failure();
      tpu::ReturnOp::create(b_, loc);
    }
    tpu::GridOp::create(b_, loc, FlatSymbolRefAttr::get(b_.getContext(), name), b_.getI64IntegerAttr(trips));
    return success();
  }

  // So many from the `first` on.
  LogicalResult emitIterations(stablehlo::WhileOp op, Value first, Value count) {
    Code c(b_, op.getLoc());
    auto counters = llvm::to_vector(op.getBody().getOps<kernel::CounterOp>());
    for (kernel::CounterOp counter : counters) setCounter(counter, counterAt(c, counter, first));
    auto loop = scf::ForOp::create(b_, op.getLoc(), c.i64(0), count, c.i64(1));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    if (failed(block(op.getBody().front()))) return failure();
    for (kernel::CounterOp counter : counters) stepCounter(c, counter);
    return success();
  }

  // In iteration `n`.
  static Value counterAt(Code &c, kernel::CounterOp counter, Value n) {
    if (std::optional<int64_t> every = counter.getEvery()) n = c.div(n, *every);
    if (std::optional<int64_t> of = counter.getOf()) n = c.rem(n, *of);
    return c.value(Linear(n) * counter.getStep() + Linear(counter.getStart()));
  }

  // To the next iteration: an even one by itself, another by the iteration's number, which has stepped before it.
  void stepCounter(Code &c, kernel::CounterOp counter) {
    auto load = [&](kernel::CounterOp from) {
      return c.inst("s.ldw", {c.i64(0)}, {{"off", plan::counterWordOf(from)}});
    };
    if (counter.stepsEvenly()) return setCounter(counter, c.add(load(counter), c.i64(counter.getStep())));
    auto counters = counter->getBlock()->getOps<kernel::CounterOp>();
    setCounter(counter, counterAt(c, counter, load(*llvm::find_if(counters, [](auto op) { return op.isNumber(); }))));
  }

  // A counter lives in SMEM alone: a register would be spilled around the loop's launches.
  void setCounter(kernel::CounterOp counter, Value number) {
    Code c(b_, counter.getLoc());
    c.inst("s.stw", {number, c.i64(0)}, {{"off", plan::counterWordOf(counter)}});
  }

  // The branches in the program's order, which is that of lives.
  LogicalResult emitBranches(Operation &op, Value condition) {
    auto branch = scf::IfOp::create(b_, op.getLoc(), condition, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    if (failed(block(op.getRegion(0).front()))) return failure();
    b_.setInsertionPointToStart(branch.elseBlock());
    return block(op.getRegion(1).front());
  }

  // Branch `i` and the ones after it; an index out of range takes the last.
  LogicalResult emitCase(Operation &op, Value index, unsigned i) {
    if (i + 1 == op.getNumRegions()) return block(op.getRegion(i).front());
    Code c(b_, op.getLoc());
    auto branch =
        scf::IfOp::create(b_, op.getLoc(), c.cmp(arith::CmpIPredicate::eq, index, c.i64(i)), /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    if (failed(block(op.getRegion(i).front()))) return failure();
    b_.setInsertionPointToStart(branch.elseBlock());
    return emitCase(op, index, i + 1);
  }

  int64_t loops_ = 0;  // that cores share
  const BufferPlan &plan_;
  const Exchanges &exchanges_;
  Fetches fetches_;
  OpBuilder &b_;
  function_ref<LogicalResult(kernel::FusionOp, OpBuilder &)> lowerFusion_;
};

}  // namespace

LogicalResult emitEntry(func::FuncOp main, const BufferPlan &plan, const Exchanges &exchanges, OpBuilder &b,
                        function_ref<LogicalResult(kernel::FusionOp, OpBuilder &)> lowerFusion) {
  exchanges.emitPrologue(b, main.getLoc());
  return Entry(plan, exchanges, b, lowerFusion).block(main.getBody().front());
}

}  // namespace tpuc::lowering
