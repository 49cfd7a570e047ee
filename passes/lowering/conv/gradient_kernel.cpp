// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of convolutions with respect to their weights: sums over the batch and all positions.
//
// The op is a convolution of x [batch, space.., in] and dy [batch, positions.., out] whose window is all of dy; its
// result is [taps.., in, out]. It is seen here as the forward convolution it belongs to: the taps are a window over x,
// dy's positions are its results. k = positions, 8 along sublanes at a time. A grid step:
//  1. makes a padded copy of its block of x (window.h), folded when there are few features (fold.h);
//  2. transposes dy on the cross-lane unit: rows of output features, lanes of positions;
//  3. for each set of taps, one an array: for each tile of positions, x shifted by the tap is the weights, dy's rows
//     are pushed. The sums stay in the accumulators over all steps; at the end they are transposed and leave through
//     the epilogue.
#include "passes/lowering/conv/gradient_kernel.h"

#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {

SmallVector<GradientKernel::Combination> GradientKernel::combinations() const {
  SmallVector<int64_t> windows;
  for (const Axis &a : ArrayRef<Axis>(padded_.lead).drop_front()) windows.push_back(a.window);
  if (!folds_) windows.push_back(padded_.last.window);
  SmallVector<Combination> out;
  for (int64_t t = 0; t < tapsApart(); ++t)
    for (int64_t tile = 0; tile < xTiles(); ++tile) {
      Combination k;
      k.tap.resize(windows.size());
      int64_t rest = t;
      for (size_t i = windows.size(); i-- > 0; rest /= windows[i]) k.tap[i] = Linear(rest % windows[i]);
      k.tile = tile;
      k.index = t;
      out.push_back(k);
    }
  return out;
}

// ---- operands -------------------------------------------------------------------------------------------------------

// The position of lead dim i, of group `group` of the tile `at`.
Linear GradientKernel::leadPosition(size_t i, ArrayRef<Linear> at, const GroupPlace &group) const {
  if (i == 0) return at[0] * images_ + Linear(group.image);
  return i + 1 == lead_.size() ? at[i] * rows_ + Linear(group.row) : at[i];
}

// x at 8 positions, lanes of column tile `column` of the combination's features.
Value GradientKernel::fetchRows(const Combination &k, ArrayRef<Linear> at, int64_t group, int64_t column) {
  int64_t n = lead_.size();
  GroupPlace place = placeOfGroup(group);
  SmallVector<Linear> rows;
  for (int64_t i = 0; i < n; ++i) {
    const Axis &a = padded_.lead[i];
    rows.push_back(leadPosition(i, at, place) * a.stride + (i == 0 ? Linear(0) : k.tap[i - 1] * a.dilation));
  }
  Linear position = (at[n] * groups_ + Linear(place.along)) * 8, tile = Linear(k.tile * (side_ / 128) + column);
  if (folds_) return c_.load(fold_.wordOf(rows, tile, position), 1, fold_.region, fold_.heldLanes());
  int64_t stride = padded_.last.stride;
  return c_.load(padded_.wordOf(rows, tile, position * stride + k.tap[n - 1] * padded_.last.dilation), stride,
                 padded_.region, padded_.heldLanes());
}

// Group `part` of a packed vreg, which may not be known.
Value GradientKernel::unpackUnit(Value packed, const Linear &part) {
  Type t = dy_->array.type.getElementType();
  if (part.isConstant()) return unpackGroup(c_, t, packed, part.constant);
  Value v = unpackGroup(c_, t, packed, 0), wanted = c_.splat(part);
  for (int64_t p = 1; p < dy_->array.pack; ++p)
    v = c_.inst("v.sel", {c_.inst("v.eq.i32", {wanted, c_.splatI(p)}), unpackGroup(c_, t, packed, p), v});
  return v;
}

// Zeros at positions past the end of a row, or of a lead dim whose last block is not full.
Value GradientKernel::keepPositions(Value v, ArrayRef<Linear> index, ArrayRef<Linear> at, const GroupPlace &group) {
  Value valid;
  for (size_t i = 0; i < lead_.size(); ++i) {
    int64_t d = lead_[i];
    if (!domain_.hasTail(d) || domain_.steps(d) <= 1) continue;
    Value in = c_.cmp(arith::CmpIPredicate::slt, c_.value(leadPosition(i, at, group) + index[d] * domain_.block[d]),
                      c_.i64(domain_.dims[d]));
    valid = valid ? c_.b.createOrFold<arith::AndIOp>(c_.loc, valid, in) : in;
  }
  Value limit = c_.value((at[lead_.size()] * groups_ + Linear(group.along)) * -8 + Linear(padded_.last.out));
  if (valid) limit = c_.select(valid, limit, c_.i64(0));
  Linear left = c_.linear(limit);
  if (left.isConstant() && left.constant >= 8) return v;
  return c_.inst("v.sel", {c_.inst("v.lt.s32", {c_.inst("v.subid", {}), c_.splat(left)}), v, c_.splatI(0)});
}

