// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Each transpose that a convolution's kernel asked for, and what is computed with its other side, dim by dim
//    (array_orders).
// 2. All of that takes the order of the convolution's side where this moves fewer bytes: a model with its features
//    first is transposed at its ends, or nowhere.
#include "passes/analysis/domain.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_ORDERCONVOLUTIONSPASS
#include "passes/layout/passes.h.inc"
namespace {

struct Seed {
  Value value;
  Order order;
};

bool isNextToConvolution(stablehlo::TransposeOp op) {
  RankedTensorType from = typeOf(op.getOperand()), to = typeOf(op);
  if (!from.hasStaticShape() || !from.getElementType().isIntOrFloat() ||
      analysis::paddedBytes(from) + analysis::paddedBytes(to) < kLeastSaved ||
      !movesElements(from, op.getPermutation()))
    return false;
  return op.getOperand().getDefiningOp<stablehlo::ConvolutionOp>() ||
         llvm::any_of(op->getUsers(), [](Operation *user) { return mlir::isa<stablehlo::ConvolutionOp>(user); });
}

// The side away from the convolution, in the order of the other.
Seed seedOf(stablehlo::TransposeOp op) {
  Order permutation(op.getPermutation()), inverse(permutation.size());
  for (auto [i, d] : llvm::enumerate(permutation)) inverse[d] = i;
  if (op.getOperand().getDefiningOp<stablehlo::ConvolutionOp>()) return {op.getResult(), inverse};
  return {op.getOperand(), permutation};
}

struct OrderConvolutions : impl::OrderConvolutionsPassBase<OrderConvolutions> {
  void runOnOperation() override {
    func::FuncOp main = getOperation();
    if (main.getName() != "main" || main.isExternal()) return;
    SmallVector<stablehlo::TransposeOp> transposes;
    main.walk([&](stablehlo::TransposeOp op) {
      if (isNextToConvolution(op)) transposes.push_back(op);
    });
    if (transposes.empty()) return;
    ownLeaves(main);
    // Seeds are found after ownLeaves(): it gives a transpose of a constant a copy of that constant.
    SmallVector<Seed> seeds = llvm::map_to_vector(transposes, seedOf);
    llvm::DenseSet<Value> seen;  // a region is tried once
    for (const Seed &seed : seeds) {
      if (seen.contains(seed.value)) continue;
      ArrayOrders orders(/*forMoves=*/true);
      if (orders.spread(seed.value, seed.order) && orders.bytesBefore() - orders.bytesAfter() >= kLeastSaved)
        orders.apply(seen);
      else
        orders.values(seen);
    }
    Operation *end = main.getBody().front().getTerminator();
    main.setFunctionType(FunctionType::get(&getContext(), main.getBody().getArgumentTypes(), end->getOperandTypes()));
  }
};

}  // namespace
}  // namespace tpuc::layout
