// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/memory/over_cores.h"

#include "dialects/kernel/kernel.h"
#include "passes/analysis/pieces.h"
#include "passes/plan/memory/residency.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

// Whether the loop's iterations write the update in places of their own: along a dim it goes by the steps of one of the
// loop's own counters, has no more of it than one of them, and never goes beyond the array, where it would be clamped.
bool stepsApart(stablehlo::WhileOp loop, kernel::FusionOp fusion, stablehlo::DynamicUpdateSliceOp update) {
  auto part = cast<RankedTensorType>(update.getUpdate().getType()),
       whole = cast<RankedTensorType>(update.getOperand().getType());
  for (auto [d, start] : llvm::enumerate(update.getStartIndices())) {
    auto argument = dyn_cast<BlockArgument>(start);
    auto counter = argument && argument.getOwner() == &fusion.getBlock()
                       ? fusion.getInputs()[argument.getArgNumber()].getDefiningOp<kernel::CounterOp>()
                       : kernel::CounterOp();
    if (!counter || counter->getParentOp() != loop || !counter.stepsEvenly()) continue;
    const auto step = static_cast<int64_t>(counter.getStep()), first = static_cast<int64_t>(counter.getStart());
    const int64_t last = first + step * (*kernel::tripCountOf(loop) - 1), size = part.getDimSize(d);
    if (size <= std::abs(step) && std::min(first, last) >= 0 && std::max(first, last) <= whole.getDimSize(d) - size)
      return true;
  }
  return false;
}

// Whether the iterations do nothing with carried value `i` but write pieces of their own.
bool isWrittenInPieces(stablehlo::WhileOp loop, unsigned i, const StorageMap &map) {
  BlockArgument carried = loop.getBody().getArgument(i);
  auto next = dyn_cast<OpResult>(loop.getBody().front().getTerminator()->getOperand(i));
  auto fusion = next ? dyn_cast<kernel::FusionOp>(next.getOwner()) : kernel::FusionOp();
  if (!fusion || !carried.hasOneUse() || *carried.user_begin() != fusion || !next.hasOneUse()) return false;
  if (map.placeOf(carried) != map.placeOf(next)) return false;
  auto update = analysis::writtenInPlace(fusion, next.getResultNumber());
  auto old = update ? dyn_cast<BlockArgument>(update.getOperand()) : BlockArgument();
  return old && fusion.getInputs()[old.getArgNumber()] == carried && stepsApart(loop, fusion, update);
}

}  // namespace

std::optional<std::string> objectionToSharing(stablehlo::WhileOp loop, StorageMap &map) {
  Block &body = loop.getBody().front();
  if (!kernel::tripCountOf(loop)) return "expects a known trip count, but got a condition";
  if (!map.entryCopies(loop).empty() || !map.exitCopies(body.getTerminator()).empty())
    return "expects carried arrays that stay where they are, but got one that is copied";
  for (unsigned i = 0; i < loop->getNumOperands(); ++i)
    if (!isWrittenInPieces(loop, i, map))
      return ("expects each iteration to write pieces of its own, but got carried value " + Twine(i)).str();
  for (Operation &op : body.without_terminator()) {
    if (mlir::isa<kernel::ViewOp, kernel::CounterOp, kernel::UndefinedOp, stablehlo::ConstantOp>(op)) continue;
    if (!movesWholeBlocks(&op))
      return ("expects kernels that move blocks, but got '" + op.getName().getStringRef() + "'").str();
    for (Value v : op.getResults()) {
      const Place place = map.placeOf(v);
      if (llvm::is_contained(body.getTerminator()->getOperands(), v) || place.storage < 0) continue;
      if (map.storages()[place.storage].kind != "vmem") return "expects arrays in VMEM, but got one in HBM";
    }
  }
  return std::nullopt;
}

// One core, with HBM's bandwidth among so many.
static target::Target oneCoreOf(target::Target target, double sharers) {
  target.mutable_memory()->set_hbm_bandwidth_gbps(target.memory().hbm_bandwidth_gbps() / sharers);
  target.set_cores(1);
  return target;
}

KernelTargets::KernelTargets(const target::Target &target)
    : all_(target), shared_(oneCoreOf(target, target.cores())), alone_(oneCoreOf(target, 1)) {}

}  // namespace tpuc::plan
