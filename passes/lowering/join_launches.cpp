// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that follow one another are one launch, those of counted loops too.
//
//  1. In each block of the entry, grids with nothing between them but index arithmetic, transfers and waits for these
//     are a run. Counted loops whose bodies are nothing else belong to it.
//  2. A run of several grids, or with a loop or a transfer, becomes a routine that runs them in order, which the entry
//     calls.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/launch.h"
#include "passes/lowering/passes.h"

using namespace mlir;

namespace tpuc::lowering {
#define GEN_PASS_DEF_JOINLAUNCHESPASS
#include "passes/lowering/passes.h.inc"
namespace {

using Run = SmallVector<Operation *>;

bool isOfRun(Operation *op);

// A counted loop that has nothing else in it.
bool isQuietLoop(Operation *op) {
  return analysis::isCountedLoop(op) &&
         llvm::all_of(cast<scf::ForOp>(op).getBody()->without_terminator(),
                      [](Operation &inner) { return isOfRun(&inner) || analysis::isOfCounters(&inner); });
}

bool isOfRun(Operation *op) { return mlir::isa<tpu::GridOp>(op) || analysis::isLaunchTransfer(op) || isQuietLoop(op); }

// The first number of a loop's counter, before the loop.
bool isCounterStart(Operation *op) { return analysis::isCounterAccess(op) && op->getNumResults() == 0; }

// Whether `op`, and what is in it, takes nothing from outside but constants: a launch gets its own of those.
bool standsAlone(Operation *op) {
  auto isForeign = [&](Value v) {
    return !op->isAncestor(v.getParentBlock()->getParentOp()) && !matchPattern(v, m_Constant());
  };
  return !op->walk([&](Operation *user) {
              return llvm::any_of(user->getOperands(), isForeign) ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

// The runs of a block and of those in it, in order.
void findRuns(Block &block, SmallVectorImpl<Run> &runs) {
  runs.emplace_back();
  for (Operation &op : block) {
    if ((isOfRun(&op) || isCounterStart(&op)) && standsAlone(&op)) {
      runs.back().push_back(&op);
      continue;
    }
    for (Region &region : op.getRegions())
      for (Block &inner : region) findRuns(inner, runs);
    if (!isPure(&op) || op.getNumRegions()) runs.emplace_back();
  }
}

bool hasGrid(Operation *op) {
  return op->walk([](tpu::GridOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool isWorthJoining(const Run &run) {
  const bool hasLoop = llvm::any_of(run, llvm::IsaPred<scf::ForOp>);
  return (hasLoop || llvm::count_if(run, isOfRun) > 1) && llvm::any_of(run, hasGrid);
}

struct JoinLaunches : impl::JoinLaunchesPassBase<JoinLaunches> {
  using JoinLaunchesPassBase::JoinLaunchesPassBase;

  void runOnOperation() override {
    SmallVector<Run> runs;
    for (auto routine : getOperation().getOps<tpu::RoutineOp>())
      if (routine.getEntry())
        for (Block &block : routine.getBody()) findRuns(block, runs);
    int64_t number = 0;
    for (const Run &run : runs)
      if (isWorthJoining(run)) join(run, number++);
  }

  void join(const Run &run, int64_t number) {
    const Location loc = run.front()->getLoc();
    OpBuilder b = OpBuilder::atBlockEnd(getOperation().getBody());
    const std::string name = ("launch" + Twine(number)).str();
    auto entry = run.front()->getParentOfType<tpu::RoutineOp>();
    auto smemBytes = entry.getFactsAttr() ? entry.getFactsAttr().getAs<IntegerAttr>("smem_bytes") : IntegerAttr();
    Block &block = tpu::createLaunch(b, loc, name, smemBytes).getBody().front();
    OpBuilder before(run.back());
    tpu::CallOp::create(before, loc, FlatSymbolRefAttr::get(b.getContext(), name));
    IRMapping inside;
    for (Operation *op : run) {
      op->moveBefore(&block, block.end());
      takeConstants(op, inside);
    }
    b.setInsertionPointToEnd(&block);
    tpu::ReturnOp::create(b, loc);
  }

  // The launch gets its own of the constants that `op` takes from outside.
  static void takeConstants(Operation *op, IRMapping &inside) {
    OpBuilder b = OpBuilder::atBlockBegin(op->getBlock());
    op->walk([&](Operation *user) {
      for (OpOperand &use : user->getOpOperands()) {
        if (op->isAncestor(use.get().getParentBlock()->getParentOp())) continue;
        if (!inside.contains(use.get())) inside.map(use.get(), b.clone(*use.get().getDefiningOp())->getResult(0));
        use.set(inside.lookup(use.get()));
      }
    });
  }
};

}  // namespace
}  // namespace tpuc::lowering
