// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions' weights with the batch along lanes: sums over images and positions.
//
// x is [space.., in, batch], dy, the op's weights, [positions.., out, batch], the result [taps.., in, out]. k = 128
// images. A grid step:
//  1. copies its block of x into a padded copy, in which the rows under a window lie run by run (window.h);
//  2. for each position: stages dy's rows [out, batch], which the arrays take transposed, and pushes the rows under the
//     position's window [(tap, in), batch]. Arrays take parts of the positions, or share the window's rows.
// The sums [(tap, in), out] stay in the accumulators over all steps; at the end the arrays' parts are added and leave
// through the epilogue.
#include "passes/lowering/conv/batch_lanes.h"

using namespace mlir;

namespace tpuc::lowering {

// ---- operands -------------------------------------------------------------------------------------------------------

// Where an array's part of the positions has position `at`.
SmallVector<Linear> BatchLanesGradientKernel::positionOf(const Position &at, int64_t part) const {
  SmallVector<Linear> position(at);
  SmallVector<int64_t> all = extents();
  for (size_t i = all.size(); i-- > 0; part /= split_[i])
    position[i] = position[i] + Linear(part % split_[i] * (all[i] / split_[i]));
  return position;
}

// Unit `unit` of dy's rows at a position whose first word is `word`.
Value BatchLanesGradientKernel::gradientRows(const Linear &word, int64_t unit, bool low) {
  const Array &a = dy_->array;
  Type element = a.type.getElementType();
  const bool same = mode_.suffix == "bf16" ? element.isBF16() : element.isF32();
  if (same && !low) return c_.load(word + Linear(unit * 8), 1, dy_->region);
  SmallVector<Value> groups;
  for (int64_t g = unit * mode_.pack; g < (unit + 1) * mode_.pack; ++g)
    groups.push_back(g * 8 < dy_->rowsHeld
                         ? unpackGroup(c_, element, c_.load(word + Linear(g / a.pack * 8), 1, dy_->region), g % a.pack)
                         : c_.splatI(0));
  return packForMxu(c_, mode_, groups, low);
}

void BatchLanesGradientKernel::stageGradient(const Step &step, const Linear &column, const Position &at, bool low) {
  const int64_t units = llvm::divideCeil(domain_.dims[co_], 8 * mode_.pack), images = domain_.dims[b_];
  const bool whole = images % side_ == 0 && !(domain_.steps(b_) > 1 && domain_.hasTail(b_));
  for (int64_t part = 0; part < parts(); ++part) {
    Linear word = dy_->base + column * (halves() * (dy_->rowsHeld / dy_->array.pack));
    for (auto [i, x] : llvm::enumerate(positionOf(at, part))) word = word + x * dy_->leadWords[i];
    word = Linear(c_.value(word));
    for (int64_t half = 0; half < halves() && half * 128 < images; ++half)
      for (int64_t unit = 0; unit < units; ++unit) {
        Value v = gradientRows(word + Linear(half * (dy_->rowsHeld / dy_->array.pack)), unit, low);
        if (!whole)
          v = keepLanes(c_, v, Linear(images - half * 128) + column * -side_ + step.index[b_] * -domain_.block[b_]);
        for (int64_t share = 0; share < shares_; ++share)
          c_.inst(("mxu.ldw." + mode_.suffix).str(), {v},
                  {{"mxu", part * shares_ + share}, {"row", unit}, {"col", half}, {"xpose", 1}});
      }
  }
}

void BatchLanesGradientKernel::pushWindow(const Linear &column, const Position &at, bool low) {
  const size_t n = lead_.size();
  for (int64_t part = 0; part < parts(); ++part) {
    SmallVector<Linear> position = positionOf(at, part), rows;
    for (size_t i = 0; i < n; ++i) rows.push_back(position[i] * padded_.lead[i].stride);
    const Linear window(c_.value(padded_.wordOf(rows, column * halves(), position[n] * padded_.last.stride)));
    for (int64_t unit = 0; unit < rowUnits(); ++unit) {
      SmallVector<Value> operands;
      for (int64_t half = 0; half < halves(); ++half) {
        SmallVector<Value> groups;
        for (int64_t g = unit * mode_.pack; g < (unit + 1) * mode_.pack; ++g)
          groups.push_back(g < runs_.groups() && half * 128 < domain_.dims[b_]
                               ? c_.load(window + Linear(half * padded_.tileWords + runs_.wordOf(g)), runs_.stride,
                                         padded_.region, padded_.heldLanes())
                               : c_.splatI(0));
        operands.push_back(packForMxu(c_, mode_, groups, low));
      }
      emitPush(c_, mode_, part * shares_ + unit % shares_, operands, Linear(unit / shares_ * mode_.pack));
    }
  }
}

// All positions of a column of images. Passes: x high dy high, x high dy low, x low dy high.
void BatchLanesGradientKernel::emitColumn(const Step &step, const Linear &column) {
  SmallVector<int64_t> all = extents();
  for (auto [extent, parts] : llvm::zip(all, split_)) extent /= parts;
  pipelined(
      c_, all, [&](const Position &first) { stageGradient(step, column, first, false); },
      [&](const Linear &, const Position &now, const Position *next) {
        for (int64_t pass = 0; pass < mode_.passes; ++pass) {
          for (int64_t array = 0; array < parts() * shares_; ++array) c_.inst("mxu.swap", {}, {{"mxu", array}});
          if (pass + 1 < mode_.passes)
            stageGradient(step, column, now, pass == 0);
          else if (next)
            stageGradient(step, column, *next, false);
          pushWindow(column, now, pass == 2);
        }
      });
}

// ---- results --------------------------------------------------------------------------------------------------------

// The window's rows of sums, all parts of the positions together.
void BatchLanesGradientKernel::emitSums() {
  c_.flatLoop({static_cast<int64_t>(llvm::divideCeil(rowUnits(), shares_))}, 1,
              [&](ArrayRef<Linear> at, const Linear &) {
                for (int64_t share = 0; share < shares_; ++share)
                  for (int64_t g = 0; g < mode_.pack; ++g) {
                    Value sum;
                    for (int64_t part = 0; part < parts(); ++part) {
                      Value v = emitPop(c_, mode_, part * shares_ + share, 0, at[0] * mode_.pack + Linear(g));
                      sum = sum ? c_.inst("v.add.f32", {sum, v}) : v;
                    }
                    Linear unit = at[0] * shares_ + Linear(share);
                    c_.store(sum, Linear(sums_ + 8 * g) + unit * (8 * mode_.pack), 1, kSumRegion);
                  }
              });
}

void BatchLanesGradientKernel::emitResults() {
  const int64_t unit = domain_.unitRows();
  SmallVector<int64_t> extents;
  for (int64_t d : taps_) extents.push_back(domain_.dims[d]);
  extents.push_back(llvm::divideCeil(padded_.features, unit));
  const bool single = domain_.dims[ci_] == 1;
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &) {
    Point p = origin();
    for (auto [i, d] : llvm::enumerate(taps_)) p.at[d] = at[i];
    p.at[ci_] = at.back();
    const Linear word = Linear(sums_) + runs_.rowOf(at.drop_back(), padded_.features) + at.back() * unit;
    SmallVector<Value> groups;
    for (int64_t g = 0; g < domain_.pack; ++g)
      groups.push_back(c_.load(single ? word : word + Linear(8 * g), single ? 0 : 1, kSumRegion));
    storeRoot(groups, p);
  });
}

void BatchLanesGradientKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  emitStage(c_, padded_, step.index);
  c_.loop(c_.i64(0), c_.i64(columns()), 1, {}, [&](Value iv, ValueRange) {
    emitColumn(step, c_.linear(iv));
    return SmallVector<Value>();
  });
  c_.ifThen(step.last, [&] {
    emitSums();
    emitResults();
  });
}

LogicalResult BatchLanesGradientKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(2 * padded_.last.out * positions());
  emitBorders(c_, padded_);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace tpuc::lowering
