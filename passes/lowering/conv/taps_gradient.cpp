// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions' weights from taps of turned images: sums over the batch and all positions.
//
// As in gradient_kernel.cpp, dy's positions are a forward convolution's results, and taps a window over x. k = the
// positions of a row, of several images where rows are short. A grid step:
//  1. brings the taps of its block of x side by side: rows (tap, feature), lanes of positions (turned_taps.h);
//  2. for each row of positions: stages dy's rows [positions, out] as the arrays' weights, and pushes the taps that
//     its results meet. Arrays take parts of the rows.
// The sums [(tap, feature), out] stay in the accumulators over all steps; at the end the arrays' are added and leave
// through the epilogue.
#include "passes/lowering/conv/taps_gradient.h"

#include "passes/lowering/conv/turned_taps.h"

using namespace mlir;

namespace tpuc::lowering {

// ---- operands -------------------------------------------------------------------------------------------------------

// Where an array's part of the positions has position `at`; `row`: of those that are contracted at once.
Position TapsGradientKernel::positionOf(const Position &at, int64_t part, int64_t row) const {
  Position position(at);
  const SmallVector<int64_t> all = extents();
  for (size_t i = all.size(); i-- > 0; part /= split_[i])
    position[i] = position[i] + Linear(part % split_[i] * (all[i] / split_[i]));
  Linear &last = position[lead_.size() - 1];
  last = last * rowsAtOnce() + Linear(row);
  return position;
}

// Zeros at positions past the end of a row, or of a lead dim whose last block is not full.
Value TapsGradientKernel::keepPositions(Value v, const Step &step, const Position &at, int64_t image, int64_t group) {
  Value valid;
  for (auto [i, d] : llvm::enumerate(lead_)) {
    if (!domain_.hasTail(d) || domain_.steps(d) <= 1) continue;
    const Linear position = i ? at[i] : at[0] * turnedTaps_.images + Linear(image);
    Value in = c_.cmp(arith::CmpIPredicate::slt, c_.value(position + step.index[d] * domain_.block[d]),
                      c_.i64(domain_.dims[d]));
    valid = valid ? c_.b.createOrFold<arith::AndIOp>(c_.loc, valid, in) : in;
  }
  Value limit = c_.value(at.back() * -128 + Linear(padded_.last.out - 8 * group));
  if (valid) limit = c_.select(valid, limit, c_.i64(0));
  const Linear left = c_.linear(limit);
  if (left.isConstant() && left.constant >= 8) return v;
  return c_.inst("v.sel", {c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splat(left)}), v, c_.splatI(0)});
}

// dy at the positions of 8 lanes of taps, the features of column tile `tile`; null: the lanes are nobody's.
Value TapsGradientKernel::gradientRows(const Step &step, const Position &at, const Linear &tile, int64_t group) {
  const Array &a = dy_->array;
  const int64_t ofRow = turnedTaps_.tiles > 1 ? 16 : turnedTaps_.positions / 8, image = group / ofRow;
  if (image >= turnedTaps_.images) return {};
  group %= ofRow;
  Linear word = dy_->base + tile * (dy_->rowsHeld / a.pack);
  for (size_t i = 0; i < lead_.size(); ++i)
    word = word + (i ? at[i] : at[0] * turnedTaps_.images + Linear(image)) * dy_->leadWords[i];
  // The last tile may run over the array's rows: read what is there, keep nothing of it.
  Linear unit = at.back() * (16 / a.pack) + Linear(group / a.pack);
  const int64_t most = dy_->rowsHeld / (8 * a.pack) - 1;
  if (turnedTaps_.tiles > 1) unit = c_.linear(c_.min(c_.value(unit), c_.i64(most)));
  Value packed = c_.load(word + unit * 8, 1, dy_->region);
  return keepPositions(unpackGroup(c_, a.type.getElementType(), packed, group % a.pack), step, at, image, group);
}

void TapsGradientKernel::stageGradient(const Step &step, const Linear &group, const Position &at, bool low) {
  const int64_t colTiles = side_ / 128, perRow = 16 / mode_.pack;
  for (int64_t part = 0; part < parts(); ++part)
    for (int64_t row = 0; row < rowsAtOnce(); ++row) {
      const Position position = positionOf(at, part, row);
      for (int64_t column = 0; column < std::min(colTiles, outTiles()); ++column)
        for (int64_t vreg = 0; vreg < perRow; ++vreg) {
          SmallVector<Value> groups;
          for (int64_t g = vreg * mode_.pack; g < (vreg + 1) * mode_.pack; ++g)
            groups.push_back(gradientRows(step, position, group * colTiles + Linear(column), g));
          if (!groups[0]) continue;
          for (Value &v : groups)
            if (!v) v = c_.splatI(0);
          c_.inst(("mxu.ldw." + mode_.suffix).str(), {packForMxu(c_, mode_, groups, low)},
                  {{"mxu", part}, {"row", row * perRow + vreg}, {"col", column}});
        }
    }
}

