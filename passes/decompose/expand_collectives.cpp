// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives -> exchanges of whole arrays or blocks, and ordinary ops (docs/rationale/collectives.md).
//  1. The op's groups as device numbers; groups of one leave arrays as they are.
//  2. Moves are one exchange between a transpose that brings the blocks to the front and one that puts them where they
//     belong.
//  3. A reduction combines the members' blocks in the order of the group, everywhere the same: small arrays where every
//     member has gathered them all, large ones in parts, of which each member combines one, that are gathered then.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/device_grid.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/exchange.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/process_groups.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_EXPANDCOLLECTIVESPASS
#include "passes/decompose/passes.h.inc"
namespace {

bool isCollective(Operation *op) {
  return mlir::isa<stablehlo::AllGatherOp, stablehlo::AllReduceOp, stablehlo::AllToAllOp, stablehlo::ReduceScatterOp,
                   stablehlo::CollectiveBroadcastOp, stablehlo::CollectiveReduceOp, stablehlo::CollectivePermuteOp,
                   stablehlo::CrossReplicaSumOp>(op);
}

// One collective.
class Expansion {
 public:
  Expansion(Operation *op, const Groups &groups, int64_t latencyBytes)
      : op_(op), b_(op), build_{b_, op->getLoc()}, exchange_(b_, op, groups), latencyBytes_(latencyBytes) {}

  LogicalResult run() {
    SmallVector<Value> results;
    if (failed(check())) return failure();
    const unsigned count = op_->getNumResults();
    for (unsigned i = 0; i < count; ++i) {
      Value x = op_->getOperand(i);
      const bool empty = typeOf(op_->getResult(i)).getNumElements() == 0;
      results.push_back(empty ? build_.splat0(typeOf(op_->getResult(i))) : result(x, i));
    }
    op_->replaceAllUsesWith(results);
    op_->erase();
    return success();
  }

 private:
  // Every device in a group, and groups of the size that the types say.
  LogicalResult check() {
    if (mlir::isa<stablehlo::CollectivePermuteOp, stablehlo::CollectiveBroadcastOp, stablehlo::CollectiveReduceOp>(op_))
      return success();
    if (exchange_.numMembers() != exchange_.grid().devices())
      return diagnose(op_, codes::kBadGroups) << "expects each of the " << exchange_.grid().devices()
                                              << " devices in a group, but got " << exchange_.numMembers();
    const bool reduces = mlir::isa<stablehlo::AllReduceOp, stablehlo::CrossReplicaSumOp>(op_);
    if (!reduces && !exchange_.isUniform())
      return diagnose(op_, codes::kBadGroups) << "expects groups of one size, but got several";
    int64_t expected = exchange_.size();
    auto size = [&](Value v, int64_t dim) { return typeOf(v).getDimSize(dim); };
    for (unsigned i = 0; i < op_->getNumResults(); ++i) {
      int64_t whole = 0, part = 0;
      if (auto gather = dyn_cast<stablehlo::AllGatherOp>(op_)) {
        whole = size(op_->getResult(i), gather.getAllGatherDim());
        part = size(op_->getOperand(i), gather.getAllGatherDim());
      } else if (auto scatter = dyn_cast<stablehlo::ReduceScatterOp>(op_)) {
        whole = size(op_->getOperand(i), scatter.getScatterDimension());
        part = size(op_->getResult(i), scatter.getScatterDimension());
      } else if (auto all = dyn_cast<stablehlo::AllToAllOp>(op_)) {
        whole = all.getSplitCount();
        part = 1;
      }
      if (part * expected != whole)
        return diagnose(op_, codes::kBadGroups) << "expects groups of " << (part ? whole / part : 0)
                                                << " devices, as its types say, but got " << expected;
    }
    return success();
  }

  Value result(Value x, unsigned i) {
    if (auto gather = dyn_cast<stablehlo::AllGatherOp>(op_)) {
      const int64_t dim = gather.getAllGatherDim();
      return exchange_.size() == 1 ? x : exchange_.mergeFront(exchange_.gather(x), dim, typeOf(op_->getResult(i)));
    }
    if (auto all = dyn_cast<stablehlo::AllToAllOp>(op_)) {
      if (exchange_.size() == 1) return x;
      Value blocks = exchange_.scatter(exchange_.splitToFront(x, all.getSplitDimension()));
      return exchange_.mergeFront(blocks, all.getConcatDimension(), typeOf(op_->getResult(i)));
    }
    if (auto scatter = dyn_cast<stablehlo::ReduceScatterOp>(op_)) {
      if (exchange_.size() == 1) return x;
      return combine(exchange_.scatter(exchange_.splitToFront(x, scatter.getScatterDimension())));
    }
    if (mlir::isa<stablehlo::CollectivePermuteOp>(op_)) return exchange_.permute(x);
    if (mlir::isa<stablehlo::CollectiveBroadcastOp>(op_)) return broadcast(x, i);
    if (mlir::isa<stablehlo::CollectiveReduceOp>(op_)) return reduceToRoot(x, i);
    return allReduce(x);
  }

