// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul's grid step: weights of a k tile are staged in the arrays while the rows of the one before are pushed; a
// group's results leave its accumulators through the epilogue.
//
//  for each group of column tiles (or batch), the first tile's weights staged by the one before:
//    for each k tile: swap; stage the next tile's weights; push all rows
//    pop, epilogue, store
#include "passes/lowering/dot/dot_kernel.h"

#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

// Whether the value differs among the rows of a vreg.
static bool walksRows(Value v, const DimMap &map, int64_t rows) {
  if (mlir::isa<BlockArgument>(v)) return llvm::is_contained(map, rows);
  Operation *op = v.getDefiningOp();
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) return map[iota.getIotaDimension()] == rows;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (walksRows(op->getOperand(i), *operandMap(op, i, map), rows)) return true;
  return false;
}

// Loads an operand as it lies in memory, and puts zero where the mask says so. Rows that share words share one mask
// where the mask is along lanes alone.
Value DotKernel::fetchReady(Operand &o, const Point &at) {
  Value packed = bodyOf(o).loadPacked(*o.array, o.map, at);
  if (!o.mask) return packed;
  const bool alike = mode_.pack == 1 || !walksRows(o.mask, o.map, o.view.r());
  SmallVector<Value> groups;
  for (int64_t i = 0; i < (alike ? 1 : mode_.pack); ++i) {
    Point p = at;
    p.sub = at.sub + i;
    Value mask = bodyOf(o).evaluate(o.mask, o.map, p);
    groups.push_back(alike ? mask : c_.inst("v.sel", {mask, c_.splatI(-1), c_.splatI(0)}));
  }
  bodyOf(o).nextPoint();
  if (alike) return c_.inst("v.sel", {groups[0], packed, c_.splatI(0)});
  Value bits = c_.inst("v.pack.b16", {groups[0], groups[1]});
  if (mode_.pack == 4) bits = c_.inst("v.pack.b8", {bits, c_.inst("v.pack.b16", {groups[2], groups[3]})});
  return c_.inst("v.and", {packed, bits});
}

// A packed vreg of the matrix mode: rows from group `firstGroup` of 8 of the point's unit. `low`: what rounding to bf16
// left.
Value DotKernel::fetch(Operand &o, const Point &at, int64_t firstGroup, bool low) {
  Body &body = bodyOf(o);
  Point p = at;
  p.sub = firstGroup;
  if (o.ready) return fetchReady(o, p);
  if (o.scratch && o.scratch->array.pack == mode_.pack) return body.loadPacked(*o.scratch, o.scratch->map, p);
  SmallVector<Value> groups;
  for (int64_t i = 0; i < mode_.pack; ++i) {
    p.sub = firstGroup + i;
    if (&o == &rows_ && isPadding(p.sub)) {
      groups.push_back(c_.splatI(0));
      continue;
    }
    Value v = o.scratch ? body.loadPacked(*o.scratch, o.scratch->map, p) : toMode(o, body.evaluate(o.value, o.map, p));
    groups.push_back(v);
  }
  body.nextPoint();
  return packForMxu(c_, mode_, groups, low);
}

// A group of 8 rows as the mode's lanes: integers on a bf16 array are exact floats.
Value DotKernel::toMode(const Operand &o, Value v) { return mode_.intFromBf16 ? c_.inst("v.cvt.s32.f32", {v}) : v; }

// Where array `array`'s first column tile, and its batch, lie within the block.
Point DotKernel::arrayPoint(const Linear &group, int64_t array, const Point &at) {
  Point p = at;
  p.at[n_] = group * (across_ * side_ / 128) + Linear(array % across_ * (side_ / 128));
  if (const int64_t d = lastOuter(); d >= 0) p.at[d] = p.at[d] + Linear(array / (across_ * down_) % wide_);
  return p;
}

// Where a unit's results are kept: each in places of its own where they stay over grid steps, else in turn in a ring,
// so that one's leave while later ones come.
Linear DotKernel::sumsOf(const Linear &unit, const Linear &group, const Point &lead) {
  if (!kSplit_) return ring_ > 1 ? c_.remL(unit, ring_) * groupSums() : Linear(0);
  Linear index;
  for (int64_t d : outerDims()) {
    index = index * outerTrips(d) + (d == lastOuter() ? c_.divL(lead.at[d], wide_) : lead.at[d]);
  }
  return (index * groups_ + group) * groupSums();
}

