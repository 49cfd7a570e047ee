// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimated cycles of a convolution's blocks.
#include "passes/plan/conv/conv_plan.h"

using namespace mlir;

namespace tpuc::plan {

// What a step takes besides, and a tile of weights: the loop over its rows fills and empties.
constexpr double kStep = 400, kTile = 36;

// The rows of all results of a group, for one tap and k tile.
double ConvPlan::tileCycles() const {
  const timing::MachineModel &model = *context_.model;
  const MxuOps ops = opsOf(mode_);
  const auto &slots = model.slots();
  double pushes = static_cast<double>(domain_.pack) / static_cast<double>(mode_.pack);
  for (auto [i, extent] : llvm::enumerate(rowExtents()))
    pushes *= static_cast<double>(extent) / static_cast<double>(phases(i));
  if (sharedDim() >= 0) pushes /= static_cast<double>(mode_.pack);
  const auto halves = static_cast<double>(llvm::divideCeil(std::min(kExtent(), side_), 128)),
             columns = static_cast<double>(llvm::divideCeil(std::min(domain_.block[co_], side_), 128)),
             ldws = static_cast<double>(llvm::divideCeil(std::min(transposed_ ? domain_.block[co_] : kExtent(), side_),
                                                         8 * mode_.pack)) *
                    (transposed_ ? halves : columns);
  const double vregs = pushes * halves * static_cast<double>(down_ * mode_.pack),
               weights = ldws * static_cast<double>(across_ * down_ * (folds_ ? mode_.pack : 1));
  return kTile +
         std::max({pushes * model.occupancy(ops.push) + model.occupancy(isa::Op::MxuSwap),
                   ldws * model.stageCycles(ops.ldw), (vregs + weights) / slots.vload, (vregs + weights) / slots.valu});
}

// The copies of the input, and of the weights, that a step makes.
double ConvPlan::copyCycles() const {
  const double stores = context_.model->slots().vstore, xlus = std::max<double>(context_.model->slots().xlu, 1);
  auto folding = [&](int64_t words, int64_t tiles, int64_t loads) {
    const double vregs = static_cast<double>(words) / 8;
    return std::max(vregs / stores, vregs / static_cast<double>(tiles) * static_cast<double>(loads) / xlus);
  };
  double cycles = folds_ ? static_cast<double>(foldedWeights_.words) / 8 / stores : 0;
  if (turnsTaps_)
    return cycles + static_cast<double>(turnedTaps_.rowsWords + turnedTaps_.words + foldRows_.words) / 8 / stores;
  cycles += static_cast<double>(padded_.words) / 8 / stores;
  if (folds_) cycles += folding(fold_.words, fold_.tiles, padded_.last.window * llvm::divideCeil(padded_.lanes, 128));
  if (foldsRows_) cycles += folding(foldRows_.words, foldRows_.tiles, taps() / padded_.last.window * fold_.tiles);
  return cycles;
}

// All results out of the accumulators, through the epilogue.
double ConvPlan::popCycles() const {
  const auto &slots = context_.model->slots();
  const double vregs = static_cast<double>(rows()) / 8 * static_cast<double>(llvm::divideCeil(domain_.block[co_], 128));
  const int64_t elements = typeOf(root_->getResult(0)).getNumElements();
  const int64_t ops = 1 + llvm::count_if(context_.op.getBlock().without_terminator(), [&](Operation &op) {
                        return &op != root_ && typeOf(op.getResult(0)).getNumElements() == elements;
                      });
  return std::max(vregs / slots.vstore / static_cast<double>(space_.results[0]->array.pack),
                  vregs * static_cast<double>(ops) / slots.valu);
}

double ConvPlan::stepCycles() const {
  const int64_t apart = (foldsRows_ ? 1 : folds_ ? taps() / padded_.last.window : taps());
  const auto groups = static_cast<double>(groups_), steps = static_cast<double>(grid_->sequentialSteps());
  const double pops = popCycles() + groups * context_.model->latency(opsOf(mode_).push);
  return kStep + copyCycles() + groups * static_cast<double>(apart * kTiles() * mode_.passes) * tileCycles() +
         pops / (kSplit_ ? steps : 1);
}

// Cycles of the blocks that are placed, on the arrays that are chosen.
double ConvPlan::cost() const {
  const timing::MachineModel &model = *context_.model;
  const int cores = static_cast<int>(std::min<int64_t>(context_.target.cores(), grid_->parallelSteps()));
  const double step = stepCycles();
  return grid_->overlappedCycles(model, step, cores) + step + grid_->endCycles(model, cores);
}

// Cycles of the blocks alone. What follows from them is chosen for the estimate, and forgotten.
double ConvPlan::cyclesOfBlocks() {
  const SmallVector<int64_t> block = domain_.block;
  chooseArrays();
  orderGrid();
  place();
  const double cycles = cost();
  domain_.block = block;
  return cycles;
}

}  // namespace tpuc::plan
