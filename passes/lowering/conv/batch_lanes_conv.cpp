// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of few features whose batch lies along lanes, with an elementwise epilogue on the results.
//
// The input is [space.., in, batch], the weights [window.., in, out], the result [space.., out, batch]. A grid step:
//  1. with new weights, lays their rows out as the window's, (tap, in), and turns them: rows out, lanes (tap, in);
//  2. copies its input block into a padded copy, in which the rows under a window lie run by run (window.h);
//  3. for each position: stages the rows under its window, 128 images along lanes, and pushes the turned weights;
//  4. pops the sums [out, batch], applies the epilogue, stores.
#include "passes/lowering/conv/batch_lanes.h"

using namespace mlir;

namespace tpuc::lowering {

// ---- weights --------------------------------------------------------------------------------------------------------

// Rows (tap, in) as the window's lie, zeros between the runs.
void BatchLanesKernel::copyWeights() {
  const Array &a = weights_->array;
  const int64_t unit = 8 * a.pack, features = padded_.features;
  Value zero = c_.splatI(0);
  c_.flatLoop({kTiles() * side_ / 8}, 4,
              [&](ArrayRef<Linear> at, const Linear &) { c_.store(zero, Linear(rows_) + at[0] * 8, 1, kRowsRegion); });
  SmallVector<Axis> axes(padded_.lead);
  axes.push_back(padded_.last);
  c_.flatLoop(llvm::map_to_vector(axes, [](const Axis &x) { return x.window; }), 2,
              [&](ArrayRef<Linear> tap, const Linear &) {
                Linear from = weights_->base;
                for (auto [i, x] : llvm::enumerate(axes))
                  from = from + (x.reversed ? tap[i] * -1 + Linear(x.window - 1) : tap[i]) * weights_->leadWords[i];
                const Linear to = Linear(rows_) + runs_.rowOf(tap, features);
                for (int64_t f = 0; f < features; f += 8) {
                  Value packed = c_.load(from + Linear(f / unit * 8), 1, weights_->region), mask;
                  Value v = unpackGroup(c_, a.type.getElementType(), packed, f % unit / 8);
                  if (f + 8 > features) mask = c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splatI(features - f)});
                  c_.store(v, to + Linear(f), 1, kRowsRegion, mask);
                }
              });
}

// A packed vreg of turned weights: rows of output features, lanes of tile `tile` of 128 rows (tap, in).
Linear BatchLanesKernel::turnedWord(bool low, int64_t unit, const Linear &tile) const {
  const int64_t tiles = kTiles() * halves();
  return Linear(turned_ + ((low ? outUnits() : 0) + unit) * tiles * 8) + tile * 8;
}

void BatchLanesKernel::turnWeights() {
  const int64_t groups = llvm::divideCeil(domain_.dims[co_], 8);
  c_.flatLoop({kTiles() * halves()}, 1, [&](ArrayRef<Linear> at, const Linear &) {
    for (int64_t g = 0; g < 16; ++g)
      c_.inst("x.tr.push", {c_.load(Linear(rows_ + 8 * g) + at[0] * 128, 1, kRowsRegion)}, {{"row", g}, {"buf", 0}});
    SmallVector<Value> turned(outGroups(), c_.splatI(0));
    for (int64_t g = 0; g < groups; ++g) turned[g] = c_.inst("x.tr.pop", {}, {{"row", g}, {"buf", 0}});
    // A single output feature is every row of its unit.
    if (domain_.dims[co_] == 1) turned.assign(turned.size(), c_.inst("x.bcast.sub", {turned[0]}, {{"imm", 0}}));
    for (int64_t unit = 0; unit < outUnits(); ++unit)
      for (int64_t low = 0; low < (mode_.passes > 1 ? 2 : 1); ++low) {
        ArrayRef<Value> its = ArrayRef<Value>(turned).slice(unit * mode_.pack, mode_.pack);
        c_.store(packForMxu(c_, mode_, its, low), turnedWord(low, unit, at[0]), 1, kTurnedRegion);
      }
  });
}

// ---- positions ------------------------------------------------------------------------------------------------------

// Group `group` of the rows under the window whose first row is at word `first`.
Value BatchLanesKernel::windowRows(const Linear &first, int64_t group) {
  if (group >= runs_.groups()) return c_.splatI(0);
  Value v = c_.load(first + Linear(runs_.wordOf(group)), runs_.stride, padded_.region, padded_.heldLanes());
  // Rows behind a run are others', infinite perhaps.
  int64_t rows = runs_.rowsOf(group);
  if (rows == 8) return v;
  return c_.inst("v.sel", {c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splatI(rows)}), v, c_.splatI(0)});
}