// dy at 8 positions, lanes of a tile of output features.
Value GradientKernel::fetchPositions(ArrayRef<Linear> index, ArrayRef<Linear> at, const GroupPlace &group) {
  const Array &a = dy_->array;
  size_t n = lead_.size();
  Linear word = dy_->base + at[n + 1] * (dy_->rowsHeld / a.pack);
  for (size_t i = 0; i < n; ++i) word = word + leadPosition(i, at, group) * dy_->leadWords[i];
  // The last tile of a row may run over the array's rows: read what is there, keep nothing of it.
  Linear unit = at[n] * groups_ + Linear(group.along);
  int64_t most = dy_->rowsHeld / 8 - 1;
  if (perRow_ * groups_ - 1 > most) unit = c_.linear(c_.min(c_.value(unit), c_.i64(most)));
  Value packed = c_.load(word + c_.divL(unit, a.pack) * 8, 1, dy_->region);
  return keepPositions(unpackUnit(packed, c_.remL(unit, a.pack)), index, at, group);
}

// Turns dy, so that its positions lie along lanes: [tile, half, tile of output features], 128 rows of output features
// each.
void GradientKernel::emitTurn(ArrayRef<Linear> index) {
  int64_t used = groups_ * rows_ * images_, halves = side_ / 128;
  SmallVector<int64_t> extents = tileExtents();
  extents.push_back(outTiles());
  c_.flatLoop(extents, 1, [&](ArrayRef<Linear> at, const Linear &flat) {
    for (int64_t half = 0; half < halves; ++half) {
      for (int64_t g = 0; g < 16; ++g) {
        int64_t group = half * 16 + g;
        Value v = group < used ? fetchPositions(index, at, placeOfGroup(group)) : c_.splatI(0);
        c_.inst("x.tr.push", {v}, {{"row", g}, {"buf", half}});
      }
      Linear to = Linear(turned_) + flat * (halves * 128) + Linear(half * 128);
      for (int64_t g = 0; g * 8 < std::min<int64_t>(128, outRows()); ++g)
        c_.store(c_.inst("x.tr.pop", {}, {{"row", g}, {"buf", half}}), to + Linear(g * 8), 1, kTurnedRegion);
    }
  });
}

// ---- products -------------------------------------------------------------------------------------------------------

void GradientKernel::stageTile(ArrayRef<Combination> set, ArrayRef<Linear> at, bool low) {
  int64_t step = mode_.pack, used = groups_ * rows_ * images_;
  for (auto [array, k] : llvm::enumerate(set))
    for (int64_t column = 0; column < side_ / 128; ++column) {
      if ((k.tile * (side_ / 128) + column) * 128 >= lanesOfX()) continue;
      for (int64_t group = 0; group < used; group += step) {
        SmallVector<Value> groups;
        for (int64_t g = group; g < group + step; ++g)
          groups.push_back(g < used ? fetchRows(k, at, g, column) : c_.splatI(0));
        c_.inst(("mxu.ldw." + mode_.suffix).str(), {packForMxu(c_, mode_, groups, low)},
                {{"mxu", static_cast<int64_t>(array)}, {"row", group / step}, {"col", column}});
      }
    }
}

// Pushes the rows of all output features for one tile of positions. Every systolic array takes the same rows.
void GradientKernel::pushTile(size_t arrays, int64_t setIndex, const Linear &flat, bool low) {
  int64_t unit = 8 * mode_.pack, halves = side_ / 128, rows = outRows();
  Linear base = c_.linear(c_.value(Linear(turned_) + flat * (outTiles() * halves * 128)));
  c_.flatLoop({rows / unit}, 4, [&](ArrayRef<Linear> at, const Linear &) {
    // Rows within their tile of 128.
    Linear tile = c_.divL(at[0], 128 / unit), row = c_.remL(at[0], 128 / unit);
    SmallVector<Value> operands;
    for (int64_t half = 0; half < halves; ++half) {
      SmallVector<Value> groups;
      for (int64_t g = 0; g < mode_.pack; ++g)
        groups.push_back(
            c_.load(base + tile * (halves * 128) + row * unit + Linear(half * 128 + 8 * g), 1, kTurnedRegion));
      operands.push_back(packForMxu(c_, mode_, groups, low));
    }
    for (size_t a = 0; a < arrays; ++a)
      emitPush(c_, mode_, a, operands, at[0] * mode_.pack + Linear(setIndex * rows / 8));
  });
}