void TapsGradientKernel::pushTaps(const Linear &group, const Position &at, bool low) {
  const TurnedTaps &t = turnedTaps_;
  for (int64_t part = 0; part < parts(); ++part) {
    SmallVector<Linear> first;  // the first tap's word, of each row
    for (int64_t row = 0; row < rowsAtOnce(); ++row) {
      const Position position = positionOf(at, part, row);
      SmallVector<Linear> lead;
      for (size_t i = 0; i < lead_.size(); ++i) lead.push_back(position[i] * padded_.lead[i].stride);
      first.push_back(c_.value(t.wordOf(lead, 0, 0) + position.back() * (8 * t.groups)));
    }
    for (int64_t unit = 0; unit < rowUnits(); ++unit) {
      SmallVector<Value> operands;
      for (const Linear &word : first) {
        SmallVector<Value> groups;
        for (int64_t column = unit * mode_.pack; column < (unit + 1) * mode_.pack; ++column) {
          Linear from = word + Linear(8 * (column % t.groups));
          int64_t tap = column / t.groups;
          for (size_t i = lead_.size(); i-- > 0; tap /= padded_.lead[i].window)
            from = from + Linear(tap % padded_.lead[i].window * padded_.lead[i].dilation * t.leadWords[i]);
          groups.push_back(column < t.columns() ? c_.load(from, 1, t.region) : c_.splatI(0));
        }
        operands.push_back(packForMxu(c_, mode_, groups, low));
      }
      operands.resize(side_ / 128, c_.splatI(0));
      emitPush(c_, mode_, part, operands, (group * rowUnits() + Linear(unit)) * mode_.pack);
    }
  }
}

// All positions for a group of column tiles. While a row's taps are pushed, the next row's dy is staged. Passes: x high
// dy high, x high dy low, x low dy high.
void TapsGradientKernel::emitGroup(const Step &step, const Linear &group) {
  SmallVector<int64_t> all = extents();
  for (auto [extent, parts] : llvm::zip(all, split_)) extent /= parts;
  pipelined(
      c_, all, [&](const Position &first) { stageGradient(step, group, first, false); },
      [&](const Linear &, const Position &now, const Position *next) {
        for (int64_t pass = 0; pass < mode_.passes; ++pass) {
          for (int64_t array = 0; array < parts(); ++array) c_.inst("mxu.swap", {}, {{"mxu", array}});
          if (pass + 1 < mode_.passes)
            stageGradient(step, group, now, pass == 0);
          else if (next)
            stageGradient(step, group, *next, false);
          pushTaps(group, now, pass == 2);
        }
      });
}

// ---- results --------------------------------------------------------------------------------------------------------

// Rows of sums, all arrays' together: [column tile, (tap, feature)].
void TapsGradientKernel::emitSums() {
  const int64_t colTiles = side_ / 128;
  c_.flatLoop({outGroups(), rowUnits()}, 1, [&](ArrayRef<Linear> at, const Linear &flat) {
    for (int64_t column = 0; column < std::min(colTiles, outTiles()); ++column)
      for (int64_t g = 0; g < mode_.pack; ++g) {
        Value sum;
        for (int64_t part = 0; part < parts(); ++part) {
          Value v = emitPop(c_, mode_, part, column, flat * mode_.pack + Linear(g));
          sum = sum ? c_.inst("v.add.f32", {sum, v}) : v;
        }
        const Linear tile = at[0] * colTiles + Linear(column);
        c_.store(sum, Linear(sums_ + 8 * g) + tile * rowsOfSums() + at[1] * (8 * mode_.pack), 1, kSumRegion);
      }
  });
}

void TapsGradientKernel::emitResults() {
  const TurnedTaps &t = turnedTaps_;
  const int64_t n = taps_.size();
  SmallVector<int64_t> extents;
  for (int64_t d : taps_) extents.push_back(domain_.dims[d]);
  extents.push_back(outTiles());
  const bool single = domain_.dims[ci_] == 1;
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &) {
    Point p = origin();
    for (auto [i, d] : llvm::enumerate(taps_)) p.at[d] = at[i];
    p.at[co_] = at[n];
    Linear lead(0);
    for (int64_t i = 0; i + 1 < n; ++i) lead = lead * domain_.dims[taps_[i]] + at[i];
    const Linear row =
                     (lead * t.groups + c_.divL(at[n - 1], t.slots)) * 8 + c_.remL(at[n - 1], t.slots) * (8 / t.slots),
                 word = Linear(sums_) + at[n] * rowsOfSums() + row;
    SmallVector<Value> groups;
    for (int64_t g = 0; g < domain_.pack; ++g)
      groups.push_back(c_.load(single ? word : word + Linear(8 * g), single ? 0 : 1, kSumRegion));
    storeRoot(groups, p);
  });
}

void TapsGradientKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  emitTurnedTaps(c_, turnedTaps_, padded_, step.index);
  c_.loop(c_.i64(0), c_.i64(outGroups()), 1, {}, [&](Value iv, ValueRange) {
    emitGroup(step, c_.linear(iv));
    return SmallVector<Value>();
  });
  c_.ifThen(step.last, [&] {
    emitSums();
    emitResults();
  });
}

LogicalResult TapsGradientKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(2 * padded_.last.out * positions());
  emitTurnedFill(c_, turnedTaps_);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace tpuc::lowering