// An array's accumulator group of 8 rows.
Linear DotKernel::accumulator(const Linear &sums, const Point &rows, const Linear &unit, int64_t sub) {
  Linear index;
  for (int64_t d : mLead_) index = index * domain_.block[d] + rows.at[d];
  return sums + (index * unitsPerArray() + unit) * domain_.pack + Linear(sub);
}

void DotKernel::stageWeights(const Tile &tile) {
  for (int64_t array = 0; array < arraysUsed(); ++array)
    roles_.weightsTransposed ? stageTransposedWeights(tile, array) : stageDirectWeights(tile, array);
}

// Sublanes walk k, lanes n. Columns that one tile has too many are zero, which the executor's pushes pass over.
void DotKernel::stageDirectWeights(const Tile &tile, int64_t array) {
  int64_t step = 8 * mode_.pack, unit = weights_.view.unitRows();
  const Linear lanes = lanesTaken(tile, array);
  const int64_t held = lanes.isConstant() ? std::min(side_, lanes.constant) : lanesHeld();
  Point p = arrayPoint(tile.group, array, tile.lead);
  for (int64_t d : kLead_) p.at[d] = tile.k.at[d];
  int64_t columns = std::min(side_, domain_.dims[n_]);
  for (int64_t col = 0; col * 128 < columns; ++col)
    for (int64_t row = 0; row * step < held; ++row) {
      Point q = p;
      q.at[n_] = p.at[n_] + Linear(col);
      q.at[kLast_] = c_.divL(tile.k.at[kLast_] * 128 + Linear(kOf(array) * side_ + row * step), unit);
      Value v = keepRows(c_, mode_, fetch(weights_, q, (row * step) % unit / 8, tile.variant == 1),
                         lanes + Linear(-row * step));
      v = keepLanes(c_, v, columns - col * 128);
      c_.inst(("mxu.ldw." + mode_.suffix).str(), {v}, {{"mxu", array}, {"row", row}, {"col", col}});
    }
}

// Sublanes walk n, lanes k.
void DotKernel::stageTransposedWeights(const Tile &tile, int64_t array) {
  int64_t step = 8 * mode_.pack, unit = weights_.view.unitRows();
  int64_t rows = std::min<int64_t>(side_, llvm::alignTo(domain_.block[n_], step));
  const Linear lanes = lanesTaken(tile, array);
  const int64_t held = lanes.isConstant() ? std::min(side_, lanes.constant) : lanesHeld();
  Point p = arrayPoint(tile.group, array, tile.lead);
  for (int64_t d : kLead_) p.at[d] = tile.k.at[d];
  for (int64_t col = 0; col * 128 < held; ++col)
    for (int64_t row = 0; row * step < rows; ++row) {
      Point q = p;
      q.at[n_] = c_.divL(p.at[n_] * 128 + Linear(row * step), unit);
      q.at[kLast_] = tile.k.at[kLast_] + Linear(kOf(array) * (side_ / 128) + col);
      Value v =
          keepLanes(c_, fetch(weights_, q, (row * step) % unit / 8, tile.variant == 1), lanes + Linear(-col * 128));
      c_.inst(("mxu.ldw." + mode_.suffix).str(), {v}, {{"mxu", array}, {"row", row}, {"col", col}, {"xpose", 1}});
    }
}

void DotKernel::swap() {
  for (int64_t a = 0; a < arraysUsed(); ++a) c_.inst("mxu.swap", {}, {{"mxu", a}});
}

// Units of rows that an array takes of this block.
Value DotKernel::unitTrip() {
  Value all = blockTrip(c_, domain_, body_->blockIndex, m_);
  if (unitsLeft_) all = c_.min(all, unitsLeft_);
  return down_ == 1 ? all : c_.div(c_.add(all, c_.i64(down_ - 1)), down_);
}

