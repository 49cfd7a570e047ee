// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rng_bit_generator as rounds of Threefry or Philox. rng is Philox's bits in the distribution's form: the key is the
// op's number in the program, the upper half of the counter the number of the iteration of the loops around it.
#include "dialects/diagnostics/diagnose.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/random_bits.h"

using namespace mlir;

namespace tpuc::decompose {
#define GEN_PASS_DEF_EXPANDRNGPASS
#include "passes/decompose/passes.h.inc"
namespace {

using Direction = stablehlo::ComparisonDirection;

Value scalar64(OpBuilder &b, Location loc, uint64_t value) {
  auto type = RankedTensorType::get({}, b.getIntegerType(64, false));
  return stablehlo::ConstantOp::create(
      b, loc, type,
      cast<ElementsAttr>(Attribute(
          DenseElementsAttr::get(type, Attribute(b.getIntegerAttr(type.getElementType(), APInt(64, value)))))));
}

// Loops that hold an rng count their iterations, in one more carried value.
class Iterations {
 public:
  // The number of iterations that began before the one around `op`, over all loops around it; 0 outside of loops.
  Value around(Operation *op) {
    auto loop = op->getParentOfType<stablehlo::WhileOp>();
    OpBuilder b(op);
    if (!loop) return scalar64(b, op->getLoc(), 0);
    Value count = counterOf(loop);
    Operation *counting = bodies_[count];  // in the place of `loop`, which is gone
    if (!counting->getParentOfType<stablehlo::WhileOp>()) return count;
    // Outer iterations in the upper word.
    Value outer = around(counting), shift = scalar64(b, op->getLoc(), 32);
    outer = stablehlo::ShiftLeftOp::create(b, op->getLoc(), outer.getType(), outer, shift);
    return stablehlo::AddOp::create(b, op->getLoc(), count.getType(), outer, count);
  }

 private:
  // The new loop's argument stands for it; regions move, so blocks identify loops.
  Value counterOf(stablehlo::WhileOp loop) {
    Block *body = &loop.getBody().front();
    if (Value known = counters_.lookup(body)) return known;
    OpBuilder b(loop);
    Location loc = loop.getLoc();
    SmallVector<Value> operands(loop->getOperands());
    operands.push_back(scalar64(b, loc, 0));
    SmallVector<Type> types(ValueRange(operands).getTypes());
    auto made = stablehlo::WhileOp::create(b, loc, types, operands);
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    made.getCond().takeBody(loop.getCond());
    made.getBody().takeBody(loop.getBody());
    made.getCond().front().addArgument(types.back(), loc);
    Value count = body->addArgument(types.back(), loc);
    Operation *end = body->getTerminator();
    b.setInsertionPoint(end);
    end->insertOperands(end->getNumOperands(),
                        Value(stablehlo::AddOp::create(b, loc, count.getType(), count, scalar64(b, loc, 1))));
    loop->replaceAllUsesWith(made->getResults().drop_back());
    loop->erase();
    bodies_[count] = made;
    return counters_[body] = count;
  }
  llvm::DenseMap<Block *, Value> counters_;
  llvm::DenseMap<Value, Operation *> bodies_;
};

class Distribution {
 public:
  Distribution(stablehlo::RngOp op, uint64_t number, Value iteration)
      : op_(op),
        b_(op),
        build_{b_, op.getLoc()},
        type_(typeOf(op.getResult())),
        number_(number),
        iteration_(iteration) {}

  void run() {
    Type element = type_.getElementType();
    Value result;
    if (mlir::isa<FloatType>(element))
      result = op_.getRngDistribution() == stablehlo::RngDistribution::NORMAL ? normal() : uniform();
    else
      result = whole();
    op_.getResult().replaceAllUsesWith(result);
    op_.erase();
  }

 private:
  Value bits(ArrayRef<int64_t> shape, unsigned width) {
    Location loc = op_.getLoc();
    SmallVector<Value> words{scalar64(b_, loc, number_), scalar64(b_, loc, 0), iteration_};
    for (Value &v : words) v = build_.reshape(v, {1});
    Value state = build_.concatenate(words, 0);
    auto made = stablehlo::RngBitGeneratorOp::create(
        b_, loc, TypeRange{state.getType(), RankedTensorType::get(shape, b_.getIntegerType(width, false))},
        stablehlo::RngAlgorithm::PHILOX, state);
    return expandPhilox(made, b_);
  }
  // f16 and bf16 are computed in f32.
  FloatType computed() {
    return type_.getElementType().isF64() ? FloatType(b_.getF64Type()) : FloatType(b_.getF32Type());
  }
  Value spread(Value scalar, Lanes &l, Type element) {
    Value v = build_.broadcast(scalar, l.shape, {});
    return typeOf(v).getElementType() == element ? v : l.convert(v, element);
  }
  Value number(Lanes &l, double value) { return l.splat(b_.getFloatAttr(computed(), value), computed()); }

