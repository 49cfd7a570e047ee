// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop's iteration saves of the state that it was given, before another kernel makes the next state: that one
// may lie where the state did then, and nothing is copied at the iteration's end.
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
using kernel::FusionOp;
#define GEN_PASS_DEF_SAVEEARLYPASS
#include "passes/fusion/passes.h.inc"
namespace {

// The array that a view is of, and the views on the way to it, the innermost first.
Value rootOf(Value v, SmallVectorImpl<kernel::ViewOp> &views) {
  while (auto view = v.getDefiningOp<kernel::ViewOp>()) {
    views.insert(views.begin(), view);
    v = view.getSource();
  }
  return v;
}

// A kernel that does nothing but write one of its inputs into another, a value that the loop carries and nobody else
// reads.
bool isSave(FusionOp fusion, Block &body) {
  if (fusion.getKind() != "copy" || fusion.getNumResults() != 1) return false;
  auto update = fusion.getBlock().getTerminator()->getOperand(0).getDefiningOp<stablehlo::DynamicUpdateSliceOp>();
  auto whole = update ? dyn_cast<BlockArgument>(update.getOperand()) : BlockArgument();
  if (!whole || !mlir::isa<BlockArgument>(update.getUpdate())) return false;
  auto stack = dyn_cast<BlockArgument>(fusion.getInputs()[whole.getArgNumber()]);
  return stack && stack.getOwner() == &body && stack.hasOneUse();
}

// Moves a save before the kernel that makes the next value of what it saves.
void move(FusionOp save, Block &body) {
  SmallVector<kernel::ViewOp> views;
  Operation *maker = nullptr;
  for (Value input : save.getInputs()) {
    auto state = dyn_cast<BlockArgument>(rootOf(input, views));
    if (!state || state.getOwner() != &body) continue;
    SmallVector<kernel::ViewOp> others;
    Operation *next = rootOf(body.getTerminator()->getOperand(state.getArgNumber()), others).getDefiningOp();
    if (!next || next == save || next->getBlock() != &body || !next->isBeforeInBlock(save)) continue;
    if (!maker || next->isBeforeInBlock(maker)) maker = next;
  }
  auto isThere = [&](Value v) {
    Operation *def = v.getDefiningOp();
    return !def || def->getBlock() != &body || def->isBeforeInBlock(maker) ||
           llvm::is_contained(views, dyn_cast<kernel::ViewOp>(def));
  };
  if (!maker || !llvm::all_of(save.getInputs(), isThere) ||
      !llvm::all_of(views, [&](kernel::ViewOp view) { return isThere(view.getSource()); }))
    return;
  for (kernel::ViewOp view : views)
    if (view->getBlock() == &body && maker->isBeforeInBlock(view)) view->moveBefore(maker);
  save->moveBefore(maker);
}

struct SaveEarly : impl::SaveEarlyPassBase<SaveEarly> {
  void runOnOperation() override {
    getOperation().walk([](stablehlo::WhileOp loop) {
      Block &body = loop.getBody().front();
      SmallVector<FusionOp> saves;
      for (auto fusion : body.getOps<FusionOp>())
        if (isSave(fusion, body)) saves.push_back(fusion);
      for (FusionOp save : saves) move(save, body);
    });
  }
};

}  // namespace
}  // namespace tpuc::fusion