void DotKernel::pushUnit(const Tile &tile, const Point &outer, const Linear &unit, const Linear &units) {
  for (int64_t first = 0; first < arraysUsed(); first += across_)
    for (int64_t sub = 0; sub < domain_.pack; sub += mode_.pack) {
      const Linear lanes = lanesTaken(tile, first);
      const int64_t held = lanes.isConstant() ? std::min(side_, lanes.constant) : lanesHeld();
      Point p = arrayPoint(Linear(0), first, outer);
      for (int64_t d : kLead_) p.at[d] = tile.k.at[d];
      p.at[m_] = unit + units * (first / across_ % down_);
      SmallVector<Value> operands;
      for (int64_t half = 0; half * 128 < side_; ++half) {
        p.at[kLast_] = tile.k.at[kLast_] + Linear(kOf(first) * (side_ / 128) + half);
        operands.push_back(half * 128 < held
                               ? keepLanes(c_, fetch(rows_, p, sub, tile.variant == 2), lanes + Linear(-half * 128))
                               : c_.splatI(0));
      }
      Linear acc = accumulator(tile.sums, outer, unit, sub);
      for (int64_t a = first; a < first + across_; ++a) emitPush(c_, mode_, a, operands, acc, Pushed);
    }
}

// All rows of the block; `leaving`: results that leave meanwhile, a unit for each unit that is pushed.
void DotKernel::pushRows(const Tile &tile, const Results *leaving) {
  Value trip = unitTrip();
  Linear units = c_.linear(trip);
  bool independent =
      !leaving || llvm::all_of(space_.results, [&](auto &b) { return storesWholeWords(*b, b->map, domain_); });
  emitNest(
      c_, domain_, body_->blockIndex, mLead_, 1, {},
      [&](const Point &outer, ValueRange) {
        c_.loop(
            c_.i64(0), trip, 1, {},
            [&](Value iv, ValueRange) {
              pushUnit(tile, outer, c_.linear(iv), units);
              if (leaving) popUnit(*leaving, outer, c_.linear(iv), units);
              return SmallVector<Value>();
            },
            independent);
        return SmallVector<Value>();
      },
      &tile.lead, false);
}

// `popped`: the dot's vregs of one unit of rows and one column tile.
void DotKernel::storeResults(const Point &at, ArrayRef<Value> popped) {
  body_->providers[dot_.getResult()] = [&](const Point &p) { return popped[p.sub]; };
  for (auto [i, v] : llvm::enumerate(context_.op.getBlock().getTerminator()->getOperands())) {
    SmallVector<Value> values;
    DimMap map = space_.mapOf(v);
    for (int64_t sub = 0; sub < domain_.pack; ++sub) {
      Point q = at;
      q.sub = sub;
      values.push_back(body_->evaluate(v, map, q));
    }
    body_->store(*space_.results[i], values, at);
  }
  body_->nextPoint();
}

void DotKernel::popUnit(const Results &results, const Point &rows, const Linear &unit, const Linear &units) {
  Type out = elementOf(dot_);
  Point lead = results.lead;
  for (int64_t d : mLead_) lead.at[d] = rows.at[d];
  int64_t columns = std::min<int64_t>(side_ / 128, llvm::divideCeil(domain_.dims[n_], 128));
  for (int64_t array = 0; array < resultArrays(); ++array)
    for (int64_t col = 0; col < columns; ++col) {
      Point p = arrayPoint(results.group, array, lead);
      p.at[n_] = p.at[n_] + Linear(col);
      p.at[m_] = unit + units * (array / across_ % down_);
      SmallVector<Value> popped;
      for (int64_t sub = 0; sub < domain_.pack; ++sub) {
        if (isPadding(sub)) {  // any row will do; a result without this dim has one, which every group stores
          popped.push_back(popped.front());
          continue;
        }
        Linear acc = accumulator(results.sums, rows, unit, sub);
        int64_t part = results.apart ? int64_t{Leaving} : -1;
        Value v = emitPop(c_, mode_, array, col, acc, part);
        for (int64_t e = 1; e < deep_; ++e)
          v = c_.inst(mlir::isa<FloatType>(out) ? "v.add.f32" : "v.add.i32",
                      {v, emitPop(c_, mode_, array + e * resultArrays(), col, acc, part)});
        popped.push_back(mlir::isa<FloatType>(out) && !out.isF32() ? rounded(c_, out, v) : v);
      }
      storeResults(p, popped);
    }
}

