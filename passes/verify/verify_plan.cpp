// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After plan: kernels with plans, arrays in VMEM apart from each other.
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/plan.h"
#include "dialects/kernel/slots.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/SmallBitVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/verify/passes.h"
#include "passes/verify/vmem_contents.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYPLANPASS
#include "passes/verify/passes.h.inc"
namespace {

bool isEmpty(Value v) { return cast<RankedTensorType>(v.getType()).getNumElements() == 0; }

// One array, as it is, to a place in VMEM.
LogicalResult verifyFetch(kernel::FusionOp fetch) {
  auto places = fetch->getAttrOfType<ArrayAttr>(kernel::kPlacesAttr);
  Block &body = fetch.getBlock();
  if (fetch.getNumOperands() != 1 || fetch.getNumResults() != 1 || !llvm::hasSingleElement(body) ||
      body.getTerminator()->getOperand(0) != body.getArgument(0))
    return broken(fetch, "expects a fetch to bring one array as it is");
  if (!places || places.size() != 1 || cast<ArrayAttr>(places[0]).empty())
    return broken(fetch, "expects a fetched array to have a place in VMEM");
  return success();
}

LogicalResult verifyPlan(kernel::FusionOp fusion) {
  if (kernel::isFetch(fusion) && failed(verifyFetch(fusion))) return failure();
  if (kernel::planOf(fusion) || llvm::all_of(fusion.getOutputs(), isEmpty)) return success();
  return broken(fusion, "expects a kernel of kind " + fusion.getKind() + " to have a plan");
}

// Words of VMEM that there are, as plans say; 0 where none does.
int64_t budgetOf(func::FuncOp main) {
  int64_t words = 0;
  main.walk([&](kernel::FusionOp op) {
    if (auto plan = kernel::planOf(op)) words = std::max(words, plan.getBudget());
  });
  return words;
}

LogicalResult verifyPlaces(func::FuncOp main) {
  const int64_t budget = budgetOf(main);
  WalkResult walk = main.walk([&](Operation *op) -> WalkResult {
    auto all = op->getAttrOfType<ArrayAttr>(kernel::kPlacesAttr);
    for (Attribute types : all ? all.getValue() : ArrayRef<Attribute>())
      for (auto at : cast<ArrayAttr>(types).getAsRange<kernel::PlaceAttr>()) {
        if (budget <= 0 || at.getWord() + at.getWords() <= budget) continue;
        broken(op, "expects an array in VMEM within its " + Twine(budget) + " words, but got one up to word " +
                       Twine(at.getWord() + at.getWords()));
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return walk.wasInterrupted() ? failure() : verifyVmemContents(main);
}

// Exchanges end in the block that they begin in, and have a slot to themselves meanwhile.
LogicalResult verifySlots(Block &block, llvm::SmallBitVector taken) {
  for (Operation &op : block) {
    if (auto start = dyn_cast<kernel::ExchangeStartOp>(op)) {
      const int64_t slot = kernel::slotOf(start);
      if (slot < 0 || slot >= kernel::kSlots || taken[slot])
        return broken(start, "expects a slot from 0 to " + Twine(kernel::kSlots - 1) +
                                 " that no exchange under way has, but got " + Twine(slot));
      if (!start->hasOneUse() || !mlir::isa<kernel::ExchangeDoneOp>(*start->user_begin()) ||
          start->user_begin()->getBlock() != &block)
        return broken(start, "expects an exchange to have one end, in its own block");
      taken.set(slot);
    }
    if (auto done = dyn_cast<kernel::ExchangeDoneOp>(op)) {
      auto start = done.getStarted().getDefiningOp<kernel::ExchangeStartOp>();
      if (!start) return broken(done, "expects the end of an exchange that has begun");
      taken.reset(kernel::slotOf(start));
    }
    if (mlir::isa<kernel::FusionOp>(op)) continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(verifySlots(inner, taken))) return failure();
  }
  return success();
}

struct VerifyPlan : impl::VerifyPlanPassBase<VerifyPlan> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(check())) signalPassFailure();
  }

  LogicalResult check() {
    if (failed(verifyKernels(getOperation()))) return failure();
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    WalkResult walk = main.walk([](kernel::FusionOp fusion) { return WalkResult(verifyPlan(fusion)); });
    if (walk.wasInterrupted() || failed(verifyPlaces(main))) return failure();
    return verifySlots(main.getBody().front(), llvm::SmallBitVector(kernel::kSlots));
  }
};

}  // namespace
}  // namespace tpuc::verify
