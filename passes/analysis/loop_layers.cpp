// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/loop_layers.h"

#include "dialects/kernel/counts.h"
#include "llvm/ADT/BitVector.h"
#include "passes/analysis/counters.h"

using namespace mlir;

namespace tpuc::analysis {

LoopLayers::LoopLayers(stablehlo::WhileOp loop) : loop_(loop), body_(loop.getBody().front()) {
  const int64_t trips = kernel::tripCountOf(loop).value_or(0);
  if (trips <= Counters::kMost) trips_ = trips;
}

bool LoopLayers::isConstant(Value v) {
  auto argument = dyn_cast<BlockArgument>(v);
  if (argument && argument.getOwner() == &body_)
    return body_.getTerminator()->getOperand(argument.getArgNumber()) == argument;
  return !loop_.getBody().isAncestor(v.getParentRegion());
}

Value LoopLayers::outside(Value v) {
  auto argument = dyn_cast<BlockArgument>(v);
  return argument && argument.getOwner() == &body_ ? loop_->getOperand(argument.getArgNumber()) : v;
}

bool LoopLayers::visitsAll(Value index) {
  auto [entry, isNew] = visitsAll_.try_emplace(index, false);
  if (!isNew) return entry->second;
  Counters counters(loop_);
  llvm::BitVector seen(trips_);
  for (int64_t i = 0; i < trips_; ++i, counters.step()) {
    std::optional<int64_t> at = counters.valueOf(index);
    if (!at || *at < 0 || *at >= trips_) return false;
    seen.set(*at);
  }
  return entry->second = seen.all();
}

bool LoopLayers::isLayer(RankedTensorType stack, ArrayRef<int64_t> sizes) const {
  return stack.getRank() > 0 && stack.getDimSize(0) == trips_ && sizes[0] == 1 &&
         stack.getShape().drop_front() == sizes.drop_front();
}

std::optional<Layers> LoopLayers::layersIn(Value v) {
  Value layer = v;
  while (auto reshape = layer.getDefiningOp<stablehlo::ReshapeOp>()) layer = reshape.getOperand();
  auto slice = layer.getDefiningOp<stablehlo::DynamicSliceOp>();
  if (!slice || slice->getBlock() != &body_ || !isConstant(slice.getOperand())) return std::nullopt;
  if (!isLayer(cast<RankedTensorType>(slice.getOperand().getType()), slice.getSliceSizes()) ||
      !visitsAll(slice.getStartIndices()[0]))
    return std::nullopt;
  return Layers{v, outside(slice.getOperand()), slice.getStartIndices()[0]};
}

int64_t LoopLayers::bytesOf(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  if (!type) return 0;
  Type element = type.getElementType();
  int64_t parts = 1;
  if (auto complex = dyn_cast<ComplexType>(element)) element = complex.getElementType(), parts = 2;
  const int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 8;  // quantised
  return type.getNumElements() * parts * llvm::divideCeil(bits, 8);
}

int64_t LoopLayers::carriedBytes() {
  int64_t bytes = 0;
  for (Value v : loop_->getOperands()) bytes += bytesOf(v);
  return bytes;
}

}  // namespace tpuc::analysis