// All tiles of positions for one combination an array. While one tile is pushed, the next one's weights are staged.
// Passes: x high dy high, x low dy high, x high dy low.
void GradientKernel::emitSet(ArrayRef<Combination> set, int64_t setIndex) {
  pipelined(
      c_, tileExtents(), [&](const Position &first) { stageTile(set, first, false); },
      [&](const Linear &flat, const Position &now, const Position *next) {
        for (int64_t pass = 0; pass < mode_.passes; ++pass) {
          for (size_t a = 0; a < set.size(); ++a) c_.inst("mxu.swap", {}, {{"mxu", static_cast<int64_t>(a)}});
          if (pass + 1 < mode_.passes)
            stageTile(set, now, pass == 0);
          else if (next)
            stageTile(set, *next, false);
          pushTile(set.size(), setIndex, flat, pass == 2);
        }
      });
}

// ---- results --------------------------------------------------------------------------------------------------------

// A column of the array's sums of one tile of output features, transposed.
void GradientKernel::emitSumTile(const Combination &k, int64_t array, int64_t setIndex, int64_t column,
                                 const Linear &tile) {
  int64_t rows = outRows(), first = k.tile * side_ + column * 128;
  for (int64_t g = 0; g < std::min<int64_t>(16, rows / 8); ++g) {
    // The last tile may have fewer rows: others' sums are left alone.
    Linear group = tile * 16 + Linear(g);
    c_.ifThen(c_.cmp(arith::CmpIPredicate::slt, c_.value(group), c_.i64(rows / 8)), [&] {
      c_.inst("x.tr.push", {emitPop(c_, mode_, array, column, group + Linear(setIndex * rows / 8))},
              {{"row", g}, {"buf", column}});
    });
  }
  if (first >= lanesOfX()) return;
  Linear to = Linear(sums_ + k.index * outTiles() * sumRows() + first) + tile * sumRows();
  for (int64_t g = 0; g < 16; ++g)
    c_.store(c_.inst("x.tr.pop", {}, {{"row", g}, {"buf", column}}), to + Linear(8 * g), 1, kSumRegion);
}

// The accumulators' rows of output features to rows of input features: [taps, tile of output features, input feature].
void GradientKernel::emitSums(ArrayRef<Combination> all) {
  for (auto [i, k] : llvm::enumerate(all))
    for (int64_t column = 0; column < side_ / 128; ++column)
      c_.loop(c_.i64(0), c_.i64(outTiles()), 1, {}, [&, i = i, &k = k](Value iv, ValueRange) {
        emitSumTile(k, i % arrays_, i / arrays_, column, c_.linear(iv));
        return SmallVector<Value>();
      });
}

void GradientKernel::emitResults() {
  int64_t unit = domain_.unitRows(), n = taps_.size();
  SmallVector<int64_t> extents;
  for (int64_t d : taps_) extents.push_back(domain_.dims[d]);
  extents.push_back(llvm::divideCeil(std::min(domain_.block[ci_], domain_.dims[ci_]), unit));
  extents.push_back(outTiles());
  bool single = domain_.dims[ci_] == 1;
  c_.flatLoop(extents, 2, [&](ArrayRef<Linear> at, const Linear &) {
    Point p = origin();
    for (int64_t i = 0; i < n; ++i) p.at[taps_[i]] = at[i];
    p.at[ci_] = at[n];
    p.at[co_] = at[n + 1];
    Linear apart(0);
    for (int64_t i = 0; i < n - folds_; ++i) apart = apart * domain_.dims[taps_[i]] + at[i];
    Linear row = at[n] * unit;
    if (folds_) row = row + at[n - 1] * domain_.dims[ci_];
    Linear word = Linear(sums_) + (apart * outTiles() + at[n + 1]) * sumRows() + row;
    SmallVector<Value> groups;
    for (int64_t sub = 0; sub < domain_.pack; ++sub)
      groups.push_back(c_.load(single ? word : word + Linear(8 * sub), single ? 0 : 1, kSumRegion));
    storeRoot(groups, p);
  });
}

void GradientKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  emitStage(c_, padded_, step.index);
  if (folds_) emitFold(c_, fold_, padded_);
  emitTurn(step.index);
  SmallVector<Combination> all = combinations();
  for (size_t i = 0; i < all.size(); i += arrays_)
    emitSet(ArrayRef<Combination>(all).slice(i, std::min<size_t>(arrays_, all.size() - i)), i / arrays_);
  c_.ifThen(step.last, [&] {
    emitSums(all);
    emitResults();
  });
}

void GradientKernel::zero(int64_t word, int64_t words, int64_t region) {
  Value v = c_.splatI(0);
  c_.loop(
      c_.i64(0), c_.i64(words / 8), 1, {},
      [&](Value iv, ValueRange) {
        c_.store(v, Linear(word) + c_.linear(iv) * 8, 1, region);
        return SmallVector<Value>();
      },
      true);
}

LogicalResult GradientKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(2 * padded_.last.out * positions());
  emitBorders(c_, padded_);
  // What tiles read past the last row is multiplied by zeros: it must be numbers.
  if (folds_) zero(fold_.word, fold_.words, fold_.region);
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

LogicalResult lowerGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv, Value start,
                                  Value count) {
  return GradientKernel(context, code, conv).run(start, count);
}

}  // namespace tpuc::lowering
