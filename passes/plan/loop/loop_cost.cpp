// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimated cycles of a loop kernel, of blocks that are placed.
//
//  1. Its nests: one a reduction, over what is kept and then over what is reduced; one for the results of like dims.
//  2. What a nest computes, each value as often as the loops around it turn that it depends on: the unit that has most
//     to do counts.
//  3. The grid: steps beside transfers, the first block's arrival and the last one's leaving.
#include <map>

#include "passes/analysis/elementary.h"
#include "passes/plan/loop/loop_plan.h"

using namespace mlir;

namespace tpuc::plan {

// Cycles in which a loop fills and drains, and in which a step finds its blocks and asks for others.
static constexpr double kNest = 80, kStep = 100;

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

// Vregs along a dim of a block: groups of 8 rows, tiles of 128 columns, positions.
LoopPlan::Trips LoopPlan::loopOver(int64_t dim) const {
  const Domain &d = space_.domain;
  return {dim, static_cast<double>(llvm::divideCeil(d.block[dim], d.loopUnit(dim))),
          static_cast<double>(dim == d.r()   ? llvm::divideCeil(d.block[dim], 8)
                              : dim == d.c() ? llvm::divideCeil(d.block[dim], 128)
                                             : d.block[dim])};
}

LoopPlan::Nest LoopPlan::nestOver(ArrayRef<int64_t> order) const {
  return llvm::map_to_vector(order, [&](int64_t k) { return loopOver(k); });
}

// Over what is kept, then over what is reduced; points that go together are innermost.
LoopPlan::Nest LoopPlan::nestOf(const Reduction &r) const {
  Nest nest = nestOver(r.kept), points;
  for (Trips &loop : nest) {
    const double factor = jam_.empty() ? 1 : static_cast<double>(jam_[loop.dim]);
    if (factor == 1) continue;
    points.push_back({loop.dim, 1, factor, /*together=*/true});
    loop.trips /= factor;
    loop.vregs /= factor;
  }
  llvm::append_range(nest, nestOver(r.reduced));
  llvm::append_range(nest, points);
  return nest;
}

// How often the loops of a nest begin: one of a single trip is none.
double LoopPlan::startsOf(const Nest &nest) const {
  double starts = 0, turns = 1;
  for (const Trips &loop : nest) {
    if (loop.trips > 1) starts += turns;
    turns *= loop.trips;
  }
  return starts;
}

// How often a nest, the innermost loop last, has to make a value of these dims.
double LoopPlan::turnsOf(const Nest &nest, ArrayRef<int64_t> dims) const {
  double turns = 1, all = 1, together = 1;
  for (const Trips &loop : nest) {
    const bool isOver = llvm::is_contained(dims, loop.dim);
    if (loop.together) {
      together *= isOver ? loop.vregs : 1;
      continue;
    }
    all *= loop.vregs;
    if (isOver) turns = all;
  }
  return turns * together;
}

// A vreg of an input as the nest needs it.
void LoopPlan::countLoad(const ArrayBlock &block, const DimMap &map, double turns, Work &work) const {
  const Domain &d = space_.domain;
  const Array &a = block.array;
  const int64_t lanes = a.rank() ? map[a.order.back()] : kUnit;
  int64_t rows = lanes == kLinear ? d.r() : kUnit;
  if (a.rank() > 1) rows = map[a.order[a.rank() - 2]];
  const bool isDirect = rows == d.r() && lanes != d.r();
  work.loads += turns / static_cast<double>(isDirect ? a.pack : 1);
  if (lanes != d.c() && lanes != kLinear) work.crossLane += turns;
  if (a.laneShift) work.crossLane += turns;
  if (a.isShuffled()) work.crossLane += 2 * turns;
  if (a.pack > 1) work.alu += turns * (isDirect ? 1 : 2);
}

void LoopPlan::countStore(const ArrayBlock &block, const DimMap &map, double turns, Work &work) const {
  constexpr double kPart = 6, kAfter = 12;  // instructions that put a part of a word among others, and their latency
  const Domain &d = space_.domain;
  const Array &a = block.array;
  const bool isDirect = a.rank() > 1 ? map[a.order[a.rank() - 2]] == d.r() : a.rank() == 1 && map[0] == kLinear;
  work.stores += turns / static_cast<double>(isDirect ? a.pack : 1);
  if (a.pack > 1 && isDirect) work.alu += turns / 2;
  if (a.pack == 1 || isDirect) return;
  work.alu += kPart * turns;
  work.loads += turns;
  if (!storesWholeWords(block, map, d))
    work.others += kAfter * turns;  // the next part goes into what this one has left
}

void LoopPlan::countValue(Value v, const Nest &nest, DenseSet<Value> &seen, Work &work) {
  if (!seen.insert(v).second) return;
  const double turns = turnsOf(nest, dimsOf(v));
  if (auto source = sourceOf_.find(v); source != sourceOf_.end())
    return countLoad(*space_.inputs[source->second], space_.mapOf(v), turns, work);
  if (reductionOf_.contains(v) && !inRows_) {
    work.loads += turns;
    return;
  }
  Operation *op = v.getDefiningOp();
  if (!op) return;
  if (mlir::isa<stablehlo::ReduceOp>(op)) {
    work.alu += turnsOf(nest, dimsOf(op->getOperand(0)));
    work.crossLane += turns;
  } else if (op->hasTrait<OpTrait::Elementwise>()) {
    Type type = elementOf(v);
    const bool isRounded = mlir::isa<FloatType>(type) && !type.isF32();
    work.alu += turns * static_cast<double>(std::max<int64_t>(analysis::elementaryCost(op), 1) + isRounded);
  }
  for (Value operand : op->getOperands()) countValue(operand, nest, seen, work);
}

// Of a reduction's nest, whose loops start anew for each turn of those around them unless it is straight code. `fuses`:
// products are taken onto the sums.
LoopPlan::Work LoopPlan::workOf(Reduction &r, bool fuses) {
  const Domain &d = space_.domain;
  Work work;
  const Nest nest = nestOf(r);
  SmallVector<int64_t> order(r.kept);
  llvm::append_range(order, r.reduced);
  const double all = turnsOf(nest, order), sums = turnsOf(nestOver(r.kept), r.kept);
  DenseSet<Value> seen;
  for (Value v : r.op.getInputs()) {
    countValue(v, nest, seen, work);
    if (!fuses || !productOf(r)) work.alu += all;
    work.stores += sums;
    for (int64_t k : {d.r(), d.c()})
      if (llvm::is_contained(r.reduced, k)) work.crossLane += sums;
  }
  if (!isStraight(r)) work.others = kNest * startsOf(nest);
  return work;
}

double LoopPlan::cyclesOf(const Work &work) const {
  const timing::SlotLimits &slots = context_.model->slots();
  return std::max({work.alu / slots.valu, work.loads / slots.vload, work.stores / slots.vstore,
                   work.crossLane * context_.model->occupancy(isa::Op::XPermLane) / slots.xlu}) +
         kNest + work.others;
}

// Cycles of a step.
double LoopPlan::stepCycles() {
  double cycles = 0;
  chooseJam();
  if (!inRows_)
    for (Reduction &r : reductions_) cycles += cyclesOf(workOf(r, isJammed(r)));
  std::map<SmallVector<int64_t>, std::pair<Work, DenseSet<Value>>> nests;
  for (auto [i, v] : llvm::enumerate(context_.op.getBlock().getTerminator()->getOperands())) {
    const SmallVector<int64_t> dims = dimsOf(v);
    auto &[work, seen] = nests[dims];
    const Nest nest = nestOver(dims);
    countValue(v, nest, seen, work);
    countStore(*space_.results[i], space_.mapOf(v), turnsOf(nest, dims), work);
  }
  for (auto &[dims, work] : nests) cycles += cyclesOf(work.first);
  return cycles;
}

// An array, or one that is only widened or spread.
static bool isPlain(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::TransposeOp, stablehlo::ReshapeOp, stablehlo::ConvertOp>(op))
      return false;
    v = op->getOperand(0);
  }
  return true;
}

