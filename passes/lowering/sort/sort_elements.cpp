// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort's elements: their way into the network's vregs, which of two comes first, and their way out.
#include "passes/lowering/sort/sort_codes.h"
#include "passes/lowering/sort/sort_kernel.h"

using namespace mlir;

namespace tpuc::lowering {

// The loops over a block's vregs, for each way in which elements lie.
class SortKernel::OperandWalk {
 public:
  OperandWalk(SortKernel &kernel, OperandBody body)
      : k_(kernel),
        c_(kernel.c_),
        body_(body),
        slots_(kernel.network().slots()),
        vregs_(kernel.part_ ? kernel.part_ : kernel.shape_.vregs),
        packs_(llvm::divideCeil(k_.domain_.block[k_.domain_.r()], k_.domain_.unitRows())),
        tiles_(llvm::divideCeil(k_.domain_.block[k_.domain_.c()], 128)) {}

  void rows() {
    loop(packs_, [&](const Linear &row) {
      loopToEnd(vregs_, 128, [&](const Linear &t) {
        for (int64_t sub = 0; sub < k_.groups_; ++sub)
          at(Point{{row, within(t, tiles_, vregs_)}, sub}, positionsFrom(t * 128),
             (row * k_.groups_ + Linear(sub)) * vregs_ + t);
      });
    });
  }

  void vector() {
    alongRows(Linear(0), vregs_, 1024, [&](const Linear &v, const Point &p) { at(p, positionsFrom(v * 1024), v); });
  }

  void columns() {
    loop(tiles_, [&](const Linear &tile) {
      alongRows(tile, vregs_, 8,
                [&](const Linear &v, const Point &p) { at(p, positionsFrom(v * 8), tile * vregs_ + v); });
    });
  }

  // A vreg's sublanes go to vregs of their own.
  void columnTiles() {
    loop(tiles_, [&](const Linear &tile) {
      Linear word = c_.divL(tile, 8) * (vregs_ * 8) + c_.remL(tile, 8);
      Value rows = c_.inst("v.subid", {});
      alongRows(tile, vregs_ / 8, 8, [&](const Linear &v, const Point &p) {
        at(p, c_.inst("v.add.i32", {rows, c_.splat(v * 8)}), word + v * 64);
      });
    });
  }

  void longRows() {
    loop(k_.shape_.units, [&](const Linear &row) {
      loopToEnd(vregs_, 1024, [&](const Linear &t) {
        Values lanes;
        Value positions = positionsFrom(t * 1024);
        Linear from = within(t, llvm::divideCeil(tiles_, 8), vregs_);
        for (auto &b : k_.inputs_)
          lanes.push_back(b ? c_.load(b->base + row + from * (8 * b->rowsHeld), b->rowsHeld, b->region) : positions);
        body_(lanes, positions, row * vregs_ + t);
      });
    });
  }

 private:
  void loop(int64_t n, function_ref<void(const Linear &)> inner, int64_t first = 0) {
    c_.loop(
        c_.i64(first), c_.i64(n), 1, {}, [&](Value iv, ValueRange) { return inner(c_.linear(iv)), Values(); }, true);
  }

  // So many elements a time: those that are all there without asking for the end, but in a cut sequence.
  void loopToEnd(int64_t n, int64_t elements, function_ref<void(const Linear &)> inner) {
    const int64_t whole = k_.way_ == Way::Whole ? std::min(n, k_.size_ / elements) : 0;
    k_.meetsEnd_ = false;
    loop(whole, inner);
    k_.meetsEnd_ = true;
    loop(n, inner, whole);
  }

  // Beyond the array all is padding: any of its vregs will do.
  Linear within(const Linear &i, int64_t held, int64_t n) {
    return held >= n || !k_.meetsEnd_ ? i : c_.linear(c_.min(c_.value(i), c_.i64(held - 1)));
  }

  Value positionsFrom(const Linear &first) {
    return c_.inst("v.add.i32", {slots_, c_.splat(k_.firstPosition_ + first)});
  }

  void at(const Point &p, Value positions, const Linear &vreg) {
    Values lanes;
    for (auto [i, v] : llvm::enumerate(k_.op_.getInputs()))
      lanes.push_back(k_.inputs_[i] ? k_.in_->evaluate(v, k_.map_, p) : positions);
    body_(lanes, positions, vreg);
    k_.in_->nextPoint();
  }

