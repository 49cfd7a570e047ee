//===- unroll_loops.cpp - short loops of elementwise work as straight code ---------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
//
// The rounds of a random number generator are five iterations of some forty ops. As a loop each iteration reads and
// writes whole arrays; as straight code all of them are one kernel.
#include "mlir/IR/IRMapping.h"
#include "passes/simplify/passes.h"
#include "passes/simplify/trip_counts.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_UNROLLLOOPSPASS
#include "passes/simplify/passes.h.inc"

using namespace tpuc::stablehlo;

namespace {

constexpr int64_t kMostTrips = 8, kMostOps = 512, kMostElements = 64;

// Work that fuses with that of the next iteration: elementwise, or what only names elements.
bool fuses(Operation *op) {
  return op->hasTrait<IsElementwise>() ||
         isa<ConstantOp, IotaOp, BroadcastInDimOp, ReshapeOp, SliceOp, SelectOp, ClampOp>(op);
}

bool isStraight(Block &body) {
  return llvm::all_of(body.without_terminator(), [](Operation &op) { return op.getNumRegions() == 0 && fuses(&op); });
}

// A part of a small vector of constants, as a constant: the numbers of a round are known in each iteration.
Value partOf(OpBuilder &b, SliceOp slice, Value vector) {
  DenseElementsAttr value;
  auto type = dyn_cast<RankedTensorType>(slice.getType());
  if (!type || type.getRank() != 1 || type.getNumElements() > kMostElements ||
      !matchPattern(vector, m_Constant(&value)) || value.isSplat() || value.getNumElements() > kMostElements)
    return {};
  auto all = llvm::to_vector(value.getValues<Attribute>());
  SmallVector<Attribute> part;
  for (int64_t i = slice.getStartIndices()[0]; i < slice.getLimitIndices()[0]; i += slice.getStrides()[0])
    part.push_back(all[i]);
  return ConstantOp::create(b, slice.getLoc(), cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, part))));
}

void unroll(WhileOp loop, int64_t trips) {
  OpBuilder b(loop);
  Block &body = loop.getBody().front();
  SmallVector<Value> now(loop.getOperands());
  for (int64_t trip = 0; trip < trips; ++trip) {
    IRMapping map;
    map.map(body.getArguments(), now);
    for (Operation &op : body.without_terminator()) {
      auto slice = dyn_cast<SliceOp>(op);
      if (Value part = slice ? partOf(b, slice, map.lookupOrDefault(slice.getOperand())) : Value())
        map.map(slice.getResult(), part);
      else
        b.clone(op, map);
    }
    now = llvm::map_to_vector(body.getTerminator()->getOperands(), [&](Value v) { return map.lookupOrDefault(v); });
  }
  loop.replaceAllUsesWith(now);
  loop.erase();
}

struct UnrollLoops : impl::UnrollLoopsPassBase<UnrollLoops> {
  void runOnOperation() override {
    SmallVector<WhileOp> loops;
    getOperation().walk([&](WhileOp loop) { loops.push_back(loop); });
    for (WhileOp loop : loops) {  // inner ones first
      Block &body = loop.getBody().front();
      const auto ops = static_cast<int64_t>(body.getOperations().size());
      if (ops > kMostOps || !isStraight(body) || !isStraight(loop.getCond().front()) ||
          TypeRange(loop.getOperandTypes()) != TypeRange(loop.getResultTypes()))
        continue;
      TripCounts counts;
      std::optional<int64_t> trips = counts.of(loop);
      if (trips && *trips >= 1 && *trips <= kMostTrips && *trips * ops <= kMostOps) unroll(loop, *trips);
    }
  }
};

}  // namespace
}  // namespace tpuc::simplify