  // The leading bits of a word as a number in [0, 1), as many as the fraction holds.
  Value fraction(Lanes &l, Value word) {
    unsigned width = typeOf(word).getElementTypeBitWidth(), kept = width == 64 ? 52 : 23;
    Value shift = l.splat(b_.getIntegerAttr(typeOf(word).getElementType(), APInt(width, width - kept)),
                          typeOf(word).getElementType());
    return l.mul(l.convert(l.shr(word, shift), computed()), number(l, std::ldexp(1.0, -static_cast<int>(kept))));
  }

  // a + u (b - a); what rounding brings to b is a.
  Value uniform() {
    Lanes l(b_, op_.getLoc(), type_.getShape());
    Value u = fraction(l, wordsOf(type_.getShape()));
    Value low = spread(op_.getA(), l, computed()), high = spread(op_.getB(), l, computed());
    Value result = l.convert(l.add(low, l.mul(u, l.sub(high, low))), type_.getElementType());
    Value first = build_.broadcast(op_.getA(), l.shape, {}), last = build_.broadcast(op_.getB(), l.shape, {});
    return l.select(l.lt(result, last), result, first);
  }
  Value wordsOf(ArrayRef<int64_t> shape) { return bits(shape, computed().isF64() ? 64 : 32); }

  // mean + deviation sqrt(-2 ln(1 - u)) cos(2 pi v) (Box and Muller 1958).
  Value normal() {
    Lanes l(b_, op_.getLoc(), type_.getShape());
    SmallVector<int64_t> both(type_.getShape());
    both.insert(both.begin(), 2);
    Value words = wordsOf(both);
    auto half = [&](int64_t i) {
      SmallVector<int64_t> start(both.size(), 0), limit(both), stride(both.size(), 1);
      start[0] = i;
      limit[0] = i + 1;
      return build_.reshape(build_.slice(words, start, limit, stride), type_.getShape());
    };
    stablehlo::ResultAccuracyAttr none;
    Value u = l.sub(number(l, 1), fraction(l, half(0))), v = l.mul(fraction(l, half(1)), number(l, 2 * M_PI));
    Value log = stablehlo::LogOp::create(b_, l.loc, u.getType(), u, none), scaled = l.mul(log, number(l, -2));
    Value radius = stablehlo::SqrtOp::create(b_, l.loc, u.getType(), scaled, none),
          turn = stablehlo::CosineOp::create(b_, l.loc, v.getType(), v, none);
    Value result =
        l.add(spread(op_.getA(), l, computed()), l.mul(spread(op_.getB(), l, computed()), l.mul(radius, turn)));
    return l.convert(result, type_.getElementType());
  }

  // a + bits mod (b - a), in words of at least 32 bits; between booleans there is nothing but a.
  Value whole() {
    Lanes l(b_, op_.getLoc(), type_.getShape());
    Type element = type_.getElementType();
    if (element.isInteger(1)) return build_.broadcast(op_.getA(), l.shape, {});
    unsigned width = element.getIntOrFloatBitWidth() == 64 ? 64 : 32;
    Type word = b_.getIntegerType(width, false),
         same = element.isUnsignedInteger() ? word : Type(b_.getIntegerType(width));
    auto widened = [&](Value v) { return l.bits(spread(v, l, same), word); };
    Value low = widened(op_.getA()), range = l.sub(widened(op_.getB()), low);
    Value result = l.add(low, l.op<stablehlo::RemOp>(bits(l.shape, width), range));
    return l.convert(l.bits(result, same), element);
  }

  stablehlo::RngOp op_;
  OpBuilder b_;
  Build build_;
  RankedTensorType type_;
  uint64_t number_;
  Value iteration_;
};

struct ExpandRng : impl::ExpandRngPassBase<ExpandRng> {
  using ExpandRngPassBase::ExpandRngPassBase;

  LogicalResult generator(stablehlo::RngBitGeneratorOp op) {
    auto state = typeOf(op.getInitialState());
    bool threefry = op.getRngAlgorithm() == stablehlo::RngAlgorithm::THREE_FRY;
    if (state.getElementTypeBitWidth() != 64 || state.getNumElements() > (threefry ? 2 : 3))
      return diagnose(op, codes::kRandomAlgorithm)
             << "expects a state of two 64-bit words, or three for PHILOX, but got "
             << stablehlo::stringifyRngAlgorithm(op.getRngAlgorithm()) << " with " << state;
    OpBuilder b(op);
    threefry ? expandThreefry(op, b) : expandPhilox(op, b);
    return success();
  }

  void runOnOperation() override {
    SmallVector<stablehlo::RngBitGeneratorOp> generators;
    SmallVector<stablehlo::RngOp> distributions;
    getOperation().walk([&](Operation *op) {
      if (auto generator = dyn_cast<stablehlo::RngBitGeneratorOp>(op)) generators.push_back(generator);
      if (auto distribution = dyn_cast<stablehlo::RngOp>(op)) distributions.push_back(distribution);
    });
    for (auto op : generators)
      if (failed(generator(op))) return signalPassFailure();
    Iterations iterations;
    for (auto [number, op] : llvm::enumerate(distributions)) Distribution(op, number, iterations.around(op)).run();
  }
};

}  // namespace
}  // namespace tpuc::decompose
