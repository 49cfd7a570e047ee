// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/memory/contents.h"

#include "dialects/kernel/fetch.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/pieces.h"
#include "passes/plan/memory/storage.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

constexpr size_t kMostCopiedRank = 4;  // a transfer has four strided dims

// Pieces of an array in VMEM do not lie in one piece.
bool readsPieceOf(kernel::FusionOp fusion, Value v) {
  for (auto [i, input] : llvm::enumerate(fusion.getInputs()))
    if (input == v && analysis::hasPiecesOf(fusion, i)) return true;
  return false;
}

bool isMade(OpResult v) {
  if (kernel::isFetched(v)) return true;
  Operation *maker = v.getOwner();
  return movesWholeBlocks(maker) && !analysis::writtenInPlace(cast<kernel::FusionOp>(maker), v.getResultNumber());
}

enum class Use { kView, kKernel, kControl, kOther };

// How an operand is used: control flow hands it on, but decides by what lies in HBM.
Use kindOf(OpOperand &use) {
  Operation *user = use.getOwner();
  if (mlir::isa<kernel::ViewOp>(user)) return Use::kView;
  if (mlir::isa<stablehlo::WhileOp>(user)) return Use::kControl;
  if (movesWholeBlocks(user)) return readsPieceOf(cast<kernel::FusionOp>(user), use.get()) ? Use::kOther : Use::kKernel;
  if (!user->hasTrait<OpTrait::IsTerminator>() || !isControl(user->getParentOp())) return Use::kOther;
  auto loop = dyn_cast<stablehlo::WhileOp>(user->getParentOp());
  return loop && user->getParentRegion() == &loop.getCond() ? Use::kOther : Use::kControl;
}

bool wantsHbm(Value v) {
  return llvm::any_of(v.getUses(), [](OpOperand &use) {
    const Use kind = kindOf(use);
    return kind == Use::kOther || (kind == Use::kView && wantsHbm(use.getOwner()->getResult(0)));
  });
}

}  // namespace

bool movesWholeBlocks(Operation *op) {
  auto fusion = dyn_cast<kernel::FusionOp>(op);
  return fusion && llvm::is_contained({"loop", "dot", "relayout", "conv", "window"}, fusion.getKind());
}

bool isHandedOn(Value v) {
  if (auto result = dyn_cast<OpResult>(v)) return isControl(result.getOwner());
  Operation *around = v.getParentBlock()->getParentOp();
  return isControl(around);
}

std::optional<Contents> contentsOf(ArrayRef<Value> values) {
  Contents c;
  for (Value v : values) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (!type || type.getNumElements() == 0 || !kernel::planesOf(type.getElementType()).empty()) return std::nullopt;
    if (isHandedOn(v)) {
      if (!c.isCarried) c.whole = v;
      c.isCarried = true;
    } else if (v.getDefiningOp<kernel::ViewOp>()) {
      c.hasViews = true;
    } else if (auto made = dyn_cast<OpResult>(v); made && isMade(made)) {
      c.made.push_back(made);
    } else {
      return std::nullopt;
    }
  }
  if (!c.isCarried && c.made.size() != 1) return std::nullopt;
  if (!c.isCarried) c.whole = c.made.front();
  c.isCopied = c.isCarried;
  for (Value v : values)
    for (OpOperand &use : v.getUses()) {
      const Use kind = kindOf(use);
      if (kind == Use::kOther) return std::nullopt;
      if (kind == Use::kKernel) c.reads.push_back({use.getOwner(), v});
      c.isCopied |= kind == Use::kControl;
    }
  auto isTooDeep = [](Value v) {
    return static_cast<size_t>(cast<RankedTensorType>(v.getType()).getRank()) > kMostCopiedRank;
  };
  if (c.isCopied && llvm::any_of(values, isTooDeep)) return std::nullopt;
  return c;
}

DenseSet<Value> resultsForHbm(func::FuncOp main) {
  DenseSet<Value> results;
  main.walk([&](stablehlo::WhileOp loop) {
    for (auto [i, result] : llvm::enumerate(loop.getResults()))
      if (wantsHbm(result) && !wantsHbm(loop.getBody().getArgument(i)) && !wantsHbm(loop.getCond().getArgument(i)))
        results.insert(result);
  });
  return results;
}

}  // namespace tpuc::plan
