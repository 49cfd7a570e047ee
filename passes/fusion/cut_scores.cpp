// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention whose scores VMEM does not hold, in a loop over blocks of them that it does.
//
//  1. A block is some queries of one head with all keys, or several heads (score_blocks.h). An iteration computes its
//     scores, what the program makes of them, and the product with the values (region_cutter.h).
//  2. It is done where the scores' way through HBM takes longer than the iterations' kernels take to start.
#include "passes/fusion/passes.h"
#include "passes/fusion/region_cutter.h"
#include "passes/fusion/score_blocks.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_CUTSCORESPASS
#include "passes/fusion/passes.h.inc"
namespace {

struct CutScores : impl::CutScoresPassBase<CutScores> {
  using CutScoresPassBase::CutScoresPassBase;

  // Half of the scores' way through HBM is hidden behind the work on them.
  bool pays(const ScoreBlocks &blocks) const {
    constexpr int64_t kKernels = 4;  // an iteration's: two products, and two for the softmax
    const auto iterations = static_cast<int64_t>(llvm::divideCeil(blocks.count(), cores));
    return blocks.scoreBytes() / 2 > blocks.copiedBytes() + iterations * kKernels * kernelBytes;
  }

  void runOnOperation() override {
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    // The last products come first: what one erases lies before it.
    for (stablehlo::DotGeneralOp last : llvm::reverse(dots)) {
      auto scores = last ? scoresOf(last) : std::nullopt;
      if (!scores) continue;
      stablehlo::DotGeneralOp first = scores->first;
      ScoreBlocks blocks(*std::move(scores));
      if (!blocks.choose(room, cores) || !pays(blocks)) continue;
      llvm::replace(dots, first, stablehlo::DotGeneralOp());
      const SmallVector<int64_t> order = blocks.resultOrder();
      RegionCutter(blocks, blocks.scores(), order).rewrite(cores > 1);
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
