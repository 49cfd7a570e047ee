// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threefry; counters and the order of its words as XLA has them.
#include "passes/builders/random_rounds.h"
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
    return threefryRounds(l, words(position, l), words(build_.broadcast(key, shape, {}), l));
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
