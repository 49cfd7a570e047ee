// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions on the matrix unit, with an elementwise epilogue on the results as they leave the accumulators.
//
// The input is [batch, space.., in], the weights [window.., in, out] or [window.., out, in], the result [batch,
// space.., out]. A grid step:
//  1. copies its input block into a padded copy of 32-bit rows (window.h); with few input features, it then folds the
//     window's last axis into lanes (fold.cpp), so that k = (tap, in) fills the arrays;
//  2. for each group of column tiles: for each window position and k tile swaps, stages the next one's weights, and
//     pushes the rows of all results, which lie at one constant distance from those of the first window position; of
//     a dilated input those of the results that meet elements there, not zeros;
//  3. pops, applies the epilogue, stores.
#include "passes/lowering/conv/conv_kernel.h"

#include "passes/analysis/convolution_form.h"
#include "passes/lowering/conv/batch_lanes.h"
#include "passes/lowering/conv/depthwise_gradient.h"
#include "passes/lowering/conv/gradient_kernel.h"
#include "passes/lowering/conv/taps_gradient.h"
#include "passes/lowering/conv/turned_taps.h"

using namespace mlir;

namespace tpuc::lowering {

// ---- weights --------------------------------------------------------------------------------------------------------

Value ConvKernel::foldedWeightRows(const Linear &row, const Linear &column, const KStep &k, bool low) {
  ArrayRef<Linear> lead = ArrayRef<Linear>(k.tap).take_front(foldsRows_ ? 0 : padded_.lead.size() - 1);
  SmallVector<Value> groups;
  for (int64_t g = 0; g < mode_.pack; ++g)
    groups.push_back(c_.load(foldedWeights_.wordOf(lead, row + Linear(8 * g), column), 1, foldedWeights_.region));
  return packForMxu(c_, mode_, groups, low);
}

// A packed vreg of weights: rows `row`.. (k, or n when transposed) of lane tile `column` in the tap's matrix.
Value ConvKernel::weightRows(const Linear &row, const Linear &column, const KStep &k, bool low) {
  if (folds_) return foldedWeightRows(row, column, k, low);
  const Array &a = weights_->array;
  Type t = a.type.getElementType();
  Linear base = weights_->base + column * (weights_->rowsHeld / a.pack);
  for (size_t i = 0; i < padded_.lead.size(); ++i) {
    const Axis &axis = i + 1 == padded_.lead.size() ? padded_.last : padded_.lead[i + 1];
    Linear tap = axis.reversed ? k.tap[i] * -1 + Linear(axis.window - 1) : k.tap[i];
    base = base + tap * weights_->leadWords[i];
  }
  bool same = (mode_.suffix == "bf16" && t.isBF16()) || mode_.suffix == "s8" || (mode_.suffix == "f32" && t.isF32());
  if (same) return c_.load(base + c_.divL(row, a.pack), 1, weights_->region);
  // `row` is a multiple of the rows of a packed vreg of the mode; the array's packing may be wider.
  SmallVector<Value> groups;
  for (int64_t g = 0; g < mode_.pack; ++g) {
    bool wider = a.pack > mode_.pack;
    Linear word = wider ? c_.divL(row, 8 * a.pack) * 8 : c_.divL(row, a.pack) + Linear(8 * (g / a.pack));
    int64_t part = wider ? row.constant % (8 * a.pack) / 8 + g : g % a.pack;
    groups.push_back(unpackGroup(c_, t, c_.load(base + word, 1, weights_->region), part));
    if (mode_.intFromBf16) groups.back() = c_.inst("v.cvt.s32.f32", {groups.back()});
  }
  return packForMxu(c_, mode_, groups, low);
}

void ConvKernel::stageWeights(const Step &step, const Linear &group, const KStep &k, bool low) {
  int64_t rowStep = 8 * mode_.pack, colTiles = side_ / 128, extent = folds_ ? kExtent() : domain_.dims[ci_];
  // Rows of k that are real: all of a tile, all there are, or what is left.
  Linear left = Linear(extent) + k.tile * -side_;
  if (!folds_) left = left + step.index[ci_] * -domain_.block[ci_];
  bool whole = extent % side_ == 0 && !(domain_.steps(ci_) > 1 && domain_.hasTail(ci_));
  int64_t rows = std::min<int64_t>(side_, kTiles() == 1 ? kExtent() : side_);
  int64_t alongK = llvm::divideCeil(rows, transposed_ ? 128 : rowStep),
          alongN = transposed_ ? llvm::divideCeil(std::min(domain_.block[co_], side_), rowStep) : colTiles;
  for (int64_t array = 0; array < across_ * down_; ++array) {
    Linear column = group * (across_ * colTiles) + Linear(array % across_ * colTiles);
    for (int64_t outer = 0; outer < (transposed_ ? alongK : alongN); ++outer)
      for (int64_t inner = 0; inner < (transposed_ ? alongN : alongK); ++inner) {
        Value v = transposed_
                      ? weightRows(column * 128 + Linear(inner * rowStep), k.tile * colTiles + Linear(outer), k, low)
                      : weightRows(k.tile * side_ + Linear(inner * rowStep), column + Linear(outer), k, low);
        if (!whole)
          v = transposed_ ? keepLanes(c_, v, left + Linear(-outer * 128))
                          : keepRows(c_, mode_, v, left + Linear(-inner * rowStep));
        c_.inst(("mxu.ldw." + mode_.suffix).str(), {v},
                {{"mxu", array}, {"row", inner}, {"col", outer}, {"xpose", transposed_}});
      }
  }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

Linear ConvKernel::accumulator(const Linear &group, const Linear &flat, int64_t sub) const {
  const int64_t groups = sharedDim() < 0 ? domain_.pack : 1;
  Linear index = flat * groups + Linear(sub);
  if (!kSplit_) return index;
  int64_t perGroup = groups;
  for (int64_t e : rowExtents()) perGroup *= e;
  return index + group * perGroup;
}

// The number of a row where pushes take several rows: these follow one another.
Linear ConvKernel::sharedRow(ArrayRef<Linear> at) const {
  const SmallVector<int64_t> extents = rowExtents();
  const size_t shared = sharedDim();
  Linear row(0);
  for (size_t i = 0; i < lead_.size(); ++i)
    if (i != shared) row = row * extents[i] + at[i];
  return row * extents[shared] + at[shared];
}

// A result x meets an element of the input where x + tap * dilation - low is a multiple of the phases.
SmallVector<Linear> ConvKernel::phasesOf(const KStep &k) const {
  size_t n = lead_.size();
  SmallVector<Linear> phases(n + 1, Linear(0));
  for (size_t i = 1; i <= n; ++i) {
    const Axis &axis = i == n ? padded_.last : padded_.lead[i];
    int64_t count = this->phases(i);
    if (count == 1) continue;
    int64_t least = axis.low - (axis.window - 1) * axis.dilation;
    int64_t above = least < 0 ? llvm::alignTo(-least, count) : 0;  // nothing negative is divided
    phases[i] = c_.remL(k.tap[i - 1] * -axis.dilation + Linear(axis.low + above), count);
  }
  return phases;
}

// The first row of the tap and its phases, relative to that of the first one.
Linear ConvKernel::firstRow(const KStep &k, ArrayRef<Linear> phases) const {
  size_t n = lead_.size();
  int64_t halves = side_ / 128;
  SmallVector<Linear> taps{Linear(0)};
  for (size_t i = 1; i < n; ++i) taps.push_back(k.tap[i - 1] * padded_.lead[i].dilation + phases[i]);
  if (foldsRows_) return foldRows_.wordOf(taps, k.tile * halves, 0);
  if (folds_) return fold_.wordOf(taps, k.tile * halves, 0);
  return padded_.wordOf(taps, k.tile * halves, k.tap[n - 1] * padded_.last.dilation + phases[n]);
}

void ConvKernel::pushRows(const Linear &group, const KStep &k, bool low) {
  SmallVector<int64_t> extents = rowExtents(), steps, multiples(extents.size(), 1);
  size_t n = lead_.size();
  for (size_t i = 0; i <= n; ++i) steps.push_back(phases(i));
  for (size_t i = n; i-- > 0;) multiples[i] = multiples[i + 1] * extents[i + 1];
  for (size_t i = 0; i <= n; ++i) extents[i] /= steps[i];
  const int64_t shared = sharedDim();
  if (shared >= 0) extents[shared] /= mode_.pack;
  // Folded rows are those of results.
  int64_t stride = domain_.dims[ow_] == 1 ? 0 : folds_ ? 1 : padded_.last.stride * steps[n];
  int64_t lanes = std::min(kExtent(), side_), region = foldsRows_ ? foldRows_.region
                                                       : folds_   ? fold_.region
                                                                  : padded_.region;
  const SmallVector<int64_t> &words = foldsRows_ ? foldRows_.leadWords : folds_ ? fold_.leadWords : padded_.leadWords;
  const int64_t held = foldsRows_ ? foldRows_.heldLanes() : folds_ ? fold_.heldLanes() : padded_.heldLanes();
  int64_t tileWords = foldsRows_ ? foldRows_.tileWords : folds_ ? fold_.tileWords : padded_.tileWords;
  SmallVector<Linear> phase = phasesOf(k);
  Linear offset(c_.value(firstRow(k, phase))), firstSums(0);
  for (size_t i = 0; i <= n; ++i) firstSums = firstSums + phase[i] * multiples[i];
  const bool inPhases = llvm::any_of(steps, [](int64_t step) { return step > 1; });
  if (inPhases) firstSums = Linear(c_.value(firstSums));
  auto distance = [&](size_t i) {
    return i == n ? domain_.unitRows() * stride : (foldsRows_ ? 1 : padded_.lead[i].stride) * words[i];
  };
  auto rowAt = [&](ArrayRef<Linear> at, int64_t part) {
    Linear row = offset;
    for (size_t i = 0; i <= n; ++i)
      row = row + (at[i] * (i == n ? 1 : steps[i]) + Linear(partStart(i, part))) * distance(i);
    return row;
  };
  const int64_t groupDistance = shared < 0 ? 8 * stride : distance(shared);
  auto operand = [&](const Linear &row, int64_t sub, int64_t half) {
    if (half * 128 >= lanes) return c_.splatI(0);
    SmallVector<Value> groups;
    for (int64_t g = 0; g < mode_.pack; ++g)
      groups.push_back(c_.load(row + Linear((sub + g) * groupDistance + half * tileWords), stride, region, held));
    return packForMxu(c_, mode_, groups, low);
  };
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> position, const Linear &flat) {
    SmallVector<Linear> at(position);
    if (shared >= 0) at[shared] = at[shared] * mode_.pack;
    for (int64_t part = 0; part < down_; ++part)
      for (int64_t sub = 0; sub < domain_.pack; sub += mode_.pack) {
        Linear row = rowAt(at, part), place = inPhases ? firstSums : shared >= 0 ? sharedRow(at) : flat;
        for (size_t i = 0; inPhases && i <= n; ++i) place = place + at[i] * (steps[i] * multiples[i]);
        Linear sums = accumulator(group, place, sub);
        SmallVector<Value> operands;
        for (int64_t half = 0; half < side_ / 128; ++half) operands.push_back(operand(row, sub, half));
        for (int64_t a = 0; a < across_; ++a) emitPush(c_, mode_, part * across_ + a, operands, sums);
      }
  });
}

