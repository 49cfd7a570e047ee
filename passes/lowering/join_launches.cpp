// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that follow one another are one launch.
//
//  1. In each block of the entry, grids with nothing between them but index arithmetic, and fetches and waits for them,
//     are a run.
//  2. A run of several grids, or with a fetch, becomes a routine that runs them in order; the entry calls it.
#include "dialects/kernel/fetch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/lowering/passes.h"
#include "runtime/isa/executable.h"

using namespace mlir;

namespace tpuc::lowering {
#define GEN_PASS_DEF_JOINLAUNCHESPASS
#include "passes/lowering/passes.h.inc"
namespace {

using Run = SmallVector<Operation *>;

// The transfer of a fetch, or the wait for one.
bool isOfFetch(Operation *op) {
  if (auto dma = dyn_cast<tpu::DmaStartOp>(op)) return dma.getSrcSpace() == "hbm" && dma.getDstSpace() == "vmem";
  auto wait = dyn_cast<tpu::InstOp>(op);
  auto fields = wait && wait.getMnemonic() == "dma.wait" ? wait.getFieldsAttr() : DictionaryAttr();
  auto semaphore = fields ? fields.getAs<IntegerAttr>("imm") : IntegerAttr();
  return semaphore && semaphore.getInt() >= kernel::kFetchSemaphores &&
         semaphore.getInt() < kernel::kFetchSemaphores + kernel::kFetches;
}

// Of a block, in order.
SmallVector<Run> runsOf(Block &block) {
  SmallVector<Run> runs(1);
  for (Operation &op : block) {
    if (mlir::isa<tpu::GridOp>(op) || isOfFetch(&op))
      runs.back().push_back(&op);
    else if (!isPure(&op) && !runs.back().empty())
      runs.emplace_back();
  }
  return runs;
}

bool isWorthJoining(const Run &run) {
  return run.size() > 1 && llvm::any_of(run, [](Operation *op) { return mlir::isa<tpu::GridOp>(op); });
}

struct JoinLaunches : impl::JoinLaunchesPassBase<JoinLaunches> {
  using JoinLaunchesPassBase::JoinLaunchesPassBase;

  void runOnOperation() override {
    SmallVector<Run> runs;
    for (auto routine : getOperation().getOps<tpu::RoutineOp>())
      if (routine.getEntry())
        routine.walk<WalkOrder::PreOrder>([&](Block *block) { llvm::append_range(runs, runsOf(*block)); });
    int64_t number = 0;
    for (const Run &run : runs)
      if (isWorthJoining(run)) join(run, number++);
  }

  void join(const Run &run, int64_t number) {
    const Location loc = run.front()->getLoc();
    OpBuilder b = OpBuilder::atBlockEnd(getOperation().getBody());
    auto kind = b.getNamedAttr("kind", b.getStringAttr(StringRef(isa::kLaunchKind)));
    auto name = b.getStringAttr("launch" + Twine(number));
    auto launch = tpu::RoutineOp::create(b, loc, name, false, b.getDictionaryAttr({kind}));
    Block &block = launch.getBody().emplaceBlock();
    block.addArguments({b.getI64Type(), b.getI64Type()}, {loc, loc});
    OpBuilder before(run.back());
    tpu::CallOp::create(before, loc, FlatSymbolRefAttr::get(name));
    IRMapping inside;
    for (Operation *op : run) {
      op->moveBefore(&block, block.end());
      takeConstants(op, inside);
    }
    b.setInsertionPointToEnd(&block);
    tpu::ReturnOp::create(b, loc);
  }

  // The launch gets its own of the constants that `op` has.
  static void takeConstants(Operation *op, IRMapping &inside) {
    OpBuilder b = OpBuilder::atBlockBegin(op->getBlock());
    for (OpOperand &use : op->getOpOperands()) {
      if (!inside.contains(use.get())) inside.map(use.get(), b.clone(*use.get().getDefiningOp())->getResult(0));
      use.set(inside.lookup(use.get()));
    }
  }
};

}  // namespace
}  // namespace tpuc::lowering
