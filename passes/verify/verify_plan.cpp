// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After plan: kernels with plans, arrays in VMEM apart from each other.
#include "dialects/kernel/fetch.h"
#include "dialects/kernel/plan.h"
#include "dialects/kernel/slots.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/SmallBitVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/verify/passes.h"

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

// An array in VMEM, from the kernel that makes it to the last one that reads it, counted in program order.
struct Place {
  OpResult array;
  kernel::PlaceAttr at;
  int64_t first, last;
};

// The last kernel in which a kernel that reads the value is run: itself, or of a loop around it.
int64_t lastRunOf(kernel::FusionOp reader, Block *in, const DenseMap<Operation *, int64_t> &numbers) {
  int64_t last = numbers.lookup(reader);
  for (Operation *around = reader->getParentOp(); reader->getBlock() != in && around; around = around->getParentOp()) {
    if (mlir::isa<stablehlo::WhileOp>(around))
      around->walk([&](kernel::FusionOp op) { last = std::max(last, numbers.lookup(op)); });
    if (around->getBlock() == in) break;
  }
  return last;
}

// One that a loop reads is alive until the last kernel in there.
int64_t lastReaderOf(Value v, const DenseMap<Operation *, int64_t> &numbers) {
  int64_t last = -1;
  for (Operation *user : v.getUsers()) {
    if (mlir::isa<kernel::ViewOp>(user)) last = std::max(last, lastReaderOf(user->getResult(0), numbers));
    if (auto fusion = dyn_cast<kernel::FusionOp>(user)) {
      last = std::max(last, lastRunOf(fusion, v.getParentBlock(), numbers));
      continue;
    }
    Operation *reader = v.getParentBlock()->findAncestorOpInBlock(*user);
    reader->walk([&](kernel::FusionOp op) { last = std::max(last, numbers.lookup(op)); });
  }
  return last;
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
  DenseMap<Operation *, int64_t> numbers;
  main.walk<WalkOrder::PreOrder>([&](kernel::FusionOp op) { numbers.try_emplace(op, numbers.size()); });
  SmallVector<Place> places;
  WalkResult walk = main.walk<WalkOrder::PreOrder>([&](kernel::FusionOp op) -> WalkResult {
    auto all = op->getAttrOfType<ArrayAttr>(kernel::kPlacesAttr);
    for (OpResult array : all ? op->getResults() : ResultRange(nullptr, 0)) {
      auto types = cast<ArrayAttr>(all[array.getResultNumber()]);
      if (types.empty()) continue;
      const int64_t number = numbers.lookup(op);
      Place p{array, cast<kernel::PlaceAttr>(types[0]), number, std::max(number, lastReaderOf(array, numbers))};
      if (budget > 0 && p.at.getWord() + p.at.getWords() > budget) {
        broken(op, "expects an array in VMEM within its " + Twine(budget) + " words, but got one up to word " +
                       Twine(p.at.getWord() + p.at.getWords()));
        return WalkResult::interrupt();
      }
      Value below = p.at.getOver() < 0 ? Value() : op.getInputs()[p.at.getOver()];
      for (const Place &other : places) {
        bool meet = other.first <= p.last && p.first <= other.last && other.array != below;
        if (meet && other.at.getWord() < p.at.getWord() + p.at.getWords() &&
            p.at.getWord() < other.at.getWord() + other.at.getWords()) {
          broken(op, "expects a place in VMEM apart from that of another array").attachNote(other.array.getLoc())
              << "which is alive with it";
          return WalkResult::interrupt();
        }
      }
      places.push_back(p);
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
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