void ConvKernel::popRows(const Linear &group) {
  SmallVector<int64_t> extents = rowExtents();
  const int64_t count = phases(lead_.size()), whole = units() / count;
  if (count == 1) return popUnits(group, extents, 0, 1);
  // Sets of units, and what is left of a last set.
  extents.back() = whole;
  if (whole > 0) popUnits(group, extents, 0, count);
  extents.back() = 1;
  if (units() % count) popUnits(group, extents, whole, units() % count);
}

// Sets of units of rows, as many as there are phases, from set `firstSet` on; `count` units of each are results.
void ConvKernel::popUnits(const Linear &group, ArrayRef<int64_t> extents, int64_t firstSet, int64_t count) {
  const int64_t colTiles = side_ / 128, sets = phases(lead_.size()), n = lead_.size();
  SmallVector<int64_t> all = rowExtents();
  c_.flatLoop(
      extents, 2,
      [&](ArrayRef<Linear> at, const Linear &flat) {
        Linear place(0);
        for (int64_t i = 0; i < n; ++i) place = (place + at[i]) * all[i + 1];
        if (sharedDim() >= 0)
          place = sharedRow(at);
        else
          place = sets == 1 ? flat : place + (at[n] + Linear(firstSet)) * sets;
        for (int64_t array = 0; array < across_ * down_; ++array)
          for (int64_t col = 0; col < colTiles && col * 128 < domain_.dims[co_]; ++col) {
            Point p = origin();
            for (int64_t i = 0; i < n; ++i) p.at[lead_[i]] = at[i] + Linear(partStart(i, array / across_));
            p.at[ow_] = (at[n] + Linear(firstSet)) * sets + Linear(partStart(n, array / across_));
            p.at[co_] = group * (across_ * colTiles) + Linear(array % across_ * colTiles + col);
            SmallVector<Value> popped;
            for (int64_t phase = 0; phase < sets; ++phase)
              for (int64_t sub = 0; sub < (sharedDim() < 0 ? domain_.pack : 1); ++sub)
                popped.push_back(emitPop(c_, mode_, array, col, accumulator(group, place + Linear(phase), sub)));
            popped.resize(sets * domain_.pack, popped.back());  // rows of nobody
            if (sets == 1)
              storeRoot(popped, p);
            else
              storePhases(popped, p, array * colTiles + col, count);
          }
      },
      sets == 1);
}

