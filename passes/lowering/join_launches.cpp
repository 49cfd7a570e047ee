// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that follow one another are one launch.
//
//  1. In each block of the entry, grids with nothing between them but index arithmetic are a run.
//  2. A run of several becomes a routine that runs them in order; the entry calls it.
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/lowering/passes.h"
#include "runtime/isa/executable.h"

using namespace mlir;

namespace tpuc::lowering {
#define GEN_PASS_DEF_JOINLAUNCHESPASS
#include "passes/lowering/passes.h.inc"
namespace {

using Run = SmallVector<tpu::GridOp>;

// Of a block, in order.
SmallVector<Run> runsOf(Block &block) {
  SmallVector<Run> runs(1);
  for (Operation &op : block) {
    if (auto grid = dyn_cast<tpu::GridOp>(op))
      runs.back().push_back(grid);
    else if (!isPure(&op) && !runs.back().empty())
      runs.emplace_back();
  }
  return runs;
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
      if (run.size() > 1) join(run, number++);
  }

  void join(const Run &run, int64_t number) {
    tpu::GridOp last = run.back();
    tpu::GridOp first = run.front();
    const Location loc = first.getLoc();
    OpBuilder b = OpBuilder::atBlockEnd(getOperation().getBody());
    auto kind = b.getNamedAttr("kind", b.getStringAttr(StringRef(isa::kLaunchKind)));
    auto name = b.getStringAttr("launch" + Twine(number));
    auto launch = tpu::RoutineOp::create(b, loc, name, false, b.getDictionaryAttr({kind}));
    Block &block = launch.getBody().emplaceBlock();
    block.addArguments({b.getI64Type(), b.getI64Type()}, {loc, loc});
    OpBuilder before(last);
    tpu::CallOp::create(before, loc, FlatSymbolRefAttr::get(name));
    for (tpu::GridOp grid : run) grid->moveBefore(&block, block.end());
    b.setInsertionPointToEnd(&block);
    tpu::ReturnOp::create(b, loc);
  }
};

}  // namespace
}  // namespace tpuc::lowering
