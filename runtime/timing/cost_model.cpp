// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel will cost, in closed form.
#include "runtime/timing/cost_model.h"

#include <algorithm>
#include <cmath>

namespace tpuc::timing {
namespace {

using isa::Op;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

Op stageOf(Op push) { return push == Op::MxuPushB ? Op::MxuLdwB : push == Op::MxuPushI ? Op::MxuLdwI : Op::MxuLdwF; }

class Matmul {
 public:
  Matmul(const MachineModel &model, const MatmulBlocks &b) : model_(model), b_(b) {
    const target::Core &core = model.target().core();
    side_ = core.mxu_side(), arrays_ = core.mxus(), cores_ = model.target().cores();
  }

  // Compute of a step of `rows` x `cols` x `depth`. Arrays without a column tile of their own take a share of the rows.
  double step(int64_t rows, int64_t cols, int64_t depth, bool last) const {
    int64_t tiles = ceilDiv(cols, side_), groups = ceilDiv(tiles, arrays_);
    int64_t down = tiles >= arrays_ ? 1 : std::max<int64_t>(1, arrays_ / tiles);
    int64_t share = ceilDiv(rows, down);
    Op stage = stageOf(b_.push);
    int64_t loads =
        ceilDiv(std::min<int64_t>(side_, depth), mxuRows(stage)) * std::max<int64_t>(1, side_ / isa::kLanes);
    double staging = static_cast<double>(loads * model_.stageCycles(stage));
    double issue = static_cast<double>(loads * std::min(tiles * down, arrays_)) / model_.slots().vload;
    double pushes = static_cast<double>(ceilDiv(share, mxuRows(b_.push)) * model_.occupancy(b_.push));
    double tile = std::max(pushes + issue + model_.occupancy(Op::MxuSwap), staging);
    double group = staging + tile * static_cast<double>(ceilDiv(depth, side_) * b_.passes);
    return static_cast<double>(groups) * group + (last ? results(rows, cols, groups) : 0);
  }

  double pushCycles(int64_t rows, int64_t cols, int64_t depth) const {
    return static_cast<double>(ceilDiv(rows, mxuRows(b_.push)) * model_.occupancy(b_.push) * ceilDiv(cols, side_) *
                               ceilDiv(depth, side_) * b_.passes) /
           static_cast<double>(arrays_);
  }

 private:
  // Draining the arrays and popping: a store a vreg of packed results, and the epilogue.
  double results(int64_t rows, int64_t cols, int64_t groups) const {
    double vregs = static_cast<double>(ceilDiv(rows, 8) * ceilDiv(cols, isa::kLanes));
    double stores = vregs * std::min<double>(1, static_cast<double>(b_.outBytes) / 4);
    double ops = vregs * (b_.epilogueOps + (b_.outBytes < 4 ? 0.5 : 0)) / model_.slots().valu;
    double drain = model_.latency(b_.push) - model_.occupancy(b_.push) + model_.latency(Op::MxuPop);
    return static_cast<double>(groups) * drain +
           std::max({stores / model_.slots().vstore, ops, vregs / static_cast<double>(arrays_)});
  }