// Sums of arrays, or of products with one, alone in their kernel. What else there were to compute would be code for
// each of the points.
bool LoopPlan::mayJam(Reduction &r) const {
  const Domain &d = space_.domain;
  const bool isMasked = llvm::is_contained(r.reduced, d.c()) && d.dims[d.c()] % 128;
  if (reductions_.size() != 1 || inRows_ || !kept_.empty() || d.linear || isStraight(r) || isMasked ||
      r.op.getInputs().size() != 1)
    return false;
  if (stablehlo::MulOp product = productOf(r)) return isPlain(product.getLhs()) || isPlain(product.getRhs());
  return r.reducer && isPlain(r.op.getInputs()[0]);
}

// How many points along a kept dim may go together: what divides its trips.
SmallVector<int64_t> LoopPlan::jamsAlong(int64_t dim) const {
  constexpr int64_t kMost = 8;
  const Domain &d = space_.domain;
  const int64_t trips = llvm::divideCeil(d.block[dim], d.loopUnit(dim));
  SmallVector<int64_t> factors{1};
  for (int64_t f = 2; f <= std::min(kMost, trips) && !d.endsShort(dim); ++f)
    if (trips % f == 0) factors.push_back(f);
  return factors;
}

// Along up to two kept dims, as matrices have them: for fewer loads, or where short loops begin again and again.
void LoopPlan::chooseJam() {
  constexpr int64_t kMostSums = 16;
  constexpr double kWorth = 0.8;
  jam_.clear();
  if (reductions_.size() != 1 || !mayJam(reductions_.front())) return;
  Reduction &r = reductions_.front();
  const Domain &d = space_.domain;
  const int64_t sums = llvm::is_contained(r.kept, d.r()) ? d.groups() : 1;
  double least = kWorth * cyclesOf(workOf(r, /*fuses=*/true));
  SmallVector<int64_t> best;
  for (size_t x = 0; x < r.kept.size(); ++x)
    for (size_t y = x; y < r.kept.size(); ++y)
      for (int64_t fx : jamsAlong(r.kept[x]))
        for (int64_t fy : y == x ? SmallVector<int64_t>{1} : jamsAlong(r.kept[y])) {
          if (fx * fy == 1 || fx * fy * sums > kMostSums) continue;
          jam_.assign(d.dims.size(), 1);
          jam_[r.kept[y]] = fy;
          jam_[r.kept[x]] = fx;
          if (const double cycles = cyclesOf(workOf(r, /*fuses=*/true)); cycles < least) least = cycles, best = jam_;
        }
  jam_ = best;
}