// Rows of one phase after the other to rows side by side, by a store for every phase with a stride.
void ConvKernel::storePhases(ArrayRef<Value> popped, Point point, int64_t place, int64_t count) {
  const int64_t sets = phases(lead_.size()), rows = domain_.unitRows(), word = phaseWord_ + place * sets * rows;
  for (int64_t phase = 0; phase < sets; ++phase)
    for (int64_t sub = 0; sub < domain_.pack; ++sub)
      c_.store(popped[phase * domain_.pack + sub], Linear(word + sub * 8 * sets + phase), sets, kPhaseRegion);
  for (int64_t unit = 0; unit < count; ++unit) {
    SmallVector<Value> groups;
    for (int64_t sub = 0; sub < domain_.pack; ++sub)
      groups.push_back(c_.load(Linear(word + unit * rows + sub * 8), 1, kPhaseRegion));
    storeRoot(groups, point);
    point.at[ow_] = point.at[ow_] + Linear(1);
  }
}

// ---- a step ---------------------------------------------------------------------------------------------------------

// All window positions and k tiles of a group of column tiles, then its results. While one tile's rows are pushed, the
// next one's weights are staged; of several passes, the second takes what rounding left of the weights, the third what
// it left of the rows.
void ConvKernel::emitGroup(const Step &step, const Linear &group) {
  SmallVector<int64_t> extents;
  for (size_t i = 1; i < padded_.lead.size(); ++i) extents.push_back(foldsRows_ ? 1 : padded_.lead[i].window);
  extents.push_back(folds_ ? 1 : padded_.last.window);
  extents.push_back(kTiles());
  auto stage = [&](const Position &at, bool low) {
    stageWeights(step, group, KStep{SmallVector<Linear>(ArrayRef<Linear>(at).drop_back()), at.back()}, low);
  };
  pipelined(
      c_, extents, [&](const Position &first) { stage(first, false); },
      [&](const Linear &, const Position &now, const Position *next) {
        for (int64_t pass = 0; pass < mode_.passes; ++pass) {
          for (int64_t a = 0; a < across_ * down_; ++a) c_.inst("mxu.swap", {}, {{"mxu", a}});
          if (pass + 1 < mode_.passes)
            stage(now, pass == 0);
          else if (next)
            stage(*next, false);
          pushRows(group, KStep{SmallVector<Linear>(ArrayRef<Linear>(now).drop_back()), now.back()}, pass == 2);
        }
      });
  if (!kSplit_) popRows(group);
}

void ConvKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  if (turnsTaps_) {
    emitTurnedTaps(c_, turnedTaps_, padded_, step.index);
    emitTurnedRows(c_, foldRows_, turnedTaps_, padded_);
  } else {
    emitStage(c_, padded_, step.index);
    if (folds_) emitFold(c_, fold_, padded_);
    if (foldsRows_) emitFoldRows(c_, foldRows_, padded_, fold_);
  }
  if (folds_) emitFoldedWeights(c_, foldedWeights_, *weights_, mode_.intFromBf16);
  auto overGroups = [&](llvm::function_ref<void(const Linear &)> body) {
    c_.loop(c_.i64(0), c_.i64(groups_), 1, {}, [&](Value iv, ValueRange) {
      body(c_.linear(iv));
      return SmallVector<Value>();
    });
  };
  overGroups([&](const Linear &group) { emitGroup(step, group); });
  if (kSplit_) c_.ifThen(step.last, [&] { overGroups([&](const Linear &group) { popRows(group); }); });
}

LogicalResult ConvKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(2 * taps() * positions());
  if (turnsTaps_) {
    emitTurnedFill(c_, turnedTaps_);
    emitRowsFill(c_, foldRows_);
  } else {
    emitBorders(c_, padded_);
  }
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

LogicalResult lowerConvKernel(KernelContext &context, Code &code, Value start, Value count) {
  stablehlo::ConvolutionOp conv = convolutionOf(context.op);
  if (analysis::hasBatchLanes(conv)) return BatchLanesKernel(context, code, conv).run(start, count);
  if (analysis::isBatchLanesGradient(conv)) return BatchLanesGradientKernel(context, code, conv).run(start, count);
  if (analysis::isDepthwiseGradient(conv)) return lowerDepthwiseGradientKernel(context, code, conv, start, count);
  if (TapsGradientPlan::takes(context.target, conv)) return TapsGradientKernel(context, code, conv).run(start, count);
  if (isWeightGradient(conv)) return lowerGradientKernel(context, code, conv, start, count);
  return ConvKernel(context, code, conv).run(start, count);
}

}  // namespace tpuc::lowering
