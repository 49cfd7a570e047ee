// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a loop kernel's step, and its results.
#include "passes/analysis/scan.h"
#include "passes/lowering/body/region.h"
#include "passes/lowering/grid/flat_nest.h"
#include "passes/lowering/loop/loop_kernel.h"
#include "passes/lowering/loop/positions.h"

using namespace mlir;

namespace tpuc::lowering {

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

// What lanes outside of the extents hold, and where accumulation starts. A region's own initial value leaves every x
// unchanged.
Value LoopKernel::identity(Reduction &r, unsigned operand, const Point &p) {
  Type t = elementOf(r.op.getInputs()[operand]);
  if (r.reducer) return emitIdentity(c_, *r.reducer, t);
  Value init = body_->evaluate(r.op.getInitValues()[operand], {}, p);
  return t.isInteger(1) ? maskToInt(c_, init) : init;
}

// A vreg of the reduction's operand, as lanes, neutral outside of the extents.
Value LoopKernel::neutralOutside(Reduction &r, unsigned operand, Value v, const Point &p, bool maskLanes) {
  const Domain &d = space_.domain;
  if (elementOf(r.op.getInputs()[operand]).isInteger(1)) v = maskToInt(c_, v);
  bool reducesRows = llvm::is_contained(r.reduced, d.r());
  if (!reducesRows && !maskLanes) return v;
  Value mask = body_->boundsMask(p, reducesRows, maskLanes || (d.linear && reducesRows));
  return mask ? c_.inst("v.sel", {mask, v, identity(r, operand, p)}) : v;
}

// The reduction's operand at a point: one vreg for each group of 8 rows it walks, neutral outside of the extents.
SmallVector<Value> LoopKernel::inputsOf(Reduction &r, unsigned operand, const Point &at, bool rows, bool maskLanes) {
  const Domain &d = space_.domain;
  Value input = r.op.getInputs()[operand];
  SmallVector<Value> out;
  for (int64_t sub = 0; sub < (rows ? d.groups() : 1); ++sub) {
    Point p = at;
    p.sub = sub;
    Value v = body_->evaluate(input, space_.mapOf(input), p);
    if (auto kept = kept_.find(input); kept != kept_.end() && !body_->providers.contains(input))
      c_.store(v, vregAt(kept->second.dims, Linear(0), p) + Linear(kept->second.word), 1, kept->second.region, {},
               extentOf(kept->second.dims));
    v = neutralOutside(r, operand, v, p, maskLanes);
    out.push_back(v);
  }
  return out;
}

// Values are in lane form, i1 as 0 or 1.
SmallVector<Value> LoopKernel::combine(Reduction &r, ArrayRef<Value> a, ArrayRef<Value> b, const KnownMasks &known) {
  if (r.reducer) return {emitCombine(c_, *r.reducer, elementOf(r.op.getInputs()[0]), a[0], b[0])};
  SmallVector<Value> arguments;
  for (ArrayRef<Value> side : {a, b})
    for (auto [i, v] : llvm::enumerate(side))
      arguments.push_back(elementOf(r.op.getInputs()[i]).isInteger(1) ? intToMask(c_, v) : v);
  SmallVector<Value> out = emitRegion(c_, r.op.getBody().front(), arguments, known);
  for (auto [i, v] : llvm::enumerate(out))
    if (elementOf(r.op.getInputs()[i]).isInteger(1)) v = maskToInt(c_, v);
  return out;
}

// Over the lanes and sublanes that the reduction walks; the result is in all of them.
SmallVector<Value> LoopKernel::acrossVreg(Reduction &r, ArrayRef<Value> values) {
  const Domain &d = space_.domain;
  Type t = elementOf(r.op.getInputs()[0]);
  SmallVector<Value> v(values);
  // Places beyond the extent have nothing to add: the last of those that do gets all, and the others take it there.
  auto halve = [&](StringRef rotate, StringRef spread, int64_t extent, int64_t places) {
    auto moved = [&](StringRef how, int64_t imm) {
      return llvm::map_to_vector(v, [&](Value x) { return c_.inst(how, {x}, {{"imm", imm}}); });
    };
    auto held = static_cast<int64_t>(llvm::PowerOf2Ceil(std::min(extent, places)));
    for (int64_t step = held / 2; step >= 1; step /= 2) v = combine(r, v, moved(rotate, step));
    if (held < places) v = moved(spread, held - 1);
  };
  if (llvm::is_contained(r.reduced, d.c()) || (d.linear && !r.reduced.empty())) {
    if (r.reducer)
      v = {emitReduceLanes(c_, *r.reducer, t, v[0])};
    else
      halve("x.rot.lane", "x.bcast.lane", d.dims[d.c()], 128);
  }
  if (llvm::is_contained(r.reduced, d.r())) {
    if (r.reducer)
      v = {emitReduceSublanes(c_, *r.reducer, t, v[0])};
    else
      halve("x.rot.sub", "x.bcast.sub", d.dims[d.r()], 8);
  }
  return v;
}

// Sums that a reduction's steps take in turn: an addition takes some cycles, a region several instructions one after
// the other, which those of other sums fill in. All but the first begin with the identity; a region's initial value is
// one. A maximum waits for one alone, which a load takes as long as: but packed rows are several of one sum's.
int64_t LoopKernel::accumulatorSets(const Reduction &r) {
  constexpr int64_t kSets = 4;
  const Domain &d = space_.domain;
  if (r.reduced.empty()) return 1;
  int64_t last = r.reduced.back();
  bool ragged = last == d.c() && d.dims[last] % 128 != 0;
  APInt trip;
  const bool isAlone = d.groups() == 1 || llvm::is_contained(r.kept, d.r());
  const bool isShort = isAlone && (r.reducer == Reducer::Max || r.reducer == Reducer::Min);
  if (isShort || isLong(context_.op.getBlock()) ||
      !matchPattern(blockTrip(c_, d, body_->tripIndex, last), m_ConstantInt(&trip)))
    return 1;
  if (ragged && d.steps(last) != 1) return 1;
  // A ragged tile's turn is one as any other; a region's sets take long to join.
  return trip.getSExtValue() - (ragged && !r.reducer) >= 2 * kSets ? kSets : 1;
}

// Sums of a kept point, one for each group of rows that is kept.
int64_t LoopKernel::sumsOf(const Reduction &r) const {
  const Domain &d = space_.domain;
  return llvm::is_contained(r.kept, d.r()) ? d.groups() : 1;
}

// Before the first of the grid steps that a reduction takes: identities, so that no step has to ask which one it is.
void LoopKernel::clearSums(Reduction &r) {
  emitNest(c_, space_.domain, body_->tripIndex, r.kept, 4, {}, [&](const Point &at, ValueRange) {
    Point p = at;
    for (p.sub = 0; p.sub < sumsOf(r); ++p.sub)
      for (unsigned k = 0; k < r.op.getInputs().size(); ++k)
        c_.store(identity(r, k, p), scratchAddress(r, k, p), 1, r.region, {}, extentOf(r.kept));
    body_->nextPoint();
    return SmallVector<Value>();
  });
}

// What the sums of a kept point begin with, all operands of group 0, then of group 1, ...: the identities, or what the
// grid steps before have left. The other `sets` begin with the identities.
SmallVector<Value> LoopKernel::startsOf(Reduction &r, const Point &outer, int64_t sets) {
  SmallVector<Value> starts, identities;
  for (int64_t i = 0; i < sumsOf(r); ++i)
    for (unsigned k = 0; k < r.op.getInputs().size(); ++k) {
      Point p = outer;
      p.sub = i;
      if (!r.sequential || sets > 1) identities.push_back(identity(r, k, p));
      starts.push_back(r.sequential ? c_.load(scratchAddress(r, k, p), 1, r.region) : identities.back());
    }
  for (int64_t set = 1; set < sets; ++set) llvm::append_range(starts, identities);
  return starts;
}

// The vregs of a product at a point onto their sums: all onto one, or one each where rows are kept.
void LoopKernel::addProducts(Reduction &r, stablehlo::MulOp product, const Point &at, MutableArrayRef<Value> sums) {
  const Domain &d = space_.domain;
  const bool keepsRows = llvm::is_contained(r.kept, d.r()), rows = keepsRows || llvm::is_contained(r.reduced, d.r());
  const DimMap map = space_.mapOf(product);
  for (int64_t sub = 0; sub < (rows ? d.groups() : 1); ++sub) {
    Point p = at;
    p.sub = sub;
    SmallVector<Value> operands;
    for (unsigned i = 0; i < 2; ++i)
      operands.push_back(body_->evaluate(product->getOperand(i), *operandMap(product, i, map), p));
    Value &sum = sums[keepsRows ? sub : 0];
    sum = c_.inst("v.fma.f32", {operands[0], operands[1], sum});
  }
}

// The first set of the sums takes what lies at a point; the next step takes the next set.
SmallVector<Value> LoopKernel::addPoint(Reduction &r, const Point &at, ValueRange sums, bool maskLanes) {
  const Domain &d = space_.domain;
  const bool keepsRows = llvm::is_contained(r.kept, d.r()),
             rows = d.linear || keepsRows || llvm::is_contained(r.reduced, d.r());
  const auto operands = static_cast<int64_t>(r.op.getInputs().size());
  // An initial value in places outside has its own position.
  const bool isMasked =
      maskLanes || (llvm::is_contained(r.reduced, d.r()) && (d.linear || d.dims[d.r()] % d.unitRows()));
  const KnownMasks known = isMasked ? KnownMasks() : positionsMet(r.op);
  SmallVector<Value> next(sums);
  if (stablehlo::MulOp product = isJammed(r) ? productOf(r) : stablehlo::MulOp()) {
    addProducts(r, product, at, next);
    body_->nextPoint();
    std::rotate(next.begin(), next.begin() + sumsOf(r), next.end());
    return next;
  }
  SmallVector<SmallVector<Value>> inputs;
  for (int64_t k = 0; k < operands; ++k) inputs.push_back(inputsOf(r, k, at, rows, maskLanes));
  for (size_t i = 0; i < inputs[0].size(); ++i) {
    int64_t first = keepsRows ? static_cast<int64_t>(i) * operands : 0;
    SmallVector<Value> now = llvm::map_to_vector(inputs, [&](auto &in) { return in[i]; });
    llvm::copy(combine(r, ArrayRef(next).slice(first, operands), now, known), next.begin() + first);
  }
  body_->nextPoint();
  std::rotate(next.begin(), next.begin() + sumsOf(r) * operands, next.end());
  return next;
}

// Along the column tiles, of which the last is ragged: it stands apart, so that the others need no mask. Those come in
// whole turns of the sets, then one by one.
SmallVector<Value> LoopKernel::addColumns(Reduction &r, const Point &at, ValueRange sums, int64_t sets) {
  const Domain &d = space_.domain;
  Point p = at;
  const auto tiles = static_cast<int64_t>(llvm::divideCeil(d.dims[d.c()], 128));
  const int64_t looped = (tiles - 1) / sets * sets;
  auto turn = [&](Value iv, ValueRange in) {
    APInt known;
    Linear first = matchPattern(iv, m_ConstantInt(&known)) ? Linear(known.getSExtValue()) : Linear(iv);
    SmallVector<Value> next(in);
    for (int64_t set = 0; set < sets; ++set) {
      p.at[d.c()] = first + Linear(set);
      next = addPoint(r, p, next, false);
    }
    return next;
  };
  SmallVector<Value> v = c_.loop(c_.i64(0), c_.i64(looped), sets, sums, turn, true);
  for (int64_t tile = looped; tile < tiles; ++tile) {
    p.at[d.c()] = Linear(tile);
    v = addPoint(r, p, v, tile == tiles - 1);
  }
  return v;
}

// All sets together, finished where that is done at once.
void LoopKernel::storeSums(Reduction &r, const Point &outer, MutableArrayRef<Value> total, int64_t sets) {
  const auto operands = static_cast<int64_t>(r.op.getInputs().size());
  const int64_t each = sumsOf(r) * operands;
  for (int64_t set = 1; set < sets; ++set)
    for (int64_t first = 0; first < each; first += operands)
      llvm::copy(combine(r, total.slice(first, operands), total.slice(set * each + first, operands)),
                 total.begin() + first);
  for (int64_t i = 0; i < sumsOf(r); ++i) {
    Point p = outer;
    p.sub = i;
    SmallVector<Value> v(total.slice(i * operands, operands));
    if (finishesAtOnce(r)) v = finished(r, p, v);
    for (int64_t k = 0; k < operands; ++k) c_.store(v[k], scratchAddress(r, k, p), 1, r.region, {}, extentOf(r.kept));
  }
  body_->nextPoint();
}

// Points that are summed together: a turn of the loops adds to the sums of all.
void LoopKernel::sumPoints(Reduction &r, ArrayRef<Point> points) {
  const Domain &d = space_.domain;
  SmallVector<Value> starts;
  for (const Point &p : points) llvm::append_range(starts, startsOf(r, p, 1));
  body_->nextPoint();
  const size_t each = starts.size() / points.size();
  SmallVector<Value> total =
      emitNest(c_, d, body_->tripIndex, r.reduced, 1, starts, [&](const Point &at, ValueRange in) {
        SmallVector<Value> next;
        for (auto [i, point] : llvm::enumerate(points)) {
          Point p = at;
          for (int64_t k : r.kept) p.at[k] = point.at[k];
          llvm::append_range(next, addPoint(r, p, in.slice(i * each, each), false));
        }
        return next;
      });
  for (auto [i, point] : llvm::enumerate(points))
    storeSums(r, point, MutableArrayRef<Value>(total).slice(i * each, each), 1);
}

// Blocks of points as the plan's jam says.
void LoopKernel::sumJammed(Reduction &r) {
  SmallVector<Point> points{
      body_->domain.dims.empty() ? Point() : Point{SmallVector<Linear>(body_->domain.dims.size(), Linear(0))}};
  std::function<void(size_t, SmallVector<Point>)> go = [&](size_t i, SmallVector<Point> points) {
    if (i == r.kept.size()) return sumPoints(r, points);
    const int64_t k = r.kept[i], factor = jam_[k];
    Value trips =
        c_.b.createOrFold<arith::DivSIOp>(c_.loc, blockTrip(c_, space_.domain, body_->tripIndex, k), c_.i64(factor));
    c_.loop(c_.i64(0), trips, 1, {}, [&](Value iv, ValueRange) {
      const Linear first = c_.linear(iv) * factor;
      SmallVector<Point> all;
      for (const Point &point : points)
        for (int64_t n = 0; n < factor; ++n) {
          all.push_back(point);
          all.back().at[k] = first + Linear(n);
        }
      go(i + 1, all);
      return SmallVector<Value>();
    });
  };
  go(0, points);
}

void LoopKernel::accumulate(Reduction &r, const Step &step) {
  const Domain &d = space_.domain;
  const bool ragged = llvm::is_contained(r.reduced, d.c()) && d.dims[d.c()] % 128 != 0,
             standsApart = ragged && r.reduced.back() == d.c() && d.steps(d.c()) == 1;
  auto sum = [&](const Point &outer) {
    const int64_t sets = accumulatorSets(r);
    const SmallVector<Value> starts = startsOf(r, outer, sets);
    body_->nextPoint();  // what the identities evaluated is outside of the loops below
    SmallVector<Value> total =
        standsApart ? emitNest(
                          c_, d, body_->tripIndex, ArrayRef<int64_t>(r.reduced).drop_back(), 1, starts,
                          [&](const Point &at, ValueRange in) { return addColumns(r, at, in, sets); }, &outer)
                    : emitNest(
                          c_, d, body_->tripIndex, r.reduced, r.reducer ? 4 : sets, starts,
                          [&](const Point &at, ValueRange in) { return addPoint(r, at, in, ragged); }, &outer);
    storeSums(r, outer, total, sets);
  };
  if (r.sequential) c_.ifThen(step.first, [&] { clearSums(r); });
  if (isJammed(r)) return sumJammed(r);
  if (isStraight(r) && emitFlatNest(c_, d, body_->tripIndex, r.kept, 2, sum)) return;
  emitNest(c_, d, body_->tripIndex, r.kept, 1, {}, [&](const Point &outer, ValueRange) {
    sum(outer);
    return SmallVector<Value>();
  });
}

// Whether a nest of its own would only store and load sums: the outer loop hides the cross-lane unit's latency.
bool LoopKernel::finishesAtOnce(const Reduction &r) const { return !r.sequential && isStraight(r); }

// Maxima and minima begin with the number that an initial value of the op's own is too; sums' may differ by a sign.
static bool hasInitialValue(stablehlo::ReduceOp reduce) {
  Operation *op = analysis::onlyOp(reduce.getBody().front());
  return mlir::isa_and_nonnull<stablehlo::MaxOp, stablehlo::MinOp>(op) &&
         analysis::startsUnchanged(op, reduce.getInitValues()[0]);
}

// A partial vreg's result: across lanes, across sublanes, with the initial value, rounded to the type.
SmallVector<Value> LoopKernel::finished(Reduction &r, const Point &p, ArrayRef<Value> partial) {
  Type t = elementOf(r.op.getInputs()[0]);
  SmallVector<Value> v = acrossVreg(r, partial);
  if (!r.reducer) return v;
  if (!hasInitialValue(r.op)) {
    Value init = body_->evaluate(r.op.getInitValues()[0], {}, p);
    if (t.isInteger(1)) init = maskToInt(c_, init);
    v[0] = emitCombine(c_, *r.reducer, t, init, v[0]);
  }
  if (mlir::isa<FloatType>(t) && !t.isF32()) v[0] = normalise(c_, t, v[0]);
  return v;
}

// Partial vregs to results.
void LoopKernel::finalise(Reduction &r) {
  const Domain &d = space_.domain;
  unsigned operands = r.op.getInputs().size();
  emitNest(c_, d, body_->tripIndex, r.kept, 1, {}, [&](const Point &at, ValueRange) {
    for (int64_t i = 0; i < sumsOf(r); ++i) {
      Point p = at;
      p.sub = i;
      SmallVector<Value> v;
      for (unsigned k = 0; k < operands; ++k) v.push_back(c_.load(scratchAddress(r, k, p), 1, r.region));
      v = finished(r, p, v);
      for (unsigned k = 0; k < operands; ++k)
        c_.store(v[k], scratchAddress(r, k, p), 1, r.region, {}, extentOf(r.kept));
    }
    body_->nextPoint();
    return SmallVector<Value>();
  });
}

void LoopKernel::emitReduction(Reduction &r, const Step &step) {
  Code::InNameOf named(c_, r.op.getLoc());
  accumulate(r, step);
  for (Value v : r.op.getInputs())
    if (auto kept = kept_.find(v); kept != kept_.end() && !body_->providers.contains(v))
      body_->providers[v] = [this, &k = kept->second](const Point &p) {
        return c_.load(vregAt(k.dims, Linear(0), p) + Linear(k.word), 1, k.region);
      };
  if (finishesAtOnce(r)) return;
  if (!r.sequential) return finalise(r);
  c_.ifThen(step.last, [&] { finalise(r); });
}

void LoopKernel::emitStep(const Step &step, ArrayRef<Linear> tripIndex) {
  body_->blockIndex = step.index;
  body_->tripIndex = llvm::to_vector(tripIndex);
  if (inRows_) return emitRows();
  bool anySequential = llvm::any_of(reductions_, [](const Reduction &r) { return r.sequential; });
  for (Reduction &r : reductions_)
    if (!r.late) emitReduction(r, step);
  // Results by the set of dims they have.
  auto yielded = context_.op.getBlock().getTerminator()->getOperands();
  std::map<SmallVector<int64_t>, SmallVector<unsigned>> groups, lateGroups;
  for (auto [i, v] : llvm::enumerate(yielded)) {
    SmallVector<int64_t> dims = dimsOf(v);
    bool walks = llvm::any_of(grid_->sequential,
                              [&](int64_t k) { return space_.domain.steps(k) > 1 && llvm::is_contained(dims, k); });
    (anySequential && !walks ? lateGroups : groups)[dims].push_back(i);
  }
  for (auto &[dims, which] : groups) emitResults(c_, *body_, space_, yielded, which, dims);
  auto late = [&] {
    for (Reduction &r : reductions_)
      if (r.late) emitReduction(r, step);
    for (auto &[dims, which] : lateGroups) emitResults(c_, *body_, space_, yielded, which, dims);
  };
  if (!anySequential) return late();
  c_.ifThen(step.last, late);
}

}  // namespace tpuc::lowering