void DotKernel::popRows(const Results &results) {
  Value trip = unitTrip();
  Linear units = c_.linear(trip);
  emitNest(
      c_, domain_, body_->blockIndex, mLead_, 1, {},
      [&](const Point &outer, ValueRange) {
        c_.loop(c_.i64(0), trip, 1, {}, [&](Value iv, ValueRange) {
          popUnit(results, outer, c_.linear(iv), units);
          return SmallVector<Value>();
        });
        return SmallVector<Value>();
      },
      &results.lead, false);
}

// All passes of a tile. `stageNext`: what comes after.
void DotKernel::runTile(const Tile &tile, function_ref<void()> stageNext, const Results *leaving) {
  Tile t = tile;
  for (int64_t pass = 0; pass < mode_.passes; ++pass) {
    swap();
    t.variant = pass + 1;
    if (pass + 1 < mode_.passes)
      stageWeights(t);
    else
      stageNext();
    t.variant = pass;
    pushRows(t, pass == 0 ? leaving : nullptr);
  }
}

// `count` k tiles at `outer`'s leading k, the last of `last` lanes; the first one's weights are staged. `next`: stages
// what comes after. `leaving`: an earlier group's results, which leave while the last tile's rows are pushed: theirs
// have had the time to reach the array's end.
void DotKernel::emitTiles(const Tile &first, int64_t count, int64_t last, function_ref<void()> next,
                          const Results *leaving) {
  int64_t perTile = side_ / 128, whole = product(kLead_), inner = count / whole;
  auto at = [&](const Linear &index, int64_t lanes) {
    Tile t = first;
    t.lanes = lanes + (deep_ - 1) * side_;
    Linear rest = index;
    t.k.at[kLast_] = (whole == 1 ? rest : c_.remL(rest, inner)) * (perTile * deep_);
    if (whole > 1) rest = c_.divL(rest, inner);
    for (int64_t d : llvm::reverse(kLead_)) {
      if (domain_.block[d] == 1 || whole == 1) continue;
      t.k.at[d] = c_.remL(rest, domain_.block[d]);
      rest = c_.divL(rest, domain_.block[d]);
    }
    return t;
  };
  auto stageTile = [&](const Linear &index, int64_t lanes) {
    return [&, index, lanes] { stageWeights(at(index, lanes)); };
  };
  // The one that stages a shorter last tile stands apart too.
  int64_t alike = last == side_ ? count - 1 : count - 2;
  c_.loop(c_.i64(0), c_.i64(alike), 1, {}, [&](Value iv, ValueRange) {
    Linear index = c_.linear(iv);
    runTile(at(index, side_), stageTile(index + Linear(1), side_));
    return SmallVector<Value>();
  });
  if (count >= 2 && alike < count - 1) runTile(at(Linear(count - 2), side_), stageTile(Linear(count - 1), last));
  runTile(at(Linear(count - 1), last), next, leaving);
}

// One group's k tiles where leading k dims have ragged last tiles, or the grid's last block of a k dim is shorter:
// nothing is staged ahead of a run of tiles.
void DotKernel::emitRaggedTiles(const Step &step, const Tile &first) {
  auto run = [&](int64_t count, int64_t last) {
    SmallVector<int64_t> saved(domain_.block);
    emitNest(
        c_, domain_, body_->blockIndex, kLead_, 1, {},
        [&](const Point &k, ValueRange) {
          Tile t = first;
          t.k = k;
          t.lanes = count == 1 ? last : side_;
          for (int64_t d : kLead_) domain_.block[d] = 1;  // this run's own
          t.k.at[kLast_] = Linear(0);
          stageWeights(t);
          emitTiles(t, count, last, [] {});
          domain_.block = saved;
          return SmallVector<Value>();
        },
        &first.lead, false);
  };
  int64_t tiles = kTiles(), lanes = domain_.block[kLast_] - (tiles - 1) * side_;
  if (domain_.steps(kLast_) <= 1 || !domain_.hasTail(kLast_)) return run(tiles, lanes);
  int64_t rest = domain_.dims[kLast_] % domain_.block[kLast_], restTiles = llvm::divideCeil(rest, side_);
  Value isLast = c_.cmp(arith::CmpIPredicate::eq, c_.value(step.index[kLast_]), c_.i64(domain_.steps(kLast_) - 1));
  c_.ifThen(isLast, [&] { run(restTiles, rest - (restTiles - 1) * side_); }, [&] { run(tiles, lanes); });
}

