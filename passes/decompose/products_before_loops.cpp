// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product in a loop of a stack's layer, another one in each iteration, with a right side that stays the same becomes
// one product of the whole stack before the loop, and a layer of that in it.
#include "passes/analysis/loop_layers.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
#define GEN_PASS_DEF_PRODUCTSBEFORELOOPSPASS
#include "passes/decompose/passes.h.inc"
namespace {

using builders::Build;
using builders::typeOf;

struct ProductsBeforeLoops : impl::ProductsBeforeLoopsPassBase<ProductsBeforeLoops> {
  using ProductsBeforeLoopsPassBase::ProductsBeforeLoopsPassBase;

  void runOnOperation() override {
    SmallVector<stablehlo::WhileOp> loops;
    getOperation().walk([&](stablehlo::WhileOp loop) { loops.push_back(loop); });
    for (stablehlo::WhileOp loop : loops) {
      analysis::LoopLayers layers(loop);
      if (layers.trips() < 2) continue;
      for (auto dot : llvm::make_early_inc_range(loop.getBody().front().getOps<stablehlo::DotGeneralOp>()))
        hoist(loop, dot, layers);
    }
  }

  void hoist(stablehlo::WhileOp loop, stablehlo::DotGeneralOp dot, analysis::LoopLayers &layers) {
    auto of = dot.getDotDimensionNumbers();
    if (!dot->getDiscardableAttrs().empty() || !of.getLhsBatchingDimensions().empty() ||
        layers.isConstant(dot.getLhs()) || !layers.isConstant(dot.getRhs()))
      return;
    const int64_t bytes = layers.bytesOf(dot), room = std::max<int64_t>(layers.carriedBytes(), limitBytes);
    if (layers.bytesOf(dot.getRhs()) <= bytes || bytes * layers.trips() > room) return;
    auto left = layers.layersIn(dot.getLhs());
    if (!left) return;

    OpBuilder before(loop), inside(dot);
    Build build{before, dot.getLoc()}, step{inside, dot.getLoc()};
    SmallVector<int64_t> stack{layers.trips()}, all{layers.trips()}, one{1};
    llvm::append_range(stack, typeOf(dot.getLhs()).getShape());
    llvm::append_range(all, typeOf(dot).getShape());
    llvm::append_range(one, typeOf(dot).getShape());
    auto further = llvm::map_to_vector(of.getLhsContractingDimensions(), [](int64_t d) { return d + 1; });
    Value product = stablehlo::DotGeneralOp::create(
        before, dot.getLoc(), typeOf(dot).clone(all), build.reshape(left->stack, stack), layers.outside(dot.getRhs()),
        stablehlo::DotDimensionNumbersAttr::get(&getContext(), {}, {}, further, of.getRhsContractingDimensions()),
        dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
    SmallVector<Value> starts(all.size(), step.zero(typeOf(left->index).getElementType()));
    starts[0] = left->index;
    Value layer = stablehlo::DynamicSliceOp::create(inside, dot.getLoc(), typeOf(dot).clone(one), product, starts, one);
    dot.replaceAllUsesWith(step.reshape(layer, typeOf(dot).getShape()));
    dot->erase();
  }
};

}  // namespace
}  // namespace tpuc::decompose