  const MachineModel &model_;
  const MatmulBlocks &b_;
  int64_t side_, arrays_, cores_;
};

// Blocks along one dim: `count` of `size`, the last of them of `rest`.
struct Extent {
  int64_t size, count, rest;
  Extent(int64_t total, int64_t block)
      : size(std::min(total, block)), count(ceilDiv(total, size)), rest(total - (count - 1) * size) {}
  template <class F>
  void each(F &&f) const {  // f(extent, times)
    if (rest == size) return f(size, count);
    if (count > 1) f(size, count - 1);
    f(rest, int64_t{1});
  }
};

}  // namespace

MatmulCost matmulCost(const MachineModel &model, const MatmulBlocks &b) {
  MatmulCost cost;
  Matmul one(model, b);
  Extent m(b.m, b.bm), n(b.n, b.bn), k(b.k, b.bk);
  int64_t outer = m.count * n.count;
  int cores = static_cast<int>(std::min<int64_t>(model.target().cores(), outer));
  // Parallel steps are whole: the busiest core's share of the average.
  double share = static_cast<double>(ceilDiv(outer, cores)) / static_cast<double>(outer);
  double compute = 0, bound = 0;
  int64_t rowBlock = m.size * k.size * b.rowBytes, weightBlock = k.size * n.size * b.weightBytes;
  bool rowsMove = k.count > 1;  // every step; else once for all of n
  m.each([&](int64_t rows, int64_t mTimes) {
    n.each([&](int64_t cols, int64_t nTimes) {
      int64_t depthLeft = k.count;
      k.each([&](int64_t depth, int64_t kTimes) {
        double times = static_cast<double>(mTimes * nTimes * kTimes);
        depthLeft -= kTimes;
        double step = one.step(rows, cols, depth, false);
        if (depthLeft == 0) step += (one.step(rows, cols, depth, true) - step) / static_cast<double>(kTimes);
        double rowBytes = static_cast<double>(rows * depth * b.rowBytes) / static_cast<double>(rowsMove ? 1 : n.count);
        double outBytes = static_cast<double>(rows * cols * b.outBytes) / static_cast<double>(k.count);
        double bytes = rowBytes + static_cast<double>(depth * cols * b.weightBytes) + outBytes;
        double moving = static_cast<double>(model.hbmCycles(static_cast<int64_t>(bytes), cores));
        compute += times * step, cost.transferCycles += times * moving;
        bound += times * std::max(step, moving);
        cost.hbmBytes += static_cast<int64_t>(times * bytes);
        cost.mxuCycles += times * one.pushCycles(rows, cols, depth);
      });
    });
  });
  cost.mxuCycles *= share, cost.transferCycles *= share;
  cost.computeCycles = compute * share;
  double first = static_cast<double>(model.hbmCycles(rowBlock + weightBlock, cores)),
         latency = static_cast<double>(model.dmaLatency(true));
  double last = static_cast<double>(model.hbmCycles(m.rest * n.rest * b.outBytes, cores));
  cost.cycles = static_cast<double>(model.launchCycles()) + 2 * latency + first + bound * share + last;
  bool moves = outer * k.count > 1;
  cost.vmemBytes = (moves ? 2 : 1) * (rowBlock + weightBlock + m.size * n.size * b.outBytes);
  int64_t groups = ceilDiv(ceilDiv(n.size, model.target().core().mxu_side()), model.target().core().mxus());
  cost.accumulatorRows = ceilDiv(m.size, 8) * 8 * (k.count > 1 ? groups : 1);
  return cost;
}

double matmulCycles(const MachineModel &model, int64_t m, int64_t n, int64_t k, int64_t bm, int64_t bn, int64_t bk,
                    int64_t inBytes, int64_t outBytes, int passes) {
  MatmulBlocks b{m, n, k, bm, bn, bk};
  b.rowBytes = b.weightBytes = inBytes;
  b.outBytes = outBytes;
  b.passes = passes;
  if (inBytes == 1 && model.supports(Op::MxuPushI)) b.push = Op::MxuPushI;
  return matmulCost(model, b).cycles;
}

double streamCycles(const MachineModel &model, int64_t bytes, int64_t stepBytes) {
  int cores = static_cast<int>(model.target().cores());
  double moving = static_cast<double>(model.hbmCycles(ceilDiv(bytes, cores), cores));
  double steps = stepBytes > 0 ? std::ceil(static_cast<double>(bytes) / cores / static_cast<double>(stepBytes)) : 1;
  double step = stepBytes > 0 ? static_cast<double>(model.hbmCycles(stepBytes, cores)) : moving;
  // A latency is in the open at both ends, and in every step that is shorter than it.
  double latency = static_cast<double>(model.dmaLatency(true));
  return static_cast<double>(model.launchCycles()) + 2 * latency + moving + (steps - 1) * std::max(0.0, latency - step);
}

double vectorCycles(const MachineModel &model, int64_t vregs, const VectorWork &work) {
  const SlotLimits &s = model.slots();
  double bound =
      std::max({(work.alu + work.eup) / s.valu, work.loads / s.vload, work.stores / s.vstore,
                work.eup * model.occupancy(Op::EExp2) / s.eup, work.xlu * model.occupancy(Op::XRotLane) / s.xlu});
  return static_cast<double>(vregs) * bound;
}

}  // namespace tpuc::timing