// Column groups of this block; the last block's are fewer.
Value DotKernel::groupTrip() {
  if (groupsLeft_) return groupsLeft_;
  if (domain_.steps(n_) <= 1 || !domain_.hasTail(n_)) return c_.i64(groups_);
  int64_t wide = across_ * side_, total = llvm::divideCeil(domain_.dims[n_], wide);
  if (domain_.block[n_] % wide) return c_.i64(groups_);
  Value left = c_.b.createOrFold<arith::SubIOp>(c_.loc, c_.i64(total), c_.value(body_->blockIndex[n_] * groups_));
  return c_.min(left, c_.i64(groups_));
}

// Where the `index`th of a block's outer points is.
void DotKernel::setOuter(Point &at, const Linear &index) {
  Linear rest = index;
  int64_t left = outerTrips();
  const SmallVector<int64_t> dims = outerDims();
  for (int64_t d : llvm::reverse(dims)) {
    const int64_t trips = outerTrips(d);
    at.at[d] = (trips == left ? rest : c_.remL(rest, trips)) * (d == lastOuter() ? wide_ : 1);
    if (trips == left) rest = Linear(0);
    rest = c_.divL(rest, trips);
    left /= trips;
  }
}

// The first tile of unit `i` of those at a point of the dims around.
DotKernel::Tile DotKernel::firstTileOf(const Point &lead, const Linear &i) {
  const int64_t tiles = tilesOfUnit();
  Tile t{lead,
         overAll()      ? c_.remL(i, groups_)
         : overGroups() ? i
                        : Linear(0),
         lead,
         ends()       ? kLeft_
         : tiles == 1 ? Linear(lastLanes() + (deep_ - 1) * side_)
                      : Linear(deep_ * side_),
         Linear(0)};
  if (overAll())
    setOuter(t.lead, c_.divL(i, groups_));
  else if (!overGroups())
    t.lead.at[lastOuter()] = i * wide_;
  t.sums = sumsOf(i, t.group, t.lead);
  t.k.at[kLast_] = Linear(0);
  for (int64_t d : kLead_) t.k.at[d] = Linear(0);
  return t;
}

// Pushes unit `i`, and pops the results of one: its own, or, where units overlap, of that which began `ring_ - 1`
// before.
void DotKernel::emitUnit(const Units &units, Value i) {
  Tile t = firstTileOf(units.lead, c_.linear(i));
  auto stageNext = [&] {
    if (!units.isOne) stageWeights(firstTileOf(units.lead, c_.linear(c_.min(c_.add(i, c_.i64(1)), units.last))));
  };
  // Before the first units' come those of the first with other sums, still zero: what they store is stored again.
  Results leaving = resultsOf(t);
  if (units.overlap) {
    leaving = resultsOf(firstTileOf(units.lead, c_.linear(c_.max(c_.add(i, c_.i64(1 - ring_)), c_.i64(0)))));
    leaving.sums = c_.remL(c_.linear(i) + Linear(1), ring_) * groupSums();
    leaving.apart = true;
  }
  const bool among = units.overlap && popsAmongPushes_;
  if (ends())
    emitTilesLeft(t, stageNext, among ? &leaving : nullptr);
  else
    emitTiles(t, tilesOfUnit(), lastLanes(), stageNext, among ? &leaving : nullptr);
  if (!kSplit_ && !among) popRows(leaving);
}