  // `vregs` of a column tile, of one group of rows each, which has so many elements.
  void alongRows(const Linear &tile, int64_t vregs, int64_t elements,
                 function_ref<void(const Linear &, const Point &)> each) {
    int64_t groups = std::min(k_.pack_, vregs);
    loopToEnd(vregs / groups, elements * groups, [&](const Linear &i) {
      for (int64_t sub = 0; sub < groups; ++sub) {
        Point p{{within(i, packs_, vregs / groups), tile}, sub};
        each(i * groups + Linear(sub), p);
      }
    });
  }

  SortKernel &k_;
  Code &c_;
  OperandBody body_;
  Value slots_;
  int64_t vregs_, packs_, tiles_;
};

void SortKernel::forOperands(OperandBody body) {
  OperandWalk walk(*this, body);
  switch (lie_) {
    case Lie::Rows:
      return walk.rows();
    case Lie::TurnedRows:
      return forTurnedOperands(body);
    case Lie::LongRows:
      return walk.longRows();
    case Lie::Vector:
      return walk.vector();
    case Lie::Columns:
      return walk.columns();
    case Lie::ColumnTiles:
      return walk.columnTiles();
  }
}

// Where greater codes go first, positions count down: of equal elements the first still goes first.
Value SortKernel::codeAt(ArrayRef<Value> lanes, Value at) {
  const SortOrder::Key &key = order_.keys()[0];
  if (order_.isDescending()) at = c_.inst("v.sub.i32", {c_.splatI(size_ - 1), at});
  if (code_ == SortCode::Float)
    return codeOf(c_, typeOf(op_.getInputs()[key.canonical]).getElementType(), lanes[key.canonical], at);
  Value high;
  if (order_.isOperand(key)) {
    high = c_.inst("v.shl", {lanes[key.operand], c_.splatI(16)});
    if (key.total) high = mirrorNegative(c_, high);
  } else {
    high = keyOf(c_, order_, 0, lanes);  // of bf16 as f32
  }
  return c_.inst("v.or", {c_.inst("v.and", {high, c_.splatBits(0xffff0000)}), at});
}

Value SortKernel::decoded(unsigned operand, Value code) {
  Value input = op_.getInputs()[operand];
  if (code_ == SortCode::Float) return elementOf(c_, typeOf(input).getElementType(), code);
  if (isPositions(input)) {
    Value at = c_.inst("v.and", {code, c_.splatI(0xffff)});
    return order_.isDescending() ? c_.inst("v.sub.i32", {c_.splatI(size_ - 1), at}) : at;
  }
  if (order_.keys()[0].total) code = mirrorNegative(c_, code);
  return c_.inst(order_.isUnsigned() ? "v.shr.u32" : "v.shr.s32", {code, c_.splatI(16)});
}

void SortKernel::put(ArrayRef<Value> lanes, Value at, const Linear &vreg) {
  Values values(values_);
  for (unsigned k = 0; k < keyAt_.size(); ++k)
    if (keyAt_[k] != positionAt_)
      values[keyAt_[k]] = code_ != SortCode::None ? codeAt(lanes, at) : keyOf(c_, order_, k, lanes);
  for (auto [i, place] : llvm::enumerate(operandAt_))
    if (place >= 0 && place < values_ && !values[place] && place != positionAt_)
      values[place] = typeOf(op_.getInputs()[i]).getElementType().isInteger(1) ? maskToInt(c_, lanes[i]) : lanes[i];
  if (positionAt_ >= 0) values[positionAt_] = at;
  // `last` comes after all keys. A NaN has the key right before it.
  if (few_ != Few::None)
    values[0] = c_.inst(order_.isDescending() ? "v.max.i32" : "v.min.i32",
                        {values[0], c_.splatBits(order_.isDescending() ? first_.last + 1 : first_.last - 1)});
  SortNetwork net = network();
  Value real = padded_ && meetsEnd_ ? c_.inst("v.lt.s32", {at, c_.splatI(size_)}) : Value();
  for (int64_t i = 0; i < values_; ++i) {
    bool key = order_.isSimple() && i == keyAt_[0] && i != positionAt_;
    if (real && i != positionAt_)
      values[i] = c_.inst(
          "v.sel", {real, values[i], key ? c_.splatBits(few_ != Few::None ? first_.last : lastKey()) : c_.splatI(0)});
    bool spread = lie_ == Lie::ColumnTiles;
    c_.store(values[i], spread ? vreg + net.wordOf(i, Linear(0)) : net.wordOf(i, vreg), spread ? 8 : 1,
             net.regionOf(i));
  }
}

// Whether keys are less than the greatest integer, so that one more tells equal keys by their positions.
bool SortKernel::isOneLess() {
  return positionAt_ >= 0 && order_.isSimple() && keyAt_[0] != positionAt_ && order_.isBelowMost();
}

// Bits of a key that no other comes after.
uint32_t SortKernel::lastKey() { return isOneLess() && !order_.isDescending() ? kOneLess : order_.lastKey(); }

// Strict and total: what the comparator says of one way only, else the position.
Value SortKernel::before(const SortNetwork::Element &a, const SortNetwork::Element &b) {
  auto keysOf = [&](const SortNetwork::Element &e) {
    return llvm::map_to_vector(keyAt_, [&](int64_t k) { return e[k]; });
  };
  Value first = c_.inst("v.lt.s32", {a[positionAt_], b[positionAt_]});
  // A simple key of the rest is last, but for positions, which are what they are.
  bool restHasKey = order_.isSimple() && keyAt_[0] != positionAt_, hasRest = padded_ && !restHasKey;
  if (isOneLess()) {
    Value least = order_.isDescending() ? a[keyAt_[0]] : b[keyAt_[0]];
    Value most = c_.inst("v.sel", {first, c_.inst("v.add.i32", {least, c_.splatI(1)}), least});
    return c_.inst("v.lt.s32", {order_.isDescending() ? b[keyAt_[0]] : a[keyAt_[0]], most});
  }
  if (order_.isSimple() && order_.isInteger() && !hasRest) {
    Value less = comparesBefore(c_, order_, keysOf(a), keysOf(b)),
          equal = c_.inst("v.eq.i32", {a[keyAt_[0]], b[keyAt_[0]]});
    return c_.inst("m.or", {less, c_.inst("m.and", {equal, first})});
  }
  Value yes = comparesBefore(c_, order_, keysOf(a), keysOf(b)), no = comparesBefore(c_, order_, keysOf(b), keysOf(a));
  Value decided = c_.inst("m.and", {c_.inst("m.xor", {yes, no}), c_.inst("m.xor", {yes, first})});
  if (hasRest) {
    Value end = c_.splatI(size_);
    Value real =
        c_.inst("m.and", {c_.inst("v.lt.s32", {a[positionAt_], end}), c_.inst("v.lt.s32", {b[positionAt_], end})});
    decided = c_.inst("m.and", {decided, real});
  }
  return c_.inst("m.xor", {first, decided});
}

SortNetwork SortKernel::network() {
  SortNetwork::Order order;
  order.before = [this](const SortNetwork::Element &a, const SortNetwork::Element &b) { return before(a, b); };
  if (positionAt_ >= 0 && order_.isSimple() && order_.isInteger() && keyAt_[0] != positionAt_)
    order.overtakes = [this](const SortNetwork::Element &a, const SortNetwork::Element &b) {
      return comparesBefore(c_, order_, {a[keyAt_[0]]}, {b[keyAt_[0]]});
    };
  if (positionAt_ < 0) {
    order.low = order_.isUnsigned() ? "v.min.u32" : "v.min.i32";
    order.high = order_.isUnsigned() ? "v.max.u32" : "v.max.i32";
    if (order_.isDescending()) std::swap(order.low, order.high);
  }
  return SortNetwork(c_, shape_, values_, Linear(word_) + slot_, order);
}

// Where what is sorted lies.
SortNetwork SortKernel::outcome() {
  if (keptWord_ >= 0)
    return SortNetwork(c_, keptShape(), values_, Linear(keptWord_), network().order(), 2 * SortNetwork::kRegion);
  if (few_ == Few::None) return network();
  const FirstRounds rounds(first_);
  const FirstGroups groups(first_);
  const bool byRounds = few_ == Few::Rounds;
  return SortNetwork(c_, byRounds ? rounds.outcome() : groups.outcome(), 2,
                     byRounds ? rounds.outcomeWord() : groups.outcomeWord(), {}, kFoundRegion);
}

// An operand's lanes of a vreg of the network.
Value SortKernel::stored(unsigned i, const Linear &word, int64_t stride) {
  SortNetwork net = outcome();
  int64_t at = operandAt_[i];
  Value v = c_.load(word + net.wordOf(at, Linear(0)), stride, net.regionOf(at));
  if (code_ != SortCode::None) return decoded(i, v);
  for (auto [k, key] : llvm::enumerate(order_.keys()))
    if (keyAt_[k] == at && at != positionAt_ && key.total) return mirrorNegative(c_, v);
  return typeOf(op_.getInputs()[i]).getElementType().isInteger(1) ? intToMask(c_, v) : v;
}

// Brings what is sorted of the results' operands in order.
void SortKernel::settle(ArrayRef<Result *> results) {
  SmallVector<int64_t> sorted;
  for (const Result *r : results) {
    int64_t at = operandAt_[cast<OpResult>(r->sorted).getResultNumber()];
    if (!llvm::is_contained(sorted, at)) sorted.push_back(at);
  }
  if (run_)
    outcome().gatherFirst(first_.kept, sorted);
  else if (few_ == Few::None)
    outcome().settle(sorted);
}

void SortKernel::putOut(ArrayRef<Result *> results) {
  const int64_t vregs = outcome().vregs();
  for (Result *result : results) {
    Result &r = *result;
    unsigned operand = cast<OpResult>(r.sorted).getResultNumber();
    const Domain &d = *r.view;
    int64_t packs = llvm::divideCeil(d.block[d.r()], d.unitRows()), tiles = llvm::divideCeil(d.block[d.c()], 128);
    auto vreg = [&](const Linear &unit, Value v) { return (unit * vregs + c_.linear(v)) * 8; };
    auto wordOf = [&](Value row, Value tile, int64_t sub) {
      Value along = c_.value(c_.linear(row) * groups_ + Linear(std::min(sub, groups_ - 1)));
      Value held = c_.min(along, c_.i64(std::max<int64_t>(vregs >> (lie_ == Lie::ColumnTiles ? 3 : 0), 1) - 1));
      if (lie_ == Lie::Rows) return vreg(c_.linear(along), tile);
      if (lie_ == Lie::Vector) return vreg(Linear(0), held);
      if (lie_ == Lie::Columns) return vreg(c_.linear(tile), held);
      return c_.divL(c_.linear(tile), 8) * (vregs * 8) + c_.remL(c_.linear(tile), 8) + c_.linear(held) * 64;
    };
    if (lie_ == Lie::TurnedRows) {
      putTurned(r);
      continue;
    }
    if (lie_ == Lie::LongRows) {
      for (int64_t row = 0; row < shape_.units; ++row)
        c_.loop(
            c_.i64(0), c_.i64(llvm::divideCeil(tiles, 8)), 1, {},
            [&](Value t, ValueRange) {
              c_.store(stored(operand, vreg(Linear(row), t), 1),
                       r.block->base + Linear(row) + Linear(t) * (8 * r.block->rowsHeld), r.block->rowsHeld,
                       r.block->region);
              return Values();
            },
            true);
      continue;
    }
    int64_t columns = lie_ == Lie::Vector ? 1 : tiles;
    c_.loop(
        c_.i64(0), c_.i64(columns), 1, {},
        [&](Value tile, ValueRange) {
          c_.loop(
              c_.i64(0), c_.i64(packs), 1, {},
              [&](Value row, ValueRange) {
                Values groups;
                for (int64_t sub = 0; sub < pack_; ++sub)
                  groups.push_back(stored(operand, wordOf(row, tile, sub), lie_ == Lie::ColumnTiles ? 8 : 1));
                bodyOf(r).store(*r.block, groups, Point{{c_.linear(row), c_.linear(tile)}, 0});
                return Values();
              },
              true);
          return Values();
        },
        true);
  }
}

}  // namespace tpuc::lowering
