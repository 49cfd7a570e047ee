// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimated cycles of a matmul kernel.
#include "passes/plan/dot/dot_plan.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::plan {

// How much cheaper a grid must be that leaves nothing to share among cores and threads, that overlaps no transfer with
// its only step either, or whose few steps two cannot share evenly.
static constexpr double kNotShared = 1.1, kLoneStep = 1.25, kOdd = 1.03;
static constexpr int64_t kFew = 8;

// Pushing the rows of one k tile, and what else its bundles hold.
double DotPlan::tileCycles() {
  const timing::MachineModel &model = *context_.model;
  MxuOps ops = opsOf(mode_);
  const auto &slots = model.slots();
  double halves = side_ / 128, leads = product(mLead_);
  double pushes = unitsPerArray() * double(domain_.pack) / mode_.pack * leads;  // an array's, a tile
  double ldws = side_ / (8.0 * mode_.pack) * halves;
  double rowVregs = pushes * halves * down_ * (batch_.empty() ? 1 : wide_) * deep_, weightVregs = ldws * arraysUsed();
  double loads = (rowVregs * (rows_.ready || rows_.scratch ? 1 : mode_.pack) + weightVregs) / slots.vload;
  double alu = (rowVregs * workOf(rows_) + weightVregs * workOf(weights_)) / slots.valu;
  return std::max(
             {pushes * model.occupancy(ops.push) + model.occupancy(isa::Op::MxuSwap), weightCycles(), loads, alu}) +
         kTileOverhead + pushFillCycles();
}

// A unit's results out of the accumulators, through the epilogue.
double DotPlan::popCycles() const {
  const auto &slots = context_.model->slots();
  double results = unitsPerArray() * double(domain_.pack) * product(mLead_) * resultArrays() * (side_ / 128);
  return std::max(results / slots.vstore / (space_.results.empty() ? 1 : space_.results[0]->array.pack),
                  results * (double(deep_) + epilogue_.size()) / slots.valu);
}

// How many loops a tile's rows take: one walks units of rows, or the last leading dim where a block has one unit.
double DotPlan::rowLoops() const {
  const bool isLastShort = unitsPerArray() == 1 && !mLead_.empty();
  return double(product(mLead_)) / double(isLastShort ? domain_.block[mLead_.back()] : 1);
}

// What loops over rows wait for their first ones, but for the first loop: kTileOverhead has its wait.
double DotPlan::pushFillCycles() const {
  const timing::MachineModel &model = *context_.model;
  const double ops = rows_.ready || rows_.scratch ? 0 : double(1 + rows_.blocks.size() + rows_.ops);
  return (rowLoops() - 1) * (model.latency(isa::Op::VLd) + ops * model.latency(isa::Op::VFAdd));
}

// What each loop over rows takes from popping its last result to storing it, with the epilogue's ops as one chain.
double DotPlan::popFillCycles() const {
  const timing::MachineModel &model = *context_.model;
  return rowLoops() * (model.latency(isa::Op::MxuPop) + double(epilogue_.size()) * model.latency(isa::Op::VFAdd));
}

// Vector ops of an operand's vreg besides its load: the body's on each of its groups, and packing.
double DotPlan::workOf(const Operand &o) const {
  return o.scratch ? 0.0 : o.ready ? (o.mask ? 1.0 : 0.0) : mode_.pack * (1.0 + o.blocks.size() + o.ops) + 1;
}

// A tile of weights for all arrays, with the vector work on it.
double DotPlan::stagingCycles() const {
  double vregs = side_ / (8.0 * mode_.pack) * (side_ / 128.0) * arraysUsed();
  return std::max(weightCycles(), vregs * workOf(weights_) / context_.model->slots().valu);
}

// An array's tile of weights as it enters, without what the operand has too few of.
double DotPlan::weightCycles() const {
  int64_t across = roles_.weightsTransposed ? kLast_ : n_, down = roles_.weightsTransposed ? n_ : kLast_;
  double columns = llvm::divideCeil(std::min(side_, domain_.block[across]), 128),
         rows = llvm::divideCeil(std::min(side_, domain_.block[down]), 8 * mode_.pack);
  return columns * rows * context_.model->stageCycles(opsOf(mode_).ldw);
}

double DotPlan::tilesPerUnit() const { return double(kTiles()) / deep_ * product(kLead_) * mode_.passes; }

double DotPlan::stepCycles() {
  const timing::MachineModel &model = *context_.model;
  MxuOps ops = opsOf(mode_);
  double tile = tileCycles(), tiles = tilesPerUnit(), pops = popCycles(), fill = popFillCycles();
  double drain = model.latency(ops.push);
  double units = double(product(outerDims())) / wide_ * groups_;
  double stages = 0;
  for (const Operand *o : {&rows_, &weights_})
    if (o->scratch) stages += o->scratch->slotWords / 8.0 * (o->transposed ? 6 : 2) * o->scratch->array.pack;
  double first = stages + weightCycles() + 150;
  if (isRagged()) first += units * product(kLead_) * mode_.passes * stagingCycles();  // nothing is staged ahead
  if (kSplit_) return units * tiles * tile + units / grid_->sequentialSteps() * (pops + fill + drain) + first;
  if (ring_ == 1) return units * (tiles * tile + pops + fill + drain) + first;
  // Results leave while the rows of a later unit are pushed; the last of a run wait for the arrays.
  const double leaving = fill + (popsAmongPushes_ ? std::max(0.0, pops - tile) : pops);
  const double unit = std::max(tiles * tile + leaving, drain / (ring_ - 1));
  return units * unit + units / unitTrips() * (drain + (ring_ - 1) * (pops + fill)) + first;
}

// Estimated cycles of the kernel.
double DotPlan::cost() {
  const timing::MachineModel &model = *context_.model;
  int cores = static_cast<int>(std::min<int64_t>(context_.target.cores(), grid_->parallelSteps()));
  const double step = stepCycles();
  return grid_->overlappedCycles(model, step, cores) + step + grid_->endCycles(model, cores) +
         40 * double(grid_->stepsOfCore(cores));
}

// No fewer than these: all arrays full of rows, each operand and result moved once.
double DotPlan::leastCycles() const {
  double rows = mode_.passes, bytes = 0;
  for (auto [d, extent] : llvm::enumerate(domain_.dims)) {
    const auto dim = static_cast<int64_t>(d);
    rows *= dim == n_ || dim == kLast_ ? llvm::divideCeil(extent, side_) : extent;
  }
  auto add = [&](const ArrayBlock &b) { bytes += double(b.array.type.getNumElements()) * 4 / b.array.pack; };
  for (const Operand *o : {&rows_, &weights_})
    for (auto &b : o->blocks) add(*b);
  for (const auto *blocks : {&space_.inputs, &space_.results})
    for (auto &b : *blocks) add(*b);
  const int cores = context_.target.cores();
  return std::max(rows / arrays_ / cores,
                  double(context_.model->hbmCycles(static_cast<int64_t>(bytes / cores), cores)));
}

double DotPlan::unevenness() const {
  int64_t steps = grid_->parallelSteps();
  if (steps == 1) return grid_->sequentialSteps() == 1 ? kLoneStep : kNotShared;
  return steps < kFew && steps % 2 ? kOdd : 1;
}

}  // namespace tpuc::plan
