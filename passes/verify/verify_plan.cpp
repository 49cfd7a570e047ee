// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After plan: kernels with plans, arrays in VMEM apart from each other.
#include "dialects/kernel/plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYPLANPASS
#include "passes/verify/passes.h.inc"
namespace {

bool isEmpty(Value v) { return cast<RankedTensorType>(v.getType()).getNumElements() == 0; }

LogicalResult verifyPlan(kernel::FusionOp fusion) {
  if (kernel::planOf(fusion) || llvm::all_of(fusion.getOutputs(), isEmpty)) return success();
  return broken(fusion, "expects a kernel of kind " + fusion.getKind() + " to have a plan");
}

// An array in VMEM, from the kernel that makes it to the last one that reads it, counted in program order.
struct Place {
  OpResult array;
  kernel::PlaceAttr at;
  int64_t first, last;
};

int64_t lastReaderOf(Value v, const DenseMap<Operation *, int64_t> &numbers) {
  int64_t last = -1;
  for (Operation *user : v.getUsers())
    last = std::max(last,
                    mlir::isa<kernel::ViewOp>(user) ? lastReaderOf(user->getResult(0), numbers) : numbers.lookup(user));
  return last;
}

LogicalResult verifyPlaces(func::FuncOp main) {
  DenseMap<Operation *, int64_t> numbers;
  main.walk<WalkOrder::PreOrder>([&](kernel::FusionOp op) { numbers.try_emplace(op, numbers.size()); });
  SmallVector<Place> places;
  WalkResult walk = main.walk<WalkOrder::PreOrder>([&](kernel::FusionOp op) -> WalkResult {
    auto all = op->getAttrOfType<ArrayAttr>(kernel::kPlacesAttr);
    for (OpResult array : all ? op->getResults() : ResultRange(nullptr, 0)) {
      auto types = cast<ArrayAttr>(all[array.getResultNumber()]);
      if (types.empty()) continue;
      Place p{array, cast<kernel::PlaceAttr>(types[0]), numbers.lookup(op), lastReaderOf(array, numbers)};
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

struct VerifyPlan : impl::VerifyPlanPassBase<VerifyPlan> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(check())) signalPassFailure();
  }

  LogicalResult check() {
    if (failed(verifyKernels(getOperation()))) return failure();
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    WalkResult walk = main.walk([](kernel::FusionOp fusion) { return WalkResult(verifyPlan(fusion)); });
    return walk.wasInterrupted() ? failure() : verifyPlaces(main);
  }
};

}  // namespace
}  // namespace tpuc::verify
