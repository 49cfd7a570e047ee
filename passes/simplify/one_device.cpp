//===- one_device.cpp - collectives whose groups have one member, shardings over one device ---------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/device_grid.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

bool oneDevice(Operation *op) { return hlo::gridOf(op).devices() == 1; }

template <typename MeshT>
bool hasOneDevice(MeshT mesh) {
  return llvm::all_of(mesh.getAxes(), [](auto axis) { return axis.getSize() == 1; });
}

// Groups of one member, listed or along the axes of a mesh of one device.
bool isAlone(Operation *op, Attribute groups) {
  if (auto ids = dyn_cast<DenseIntElementsAttr>(groups))
    return ids.getType().getRank() == 2 && ids.getType().getDimSize(1) <= 1;
  auto axes = dyn_cast<hlo::ReplicaGroupMeshAxesAttr>(groups);
  if (!axes) return false;
  if (auto mesh = dyn_cast<hlo::MeshAttr>(axes.getMesh())) return hasOneDevice(mesh);
  auto symbol = dyn_cast<FlatSymbolRefAttr>(axes.getMesh());
  auto mesh = symbol ? SymbolTable::lookupNearestSymbolFrom<sdy::MeshOp>(op, symbol) : sdy::MeshOp();
  return mesh && hasOneDevice(mesh.getMesh());
}

// What the groups of one member compute is what they are given.
template <typename OpT>
struct AloneInGroup : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!oneDevice(op) || !isAlone(op, op.getReplicaGroups())) return failure();
    if (op->getOperandTypes() != op->getResultTypes()) return failure();
    rewriter.replaceOp(op, op->getOperands());
    return success();
  }
};

// A device that no pair names as a target gets zeros.
LogicalResult permuteAlone(hlo::CollectivePermuteOp op, PatternRewriter &rewriter) {
  auto pairs = dyn_cast<DenseIntElementsAttr>(op.getSourceTargetPairs());
  auto type = dyn_cast<RankedTensorType>(op.getOperand().getType());
  if (!oneDevice(op) || !pairs || !type || type != op.getResult().getType() || !type.getElementType().isIntOrFloat())
    return failure();
  bool named = false;
  for (const APInt &id : pairs.getValues<APInt>()) {
    if (!id.isZero()) return failure();
    named = true;
  }
  if (named)
    rewriter.replaceOp(op, op.getOperand());
  else
    rewriter.replaceOpWithNewOp<hlo::ConstantOp>(op, type,
                                                 cast<ElementsAttr>(Attribute(DenseElementsAttr::get(
                                                     type, Attribute(rewriter.getZeroAttr(type.getElementType()))))));
  return success();
}

template <typename OpT>
struct FirstDevice : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!oneDevice(op)) return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), type, APInt(type.getElementTypeBitWidth(), 0)));
    return success();
  }
};

// Wherever the parts of a value are asked to lie, there is one.
template <typename OpT>
struct LiesWhole : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!oneDevice(op)) return failure();
    rewriter.replaceOp(op, op->getOperands());
    return success();
  }
};

// The only device's part of a computation is all of it.
template <typename OpT>
struct ComputedWhole : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    Operation *end = body.getTerminator();
    if (!oneDevice(op) || TypeRange(body.getArgumentTypes()) != op->getOperandTypes() ||
        end->getOperandTypes() != op->getResultTypes())
      return failure();
    SmallVector<Value> results(end->getOperands());
    rewriter.inlineBlockBefore(&body, op, op->getOperands());
    rewriter.replaceOp(op, results);
    rewriter.eraseOp(end);
    return success();
  }
};

}  // namespace

void populateOneDevice(RewritePatternSet &patterns) {
  patterns.add<AloneInGroup<hlo::AllReduceOp>, AloneInGroup<hlo::AllGatherOp>, AloneInGroup<hlo::AllToAllOp>,
               AloneInGroup<hlo::ReduceScatterOp>, AloneInGroup<hlo::CollectiveBroadcastOp>,
               AloneInGroup<hlo::CollectiveReduceOp>, AloneInGroup<hlo::CrossReplicaSumOp>,
               FirstDevice<hlo::ReplicaIdOp>, FirstDevice<hlo::PartitionIdOp>, LiesWhole<sdy::ShardingConstraintOp>,
               LiesWhole<sdy::ReshardOp>, LiesWhole<sdy::PropagationBarrierOp>, ComputedWhole<sdy::ManualComputationOp>,
               ComputedWhole<sdy::NamedComputationOp>>(patterns.getContext());
  patterns.add(permuteAlone);
}

}  // namespace tpuc::simplify
