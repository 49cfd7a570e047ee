//===- random_parts.cpp - any part of what a generator draws ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each element's counter follows from its place in the whole array, as passes/decompose/philox.cpp and threefry.cpp
//    have it. A counter gives several words.
// 2. Where a block begins and ends with a counter, counters are computed once and their words lie side by side; else
//    each element takes its own word of a counter of its own.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/random_parts.h"

#include "passes/builders/random_rounds.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;
using builders::Pair;

// Plain StableHLO has no upper half of a product.
struct PlainLanes : builders::Lanes {
  using Lanes::Lanes;
  Type u64() { return b.getIntegerType(64, false); }
  V word64(uint64_t value) { return splat(b.getIntegerAttr(u64(), APInt(64, value)), u64()); }
  Pair mulWide(V x, V y) { return words(mul(convert(x, u64()), convert(y, u64()))); }
  Pair words(V x) { return {convert(x, u32()), convert(shr(x, word64(32)), u32())}; }
  V joined(V low, V high) { return bor(convert(low, u64()), shl(convert(high, u64()), word64(32))); }
};

class Parts {
 public:
  Parts(hlo::RngBitGeneratorOp op, Partitioner &p)
      : op(op),
        p(p),
        emit(p.emit),
        type(typeOf(op.getOutput())),
        state(typeOf(op.getInitialState())),
        layout(p.wanted(op.getOutput())),
        threefry(op.getRngAlgorithm() == hlo::RngAlgorithm::THREE_FRY),
        width(type.getElementType().getIntOrFloatBitWidth()) {}

  bool plan() {
    const int64_t words = state.getRank() == 1 ? state.getDimSize(0) : 0;
    if (!state.getElementType().isUnsignedInteger(64) || (words != 2 && (threefry || words != 3)) ||
        type.getNumElements() == 0 || layout.isUnsharded() || !layout.unreduced.empty())
      return false;
    perCounter = width == 64 ? (threefry ? 1 : 2) : threefry ? 2 : 4;
    along = perCounter > 1 && threefry ? halvedDim() : type.getRank() - 1;
    const DimLayout &own = layout.dims[along];
    // Philox goes on from row to row.
    aligned =
        (own.axes.empty() || own.block % perCounter == 0) && (threefry || type.getDimSize(along) % perCounter == 0);
    int64_t parts = 1;
    for (const DimLayout &dim : layout.dims) parts *= dim.parts();
    return aligned || perCounter < parts;
  }

  void run() {
    Value words = p.whole(op.getInitialState()), key = word(words, 0), low = word(words, 1);
    const bool hasHigh = state.getDimSize(0) == 3;
    Value high = hasHigh ? word(words, 2) : key;
    SmallVector<int64_t> shape(layout.localShape());
    if (aligned) shape[along] = divideUp(shape[along], perCounter);
    PlainLanes l(emit.builder, emit.location, shape);
    Value which, counter = counters(l, which);
    Value start = spread(low, l), position = l.add(start, counter);
    SmallVector<Value> drawn;
    if (threefry) {
      Pair x = builders::threefryRounds(l, l.words(position), l.words(spread(key, l)));
      drawn = width == 64 ? SmallVector<Value>{l.joined(x.lo, x.hi)} : SmallVector<Value>{x.lo, x.hi};
    } else {
      Value upper = spread(high, l);
      upper = l.select(l.lt(position, start), l.add(upper, l.word64(1)), upper);
      Pair lows = l.words(position), highs = l.words(upper);
      auto x = builders::philoxRounds(l, {lows.lo, lows.hi, highs.lo, highs.hi}, l.words(spread(key, l)));
      drawn = width == 64 ? SmallVector<Value>{l.joined(x[0], x[1]), l.joined(x[2], x[3])}
                          : SmallVector<Value>{x[0], x[1], x[2], x[3]};
    }
    p.set(op.getOutput(), asElements(aligned ? sideBySide(drawn) : chosen(l, drawn, which)), layout);
    p.set(op.getOutputState(), after(words, low, hasHigh ? high : Value()), Layout::whole(state.getShape()));
  }

 private:
  // Along which both words of a counter lie side by side: the first even dimension, else the longest.
  int64_t halvedDim() const {
    ArrayRef<int64_t> shape = type.getShape();
    const auto *even = llvm::find_if(shape, [](int64_t size) { return size % 2 == 0; });
    return (even == shape.end() ? llvm::max_element(shape) : even) - shape.begin();
  }