void BatchLanesKernel::stageWindow(const Chunk &chunk, const Position &at, int64_t kTile, bool low) {
  const int64_t n = static_cast<int64_t>(lead_.size()), first = kTile * side_ / 8;
  for (int64_t part = 0; part < parts_; ++part) {
    SmallVector<Linear> rows;
    for (int64_t i = 0; i < n; ++i) rows.push_back((at[i] + Linear(partStart(i, part))) * padded_.lead[i].stride);
    const Linear x = (chunk.first + at[n] + Linear(partStart(n, part))) * padded_.last.stride,
                 window(c_.value(padded_.wordOf(rows, chunk.column * halves(), x)));
    for (int64_t half = 0; half < halves(); ++half) {
      if (half * 128 >= domain_.dims[b_]) continue;
      for (int64_t g = first; g < std::min(first + side_ / 8, runs_.groups()); g += mode_.pack) {
        SmallVector<Value> groups;
        for (int64_t i = 0; i < mode_.pack; ++i)
          groups.push_back(windowRows(window + Linear(half * padded_.tileWords), g + i));
        c_.inst(("mxu.ldw." + mode_.suffix).str(), {packForMxu(c_, mode_, groups, low)},
                {{"mxu", part}, {"row", (g - first) / mode_.pack}, {"col", half}, {"xpose", 0}});
      }
    }
  }
}

void BatchLanesKernel::pushWeights(const Linear &flat, int64_t kTile, bool low) {
  for (int64_t unit = 0; unit < outUnits(); ++unit) {
    SmallVector<Value> operands;
    for (int64_t half = 0; half < halves(); ++half) {
      int64_t tile = kTile * halves() + half;
      operands.push_back(tile * 128 < runs_.allRows() ? c_.load(turnedWord(low, unit, tile), 1, kTurnedRegion)
                                                      : c_.splatI(0));
    }
    for (int64_t part = 0; part < parts_; ++part)
      emitPush(c_, mode_, part, operands, flat * outGroups() + Linear(unit * mode_.pack));
  }
}

void BatchLanesKernel::popChunk(const Chunk &chunk, ArrayRef<int64_t> extents) {
  const int64_t n = static_cast<int64_t>(lead_.size()), pack = domain_.pack,
                units = llvm::divideCeil(domain_.dims[co_], domain_.unitRows());
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &flat) {
    for (int64_t part = 0; part < parts_; ++part)
      for (int64_t half = 0; half < halves() && half * 128 < domain_.dims[b_]; ++half)
        for (int64_t unit = 0; unit < units; ++unit) {
          Point p = origin();
          for (int64_t i = 0; i < n; ++i) p.at[lead_[i]] = at[i] + Linear(partStart(i, part));
          p.at[ow_] = chunk.first + at[n] + Linear(partStart(n, part));
          p.at[co_] = Linear(unit);
          p.at[b_] = chunk.column * halves() + Linear(half);
          SmallVector<Value> popped(pack, c_.splatI(0));
          for (int64_t i = 0; i < pack && unit * pack + i < outGroups(); ++i)
            popped[i] = emitPop(c_, mode_, part, half, flat * outGroups() + Linear(unit * pack + i));
          storeRoot(popped, p);
        }
  });
}

// Positions whose sums the accumulators hold. While a window's weights are pushed, the next window is staged; of
// several passes, the second takes what rounding left of the window, the third what it left of the weights.
void BatchLanesKernel::emitChunk(const Chunk &chunk) {
  SmallVector<int64_t> extents = shares();
  extents.back() = chunk_;
  const int64_t last = kTiles() * mode_.passes - 1;
  auto stage = [&](const Position &at, int64_t k) { stageWindow(chunk, at, k / mode_.passes, k % mode_.passes == 1); };
  pipelined(
      c_, extents, [&](const Position &first) { stage(first, 0); },
      [&](const Linear &flat, const Position &now, const Position *next) {
        for (int64_t k = 0; k <= last; ++k) {
          for (int64_t part = 0; part < parts_; ++part) c_.inst("mxu.swap", {}, {{"mxu", part}});
          if (k < last)
            stage(now, k + 1);
          else if (next)
            stage(*next, 0);
          pushWeights(flat, k / mode_.passes, k % mode_.passes == 2);
        }
      });
  popChunk(chunk, extents);
}

// ---- a step ---------------------------------------------------------------------------------------------------------

void BatchLanesKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  c_.ifThen(step.fresh[1], [&] {
    copyWeights();
    turnWeights();
  });
  emitStage(c_, padded_, step.index);
  // A last chunk that would be shorter begins earlier.
  const int64_t share = shares().back(), chunks = llvm::divideCeil(share, chunk_);
  c_.loop(c_.i64(0), c_.i64(columns() * chunks), 1, {}, [&](Value iv, ValueRange) {
    Linear flat = c_.linear(iv),
           first = c_.linear(c_.min(c_.value(c_.remL(flat, chunks) * chunk_), c_.i64(share - chunk_)));
    emitChunk({c_.divL(flat, chunks), first});
    return SmallVector<Value>();
  });
}

LogicalResult BatchLanesKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(2 * positions() * runs_.rows * runs_.words.size());
  emitBorders(c_, padded_);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace tpuc::lowering