// How much of the blocks that a core walks there is: a dim's last block may be shorter. Where cores share the steps of
// a dim, one of them has none but full blocks.
double LoopPlan::filledBy(int cores) const {
  const Domain &d = space_.domain;
  auto along = [&](int64_t k) {
    return static_cast<double>(d.dims[k]) / static_cast<double>(std::max(d.dims[k], d.steps(k) * d.block[k]));
  };
  double filled = 1;
  int64_t outer = 1;
  for (int64_t k : grid_->parallel) {
    if (outer % cores == 0) filled *= along(k);
    outer *= d.steps(k);
  }
  for (int64_t k : grid_->sequential) filled *= along(k);
  return filled;
}

double LoopPlan::cost() {
  const timing::MachineModel &model = *context_.model;
  const auto cores = static_cast<int>(std::min<int64_t>(context_.target.cores(), grid_->parallelSteps()));
  const double step = stepCycles();
  const Moves in = grid_->arriving(), out = grid_->leaving();
  const double whole =
      grid_->overlappedCycles(model, step, cores) + step + in.cycles(model, cores) + out.cycles(model, cores);
  return filledBy(cores) * whole + in.latency(model) + out.latency(model) +
         kStep * static_cast<double>(grid_->stepsOfCore(cores));
}

}  // namespace tpuc::plan
