// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting in VMEM by a bitonic network.
//
//  1. The low bits of a position in the order name a row, the high bits a slot of it. Rows are vregs, or where all of a
//     vreg's sublanes are of one sequence, words: then slots are lanes. Most steps of the network exchange positions
//     that differ in low bits, and so whole rows. Few permute lanes.
//  2. Every merge begins with mirrored exchanges (i with 2^k - 1 - i). All exchanges then go up, and no vreg needs a
//     mask of directions.
//  3. Up to four steps at a time are done in registers, on up to 16 vregs that they exchange with one another.
//  4. Where only the first k elements are kept, runs of k vregs are sorted, each slot by itself. Of every two runs the
//     first half is kept.
//  5. At the end rows and slots trade places, a bit at a time, so that elements lie in order.
#include "passes/lowering/sort/sort_network.h"

using namespace mlir;

namespace tpuc::lowering {

Value SortNetwork::shiftLeft(Value a, Value by) const { return c_.b.createOrFold<arith::ShLIOp>(c_.loc, a, by); }
Value SortNetwork::shiftRight(Value a, Value by) const { return c_.b.createOrFold<arith::ShRUIOp>(c_.loc, a, by); }
Value SortNetwork::bitAnd(Value a, Value b) const { return c_.b.createOrFold<arith::AndIOp>(c_.loc, a, b); }
Value SortNetwork::sub(Value a, int64_t b) const { return c_.b.createOrFold<arith::SubIOp>(c_.loc, a, c_.i64(b)); }

Value SortNetwork::slots() const {
  if (!s_.sublanes) return s_.lanes ? c_.inst("v.laneid", {}) : c_.splatI(0);
  Value sublane = c_.inst("v.subid", {});
  return s_.lanes ? c_.inst("v.add.i32", {c_.inst("v.shl", {sublane, c_.splatI(7)}), c_.inst("v.laneid", {})})
                  : sublane;
}

// Bits that slots are to have at the end are the highest of a row's number: then all others are in place.
SortRows SortNetwork::rows() const {
  SortRows r{s_.units, s_.rowBits(), s_.hasWordRows()};
  r.turned = tradedSlotBits() ? std::max<int64_t>(r.bits - tradedSlotBits(), 0) : 0;
  return r;
}

Value SortNetwork::load(int64_t value, const SortRows &rows, const Spot &spot) const {
  return c_.load(wordOf(value, Linear(0)) + wordOf(rows, spot.row), spot.stride, regionOf(value));
}

void SortNetwork::store(Value v, int64_t value, const SortRows &rows, const Spot &spot) const {
  c_.store(v, wordOf(value, Linear(0)) + wordOf(rows, spot.row), spot.stride, regionOf(value));
}

SortNetwork::Element SortNetwork::load(const SortRows &rows, const Spot &spot) const {
  Element e;
  for (int64_t i = 0; i < values_; ++i) e.push_back(load(i, rows, spot));
  return e;
}

void SortNetwork::store(const Element &e, const SortRows &rows, const Spot &spot) const {
  for (int64_t i = 0; i < values_; ++i) store(e[i], i, rows, spot);
}

// `rest` may be `b`.
void SortNetwork::meet(Element &a, const Element &b, Element *rest, Value high, bool isInPlace) const {
  auto choose = [&](Value mask, Value x, Value y) { return mask ? c_.inst("v.sel", {mask, y, x}) : x; };
  if (!order_.low.empty()) {
    Value low = c_.inst(order_.low, {a[0], b[0]}), up = high || rest ? c_.inst(order_.high, {a[0], b[0]}) : Value();
    a[0] = choose(high, low, up);
    if (rest) (*rest)[0] = choose(high, up, low);
    return;
  }
  Value swap = isInPlace && order_.overtakes ? order_.overtakes(b, a) : order_.before(b, a);
  if (high) swap = c_.inst("m.xor", {swap, high});
  for (size_t k = 0; k < a.size(); ++k) {
    Value x = a[k], y = b[k];
    a[k] = choose(swap, x, y);
    if (rest) (*rest)[k] = choose(swap, y, x);
  }
}

// The lanes and the sublanes that each slot s takes its element from when it trades with slot s ^ by; null: its own.
SortNetwork::Trade SortNetwork::tradeOf(int64_t by) const {
  int64_t lanes = s_.lanes ? by & 127 : 0, sublanes = s_.lanes ? by >> 7 : by;
  Trade t;
  if (lanes) t.lanes = c_.inst("v.xor", {c_.inst("v.laneid", {}), c_.splatI(lanes)});
  if (sublanes) t.sublanes = c_.inst("v.xor", {c_.inst("v.subid", {}), c_.splatI(sublanes)});
  return t;
}

Value SortNetwork::traded(Value v, const Trade &t) const {
  if (t.lanes) v = c_.inst("x.perm.lane", {v, t.lanes});
  return t.sublanes ? c_.inst("x.perm.sub", {v, t.sublanes}) : v;
}

SortNetwork::Element SortNetwork::traded(const Element &e, const Trade &t) const {
  return Element(llvm::map_to_vector(e, [&](Value v) { return traded(v, t); }));
}

Value SortNetwork::isHigh(int64_t bit) const {
  return c_.inst("v.ne.i32", {c_.inst("v.and", {slots(), c_.splatI(bit)}), c_.splatI(0)});
}

// halveRuns() leaves one run of every 2^level: where the vreg lies that is number `vreg` of what is left.
Linear SortNetwork::place(const Linear &vreg) const {
  if (!level_) return vreg;
  int64_t run = int64_t{1} << runBits_;
  return c_.divL(vreg, run) * (run << level_) + c_.remL(vreg, run);
}

// All vregs, 2^bits at a time: `at` says which make a group.
void SortNetwork::forSpots(int64_t bits, const SortRows &rows, function_ref<SmallVector<Spot>(Value)> at,
                           Work work) const {
  c_.loop(
      c_.i64(0), c_.i64(total() >> bits >> level_), 1, {},
      [&](Value iv, ValueRange) {
        SmallVector<Spot> spots = at(iv);
        SmallVector<Element> group = llvm::map_to_vector(spots, [&](const Spot &s) { return load(rows, s); });
        work(group);
        for (auto [e, s] : llvm::zip(group, spots)) store(e, rows, s);
        return SmallVector<Value>();
      },
      true);
}

// Steps of a merge between rows in registers, the last one of rows that are `last` apart.
void SortNetwork::exchangeRows(MutableArrayRef<Element> e, size_t last) const {
  for (size_t j = e.size() / 2; j >= last; j /= 2)
    for (size_t i = 0; i < e.size(); ++i)
      if (!(i & j)) exchange(e[i], e[i | j]);
}

// The lowest bits of the order, sorted.
void SortNetwork::sortGroups(const SortRows &rows, int64_t bits) const {
  forGroups(rows, rows.group(bits, bits, SortRows::Mirror::None), [&](MutableArrayRef<Element> e) {
    int64_t n = e.size();
    for (int64_t stage = 1; stage <= bits; ++stage)
      for (int64_t k = int64_t{1} << stage, j = k / 2; j > 0; j /= 2)
        for (int64_t i = 0; i < n; ++i) {
          const bool isMerge = j == k / 2;
          const int64_t other = isMerge ? i ^ (k - 1) : i ^ j;
          if (other > i) exchangeRuns(e[i], e[other], isMerge && rows.areRunsInPlace(stage));
        }
  });
}

// The first steps, up to `bits`, of merging 2^stage rows: the mirrored one and those after it. How many they are.
int64_t SortNetwork::mergeRows(const SortRows &rows, int64_t bits, int64_t stage) const {
  const int64_t now = rows.mostOf(stage, bits, SortRows::Mirror::Highest), n = int64_t{1} << now;
  forGroups(rows, rows.group(stage, now, SortRows::Mirror::Highest), [&](MutableArrayRef<Element> e) {
    for (int64_t i = 0; i < n / 2; ++i) exchangeRuns(e[i], e[n - 1 - i], rows.areRunsInPlace(stage));
    exchangeRows(e.take_front(n / 2));
    exchangeRows(e.drop_front(n / 2));
  });
  return now;
}

// Steps of 2^(from - 1), 2^(from - 2), ... 1 rows, up to `bits` a pass, about as many in each.
void SortNetwork::cleanRows(const SortRows &rows, int64_t bits, int64_t from) const {
  while (from > 0) {
    const int64_t passes = llvm::divideCeil(from, bits);
    const int64_t now = rows.mostOf(from, llvm::divideCeil(from, passes), SortRows::Mirror::None);
    forGroups(rows, rows.group(from, now, SortRows::Mirror::None),
              [&](MutableArrayRef<Element> e) { exchangeRows(e); });
    from -= now;
  }
}

SmallVector<SortNetwork::SlotCode> SortNetwork::codesOf(ArrayRef<SlotStep> steps) const {
  return llvm::map_to_vector(steps, [&](const SlotStep &s) { return SlotCode{tradeOf(s.by), isHigh(s.bit)}; });
}

void SortNetwork::apply(ArrayRef<SlotCode> steps, Element &own) const {
  for (const SlotCode &s : steps) keepFirst(own, traded(own, s.trade), s.high);
}

// Steps within vregs, each between slots s and s ^ by, of which those with `bit` get the later element. A vreg takes
// several while it is in registers.
void SortNetwork::withinVregs(ArrayRef<SlotStep> steps) const {
  const size_t most = slotStepsAtOnce();
  for (; !steps.empty(); steps = steps.drop_front(std::min(most, steps.size()))) {
    const auto codes = codesOf(steps.take_front(most));
    c_.loop(
        c_.i64(0), c_.i64(total()), 1, {},
        [&](Value iv, ValueRange) {
          Element own = load(Linear(iv));
          apply(codes, own);
          store(own, Linear(iv));
          return SmallVector<Value>();
        },
        true);
  }
}

// A merge of sequences in slots: slot s of a row meets slot s ^ mask of the mirrored row; then come the slots' bits of
// the order below `bit`, then those of rows. The first of each on vregs that are in registers, where these have room.
void SortNetwork::mergeSlots(int64_t mask, int64_t bit) const {
  const SortRows rows = this->rows();
  SmallVector<SlotStep> steps = slotStepsBelow(bit);
  const int64_t top = slotBit(bit), bits = groupBits();
  if (s_.vregs == 1) {
    steps.insert(steps.begin(), {mask, top});
    return withinVregs(steps);
  }
  const bool hasRoom = values_ <= 2;
  const ArrayRef<SlotStep> now = ArrayRef(steps).take_front(hasRoom ? slotStepsAtOnce() : 0);
  const int64_t rowBits = hasRoom ? rows.mostOf(rows.bits, std::min<int64_t>(bits, 4), SortRows::Mirror::Lowest) : 1;
  const bool goesOn = now.size() == steps.size();
  const int64_t left = rowBits < rows.bits ? rows.bits - rowBits + 1 : 0;  // which of rows that are mirrored too
  Value high = isHigh(top);
  Trade trade = tradeOf(mask);
  const auto codes = codesOf(now);
  forGroups(rows, rows.group(rows.bits, rowBits, SortRows::Mirror::Lowest), [&](MutableArrayRef<Element> e) {
    for (size_t i = 0; i < e.size() / 2; ++i) {
      Element &other = e[e.size() - 1 - i];
      other = traded(other, trade);
      exchange(e[i], other, high);
      other = traded(other, trade);
    }
    for (Element &own : e) apply(codes, own);
    if (goesOn) exchangeRows(e, left ? 2 : 1);
  });
  withinVregs(ArrayRef(steps).drop_front(now.size()));
  cleanRows(rows, bits, goesOn ? left : rows.bits);
}

// Slots are the order's bits behind those of rows; those that rows are to trade places with come first.
int64_t SortNetwork::slotBit(int64_t b) const {
  const int64_t m = rows().bits, slots = tradedSlotBits();
  return int64_t{1} << (m > slots ? b - m : b >= slots ? b - slots : b);
}

void SortNetwork::mergeRuns(const SortRows &rows, int64_t bits) {
  // The first of these merges has no steps left after it, and is less code than sorting as many vregs at once.
  if (bits > 1) sortGroups(rows, bits - 1);
  for (int64_t stage = std::max<int64_t>(bits, 1); stage <= rows.bits; ++stage)
    cleanRows(rows, bits, stage - mergeRows(rows, bits, stage));
}

// Steps of the slots whose bits of the order are below `end`.
SmallVector<SortNetwork::SlotStep> SortNetwork::slotStepsBelow(int64_t end) const {
  SmallVector<SlotStep> steps;
  for (int64_t b = end - 1; b >= rows().bits; --b) steps.push_back({slotBit(b), slotBit(b)});
  return steps;
}

void SortNetwork::sort() {
  const SortRows rows = this->rows();
  int64_t mask = 0, bits = groupBits();
  mergeRuns(rows, bits);
  for (int64_t b = rows.bits; b < s_.bits(); ++b) {
    mask += slotBit(b);
    mergeSlots(mask, b);
  }
}

void SortNetwork::mergeWithin() const {
  withinVregs(slotStepsBelow(s_.bits()));
  if (groupBits()) cleanRows(rows(), groupBits(), rows().bits);
}

void SortNetwork::mergePieces(Value stage) const {
  Value half = sub(stage, 1), size = shiftLeft(c_.i64(1), half);
  Trade trade = tradeOf((int64_t{1} << s_.slotBits()) - 1);
  auto places = [&](Value iv) {
    Linear low(bitAnd(iv, sub(size, 1))), base = Linear(shiftLeft(shiftRight(iv, half), stage));
    return SmallVector<Spot>{{base + low}, {base + Linear(size) * 2 + low * -1 + Linear(-1)}};
  };
  forSpots(1, {}, places, [&](MutableArrayRef<Element> e) {
    e[1] = traded(e[1], trade);
    exchange(e[0], e[1]);
    e[1] = traded(e[1], trade);
  });
}

void SortNetwork::exchangePieces(Value bit) const {
  Value size = shiftLeft(c_.i64(1), bit);
  auto places = [&](Value iv) {
    Value low = bitAnd(iv, sub(size, 1));
    Linear first = Linear(iv) * 2 + Linear(low) * -1;
    return SmallVector<Spot>{{first}, {first + Linear(size)}};
  };
  forSpots(1, {}, places, [&](MutableArrayRef<Element> e) { exchange(e[0], e[1]); });
}

// Makes one run of every two, where the first one lies: it keeps the first of each two mirrored elements.
void SortNetwork::halveRuns() const {
  int64_t run = int64_t{1} << runBits_;
  c_.loop(
      c_.i64(0), c_.i64(total() / 2 >> level_), 1, {},
      [&](Value iv, ValueRange) {
        Linear within = c_.remL(Linear(iv), run), first = Linear(iv) * 2 + within * -1;
        Linear at = place(first);
        Element a = load(at);
        keepFirst(a, load(place(first + within * -2 + Linear(2 * run - 1))));
        store(a, at);
        return SmallVector<Value>();
      },
      true);
}

// The same for the runs of slots s and s ^ bit, in both.
void SortNetwork::joinSlots(int64_t kept, int64_t bit) const {
  Trade trade = tradeOf(bit);
  int64_t half = std::max<int64_t>(kept / 2, 1);
  c_.loop(
      c_.i64(0), c_.i64(s_.units * half), 1, {},
      [&](Value iv, ValueRange) {
        Linear unit = c_.divL(Linear(iv), half) * s_.vregs, v = c_.remL(Linear(iv), half);
        Element a = load(unit + v);
        if (kept == 1) {
          keepFirst(a, traded(a, trade));
          store(a, unit + v);
          return SmallVector<Value>();
        }
        Linear last = unit + v * -1 + Linear(kept - 1);
        Element b = load(last), fromA = traded(a, trade), fromB = traded(b, trade);
        keepFirst(a, fromB);
        keepFirst(b, fromA);
        store(a, unit + v);
        store(b, last);
        return SmallVector<Value>();
      },
      true);
}

void SortNetwork::sortRuns(int64_t kept) {
  int64_t m = s_.vregBits();
  runBits_ = llvm::Log2_64(kept);
  int64_t bits = std::min(groupBits(), runBits_);
  mergeRuns(runs(), bits);
  for (level_ = 0; level_ < m - runBits_;) {
    halveRuns();
    ++level_;
    if (bits) cleanRows(runs(), bits, runBits_);
  }
  level_ = 0;
}

void SortNetwork::joinRuns(int64_t kept) {
  int64_t m = s_.vregBits();
  runBits_ = llvm::Log2_64(kept);
  int64_t bits = std::min(groupBits(), runBits_);
  level_ = m - runBits_;
  for (int64_t b = 0; b < s_.slotBits(); ++b) {
    joinSlots(kept, int64_t{1} << b);
    if (bits) cleanRows(runs(), bits, runBits_);
  }
  level_ = 0;
}

void SortNetwork::keepFirstRuns(const SortNetwork &other) {
  c_.loop(
      c_.i64(0), c_.i64(total()), 1, {},
      [&](Value iv, ValueRange) {
        Linear unit = c_.divL(Linear(iv), s_.vregs), within = c_.remL(Linear(iv), s_.vregs);
        Element a = load(Linear(iv));
        keepFirst(a, other.load(unit * other.s_.vregs + within * -1 + Linear(s_.vregs - 1)));
        store(a, Linear(iv));
        return SmallVector<Value>();
      },
      true);
  const SortRows rows{s_.units, s_.vregBits()};
  if (groupBits()) cleanRows(rows, groupBits(), rows.bits);
}

void SortNetwork::fill(ArrayRef<uint32_t> element) const {
  Element e = llvm::map_to_vector(element, [&](uint32_t bits) { return c_.splatBits(bits); });
  c_.loop(
      c_.i64(0), c_.i64(total()), 1, {},
      [&](Value iv, ValueRange) { return store(e, c_.linear(iv)), SmallVector<Value>(); }, true);
}

void SortNetwork::gatherFirst(int64_t n, ArrayRef<int64_t> values) const {
  if (s_.slotBits() == 0) return;
  int64_t most = int64_t{1} << s_.slotBits();
  Value numbers = slots();
  c_.loop(c_.i64(0), c_.i64(s_.units), 1, {}, [&](Value unit, ValueRange) {
    for (int64_t first = 0; first < n; first += most) {
      SmallVector<Value> none(values.size(), c_.splatI(0));
      SmallVector<Value> found = c_.loop(
          c_.i64(0), c_.i64(std::min(most, n - first)), 1, none,
          [&](Value i, ValueRange carried) {
            Value mine = c_.inst("v.eq.i32", {numbers, c_.inst("v.splat", {i})});
            SmallVector<Value> next;
            for (auto [k, v] : llvm::zip(values, carried))
              next.push_back(c_.inst(
                  "v.sel",
                  {mine, c_.load(wordOf(k, Linear(unit) * s_.vregs + Linear(first) + Linear(i)), 1, regionOf(k)), v}));
            return next;
          },
          true);
      for (auto [k, v] : llvm::zip(values, found))
        c_.store(v, wordOf(k, Linear(unit) * s_.vregs + Linear(first / most)), 1, regionOf(k));
    }
    return SmallVector<Value>();
  });
}

// Up to three bits at a time, on 8 vregs in registers.
void SortNetwork::settle(ArrayRef<int64_t> values) {
  constexpr int64_t kMost = 3;
  const SortRows rows = this->rows();
  const int64_t trades = std::min(rows.bits, tradedSlotBits());
  for (int64_t low = 0; low < trades; low += kMost) {
    const int64_t bits = std::min(kMost, trades - low);
    SmallVector<SlotStep> steps;
    for (int64_t i = low; i < low + bits; ++i) steps.push_back({int64_t{1} << i, int64_t{1} << i});
    const auto codes = codesOf(steps);
    const SortRows::Group group = rows.neighbours(rows.turned + low, bits);
    c_.loop(
        c_.i64(0), c_.i64(total() >> bits), 1, {},
        [&](Value iv, ValueRange) {
          const auto spots = rows.spots(c_, group, iv);
          for (int64_t k : values) {
            SmallVector<Value> v = llvm::map_to_vector(spots, [&](const Spot &s) { return load(k, rows, s); });
            for (int64_t bit = 0; bit < bits; ++bit)
              for (size_t i = 0; i < v.size(); ++i)
                if (size_t other = i | size_t{1} << bit; other != i) tradeBit(v[i], v[other], codes[bit]);
            for (auto [value, s] : llvm::zip(v, spots)) store(value, k, rows, s);
          }
          return SmallVector<Value>();
        },
        true);
  }
}

// Slots of `a` that are high trade places with those of `b` that are not.
void SortNetwork::tradeBit(Value &a, Value &b, const SlotCode &code) const {
  Value moved = traded(c_.inst("v.sel", {code.high, a, b}), code.trade);
  a = c_.inst("v.sel", {code.high, moved, a});
  b = c_.inst("v.sel", {code.high, b, moved});
}

}  // namespace tpuc::lowering
