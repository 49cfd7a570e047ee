// rng_bit_generator: Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), counters and
// the order of its words as XLA has them.
#include "passes/expand/pair.h"
#include "dialects/diagnostics/diagnose.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_EXPANDRNGPASS
#include "passes/expand/passes.h.inc"
namespace {

class Threefry {
 public:
  Threefry(stablehlo::RngBitGeneratorOp op, OpBuilder &b) : op_(op), b_(b), build_{b, op.getLoc()} {}

  void run() {
    auto type = typeOf(op_.getOutput());
    Type element = type.getElementType();
    unsigned width = element.getIntOrFloatBitWidth();
    Value state = asWord(op_.getInitialState(), b_.getIntegerType(64, false));
    Value key = at(state, 0), counter = at(state, 1);
    int64_t used = 0;
    Value bits = width == 64 ? wide(type, key, counter, used) : narrow(type, key, counter, used);
    if (width < 32) bits = stablehlo::ConvertOp::create(b_, build_.loc, type.clone(b_.getIntegerType(width, false)), bits);
    Value advanced = stablehlo::AddOp::create(b_, build_.loc, counter.getType(), counter, word64(used));
    Value next = build_.concatenate({build_.reshape(key, {1}), build_.reshape(advanced, {1})}, 0);
    op_.getOutputState().replaceAllUsesWith(asWord(next, typeOf(op_.getOutputState()).getElementType()));
    op_.getOutput().replaceAllUsesWith(asWord(bits, element));
    op_.erase();
  }

 private:
  Value asWord(Value v, Type element) {
    return typeOf(v).getElementType() == element ? v : Value(stablehlo::BitcastConvertOp::create(b_, build_.loc, typeOf(v).clone(element), v));
  }
  Value at(Value v, int64_t i) { return build_.reshape(build_.slice(v, {i}, {i + 1}, {1}), {}); }
  Value word64(uint64_t value) {
    auto type = RankedTensorType::get({}, b_.getIntegerType(64, false));
    return stablehlo::ConstantOp::create(b_, build_.loc, type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, Attribute(b_.getIntegerAttr(type.getElementType(), APInt(64, value)))))));
  }
  // Low and high words of a 64-bit array.
  Pair words(Value v, Lanes &l) {
    Value high = stablehlo::ShiftRightLogicalOp::create(b_, build_.loc, v.getType(), v, build_.broadcast(word64(32), typeOf(v).getShape(), {}));
    return {l.convert(v, l.u32()), l.convert(high, l.u32())};
  }

  // The counters are the positions in row-major order from the state on.
  Pair generate(ArrayRef<int64_t> shape, Value key, Value counter) {
    Lanes l(b_, build_.loc, shape);
    Type u64 = b_.getIntegerType(64, false);
    auto type = RankedTensorType::get(shape, u64);
    Value position = build_.broadcast(counter, shape, {});
    uint64_t stride = 1;
    for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
      Value index = stablehlo::IotaOp::create(b_, build_.loc, type, d);
      index = stablehlo::MulOp::create(b_, build_.loc, type, index, build_.broadcast(word64(stride), shape, {}));
      position = stablehlo::AddOp::create(b_, build_.loc, type, position, index);
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

  Value wide(RankedTensorType type, Value key, Value counter, int64_t &used) {
    used = type.getNumElements();
    Pair x = generate(type.getShape(), key, counter);
    auto u64 = type.clone(b_.getIntegerType(64, false));
    Value low = stablehlo::ConvertOp::create(b_, build_.loc, u64, x.lo), high = stablehlo::ConvertOp::create(b_, build_.loc, u64, x.hi);
    high = stablehlo::ShiftLeftOp::create(b_, build_.loc, u64, high, build_.broadcast(word64(32), type.getShape(), {}));
    return stablehlo::OrOp::create(b_, build_.loc, u64, low, high);
  }

  // Both words of a counter are results, side by side along the first even dim, else along the largest.
  Value narrow(RankedTensorType type, Value key, Value counter, int64_t &used) {
    SmallVector<int64_t> shape(type.getShape());
    if (shape.empty()) shape.push_back(1);
    int64_t split = -1;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.size()) && split < 0; ++d)
      if (shape[d] % 2 == 0) split = d;
    if (split < 0) split = std::max_element(shape.begin(), shape.end()) - shape.begin();
    SmallVector<int64_t> half(shape);
    half[split] = llvm::divideCeil(half[split], 2);
    used = 1;
    for (int64_t d : half) used *= d;
    Pair x = generate(half, key, counter);
    SmallVector<int64_t> apart(half), joined(half);
    apart.insert(apart.begin() + split + 1, 1);
    joined[split] *= 2;
    Value both = build_.reshape(build_.concatenate({build_.reshape(x.lo, apart), build_.reshape(x.hi, apart)}, split + 1), joined);
    SmallVector<int64_t> start(shape.size(), 0), stride(shape.size(), 1);
    return build_.reshape(build_.slice(both, start, shape, stride), type.getShape());
  }

  stablehlo::RngBitGeneratorOp op_;
  OpBuilder &b_;
  Build build_;
};

struct ExpandRng : impl::ExpandRngPassBase<ExpandRng> {
  using ExpandRngPassBase::ExpandRngPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::RngBitGeneratorOp> ops;
    getOperation().walk([&](stablehlo::RngBitGeneratorOp op) { ops.push_back(op); });
    for (auto op : ops) {
      auto state = typeOf(op.getInitialState());
      bool threefry = op.getRngAlgorithm() == stablehlo::RngAlgorithm::THREE_FRY;
      if (!threefry || state.getNumElements() * state.getElementTypeBitWidth() != 128 || state.getElementTypeBitWidth() != 64) {
        diagnose(op, codes::kRandomAlgorithm) << "expects algorithm THREE_FRY with a state of two 64-bit words, but got " << stablehlo::stringifyRngAlgorithm(op.getRngAlgorithm()) << " with " << state << "; use jax.random's default";
        return signalPassFailure();
      }
      OpBuilder b(op);
      Threefry(op, b).run();
    }
  }
};

}  // namespace
}  // namespace tpuc::expand
