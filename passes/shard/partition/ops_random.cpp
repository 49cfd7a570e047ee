//===- ops_random.cpp - random numbers on sharded arrays ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each device has its part of the numbers that one device would draw. Generators count: along the first dimension that
// is longer than 1, a device's part begins where the counter stands that many numbers later (the order of the numbers
// is XLA's, which passes/decompose/philox.cpp and threefry.cpp have). Other parts count element by element
// (random_parts.cpp), or are cut from what is drawn where that is less work.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/random_parts.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

class Generator {
 public:
  Generator(hlo::RngBitGeneratorOp op, Partitioner &p) : op(op), p(p), state(typeOf(op.getInitialState())) {}

  // Whether each device can draw its part alone.
  bool plan() {
    auto type = typeOf(op.getOutput());
    Layout wanted = p.wanted(op.getOutput());
    const unsigned width = type.getElementType().getIntOrFloatBitWidth();
    int64_t dim = 0;
    while (dim < type.getRank() && type.getDimSize(dim) == 1) ++dim;
    const bool counts = state.getElementType().isUnsignedInteger(64) && state.getRank() == 1;
    if (!counts || type.getNumElements() == 0 || dim == type.getRank() || wanted.dims[dim].axes.empty()) return false;
    layout = Layout::whole(type.getShape());
    layout.mesh = wanted.mesh;
    layout.dims[dim] = wanted.dims[dim];
    const int64_t block = wanted.dims[dim].block, elements = type.getNumElements() / type.getDimSize(dim) * block;
    const int64_t words = state.getDimSize(0);
    if (op.getRngAlgorithm() == hlo::RngAlgorithm::THREE_FRY) {
      // The halves of a counter lie side by side along the first dimension that is even.
      const int64_t perCounter = width == 64 ? 1 : 2;
      if (words != 2 || type.getDimSize(dim) % perCounter != 0 || block % perCounter != 0) return false;
      counters = elements / perCounter;
      allCounters = type.getNumElements() / perCounter;
      return true;
    }
    const int64_t perCounter = width == 64 ? 2 : 4;
    if ((words != 2 && words != 3) || elements % perCounter != 0) return false;
    counters = elements / perCounter;
    allCounters = divideUp(type.getNumElements(), perCounter);
    return true;
  }

  void run() {
    Value whole = p.whole(op.getInitialState()), low = word(whole, 1);
    Value index = p.emit.convert(p.emit.index(layout.mesh, parts()), state.getElementType());
    Value skipped =
        p.emit.reshape(p.emit.create<hlo::MulOp>(index, p.emit.scalar(counters, state.getElementType())), {1});
    const bool threefry = op.getRngAlgorithm() == hlo::RngAlgorithm::THREE_FRY;
    // Where Philox has two words, the upper half of its counter begins as the key.
    Value high = threefry ? Value() : word(whole, state.getDimSize(0) == 3 ? 2 : 0);
    Value start = later(whole, low, high, skipped);
    auto numbers = hlo::RngBitGeneratorOp::create(
        p.emit.builder, p.emit.location, TypeRange{start.getType(), localType(op.getOutput().getType(), layout)},
        threefry ? hlo::RngAlgorithm::THREE_FRY : hlo::RngAlgorithm::PHILOX, start);
    p.set(op.getOutput(), numbers.getOutput(), layout);
    Value after = later(whole, low, state.getDimSize(0) == 3 ? high : Value(),
                        p.emit.splat(typeOf(low), IntegerAttr::get(state.getElementType(), allCounters)));
    p.set(op.getOutputState(), after, Layout::whole(state.getShape()));
  }

 private:
  Axes parts() const {
    for (const DimLayout &dim : layout.dims)
      if (!dim.axes.empty()) return dim.axes;
    return {};
  }
  Value word(Value words, int64_t i) { return p.emit.slice(words, 0, i, i + 1); }
  // The state whose counter stands `steps` later; without an upper half that overflows.
  Value later(Value whole, Value low, Value high, Value steps) {
    Value next = p.emit.create<hlo::AddOp>(low, steps);
    if (!high) return p.emit.concatenate({word(whole, 0), next}, 0);
    Value over = p.emit.compare(next, low, hlo::ComparisonDirection::LT);
    Value upper = p.emit.create<hlo::AddOp>(high, p.emit.convert(over, state.getElementType()));
    return p.emit.concatenate({word(whole, 0), next, upper}, 0);
  }

  hlo::RngBitGeneratorOp op;
  Partitioner &p;
  RankedTensorType state;
  Layout layout;
  int64_t counters = 0, allCounters = 0;  // that a part takes, and the whole
};

LogicalResult generate(Operation *op, Partitioner &p) {
  Generator generator(cast<hlo::RngBitGeneratorOp>(op), p);
  if (generator.plan())
    generator.run();
  else if (!drawParts(cast<hlo::RngBitGeneratorOp>(op), p))
    return p.replicate(op);
  return success();
}

// It has no counter: drawn whole, and each device keeps its part.
LogicalResult draw(Operation *op, Partitioner &p) { return p.replicate(op); }

}  // namespace

void addRandom(Handlers &handlers) {
  handlers["stablehlo.rng_bit_generator"] = generate;
  handlers["stablehlo.rng"] = draw;
}

}  // namespace tpuc::shard
