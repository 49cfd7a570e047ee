//===- rules_shape.cpp - sharding rules of ops that move elements -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include <numeric>

#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

struct Shape {
  static sdy::OpShardingRuleAttr of(hlo::BitcastConvertOp op, bool) {
    ArrayRef<int64_t> in = shapeOf(op.getOperand()), out = shapeOf(op.getResult());
    RuleBuilder builder(op);
    size_t common = std::min(in.size(), out.size());
    builder.pointwise(in.take_front(common));
    if (in.size() > common)  // the elements' parts
      builder.add({static_cast<int64_t>(common)}, {kAbsent}, in.back(), Kind::NeedReplication);
    if (out.size() > common) builder.add({kAbsent}, {static_cast<int64_t>(common)}, out.back(), Kind::NeedReplication);
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::BroadcastInDimOp op, bool) {
    return broadcast(op, shapeOf(op.getOperand()), shapeOf(op.getResult()), op.getBroadcastDimensions());
  }
  static sdy::OpShardingRuleAttr of(hlo::BroadcastOp op, bool) {
    int64_t more = op.getBroadcastSizes().size();
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(more, more + shapeOf(op.getOperand()).size()));
    return broadcast(op, shapeOf(op.getOperand()), shapeOf(op.getResult()), dims);
  }
  static sdy::OpShardingRuleAttr broadcast(Operation *op, ArrayRef<int64_t> in, ArrayRef<int64_t> out,
                                           ArrayRef<int64_t> dims) {
    RuleBuilder builder(op);
    for (auto [dim, size] : llvm::enumerate(out)) {
      const int64_t *at = llvm::find(dims, static_cast<int64_t>(dim));
      int64_t target = dim, source = at == dims.end() ? kAbsent : at - dims.begin();
      if (source != kAbsent && in[source] == size) {
        builder.add({source}, {target}, size);
        continue;
      }
      if (source != kAbsent) builder.add({source}, {kAbsent}, in[source]);
      builder.add({kAbsent}, {target}, size);
    }
    return builder.build();
  }

  // Parts of one array that is put together again stay where they are, but for the ends.
  static bool rejoins(hlo::ConcatenateOp op) {
    SetVector<Value> sources;
    bool slices = false, all = true;
    for (Value input : op.getInputs()) {
      auto slice = input.getDefiningOp<hlo::SliceOp>();
      sources.insert(slice ? slice.getOperand() : input);
      slices |= static_cast<bool>(slice);
      all &= static_cast<bool>(slice);
    }
    return slices && (all || sources.size() == 1);
  }
  static sdy::OpShardingRuleAttr of(hlo::ConcatenateOp op, bool conservative) {
    RuleBuilder builder(op);
    int64_t along = op.getDimension();
    for (auto [dim, size] : llvm::enumerate(shapeOf(op.getResult())))
      if (static_cast<int64_t>(dim) != along)
        builder.addEverywhere(dim, size);
      else if (!conservative)
        builder.addEverywhere(dim, size, rejoins(op) ? Kind::Permutation : Kind::NeedReplication);
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::PadOp op, bool conservative) {
    RuleBuilder builder(op);
    for (auto [dim, size] : llvm::enumerate(shapeOf(op.getOperand()))) {
      bool padded = op.getEdgePaddingLow()[dim] || op.getEdgePaddingHigh()[dim] || op.getInteriorPadding()[dim];
      padded ? builder.addEverywhere(dim, size, Kind::Permutation, conservative) : builder.addEverywhere(dim, size);
    }
    return builder.build();
  }
  static sdy::OpShardingRuleAttr of(hlo::SliceOp op, bool conservative) {
    return RuleBuilder(op)
        .pointwise(shapeOf(op.getOperand()), shapeOf(op.getResult()), Kind::Permutation, conservative)
        .build();
  }
  static sdy::OpShardingRuleAttr of(hlo::ReverseOp op, bool) {
    return RuleBuilder(op)
        .pointwise(shapeOf(op.getResult()),
                   [&](int64_t dim) {
                     return llvm::is_contained(op.getDimensions(), dim) ? Kind::Permutation : Kind::PassThrough;
                   })
        .build();
  }
  static sdy::OpShardingRuleAttr of(hlo::TransposeOp op, bool) {
    RuleBuilder builder(op);
    for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
      builder.add({source}, {static_cast<int64_t>(dim)}, shapeOf(op.getResult())[dim]);
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::ReshapeOp op, bool);
};

// Both shapes are walked from major to minor. As long as the products of the factors so far agree, what divides both
// dimensions is a factor of both; where they do not, each side gets factors of its own until they agree again.
class ReshapeWalk {
 public:
  ReshapeWalk(hlo::ReshapeOp op) : builder(op), in(shapeOf(op.getOperand())), out(shapeOf(op.getResult())) {}

  sdy::OpShardingRuleAttr run() {
    while (open(in, inDim) || open(out, outDim)) {
      begin(in, inDim, inLeft);
      begin(out, outDim, outLeft);
      if (ones()) continue;
      if (inProduct == outProduct)
        together();
      else if (inProduct < outProduct)
        alone(true, inLeft, inProduct, outProduct);
      else
        alone(false, outLeft, outProduct, inProduct);
    }
    return builder.build();
  }

 private:
  static bool open(ArrayRef<int64_t> shape, int64_t dim) { return dim < static_cast<int64_t>(shape.size()); }
  static void begin(ArrayRef<int64_t> shape, int64_t dim, int64_t &left) {
    if (left == 0) left = open(shape, dim) ? shape[dim] : 0;
  }

  void add(bool toIn, bool toOut, int64_t size) {
    builder.add({toIn ? inDim : kAbsent}, {toOut ? outDim : kAbsent}, size);
    if (toIn) take(inDim, inLeft, inProduct, size);
    if (toOut) take(outDim, outLeft, outProduct, size);
  }
  static void take(int64_t &dim, int64_t &left, int64_t &product, int64_t size) {
    product *= size;
    left /= size;
    if (left == 1) ++dim, left = 0;
  }

  // Dimensions of size 1 have factors of their own.
  bool ones() {
    bool inOne = inLeft == 1, outOne = outLeft == 1;
    if (inOne && outOne)
      add(true, true, 1);
    else if (inOne)
      add(true, false, 1);
    else if (outOne)
      add(false, true, 1);
    return inOne || outOne;
  }

  void together() {
    int64_t common = std::gcd(inLeft, outLeft);
    if (common > 1) return add(true, true, common);
    int64_t a = inLeft, b = outLeft;
    add(true, false, a);
    add(false, true, b);
  }

  void alone(bool isIn, int64_t left, int64_t product, int64_t other) {
    int64_t missing = std::lcm(product, other) / product, common = std::gcd(left, missing);
    add(isIn, !isIn, common > 1 ? common : left);
  }

  RuleBuilder builder;
  ArrayRef<int64_t> in, out;
  int64_t inDim = 0, outDim = 0, inLeft = 0, outLeft = 0, inProduct = 1, outProduct = 1;
};

sdy::OpShardingRuleAttr Shape::of(hlo::ReshapeOp op, bool) {
  if (llvm::is_contained(shapeOf(op.getOperand()), 0)) return {};
  return ReshapeWalk(op).run();
}

}  // namespace

void attachShape(MLIRContext *context) {
  attachRules<Shape, hlo::BitcastConvertOp, hlo::BroadcastInDimOp, hlo::BroadcastOp, hlo::ConcatenateOp, hlo::PadOp,
              hlo::SliceOp, hlo::ReverseOp, hlo::TransposeOp, hlo::ReshapeOp>(context);
}

}  // namespace tpuc::shard
