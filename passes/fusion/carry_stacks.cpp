// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop may take each layer of a stack, replace a part of it (the newest position of a cache), and put the layers into
// a second stack. It becomes a loop that carries the first stack and replaces those parts in it:
//
//   %u = dynamic_update_slice(dynamic_slice(%xs, %i), %new, .., %at), %y = dynamic_update_slice(%ys, %u, %i)
//   // becomes, where %ys starts as %xs
//   %y = dynamic_update_slice(%ys, %new, %i, .., %at), %u = dynamic_slice(%y, %i)
//
// Each iteration has a layer of its own, so the layer that it reads of %ys is still that of %xs.
#include "dialects/kernel/counts.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/IR/Builders.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_CARRYSTACKSPASS
#include "passes/fusion/passes.h.inc"
namespace {

struct Layers {
  stablehlo::DynamicUpdateSliceOp put;      // a layer into the stack that is made
  stablehlo::DynamicUpdateSliceOp replace;  // part of a layer
  stablehlo::DynamicSliceOp take;           // a layer of the stack that it is made of
};

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Through reshapes that leave out or add the dim of the layers.
Value withoutUnitDim(Value v) {
  auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>();
  if (!reshape) return v;
  ArrayRef<int64_t> from = typeOf(reshape.getOperand()).getShape(), to = typeOf(v).getShape();
  bool drops = !from.empty() && from[0] == 1 && from.drop_front() == to;
  bool adds = !to.empty() && to[0] == 1 && to.drop_front() == from;
  return drops || adds ? reshape.getOperand() : v;
}

// Whether all of a dim but the first is taken, and of that one layer: the first start says which.
bool isLayer(RankedTensorType stack, ArrayRef<int64_t> sizes) {
  return stack.getRank() > 1 && sizes[0] == 1 && stack.getShape().drop_front() == sizes.drop_front();
}

std::optional<Layers> layersOf(stablehlo::WhileOp loop, unsigned i) {
  Block &body = loop.getBody().front();
  BlockArgument stack = body.getArgument(i);
  auto made = body.getTerminator()->getOperand(i).getDefiningOp<stablehlo::DynamicUpdateSliceOp>();
  // The stack is undefined before the loop, so the iterations write all layers. There are as many iterations as layers,
  // so each writes one.
  auto trips = kernel::tripCountOf(loop);
  if (!loop->getOperand(i).getDefiningOp<kernel::UndefinedOp>() || !trips || !loop.getCond().getArgument(i).use_empty())
    return std::nullopt;
  if (!made || !made->hasOneUse() || made.getOperand() != stack || !stack.hasOneUse() ||
      !isLayer(typeOf(stack), typeOf(made.getUpdate()).getShape()) || *trips != typeOf(stack).getDimSize(0))
    return std::nullopt;
  auto replace = withoutUnitDim(made.getUpdate()).getDefiningOp<stablehlo::DynamicUpdateSliceOp>();
  if (!replace || replace->getBlock() != &body) return std::nullopt;
  auto take = withoutUnitDim(replace.getOperand()).getDefiningOp<stablehlo::DynamicSliceOp>();
  if (!take || take->getBlock() != &body || take.getOperand().getType() != stack.getType() ||
      !isLayer(typeOf(stack), take.getSliceSizes()) || take.getStartIndices()[0] != made.getStartIndices()[0])
    return std::nullopt;
  if (take.getStartIndices()[0].getType() != replace.getStartIndices()[0].getType() ||
      typeOf(replace).getRank() > typeOf(take).getRank())
    return std::nullopt;
  // The layer is read for nothing else, nor is its stack within the loop.
  if (!replace.getOperand().hasOneUse() || !take->hasOneUse()) return std::nullopt;
  Value from = take.getOperand();
  bool isOutside =
      !loop.getBody().isAncestor(from.getParentRegion()) && !loop.getCond().isAncestor(from.getParentRegion());
  for (Operation *user : from.getUsers())
    if (user != take && loop->isProperAncestor(user)) return std::nullopt;
  return isOutside ? std::optional(Layers{made, replace, take}) : std::nullopt;
}

void carry(stablehlo::WhileOp loop, unsigned i, const Layers &layers) {
  auto [put, replace, take] = layers;
  OpBuilder b(replace);
  Location loc = replace.getLoc();
  loop->setOperand(i, take.getOperand());
  // The part and its place in the stack. Along dims other than the layers' it begins where it began in its layer.
  Value part = replace.getUpdate();
  SmallVector<Value> starts(replace.getStartIndices());
  if (typeOf(part).getRank() < typeOf(take).getRank()) {
    SmallVector<int64_t> shape(typeOf(part).getShape());
    shape.insert(shape.begin(), 1);
    part = stablehlo::ReshapeOp::create(b, loc, typeOf(part).clone(shape), part);
    starts.insert(starts.begin(), take.getStartIndices()[0]);
  } else {
    starts[0] = take.getStartIndices()[0];
  }
  Value updated = stablehlo::DynamicUpdateSliceOp::create(b, loc, take.getOperand().getType(),
                                                          loop.getBody().getArgument(i), part, starts);
  Value layer = stablehlo::DynamicSliceOp::create(b, take.getLoc(), take.getType(), updated, take.getStartIndices(),
                                                  take.getSliceSizes());
  put.getResult().replaceAllUsesWith(updated);
  Value update = put.getUpdate();
  put.erase();
  if (update != replace.getResult() && update.use_empty()) update.getDefiningOp()->erase();
  if (!replace->use_empty()) {
    if (layer.getType() != replace.getType()) layer = stablehlo::ReshapeOp::create(b, loc, replace.getType(), layer);
    replace.getResult().replaceAllUsesWith(layer);
  }
  Value old = replace.getOperand();
  replace.erase();
  if (old != take.getResult()) old.getDefiningOp()->erase();
  take.erase();
  if (layer.use_empty()) layer.getDefiningOp()->erase();
}

struct CarryStacks : impl::CarryStacksPassBase<CarryStacks> {
  void runOnOperation() override {
    getOperation().walk([](stablehlo::WhileOp loop) {
      for (unsigned i = 0; i < loop->getNumOperands(); ++i)
        if (auto layers = layersOf(loop, i)) carry(loop, i, *layers);
    });
  }
};

}  // namespace
}  // namespace tpuc::fusion