  // Counters in each dimension of the whole array.
  SmallVector<int64_t> counterShape() const {
    SmallVector<int64_t> shape(type.getShape());
    if (threefry) shape[along] = divideUp(shape[along], perCounter);
    return shape;
  }

  Value word(Value words, int64_t i) { return emit.slice(words, 0, i, i + 1); }
  Value spread(Value word, PlainLanes &l) { return emit.broadcast(emit.reshape(word, {}), l.typed(l.u64()), {}); }

  // How many counters come before that of each element, or group of them; `which` of its words is the element's.
  Value counters(PlainLanes &l, Value &which) {
    const SmallVector<int64_t> whole = counterShape();
    Value sum = l.word64(0);
    int64_t stride = 1;
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      const DimLayout &own = layout.dims[dim];
      const bool grouped = aligned && dim == along;
      Value begin =
          emit.perIndex(layout.mesh, own.axes, [&](int64_t i) { return i * own.block / (grouped ? perCounter : 1); });
      Value at = l.add(emit.create<hlo::IotaOp>(l.typed(l.u64()), dim),
                       emit.broadcast(emit.convert(begin, l.u64()), l.typed(l.u64()), {}));
      if (threefry && !grouped && dim == along && perCounter > 1) at = apart(l, at, which);
      // A group is one step along its dimension.
      const int64_t step = !threefry && aligned && dim != along ? stride / perCounter : stride;
      sum = l.add(sum, l.mul(at, l.word64(step)));
      stride *= whole[dim];
    }
    return threefry || aligned ? sum : apart(l, sum, which);
  }

  // Numbers of words as those of counters, and which word of a counter.
  Value apart(PlainLanes &l, Value words, Value &which) {
    const uint64_t bits = llvm::Log2_64(perCounter);
    which = l.band(words, l.word64(perCounter - 1));
    return bits ? l.shr(words, l.word64(bits)) : words;
  }

  Value chosen(PlainLanes &l, ArrayRef<Value> drawn, Value which) {
    Value result = drawn[0];
    for (size_t i = 1; i < drawn.size(); ++i) result = l.select(l.eq(which, l.word64(i)), drawn[i], result);
    return result;
  }

  Value sideBySide(ArrayRef<Value> drawn) {
    SmallVector<int64_t> apart(typeOf(drawn[0]).getShape()), together(apart);
    apart.insert(apart.begin() + along + 1, 1);
    together[along] *= static_cast<int64_t>(drawn.size());
    Value all =
        emit.concatenate(llvm::map_to_vector(drawn, [&](Value v) { return emit.reshape(v, apart); }), along + 1);
    return emit.slice(emit.reshape(all, together), along, 0, layout.localShape()[along]);
  }

  // Narrower ones are the low bits of 32.
  Value asElements(Value drawn) {
    if (width < 32) drawn = emit.convert(drawn, emit.builder.getIntegerType(width, false));
    Type element = type.getElementType();
    if (typeOf(drawn).getElementType() == element) return drawn;
    return emit.create<hlo::BitcastConvertOp>(typeOf(drawn).clone(element), drawn);
  }

  Value after(Value words, Value low, Value high) {
    int64_t used = threefry ? 1 : divideUp(type.getNumElements(), perCounter);
    for (int64_t size : counterShape())
      if (threefry) used *= size;
    Value steps = emit.splat(typeOf(low), IntegerAttr::get(state.getElementType(), used));
    Value next = emit.create<hlo::AddOp>(low, steps);
    SmallVector<Value> all{word(words, 0), next};
    if (high) {
      Value over = emit.compare(next, low, hlo::ComparisonDirection::LT);
      all.push_back(emit.create<hlo::AddOp>(high, emit.convert(over, state.getElementType())));
    }
    return emit.concatenate(all, 0);
  }

  hlo::RngBitGeneratorOp op;
  Partitioner &p;
  Emitter &emit;
  RankedTensorType type, state;
  const Layout layout;
  const bool threefry;
  const unsigned width;
  int64_t perCounter = 1, along = 0;  // words of a counter, and the dimension that they lie side by side in
  bool aligned = false;
};

}  // namespace

bool drawParts(hlo::RngBitGeneratorOp op, Partitioner &p) {
  if (typeOf(op.getOutput()).getRank() == 0) return false;
  Parts parts(op, p);
  if (!parts.plan()) return false;
  parts.run();
  return true;
}

}  // namespace tpuc::shard
