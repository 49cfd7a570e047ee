// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting in VMEM.
//
//  1. The low bits of the order are vregs, the high ones slots within them: position p of 2^n is vreg p mod vregs. Of
//     the network's steps, log2(vregs) to n for each, most then exchange whole vregs, and few permute lanes.
//  2. Every merge begins with mirrored exchanges (i with 2^k - 1 - i), so that all of them go up and no vreg needs a
//     mask of directions.
//  3. Two or three steps at a time are done in registers, on 4 or 8 vregs that they exchange with one another.
//  4. Where only the first few are kept, runs of as many vregs are sorted, and halved two by two.
//  5. At the end vregs and slots trade places, a bit at a time.
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

// Slot s gets slot s ^ by.
Value SortNetwork::permuted(Value v, Value by) const {
  Value splat = c_.inst("v.splat", {by});
  if (s_.lanes)
    v = c_.inst("x.perm.lane",
                {v, c_.inst("v.xor", {c_.inst("v.laneid", {}), c_.inst("v.and", {splat, c_.splatI(127)})})});
  if (!s_.sublanes) return v;
  Value sublanes = s_.lanes ? c_.inst("v.shr.u32", {splat, c_.splatI(7)}) : splat;
  return c_.inst("x.perm.sub", {v, c_.inst("v.xor", {c_.inst("v.subid", {}), sublanes})});
}

Value SortNetwork::isHigh(Value bit) const {
  return c_.inst("v.ne.i32", {c_.inst("v.and", {slots(), c_.inst("v.splat", {bit})}), c_.splatI(0)});
}

// Where the vreg lies that is number `vreg` of those that are left.
Linear SortNetwork::place(const Linear &vreg) const {
  if (!level_) return vreg;
  Value v = c_.value(vreg), run = shiftRight(v, c_.i64(runBits_));
  return Linear(shiftLeft(run, c_.add(level_, c_.i64(runBits_)))) +
         Linear(bitAnd(v, c_.i64((int64_t{1} << runBits_) - 1)));
}

