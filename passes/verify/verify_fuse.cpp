// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After fuse: each op that computes is in a kernel. What lies or moves between kernels is not: constants, views,
// counters, exchanges, calls of the host.
#include "dialects/kernel/counts.h"
#include "dialects/kernel/host_call.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/analysis/relayout.h"
#include "passes/verify/passes.h"

using namespace mlir;

namespace tpuc::verify {
#define GEN_PASS_DEF_VERIFYFUSEPASS
#include "passes/verify/passes.h.inc"
namespace {

// What the program's own instruction stream does, between its kernels.
bool isControl(Operation *op) {
  return mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op) || op->hasTrait<OpTrait::IsTerminator>();
}

// Moves alone, or with pieces that they read and write in place, whose positions are constants or arguments.
bool isRelayout(kernel::FusionOp fusion) {
  if (analysis::relayoutOf(fusion)) return true;
  bool hasMoves = false, hasPieces = false;
  for (Operation &op : fusion.getBlock().without_terminator()) {
    const bool isPiece = mlir::isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op);
    if (!isPiece && !analysis::isRelayoutOp(&op) && !mlir::isa<stablehlo::ConstantOp>(op)) return false;
    hasMoves |= analysis::isRelayoutOp(&op);
    hasPieces |= isPiece;
  }
  return hasMoves && hasPieces;
}

LogicalResult verifyKernel(kernel::FusionOp fusion) {
  WalkResult walk = fusion.getBody().walk([&](kernel::FusionOp inner) {
    broken(inner, "expects no kernel within a kernel").attachNote(fusion.getLoc()) << "the outer kernel";
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted()) return failure();
  Block &block = fusion.getBlock();
  auto has = [&](auto... ops) {
    return llvm::any_of(block, [](Operation &op) { return mlir::isa<decltype(ops)...>(op); });
  };
  if (fusion.getKind() == "dot" && !has(stablehlo::DotGeneralOp()))
    return broken(fusion, "expects a dot_general in a kernel of kind dot");
  if (fusion.getKind() == "conv" && !has(stablehlo::ConvolutionOp()))
    return broken(fusion, "expects a convolution in a kernel of kind conv");
  if (fusion.getKind() == "window" &&
      !has(stablehlo::ReduceWindowOp(), stablehlo::SelectAndScatterOp(), stablehlo::ConvolutionOp()))
    return broken(fusion, "expects a window in a kernel of kind window");
  if (fusion.getKind() == "relayout" && !isRelayout(fusion))
    return broken(fusion, "expects reshapes, transposes and broadcasts that keep lanes in a kernel of kind relayout");
  return success();
}

LogicalResult verifyTripCount(Operation *op) {
  Attribute attribute = op->getAttr(kernel::kTripCountAttr);
  if (!attribute) return success();
  auto trips = dyn_cast<IntegerAttr>(attribute);
  bool isCount =
      trips && trips.getType().isSignlessInteger(64) && trips.getInt() >= 0 && trips.getInt() <= kernel::kMostTrips;
  if (mlir::isa<stablehlo::WhileOp>(op) && isCount) return success();
  return broken(
      op, "expects " + kernel::kTripCountAttr + " to be a loop's, and an i64 of 0 to " + Twine(kernel::kMostTrips));
}

LogicalResult verifyFlops(Operation *op) {
  Attribute attribute = op->getAttr(kernel::kFlopsAttr);
  if (!attribute) return success();
  auto flops = dyn_cast<DenseI64ArrayAttr>(attribute);
  bool areCounts = flops && flops.size() == 2 && llvm::all_of(flops.asArrayRef(), [](int64_t n) { return n >= 0; });
  if (mlir::isa<kernel::FusionOp>(op) && areCounts) return success();
  return broken(op, "expects " + kernel::kFlopsAttr + " to be a kernel's, and two numbers from 0 on");
}

LogicalResult verifyBlock(Block &block) {
  for (Operation &op : block) {
    if (failed(verifyTripCount(&op)) || failed(verifyFlops(&op))) return failure();
    if (auto fusion = dyn_cast<kernel::FusionOp>(op)) {
      if (failed(verifyKernel(fusion))) return failure();
      continue;
    }
    // Arrays that lie in memory: constants, planes of wide ones; and the host's functions.
    if (mlir::isa<stablehlo::ConstantOp, kernel::SplitOp, kernel::JoinOp, kernel::ViewOp, kernel::UndefinedOp,
                  kernel::CounterOp, kernel::ExchangeStartOp, kernel::ExchangeDoneOp, kernel::DeviceIdOp>(op) ||
        kernel::isHostCall(&op))
      continue;
    if (!isControl(&op))
      return broken(&op, "expects every op in a kernel, but got '" + op.getName().getStringRef() + "' outside");
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(verifyBlock(inner))) return failure();
  }
  return success();
}

}  // namespace

LogicalResult verifyKernels(ModuleOp module) {
  if (failed(verifyOneFunction(module))) return failure();
  return verifyBlock(module.lookupSymbol<func::FuncOp>("main").getBody().front());
}

namespace {

struct VerifyFuse : impl::VerifyFusePassBase<VerifyFuse> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verifyKernels(getOperation()))) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::verify
