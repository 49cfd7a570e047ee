// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of batches whose results VMEM does not hold, with what is made of them, in a loop over batches that it does
// (batch_regions.h).
#include "dialects/kernel/counts.h"
#include "passes/fusion/batch_regions.h"
#include "passes/fusion/passes.h"
#include "passes/fusion/region_cutter.h"

using namespace mlir;

namespace tpuc::fusion {
#define GEN_PASS_DEF_CUTBATCHESPASS
#include "passes/fusion/passes.h.inc"
namespace {

struct CutBatches : impl::CutBatchesPassBase<CutBatches> {
  using CutBatchesPassBase::CutBatchesPassBase;

  // How many cores share the iterations of a loop around `dot`: one within a loop that they share.
  int64_t coresAt(stablehlo::DotGeneralOp dot) const { return kernel::loopOverCores(dot) ? 1 : cores; }

  // Half of what goes through HBM is hidden behind the work on it. What would stay in VMEM without a loop saves nothing
  // in it, and results that would stay go through HBM.
  bool pays(const BatchRegion &region, const BatchBlocks &blocks, int64_t cores) const {
    const auto iterations = static_cast<int64_t>(llvm::divideCeil(blocks.count(), cores));
    return (region.movedBytes - region.keptBytes) / 2 >
           blocks.copiedBytes() + iterations * region.kernels * kernelBytes;
  }

  // Whether a call of the host, or the like, stands among the region's ops: what reads these would move behind the
  // loop, and the calls change their order.
  static bool hasEffectsAmong(const BatchRegion &region) {
    Block *block = region.results.front().getDefiningOp()->getBlock();
    Operation *first = nullptr, *last = nullptr;
    for (Operation *op : region.ops) {
      if (op->getBlock() != block) continue;
      if (!first || op->isBeforeInBlock(first)) first = op;
      if (!last || last->isBeforeInBlock(op)) last = op;
    }
    for (Operation *op = first; op != last; op = op->getNextNode())
      if (!isMemoryEffectFree(op)) return true;
    return false;
  }

  // What is converted to fewer bits once it is transposed is converted before, within the region.
  static bool convertFirst(const BatchRegion &region) {
    bool changes = false;
    for (Value v : region.results) {
      stablehlo::TransposeOp transpose = transposeOf(v);
      auto convert =
          transpose && transpose->hasOneUse() ? dyn_cast<stablehlo::ConvertOp>(*transpose->user_begin()) : nullptr;
      if (!convert || convert.getType().getElementTypeBitWidth() >= transpose.getType().getElementTypeBitWidth())
        continue;
      OpBuilder b(transpose);
      builders::Build build{b, convert.getLoc()};
      Value narrow = build.convert(v, convert.getType().getElementType());
      convert.replaceAllUsesWith(build.transpose(narrow, transpose.getPermutation()));
      convert.erase();
      transpose.erase();
      changes = true;
    }
    return changes;
  }

  // The order of a result's dims in its stack. It is that of a transposed product: batches outermost.
  static SmallVector<int64_t> orderOf(Value v, const BatchRegion &region, const BatchBlocks &blocks) {
    const CommonDims &dims = region.dimsOf.find(v)->second;
    stablehlo::TransposeOp transpose = transposeOf(v);
    auto convert = v.getDefiningOp<stablehlo::ConvertOp>();
    Value made = convert ? convert.getOperand() : v;
    if (!transpose || !made.getDefiningOp<stablehlo::DotGeneralOp>()) return blocks.stackOrder(dims);
    CommonDims read;
    for (int64_t d : transpose.getPermutation()) read.push_back(dims[d]);
    SmallVector<int64_t> order = blocks.stackOrder(read);
    for (int64_t &d : order) d = transpose.getPermutation()[d];
    return order;
  }

  // Whether the region around a product becomes a loop.
  bool cut(stablehlo::DotGeneralOp dot) const {
    const int64_t cores = coresAt(dot);
    // Cores with a VMEM each keep nothing between kernels outside of a loop.
    auto region = batchRegionOf(dot, cores == 1 ? room : 0);
    if (!region) return false;
    BatchBlocks blocks(*region);
    if (!blocks.choose(room, cores) || !pays(*region, blocks, cores) || hasEffectsAmong(*region)) return false;
    if (convertFirst(*region)) return cut(dot), true;
    SmallVector<SmallVector<int64_t>> orders;
    for (Value v : region->results) orders.push_back(orderOf(v, *region, blocks));
    RegionCutter(blocks, *region, orders).rewrite(cores > 1);
    return true;
  }

  // One that does not stay in VMEM anyway. Cores with a VMEM each keep nothing between kernels but in such a loop:
  // there products of batches that a core would hold are taken too, if they are larger than what they are made of.
  bool isLarge(stablehlo::DotGeneralOp dot) const {
    constexpr int64_t kLeastPart = 8;
    auto type = dyn_cast<RankedTensorType>(dot.getType());
    if (!type || !type.hasStaticShape()) return false;
    auto isLarger = [&](Value v) { return cast<ShapedType>(v.getType()).getNumElements() > type.getNumElements(); };
    if (coresAt(dot) == 1) return type.getNumElements() * 4 > room;
    return type.getNumElements() * 4 > room / kLeastPart &&
           !dot.getDotDimensionNumbers().getLhsBatchingDimensions().empty() &&
           llvm::none_of(dot->getOperands(), isLarger);
  }

  // Blocks have fewer batches: each cut leaves less to cut.
  void runOnOperation() override {
    if (room <= 0) return;
    for (bool again = true; again;)
      again = getOperation()
                  .walk([&](stablehlo::DotGeneralOp dot) {
                    return isLarge(dot) && cut(dot) ? WalkResult::interrupt() : WalkResult::advance();
                  })
                  .wasInterrupted();
  }
};

}  // namespace
}  // namespace tpuc::fusion
