// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A send and the recv of the same channel -> collective permutes along their pairs.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/device_grid.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_PAIRTRANSFERSPASS
#include "passes/simplify/passes.h.inc"
namespace {

LogicalResult refuse(Operation *op, const Twine &why) { return diagnose(op, codes::kNoCollective) << why; }

// Nothing may need what is received before it is sent.
bool isNeededBefore(stablehlo::RecvOp recv, stablehlo::SendOp send) {
  for (Value received : recv->getResults().drop_back())
    for (Operation *user : received.getUsers()) {
      Operation *ancestor = recv->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && ancestor->isBeforeInBlock(send)) return true;
    }
  return false;
}

LogicalResult connect(stablehlo::SendOp send, stablehlo::RecvOp recv) {
  if (!send.getSourceTargetPairsAttr()) return refuse(send, "expects source_target_pairs, but got none");
  if (send->getBlock() != recv->getBlock() || send.getInputs().size() + 1 != recv->getNumResults())
    return refuse(recv, "expects a send of as many arrays beside it");
  for (auto [array, received] : llvm::zip(send.getInputs(), recv->getResults()))
    if (array.getType() != received.getType()) return refuse(recv, "expects what its channel's send sends");
  if (isNeededBefore(recv, send)) return refuse(recv, "expects the send of its channel before what needs what it gets");
  OpBuilder b(recv->isBeforeInBlock(send) ? send.getOperation() : recv.getOperation());
  // Their numbers are partitions where there are some.
  auto channel = stablehlo::ChannelHandleAttr::get(b.getContext(), stablehlo::gridOf(send).partitions > 1 ? 1 : 0, 1);
  for (auto [array, received] : llvm::zip(send.getInputs(), recv->getResults()))
    received.replaceAllUsesWith(stablehlo::CollectivePermuteOp::create(b, recv.getLoc(), array.getType(), array,
                                                                       send.getSourceTargetPairsAttr(), channel)
                                    .getResult());
  recv->getResults().back().replaceAllUsesWith(recv.getToken());
  send.getResult().replaceAllUsesWith(send.getToken());
  recv.erase();
  send.erase();
  return success();
}

struct PairTransfers : impl::PairTransfersPassBase<PairTransfers> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (stablehlo::gridOf(function).devices() == 1) return;
    SmallVector<stablehlo::SendOp> sends;
    SmallVector<stablehlo::RecvOp> recvs;
    function.walk([&](stablehlo::SendOp op) { sends.push_back(op); });
    function.walk([&](stablehlo::RecvOp op) { recvs.push_back(op); });
    for (stablehlo::SendOp send : sends) {
      const int64_t channel = send.getChannelHandle().getHandle();
      auto it = llvm::find_if(recvs, [&](stablehlo::RecvOp recv) {
        return recv.getChannelHandle().getHandle() == channel && !recv.getIsHostTransfer();
      });
      if (send.getIsHostTransfer() || it == recvs.end()) continue;  // refused with the other transfers
      if (failed(connect(send, *it))) return signalPassFailure();
      recvs.erase(it);
    }
  }
};

}  // namespace
}  // namespace tpuc::simplify
