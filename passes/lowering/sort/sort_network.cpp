// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting in VMEM by a bitonic network.
//
//  1. Position p of the order lies in vreg p mod vregs, in slot p / vregs of it: the low bits of p name a vreg, the
//     high bits a slot. Most steps of the network exchange positions that differ in low bits, and so whole vregs. Few
//     permute lanes.
//  2. Every merge begins with mirrored exchanges (i with 2^k - 1 - i). All exchanges then go up, and no vreg needs a
//     mask of directions.
//  3. Up to four steps at a time are done in registers, on up to 16 vregs that they exchange with one another.
//  4. Where only the first k elements are kept, runs of k vregs are sorted, each slot by itself. Of every two runs the
//     first half is kept.
//  5. At the end vregs and slots trade places, a bit at a time, so that elements lie in order.
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

SortNetwork::Element SortNetwork::load(const Linear &vreg) const {
  Element e;
  for (int64_t i = 0; i < values_; ++i) e.push_back(c_.load(wordOf(i, vreg), 1, regionOf(i)));
  return e;
}

void SortNetwork::store(const Element &e, const Linear &vreg) const {
  for (int64_t i = 0; i < values_; ++i) c_.store(e[i], wordOf(i, vreg), 1, regionOf(i));
}

// `rest` may be `b`.
void SortNetwork::meet(Element &a, const Element &b, Element *rest, Value high) const {
  auto choose = [&](Value mask, Value x, Value y) { return mask ? c_.inst("v.sel", {mask, y, x}) : x; };
  if (!order_.low.empty()) {
    Value low = c_.inst(order_.low, {a[0], b[0]}), up = high || rest ? c_.inst(order_.high, {a[0], b[0]}) : Value();
    a[0] = choose(high, low, up);
    if (rest) (*rest)[0] = choose(high, up, low);
    return;
  }
  Value swap = order_.before(b, a);
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
void SortNetwork::forGroups(int64_t bits, function_ref<SmallVector<Linear>(Value)> at,
                            function_ref<void(MutableArrayRef<Element>)> work) const {
  c_.loop(
      c_.i64(0), c_.i64(total() >> bits >> level_), 1, {},
      [&](Value iv, ValueRange) {
        SmallVector<Linear> places = llvm::map_to_vector(at(iv), [&](const Linear &vreg) { return place(vreg); });
        SmallVector<Element> group = llvm::map_to_vector(places, [&](const Linear &p) { return load(p); });
        work(group);
        for (auto [e, p] : llvm::zip(group, places)) store(e, p);
        return SmallVector<Value>();
      },
      true);
}

// Vregs that lie side by side, sorted.
void SortNetwork::sortGroups(int64_t bits) const {
  auto places = [&](Value iv) {
    SmallVector<Linear> at;
    for (int64_t i = 0; i < int64_t{1} << bits; ++i) at.push_back(Linear(iv) * (int64_t{1} << bits) + Linear(i));
    return at;
  };
  forGroups(bits, places, [&](MutableArrayRef<Element> e) {
    int64_t n = e.size();
    for (int64_t k = 2; k <= n; k *= 2)
      for (int64_t j = k / 2; j > 0; j /= 2)
        for (int64_t i = 0; i < n; ++i) {
          int64_t other = j == k / 2 ? i ^ (k - 1) : i ^ j;
          if (other > i) exchange(e[i], e[other]);
        }
  });
}

// The first `bits` steps of merging 2^stage vregs: the mirrored one and those after it.
void SortNetwork::mergeVregs(int64_t bits, int64_t stage) const {
  int64_t n = int64_t{1} << bits, size = int64_t{1} << (stage - bits);
  auto places = [&](Value iv) {
    Linear low = c_.remL(Linear(iv), size), base = c_.divL(Linear(iv), size) * (n * size);
    SmallVector<Linear> at;
    for (int64_t i = 0; i < n; ++i)
      at.push_back(base + Linear(size * i) + (i < n / 2 ? low : low * -1 + Linear(size - 1)));
    return at;
  };
  forGroups(bits, places, [&](MutableArrayRef<Element> e) {
    for (int64_t i = 0; i < n / 2; ++i) exchange(e[i], e[n - 1 - i]);
    for (int64_t j = n / 4; j > 0; j /= 2)
      for (int64_t i = 0; i < n; ++i)
        if (!(i & j)) exchange(e[i], e[i | j]);
  });
}

// Steps of 2^(from - 1), 2^(from - 2), ... 1 vregs, up to `bits` a pass, about as many in each.
void SortNetwork::cleanVregs(int64_t bits, int64_t from) const {
  for (int64_t passes = llvm::divideCeil(from, std::max<int64_t>(bits, 1)); passes > 0; --passes) {
    int64_t now = llvm::divideCeil(from, passes), n = int64_t{1} << now, size = int64_t{1} << (from - now);
    auto places = [&](Value iv) {
      Linear base = c_.divL(Linear(iv), size) * (n * size) + c_.remL(Linear(iv), size);
      SmallVector<Linear> at;
      for (int64_t i = 0; i < n; ++i) at.push_back(base + Linear(size * i));
      return at;
    };
    forGroups(now, places, [&](MutableArrayRef<Element> e) {
      for (int64_t j = n / 2; j > 0; j /= 2)
        for (int64_t i = 0; i < n; ++i)
          if (!(i & j)) exchange(e[i], e[i | j]);
    });
    from -= now;
  }
}

// Steps within vregs, each between slots s and s ^ by, of which those with `bit` get the later element. A vreg takes
// several while it is in registers.
void SortNetwork::withinVregs(ArrayRef<SlotStep> steps) const {
  const size_t most = values_ == 1 ? 5 : values_ <= 3 ? 3 : 1;
  for (; !steps.empty(); steps = steps.drop_front(std::min(most, steps.size()))) {
    auto now = steps.take_front(most);
    auto trades = llvm::map_to_vector(now, [&](const SlotStep &s) { return tradeOf(s.by); });
    auto highs = llvm::map_to_vector(now, [&](const SlotStep &s) { return isHigh(s.bit); });
    c_.loop(
        c_.i64(0), c_.i64(total()), 1, {},
        [&](Value iv, ValueRange) {
          Element own = load(Linear(iv));
          for (auto [trade, high] : llvm::zip(trades, highs)) keepFirst(own, traded(own, trade), high);
          store(own, Linear(iv));
          return SmallVector<Value>();
        },
        true);
  }
}

// The mirrored exchanges of sequences in slots: slot s of vreg v with slot s ^ mask of vreg vregs - 1 - v.
void SortNetwork::mergeSlots(int64_t mask, int64_t top) const {
  if (s_.vregs == 1) return withinVregs(SlotStep{mask, top});
  Value high = isHigh(top);
  Trade trade = tradeOf(mask);
  auto places = [&](Value iv) {
    int64_t half = s_.vregs / 2;
    Linear first(iv), unit;
    if (s_.units > 1) {
      unit = c_.divL(first, half) * s_.vregs;
      first = c_.remL(first, half);
    }
    return SmallVector<Linear>{unit + first, unit + first * -1 + Linear(s_.vregs - 1)};
  };
  forGroups(1, places, [&](MutableArrayRef<Element> e) {
    e[1] = traded(e[1], trade);
    exchange(e[0], e[1], high);
    e[1] = traded(e[1], trade);
  });
}

// Slots are the order's bits from vregBits() on; those that vregs are to trade places with come first.
int64_t SortNetwork::slotBit(int64_t b) const {
  int64_t m = s_.vregBits(), slots = s_.slotBits();
  return int64_t{1} << (m > slots ? b - m : b >= slots ? b - slots : b);
}

// Runs of 2^end vregs, sorted.
void SortNetwork::mergeRuns(int64_t bits, int64_t end) {
  // The first of these merges has no steps left after it, and is less code than sorting as many vregs at once.
  if (bits > 1) sortGroups(bits - 1);
  int64_t from = std::max<int64_t>(bits, 1);
  for (int64_t stage = from; stage <= end; ++stage) {
    mergeVregs(bits, stage);
    cleanVregs(bits, stage - bits);
  }
}

// Steps of the slots whose bits of the order are below `end`.
void SortNetwork::exchangeSlots(int64_t end) const {
  SmallVector<SlotStep> steps;
  for (int64_t b = end - 1; b >= s_.vregBits(); --b) steps.push_back({slotBit(b), slotBit(b)});
  withinVregs(steps);
}

void SortNetwork::sort() {
  int64_t m = s_.vregBits(), mask = 0, bits = groupBits();
  mergeRuns(bits, m);
  for (int64_t b = m; b < s_.bits(); ++b) {
    mask += slotBit(b);
    mergeSlots(mask, slotBit(b));
    exchangeSlots(b);
    if (bits) cleanVregs(bits, m);
  }
}

void SortNetwork::mergeWithin() const {
  exchangeSlots(s_.bits());
  if (groupBits()) cleanVregs(groupBits(), s_.vregBits());
}

void SortNetwork::mergePieces(Value stage) const {
  Value half = sub(stage, 1), size = shiftLeft(c_.i64(1), half);
  Trade trade = tradeOf((int64_t{1} << s_.slotBits()) - 1);
  auto places = [&](Value iv) {
    Linear low(bitAnd(iv, sub(size, 1))), base = Linear(shiftLeft(shiftRight(iv, half), stage));
    return SmallVector<Linear>{base + low, base + Linear(size) * 2 + low * -1 + Linear(-1)};
  };
  forGroups(1, places, [&](MutableArrayRef<Element> e) {
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
    return SmallVector<Linear>{first, first + Linear(size)};
  };
  forGroups(1, places, [&](MutableArrayRef<Element> e) { exchange(e[0], e[1]); });
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
  mergeRuns(bits, runBits_);
  for (level_ = 0; level_ < m - runBits_;) {
    halveRuns();
    ++level_;
    if (bits) cleanVregs(bits, runBits_);
  }
  level_ = 0;
}

void SortNetwork::joinRuns(int64_t kept) {
  int64_t m = s_.vregBits();
  runBits_ = llvm::Log2_64(kept);
  int64_t bits = std::min(groupBits(), runBits_);
  level_ = m - runBits_;
  for (int64_t b = m; s_.slotBits() && b < s_.bits(); ++b) {
    joinSlots(kept, slotBit(b));
    if (bits) cleanVregs(bits, runBits_);
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
  if (groupBits()) cleanVregs(groupBits(), s_.vregBits());
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
  int64_t trades = std::min(s_.vregBits(), s_.slotBits());
  for (int64_t low = 0; low < trades; low += kMost) {
    int64_t bits = std::min(kMost, trades - low), size = int64_t{1} << low;
    SmallVector<Trade> trade;
    SmallVector<Value> highs;
    for (int64_t i = low; i < low + bits; ++i) {
      trade.push_back(tradeOf(int64_t{1} << i));
      highs.push_back(isHigh(int64_t{1} << i));
    }
    c_.loop(
        c_.i64(0), c_.i64(total() >> bits), 1, {},
        [&](Value iv, ValueRange) {
          Linear within = c_.remL(Linear(iv), size), first = c_.divL(Linear(iv), size) * (size << bits) + within;
          for (int64_t k : values) {
            SmallVector<Value> v;
            for (int64_t i = 0; i < int64_t{1} << bits; ++i)
              v.push_back(c_.load(wordOf(k, first + Linear(i * size)), 1, regionOf(k)));
            for (int64_t bit = 0; bit < bits; ++bit)
              for (size_t i = 0; i < v.size(); ++i)
                if (size_t other = i | size_t{1} << bit; other != i) tradeBit(v[i], v[other], trade[bit], highs[bit]);
            for (auto [i, value] : llvm::enumerate(v))
              c_.store(value, wordOf(k, first + Linear(static_cast<int64_t>(i) * size)), 1, regionOf(k));
          }
          return SmallVector<Value>();
        },
        true);
  }
}

// Slots of `a` that are high trade places with those of `b` that are not.
void SortNetwork::tradeBit(Value &a, Value &b, const Trade &trade, Value high) const {
  Value fromA = traded(a, trade), fromB = traded(b, trade);
  a = c_.inst("v.sel", {high, fromB, a});
  b = c_.inst("v.sel", {high, b, fromA});
}

Value SortNetwork::placeOf(Value v) const {
  int64_t m = s_.vregBits(), extra = m - s_.slotBits();
  if (extra <= 0 || s_.slotBits() == 0) return v;
  Value low = bitAnd(v, c_.i64((int64_t{1} << extra) - 1));
  return c_.add(shiftLeft(low, c_.i64(s_.slotBits())), shiftRight(v, c_.i64(extra)));
}

}  // namespace tpuc::lowering