  Value allReduce(Value x) {
    const int64_t members = exchange_.size(), bytes = bytesOf(x);
    if (members == 1) return x;
    // Bytes that leave a device: all of x to each other member, or twice one part to each.
    const int64_t direct = (members - 1) * bytes, inParts = 2 * (members - 1) * (bytes / members);
    if (!exchange_.isUniform() || direct - inParts <= latencyBytes_) return combine(exchange_.gather(x));
    RankedTensorType type = typeOf(x);
    const int64_t dim = exchange_.bestSplit(type);
    const int64_t padded = llvm::alignTo(type.getDimSize(dim), members);
    Value whole = build_.padTo(x, dim, padded);
    Value mine = combine(exchange_.scatter(exchange_.splitToFront(whole, dim)));
    Value all = exchange_.mergeFront(exchange_.gather(mine), dim, typeOf(whole));
    return build_.sliceTo(all, type.getShape());
  }

  int64_t bytesOf(Value v) const {
    Type element = typeOf(v).getElementType();
    if (auto complex = dyn_cast<ComplexType>(element))
      return typeOf(v).getNumElements() * 2 * complex.getElementType().getIntOrFloatBitWidth() / 8;
    return typeOf(v).getNumElements() * (element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 32) / 8;
  }

  // The members' blocks in the order of the group.
  Value combine(Value blocks) {
    SmallVector<int64_t> shape(typeOf(blocks).getShape().drop_front());
    auto block = [&](int64_t j) {
      RankedTensorType type = typeOf(blocks);
      SmallVector<int64_t> start(type.getRank(), 0), limit(type.getShape()), stride(type.getRank(), 1);
      start[0] = j;
      limit[0] = j + 1;
      return build_.reshape(build_.slice(blocks, start, limit, stride), shape);
    };
    Value sum = block(0);
    for (int64_t j = 1; j < exchange_.size(); ++j) {
      Value next = apply(sum, block(j));
      sum = exchange_.isUniform()
                ? next
                : build_.select(exchange_.flag([&](int64_t size, int64_t) { return j < size; }), next, sum);
    }
    return sum;
  }

  Value apply(Value x, Value y) {
    if (op_->getNumRegions() == 0) return stablehlo::AddOp::create(b_, op_->getLoc(), x, y);
    return inlineElementwise(b_, op_->getRegion(0).front(), {x, y})[0];
  }

  // The number of the root in the group, of a result that names it by an operand.
  Value rootOf(unsigned i) {
    Value roots = op_->getOperands().back();
    const int64_t at = i;
    return build_.reshape(build_.slice(roots, {at}, {at + 1}, {1}), {});
  }

  Value broadcast(Value x, unsigned i) {
    if (!cast<stablehlo::CollectiveBroadcastOp>(op_).getHasDynamicRoot()) return exchange_.fromFirst(x);
    if (exchange_.size() == 1) return x;
    Value blocks = exchange_.gather(x);
    Value picked = build_.blockAt(blocks, rootOf(i), typeOf(x).getShape());
    return exchange_.numMembers() == exchange_.grid().devices()
               ? picked
               : build_.select(exchange_.flag([](int64_t size, int64_t) { return size > 0; }), picked,
                               build_.splat0(typeOf(x)));
  }

  Value reduceToRoot(Value x, unsigned i) {
    Value sum = allReduce(x);
    Value isRoot = exchange_.flag([](int64_t size, int64_t position) { return size > 0 && position == 0; });
    if (cast<stablehlo::CollectiveReduceOp>(op_).getHasDynamicRoot())
      isRoot = build_.equals(exchange_.position(), rootOf(i));
    return build_.select(isRoot, sum, build_.splat0(typeOf(x)));
  }

  Operation *op_;
  OpBuilder b_;
  ExchangeBuild build_;
  Exchange exchange_;
  const int64_t latencyBytes_;
};

struct ExpandCollectives : impl::ExpandCollectivesPassBase<ExpandCollectives> {
  using ExpandCollectivesPassBase::ExpandCollectivesPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    SmallVector<Operation *> ops;
    func.walk([&](Operation *op) {
      if (isCollective(op) || mlir::isa<stablehlo::PartitionIdOp, stablehlo::ReplicaIdOp>(op)) ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(expand(op))) return signalPassFailure();
  }

  LogicalResult expand(Operation *op) {
    if (!isCollective(op)) {
      OpBuilder b(op);
      Build build{b, op->getLoc()};
      const stablehlo::DeviceGrid grid = stablehlo::gridOf(op);
      const bool partition = mlir::isa<stablehlo::PartitionIdOp>(op);
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      Value id;
      if ((partition ? grid.partitions : grid.replicas) == 1) {
        id = build.splat(type, 0);
      } else {
        id = kernel::DeviceIdOp::create(b, op->getLoc(), type);
        Value partitions = build.splat(type, grid.partitions);
        if (!partition && grid.partitions > 1) id = stablehlo::DivOp::create(b, op->getLoc(), id, partitions);
        if (partition && grid.replicas > 1) id = stablehlo::RemOp::create(b, op->getLoc(), id, partitions);
      }
      op->getResult(0).replaceAllUsesWith(id);
      op->erase();
      return success();
    }
    FailureOr<Groups> groups = processGroups(op);
    return failed(groups) ? failure() : Expansion(op, *groups, latencyBytes).run();
  }
};

}  // namespace
}  // namespace tpuc::decompose
