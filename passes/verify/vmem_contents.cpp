// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. The program is walked in order. An array that is put somewhere is there until another one is put over it.
// 2. A kernel reads its arrays, then it puts its results. Of what it reads nothing may lie below these, but an array
//    that is said to (`over`), or what a loop carries, in the very place of what the loop carries next.
// 3. A loop is given its arrays, and its body gives it the next ones: those that are elsewhere are copied when all have
//    been read. What the body puts something over is not there in later iterations, so the body is walked twice.
// 4. Behind branches there is what all of them have left.
#include "passes/verify/vmem_contents.h"

#include "dialects/kernel/counts.h"
#include "dialects/kernel/plan.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
namespace {

bool overlap(kernel::PlaceAttr a, kernel::PlaceAttr b) {
  return a.getWord() < b.getWord() + b.getWords() && b.getWord() < a.getWord() + a.getWords();
}

// What an op says of one of its results; null: it lies in HBM.
kernel::PlaceAttr saidOf(Operation *op, unsigned i) {
  auto all = op->getAttrOfType<ArrayAttr>(kernel::kPlacesAttr);
  auto places = all ? cast<ArrayAttr>(all[i]) : ArrayAttr();
  return places && !places.empty() ? cast<kernel::PlaceAttr>(places[0]) : kernel::PlaceAttr();
}

class Contents {
 public:
  LogicalResult walk(Block &block) {
    for (Operation &op : block.without_terminator()) {
      LogicalResult ok = success();
      if (auto fusion = dyn_cast<kernel::FusionOp>(op))
        ok = run(fusion);
      else if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
        ok = run(loop);
      else if (mlir::isa<stablehlo::IfOp, stablehlo::CaseOp>(op))
        ok = runBranches(op);
      if (failed(ok)) return failure();
    }
    return success();
  }

 private:
  // The array that a value is: views, and what a condition sees, are others' names.
  static Value arrayOf(Value v) {
    for (;;) {
      if (auto view = v.getDefiningOp<kernel::ViewOp>()) {
        v = view.getSource();
        continue;
      }
      auto argument = dyn_cast<BlockArgument>(v);
      auto loop = argument ? dyn_cast<stablehlo::WhileOp>(argument.getOwner()->getParentOp()) : stablehlo::WhileOp();
      return loop ? loop.getBody().getArgument(argument.getArgNumber()) : v;
    }
  }

  static kernel::PlaceAttr placeOf(Value array) {
    if (auto argument = dyn_cast<BlockArgument>(array)) {
      auto loop = dyn_cast<stablehlo::WhileOp>(argument.getOwner()->getParentOp());
      return loop ? saidOf(loop, argument.getArgNumber()) : kernel::PlaceAttr();
    }
    Operation *op = array.getDefiningOp();
    return mlir::isa<stablehlo::WhileOp>(op) && kernel::isApart(cast<OpResult>(array))
               ? kernel::PlaceAttr()
               : saidOf(op, cast<OpResult>(array).getResultNumber());
  }

  // Whether it is there.
  LogicalResult read(Value v) {
    const Value array = arrayOf(v);
    if (!placeOf(array) || isTrial_) return success();
    auto it = gone_.find(array);
    if (it == gone_.end() || !it->second.by) return success();
    broken(it->second.by, "expects a place in VMEM apart from that of another array").attachNote(array.getLoc())
        << "which is alive with it";
    return failure();
  }

  void put(Value array, Operation *by) {
    kernel::PlaceAttr place = placeOf(array);
    if (!place) return;
    for (auto &[other, gone] : gone_)
      if (!gone.by && overlap(gone.place, place)) gone.by = by;
    gone_[array] = {place, nullptr};
  }

