// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algebra, composition of moves, folding of splats.
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/simplify/passes.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_SIMPLIFYPASS
#include "passes/simplify/passes.h.inc"

namespace {

struct Simplify : impl::SimplifyPassBase<Simplify> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateStaticForms(set);
    populatePromotions(set);
    populateEinsum(set);
    populateOneDevice(set);
    populateSplats(set);
    populateAlgebra(set);
    populateConversions(set);
    populatePredicates(set);
    populateRanges(set);
    populateMoves(set);
    populateMotion(set);
    populateMergedRows(set);
    populateSlices(set);
    populateScatters(set);
    populateJoinedPads(set);
    populateReductions(set);
    populateControlFlow(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    // The rewrites shrink the program; a bound on the rounds is only there against mistakes.
    config.setMaxIterations(64);
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      getOperation()->emitWarning() << "simplification stopped before it was done";
  }

  FrozenRewritePatternSet patterns;
};

}  // namespace
}  // namespace tpuc::simplify