// All units at a point of the dims around, one after the other; each stages the next one's first weights.
void DotKernel::emitUnitsAt(const Point &lead, const Step &step) {
  const bool ragged = isRagged();
  Units units{lead, overAll() || !overGroups() ? c_.i64(unitTrips()) : groupTrip()};
  if (!ragged) stageWeights(firstTileOf(lead, Linear(0)));
  APInt known;
  units.isOne = matchPattern(units.count, m_ConstantInt(&known)) && known.getSExtValue() == 1;
  units.last = c_.add(units.count, c_.i64(-1));
  units.overlap = ring_ > 1 && !units.isOne && !ragged;
  auto popFrom = [&](Value first) {
    c_.loop(first, units.count, 1, {}, [&](Value iv, ValueRange) {
      popRows(resultsOf(firstTileOf(lead, c_.linear(iv))));
      return SmallVector<Value>();
    });
  };
  c_.loop(c_.i64(0), units.count, 1, {}, [&](Value iv, ValueRange) {
    if (ragged) {
      Tile t = firstTileOf(lead, c_.linear(iv));
      emitRaggedTiles(step, t);
      if (!kSplit_) popRows(resultsOf(t));
    } else {
      emitUnit(units, iv);
    }
    return SmallVector<Value>();
  });
  if (units.overlap && ring_ == 2)
    popRows(resultsOf(firstTileOf(lead, c_.linear(units.last))));
  else if (units.overlap)
    popFrom(c_.max(c_.add(units.count, c_.i64(1 - ring_)), c_.i64(0)));
  if (kSplit_) c_.ifThen(step.last, [&] { popFrom(c_.i64(0)); });
}

// Units, groups and batches.
void DotKernel::emitUnits(const Step &step) {
  SmallVector<int64_t> around;
  if (!overAll()) around = outerDims();
  if (!overAll() && !overGroups()) around.pop_back();
  const SmallVector<int64_t> saved(domain_.block);
  const bool spreads = !overAll() && overGroups() && wide_ > 1;
  if (spreads) domain_.block[lastOuter()] /= wide_;  // walked by the arrays
  emitNest(
      c_, domain_, step.index, around, 1, {},
      [&](const Point &at, ValueRange) {
        domain_.block = saved;
        Point lead = at;
        if (spreads) lead.at[lastOuter()] = lead.at[lastOuter()] * wide_;
        emitUnitsAt(lead, step);
        return SmallVector<Value>();
      },
      nullptr, false);
  domain_.block = saved;
}

void DotKernel::emitStep(const Step &step) {
  body_->blockIndex = step.index;
  for (Operand *o : {&rows_, &weights_}) bodyOf(*o).blockIndex = sourceBodyOf(*o).blockIndex = step.index;
  emitStages(step);
  if (ends()) findTilesLeft(step);
  findResultsLeft(step);
  if (domain_.dims[kLast_] > 0 && product(kLead_) > 0) return emitUnits(step);
  // Sums of nothing: the accumulators as they are, zero.
  Point origin;
  origin.at.assign(domain_.dims.size(), Linear(0));
  emitNest(c_, domain_, step.index, outerDims(), 1, {}, [&](const Point &lead, ValueRange) {
    c_.loop(c_.i64(0), groupTrip(), 1, {}, [&](Value iv, ValueRange) {
      popRows({lead, c_.linear(iv), Linear(0)});
      return SmallVector<Value>();
    });
    return SmallVector<Value>();
  });
}

LogicalResult DotKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  body_ = std::make_unique<Body>(c_, domain_);
  for (auto [arg, block] : llvm::zip(epilogueArgs_, space_.inputs)) body_->blocks[arg] = block.get();
  for (Operand *o : {&rows_, &weights_}) {
    bodies_[o == &weights_] = std::make_unique<Body>(c_, o->view);
    sourceBodies_[o == &weights_] = std::make_unique<Body>(c_, o->source);
    for (auto [arg, block] : llvm::zip(o->arrays, o->blocks))
      bodyOf(*o).blocks[arg] = sourceBodyOf(*o).blocks[arg] = block.get();
  }
  context_.gridSteps = grid_->parallelSteps();
  uint64_t flops = 2;
  for (int64_t extent : domain_.dims) flops *= extent;
  context_.flops = flops;
  GridEnds gridEnds(*grid_);
  if (ends()) gridEnds.add(kLast_, {end_, 1, 0});
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); }, &gridEnds);
  // Weights staged ahead of nothing are not the next kernel's.
  swap();
  return success();
}

LogicalResult lowerDotKernel(KernelContext &context, Code &code, Value start, Value count) {
  return DotKernel(context, code).run(start, count);
}

}  // namespace tpuc::lowering
