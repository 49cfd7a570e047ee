// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that follow one another are one launch, those of counted loops too.
//
//  1. In each block of the entry, grids with nothing between them but index arithmetic, transfers and waits for them,
//  are
//     a run. Loops of a known count whose bodies are nothing else belong to it.
//  2. A run of several grids, or with a loop or a transfer, becomes a routine that runs them in order; the entry calls
//     it.
#include "dialects/kernel/fetch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/lowering/passes.h"
#include "runtime/isa/executable.h"

using namespace mlir;

namespace tpuc::lowering {
#define GEN_PASS_DEF_JOINLAUNCHESPASS
#include "passes/lowering/passes.h.inc"
namespace {

using Run = SmallVector<Operation *>;

// A fetch or a copy of an array, or the wait for one.
bool isTransfer(Operation *op) {
  if (auto dma = dyn_cast<tpu::DmaStartOp>(op))
    return !dma.getChip() && dma.getSrcSpace() == "hbm" && (dma.getDstSpace() == "vmem" || dma.getDstSpace() == "hbm");
  auto wait = dyn_cast<tpu::InstOp>(op);
  if (!wait || wait.getMnemonic() != "dma.wait" || wait->getNumOperands()) return false;
  auto field = wait.getFieldsAttr().getAs<IntegerAttr>("imm");
  const int64_t semaphore = field ? field.getInt() : 0;
  return semaphore == 0 ||
         (semaphore >= kernel::kFetchSemaphores && semaphore < kernel::kFetchSemaphores + kernel::kFetches);
}

bool isOfRun(Operation *op);

// How often it runs is known, and there is nothing else in it.
bool isQuietLoop(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && loop.getNumResults() == 0 && getConstantIntValue(loop.getLowerBound()) &&
         getConstantIntValue(loop.getUpperBound()) && getConstantIntValue(loop.getStep()) &&
         llvm::all_of(loop.getBody()->without_terminator(),
                      [](Operation &inner) { return isOfRun(&inner) || mlir::isa<arith::ConstantOp>(inner); });
}

bool isOfRun(Operation *op) { return mlir::isa<tpu::GridOp>(op) || isTransfer(op) || isQuietLoop(op); }

// Of a block and of those in it, in order.
void findRuns(Block &block, SmallVectorImpl<Run> &runs) {
  runs.emplace_back();
  for (Operation &op : block) {
    if (isOfRun(&op)) {
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
  return (run.size() > 1 || (run.size() == 1 && mlir::isa<scf::ForOp>(run[0]))) && llvm::any_of(run, hasGrid);
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

  // The launch gets its own of the constants that `op` has, and what is in it.
  static void takeConstants(Operation *op, IRMapping &inside) {
    OpBuilder b = OpBuilder::atBlockBegin(op->getBlock());
    op->walk([&](Operation *user) {
      for (OpOperand &use : user->getOpOperands()) {
        Operation *def = use.get().getDefiningOp();
        if (!def || def->getBlock() == op->getBlock() || op->isAncestor(def)) continue;
        if (!inside.contains(use.get())) inside.map(use.get(), b.clone(*def)->getResult(0));
        use.set(inside.lookup(use.get()));
      }
    });
  }
};

}  // namespace
}  // namespace tpuc::lowering
