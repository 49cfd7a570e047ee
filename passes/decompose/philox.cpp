// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Philox; counters and the order of its words as XLA has them: four 32-bit numbers, or two of 64 bits, from each
// 128-bit counter, in row-major order.
#include "passes/builders/random_rounds.h"
#include "passes/decompose/random_bits.h"

using namespace mlir;

namespace tpuc::decompose {
namespace {

class Philox : public RandomBits {
 public:
  using RandomBits::RandomBits;

 private:
  using Block = std::array<Value, 4>;

  // A state of three words is a key and a counter, low word first; one of two words counts from key : word.
  Value generate(unsigned width) override {
    bool whole = typeOf(state_).getNumElements() == 3;
    Value key = at(state_, 0), low = at(state_, 1), high = whole ? at(state_, 2) : key;
    int64_t perCounter = width == 64 ? 2 : 4, elements = type_.getNumElements();
    int64_t blocks = llvm::divideCeil(elements, perCounter);
    advance(low, high, blocks, whole);
    if (!elements) {
      Type element = b_.getIntegerType(width == 64 ? 64 : 32, false);
      return build_.broadcast(build_.zero(element), type_.getShape(), {});
    }
    Lanes l(b_, build_.loc, {blocks});
    Block x = philoxRounds(l, counters(l, low, high), words(build_.broadcast(key, l.shape, {}), l));
    SmallVector<Value> columns;
    if (width == 64)
      columns = {joined({x[0], x[1]}, l), joined({x[2], x[3]}, l)};
    else
      columns = {x[0], x[1], x[2], x[3]};
    for (Value &v : columns) v = build_.reshape(v, {blocks, 1});
    Value all = build_.reshape(build_.concatenate(columns, 1), {blocks * perCounter});
    return build_.reshape(build_.slice(all, {0}, {elements}, {1}), type_.getShape());
  }

  Value carry(Value sum, Value before, Value high) {
    Value over = stablehlo::CompareOp::create(b_, build_.loc, sum, before, stablehlo::ComparisonDirection::LT);
    Value one = build_.broadcast(word64(1), typeOf(high).getShape(), {});
    return stablehlo::SelectOp::create(b_, build_.loc, high.getType(), over, add64(high, one), high);
  }
  void advance(Value low, Value high, int64_t blocks, bool whole) {
    Value next = add64(low, word64(blocks));
    after_ = {next};
    if (whole) after_.push_back(carry(next, low, high));
  }
  Block counters(Lanes &l, Value low, Value high) {
    auto type = RankedTensorType::get(l.shape, b_.getIntegerType(64, false));
    Value start = build_.broadcast(low, l.shape, {});
    Value position = add64(start, stablehlo::IotaOp::create(b_, build_.loc, type, 0));
    Pair lower = words(position, l), upper = words(carry(position, start, build_.broadcast(high, l.shape, {})), l);
    return {lower.lo, lower.hi, upper.lo, upper.hi};
  }
};

}  // namespace

Value expandPhilox(stablehlo::RngBitGeneratorOp op, OpBuilder &b) { return Philox(op, b).run(); }

}  // namespace tpuc::decompose
