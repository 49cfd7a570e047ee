// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011); counters and
// the order of its words as XLA has them.
#include "passes/decompose/random_bits.h"

using namespace mlir;

namespace tpuc::decompose {
namespace {

class Threefry : public RandomBits {
 public:
  using RandomBits::RandomBits;

 private:
  Value generate(unsigned width) override {
    Value key = at(state_, 0), counter = at(state_, 1);
    int64_t used = 0;
    Value bits = width == 64 ? wide(key, counter, used) : narrow(key, counter, used);
    after_ = {add64(counter, word64(used))};
    return bits;
  }

  // The counters are the positions in row-major order from the state on.
  Pair block(ArrayRef<int64_t> shape, Value key, Value counter) {
    Lanes l(b_, build_.loc, shape);
    Type u64 = b_.getIntegerType(64, false);
    auto type = RankedTensorType::get(shape, u64);
    Value position = build_.broadcast(counter, shape, {});
    uint64_t stride = 1;
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
      Value index = stablehlo::IotaOp::create(b_, build_.loc, type, d);
      index = stablehlo::MulOp::create(b_, build_.loc, type, index, build_.broadcast(word64(stride), shape, {}));
      position = add64(position, index);
      stride *= shape[d];
    }
    return rounds(l, words(position, l), words(build_.broadcast(key, shape, {}), l));
  }

  Pair rounds(Lanes &l, Pair x, Pair key) {
    static constexpr uint32_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    Value keys[3] = {key.lo, key.hi, l.bxor(l.bxor(key.lo, key.hi), l.u(0x1bd11bda))};
    x = {l.add(x.lo, keys[0]), l.add(x.hi, keys[1])};
    for (uint32_t group = 0; group < 5; ++group) {
      for (uint32_t r : kRotations[group % 2]) {
        x.lo = l.add(x.lo, x.hi);
        x.hi = l.bxor(x.lo, l.bor(l.shl(x.hi, r), l.shr(x.hi, 32 - r)));
      }
      x = {l.add(x.lo, keys[(group + 1) % 3]), l.add(l.add(x.hi, keys[(group + 2) % 3]), l.u(group + 1))};
    }
    return x;
  }

  Value wide(Value key, Value counter, int64_t &used) {
    used = type_.getNumElements();
    Lanes l(b_, build_.loc, type_.getShape());
    return joined(block(type_.getShape(), key, counter), l);
  }

  // Both words of a counter are results, side by side along the first even dim, else along the largest.
  Value narrow(Value key, Value counter, int64_t &used) {
    SmallVector<int64_t> shape(type_.getShape());
    if (shape.empty()) shape.push_back(1);
    int64_t split = -1;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()) && split < 0; ++d)
      if (shape[d] % 2 == 0) split = d;
    if (split < 0) split = std::max_element(shape.begin(), shape.end()) - shape.begin();
    SmallVector<int64_t> half(shape);
    half[split] = llvm::divideCeil(half[split], 2);
    used = 1;
    for (int64_t d : half) used *= d;
    Pair x = block(half, key, counter);
    SmallVector<int64_t> apart(half), joined(half);
    apart.insert(apart.begin() + split + 1, 1);
    joined[split] *= 2;
    Value both = build_.reshape(
        build_.concatenate({build_.reshape(x.lo, apart), build_.reshape(x.hi, apart)}, split + 1), joined);
    SmallVector<int64_t> start(shape.size(), 0), stride(shape.size(), 1);
    return build_.reshape(build_.slice(both, start, shape, stride), type_.getShape());
  }
};

}  // namespace

Value expandThreefry(stablehlo::RngBitGeneratorOp op, OpBuilder &b) { return Threefry(op, b).run(); }

}  // namespace tpuc::decompose