  // Whether a kernel may put `result` where it reads `array`.
  static bool mayReplace(kernel::FusionOp op, OpResult result, Value v, Value array) {
    kernel::PlaceAttr place = saidOf(op, result.getResultNumber());
    if (place.getOver() >= 0) return op.getInputs()[place.getOver()] == v;
    const bool isCarried = mlir::isa<BlockArgument>(array) || mlir::isa<stablehlo::WhileOp>(array.getDefiningOp());
    return isCarried && placeOf(array).getWord() == place.getWord() && placeOf(array).getWords() == place.getWords();
  }

  LogicalResult run(kernel::FusionOp op) {
    for (Value v : op.getInputs())
      if (failed(read(v))) return failure();
    for (OpResult result : op->getResults()) {
      if (!placeOf(result) || isTrial_) continue;
      for (Value v : op.getInputs()) {
        const Value array = arrayOf(v);
        if (!placeOf(array) || !overlap(placeOf(array), placeOf(result)) || mayReplace(op, result, v, array)) continue;
        broken(op, "expects a place in VMEM apart from that of another array").attachNote(array.getLoc())
            << "which is alive with it";
        return failure();
      }
    }
    for (OpResult result : op->getResults()) put(result, op);
    // Two results lie apart.
    return readAll(op->getResults());
  }

  LogicalResult readAll(ValueRange values) {
    for (Value v : values)
      if (failed(read(v))) return failure();
    return success();
  }

  // `values` become `arrays`: each stays where it is, or is copied.
  LogicalResult handOn(ValueRange values, ValueRange arrays, Operation *by) {
    if (failed(readAll(values))) return failure();
    auto isThere = [&](Value v, Value array) {
      kernel::PlaceAttr from = placeOf(arrayOf(v)), to = placeOf(array);
      return from && to && from.getWord() == to.getWord();
    };
    for (auto [v, array] : llvm::zip_equal(values, arrays))
      if (!isThere(v, array)) put(array, by);
    for (auto [v, array] : llvm::zip_equal(values, arrays))
      if (isThere(v, array) && arrayOf(v) != array && failed(read(v))) return failure();
    for (auto [v, array] : llvm::zip_equal(values, arrays))
      if (isThere(v, array)) put(array, by);
    return readAll(arrays);
  }

  LogicalResult run(stablehlo::WhileOp loop) {
    const ValueRange carried = loop.getBody().getArguments();
    if (failed(handOn(loop->getOperands(), carried, loop))) return failure();
    auto iterate = [&] {
      if (!kernel::tripCountOf(loop) && failed(walk(loop.getCond().front()))) return failure();
      if (failed(walk(loop.getBody().front()))) return failure();
      return handOn(loop.getBody().front().getTerminator()->getOperands(), carried, loop);
    };
    const bool wasTrial = std::exchange(isTrial_, true);
    (void)iterate();
    isTrial_ = wasTrial;
    if (failed(iterate())) return failure();
    for (Value result : loop->getResults()) put(result, loop);
    return success();
  }

  LogicalResult runBranches(Operation &op) {
    const auto before = gone_;
    auto after = gone_;
    for (Region &region : op.getRegions()) {
      gone_ = before;
      Block &block = region.front();
      if (failed(walk(block))) return failure();
      if (failed(handOn(block.getTerminator()->getOperands(), op.getResults(), &op))) return failure();
      for (const auto &[array, gone] : gone_)
        if (gone.by || !after.contains(array)) after[array] = gone;
    }
    gone_ = std::move(after);
    for (Value result : op.getResults())
      if (kernel::PlaceAttr place = placeOf(result)) gone_[result] = {place, nullptr};
    return success();
  }

  // An array that was put somewhere, and what was put over it; null: nothing.
  struct Gone {
    kernel::PlaceAttr place;
    Operation *by = nullptr;
  };
  llvm::MapVector<Value, Gone> gone_;
  bool isTrial_ = false;  // finds what is put where, and reports nothing
};

}  // namespace

LogicalResult verifyVmemContents(func::FuncOp main) { return Contents().walk(main.getBody().front()); }

}  // namespace tpuc::verify