// All vregs, 2^bits at a time: `at` says which make a group.
void SortNetwork::forGroups(int64_t bits, function_ref<SmallVector<Linear>(Value)> at,
                            function_ref<void(MutableArrayRef<Element>)> work) const {
  Value groups = level_ ? shiftRight(c_.i64(total() >> bits), level_) : c_.i64(total() >> bits);
  c_.loop(
      c_.i64(0), groups, 1, {},
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
void SortNetwork::mergeVregs(int64_t bits, Value stage) const {
  int64_t n = int64_t{1} << bits;
  Value rest = sub(stage, bits), size = shiftLeft(c_.i64(1), rest);
  auto places = [&](Value iv) {
    Value low = bitAnd(iv, sub(size, 1));
    Linear base = Linear(shiftLeft(shiftRight(iv, rest), stage));
    SmallVector<Linear> at;
    for (int64_t i = 0; i < n; ++i) {
      Linear within = i < n / 2 ? Linear(low) : Linear(size) + Linear(low) * -1 + Linear(-1);
      at.push_back(base + Linear(size) * i + within);
    }
    return at;
  };
  forGroups(bits, places, [&](MutableArrayRef<Element> e) {
    for (int64_t i = 0; i < n / 2; ++i) exchange(e[i], e[n - 1 - i]);
    for (int64_t j = n / 4; j > 0; j /= 2)
      for (int64_t i = 0; i < n; ++i)
        if (!(i & j)) exchange(e[i], e[i | j]);
  });
}

// Steps of 2^(from - 1), 2^(from - 2), ... 1 vregs; a step that was done before changes nothing.
void SortNetwork::cleanVregs(int64_t bits, Value from) const {
  int64_t n = int64_t{1} << bits;
  Value passes = c_.div(c_.add(from, c_.i64(bits - 1)), bits);
  c_.loop(c_.i64(0), passes, 1, {}, [&](Value pass, ValueRange) {
    Value left = c_.b.createOrFold<arith::SubIOp>(c_.loc, from, c_.mul(c_.add(pass, c_.i64(1)), bits));
    Value low = c_.max(left, c_.i64(0)), size = shiftLeft(c_.i64(1), low);
    auto places = [&](Value iv) {
      Linear base =
          Linear(shiftLeft(shiftRight(iv, low), c_.add(low, c_.i64(bits)))) + Linear(bitAnd(iv, sub(size, 1)));
      SmallVector<Linear> at;
      for (int64_t i = 0; i < n; ++i) at.push_back(base + Linear(size) * i);
      return at;
    };
    forGroups(bits, places, [&](MutableArrayRef<Element> e) {
      for (int64_t j = n / 2; j > 0; j /= 2)
        for (int64_t i = 0; i < n; ++i)
          if (!(i & j)) exchange(e[i], e[i | j]);
    });
    return SmallVector<Value>();
  });
}

// Slots s and s ^ by exchange; those with `bit` get the later element.
void SortNetwork::withinVregs(Value by, Value bit) const {
  Value high = isHigh(bit);
  c_.loop(
      c_.i64(0), c_.i64(total()), 1, {},
      [&](Value iv, ValueRange) {
        Element own = load(Linear(iv));
        keepFirst(own, Element(llvm::map_to_vector(own, [&](Value v) { return permuted(v, by); })), high);
        store(own, Linear(iv));
        return SmallVector<Value>();
      },
      true);
}

// The mirrored exchanges of two sequences in slots: vreg v of slot s with the last but v of slot s ^ mask.
void SortNetwork::mergeSlots(Value mask, Value top) const {
  if (s_.vregs == 1) return withinVregs(mask, top);
  Value high = isHigh(top);
  auto places = [&](Value iv) {
    int64_t half = s_.vregs / 2;
    Linear unit = c_.divL(Linear(iv), half) * s_.vregs, v = c_.remL(Linear(iv), half);
    return SmallVector<Linear>{unit + v, unit + v * -1 + Linear(s_.vregs - 1)};
  };
  forGroups(1, places, [&](MutableArrayRef<Element> e) {
    for (Value &v : e[1]) v = permuted(v, mask);
    exchange(e[0], e[1], high);
    for (Value &v : e[1]) v = permuted(v, mask);
  });
}

// Slots are the order's bits from vregBits() on; those that vregs are to trade places with come first.
Value SortNetwork::slotBit(Value b) const {
  int64_t m = s_.vregBits(), slots = s_.slotBits();
  Value slot = m > slots ? sub(b, m) : c_.select(c_.cmp(arith::CmpIPredicate::sge, b, c_.i64(slots)), sub(b, slots), b);
  return shiftLeft(c_.i64(1), slot);
}

// Runs of 2^end vregs, sorted.
void SortNetwork::mergeRuns(int64_t bits, int64_t end) {
  // The first of these merges has no steps left after it, and is less code than sorting as many vregs at once.
  if (bits > 1) sortGroups(bits - 1);
  int64_t from = std::max<int64_t>(bits, 1);
  if (from > end) return;
  c_.loop(c_.i64(from), c_.i64(end + 1), 1, {}, [&](Value stage, ValueRange) {
    mergeVregs(bits, stage);
    cleanVregs(bits, sub(stage, bits));
    return SmallVector<Value>();
  });
}

// Steps of the slots whose bits of the order are below `end`.
void SortNetwork::exchangeSlots(Value end) const {
  c_.loop(c_.i64(0), sub(end, s_.vregBits()), 1, {}, [&](Value step, ValueRange) {
    Value bit = slotBit(c_.b.createOrFold<arith::SubIOp>(c_.loc, sub(end, 1), step));
    withinVregs(bit, bit);
    return SmallVector<Value>();
  });
}

void SortNetwork::sort() {
  int64_t m = s_.vregBits(), n = s_.bits(), bits = groupBits();
  mergeRuns(bits, m);
  if (n <= m) return;
  c_.loop(c_.i64(m), c_.i64(n), 1, c_.i64(0), [&](Value b, ValueRange carried) {
    Value top = slotBit(b), mask = c_.add(carried[0], top);
    mergeSlots(mask, top);
    exchangeSlots(b);
    if (bits) cleanVregs(bits, c_.i64(m));
    return SmallVector<Value>{mask};
  });
}

void SortNetwork::mergeWithin() const {
  exchangeSlots(c_.i64(s_.bits()));
  if (groupBits()) cleanVregs(groupBits(), c_.i64(s_.vregBits()));
}

void SortNetwork::mergePieces(Value stage) const {
  Value half = sub(stage, 1), size = shiftLeft(c_.i64(1), half), mask = c_.i64((int64_t{1} << s_.slotBits()) - 1);
  auto places = [&](Value iv) {
    Linear low(bitAnd(iv, sub(size, 1))), base = Linear(shiftLeft(shiftRight(iv, half), stage));
    return SmallVector<Linear>{base + low, base + Linear(size) * 2 + low * -1 + Linear(-1)};
  };
  forGroups(1, places, [&](MutableArrayRef<Element> e) {
    for (Value &v : e[1]) v = permuted(v, mask);
    exchange(e[0], e[1]);
    for (Value &v : e[1]) v = permuted(v, mask);
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

// Of every two runs, the first of mirrored elements, where the first run lies.
void SortNetwork::halveRuns() const {
  int64_t run = int64_t{1} << runBits_;
  Value runs = shiftRight(c_.i64(total() / 2), level_);
  c_.loop(
      c_.i64(0), runs, 1, {},
      [&](Value iv, ValueRange) {
        Linear within = Linear(bitAnd(iv, c_.i64(run - 1))), first = Linear(iv) * 2 + within * -1;
        Linear at = place(first);
        Element a = load(at);
        keepFirst(a, load(place(first + within * -2 + Linear(2 * run - 1))));
        store(a, at);
        return SmallVector<Value>();
      },
      true);
}

// The same for the runs of slots s and s ^ bit, in both.
void SortNetwork::joinSlots(int64_t kept, Value bit) const {
  auto other = [&](const Element &e) { return llvm::map_to_vector<2>(e, [&](Value v) { return permuted(v, bit); }); };
  int64_t half = std::max<int64_t>(kept / 2, 1);
  c_.loop(
      c_.i64(0), c_.i64(s_.units * half), 1, {},
      [&](Value iv, ValueRange) {
        Linear unit = c_.divL(Linear(iv), half) * s_.vregs, v = c_.remL(Linear(iv), half);
        Element a = load(unit + v);
        if (kept == 1) {
          keepFirst(a, Element(other(a)));
          store(a, unit + v);
          return SmallVector<Value>();
        }
        Linear last = unit + v * -1 + Linear(kept - 1);
        Element b = load(last), fromA = Element(other(a)), fromB = Element(other(b));
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
  c_.loop(c_.i64(0), c_.i64(m - runBits_), 1, {}, [&](Value done, ValueRange) {
    level_ = done;
    halveRuns();
    level_ = c_.add(done, c_.i64(1));
    if (bits) cleanVregs(bits, c_.i64(runBits_));
    return SmallVector<Value>();
  });
  level_ = {};
}

void SortNetwork::joinRuns(int64_t kept) {
  int64_t m = s_.vregBits();
  runBits_ = llvm::Log2_64(kept);
  int64_t bits = std::min(groupBits(), runBits_);
  level_ = c_.i64(m - runBits_);
  if (s_.slotBits())
    c_.loop(c_.i64(m), c_.i64(s_.bits()), 1, {}, [&](Value b, ValueRange) {
      joinSlots(kept, slotBit(b));
      if (bits) cleanVregs(bits, c_.i64(runBits_));
      return SmallVector<Value>();
    });
  level_ = {};
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
  if (groupBits()) cleanVregs(groupBits(), c_.i64(s_.vregBits()));
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

void SortNetwork::settle(ArrayRef<int64_t> values) {
  int64_t trades = std::min(s_.vregBits(), s_.slotBits());
  if (trades == 0) return;
  c_.loop(c_.i64(0), c_.i64(trades), 1, {}, [&](Value i, ValueRange) {
    Value bit = shiftLeft(c_.i64(1), i), high = isHigh(bit);
    c_.loop(
        c_.i64(0), c_.i64(total() / 2), 1, {},
        [&](Value iv, ValueRange) {
          Value within = bitAnd(iv, sub(bit, 1));
          Linear first = Linear(iv) * 2 + Linear(within) * -1, second = first + Linear(bit);
          for (int64_t k : values) {
            Value a = c_.load(wordOf(k, first), 1, regionOf(k)), b = c_.load(wordOf(k, second), 1, regionOf(k));
            Value fromA = permuted(a, bit), fromB = permuted(b, bit);
            c_.store(c_.inst("v.sel", {high, fromB, a}), wordOf(k, first), 1, regionOf(k));
            c_.store(c_.inst("v.sel", {high, b, fromA}), wordOf(k, second), 1, regionOf(k));
          }
          return SmallVector<Value>();
        },
        true);
    return SmallVector<Value>();
  });
}

Value SortNetwork::placeOf(Value v) const {
  int64_t m = s_.vregBits(), extra = m - s_.slotBits();
  if (extra <= 0 || s_.slotBits() == 0) return v;
  Value low = bitAnd(v, c_.i64((int64_t{1} << extra) - 1));
  return c_.add(shiftLeft(low, c_.i64(s_.slotBits())), shiftRight(v, c_.i64(extra)));
}

}  // namespace tpuc::lowering
