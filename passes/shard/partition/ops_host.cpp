//===- ops_host.cpp - calls of the host: one device makes them -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host is called once with whole arrays, by the device that the call's sharding names, or the first; what it
// returns goes to all others. In a manual computation each device calls it with its parts.
//===-----------------------------------------------------------------------------===//
#include "dialects/kernel/host_call.h"
#include "passes/shard/partition/partitioner.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

int64_t callerOf(Operation *op) {
  auto stated = op->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding");
  if (!stated || stated.getShardings().empty()) return 0;
  sdy::MeshAttr mesh = sdy::meshOf(op, stated.getShardings().front().getMeshOrRef());
  return sdy::isMaximal(mesh) ? mesh.getDeviceIds().front() : 0;
}

void branch(Partitioner &p, Region &region, llvm::function_ref<SmallVector<Value>()> values) {
  OpBuilder::InsertionGuard guard(p.emit.builder);
  p.emit.builder.createBlock(&region);
  p.emit.create<hlo::ReturnOp>(values());
}

}  // namespace

LogicalResult hostCall(Operation *op, Partitioner &p) {
  if (!p.emit.manual.empty()) return p.replicate(op);
  const int64_t caller = callerOf(op);
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value value) { return p.whole(value); });
  Type number = RankedTensorType::get({}, p.emit.builder.getIntegerType(32, /*isSigned=*/false));
  Value id = p.emit.convert(p.emit.create<hlo::PartitionIdOp>(number), p.emit.builder.getI32Type());
  Value calls = p.emit.compare(id, p.emit.scalar(caller), hlo::ComparisonDirection::EQ);
  auto choice = p.emit.create<hlo::IfOp>(op->getResultTypes(), calls);
  branch(p, choice.getTrueBranch(),
         [&] { return SmallVector<Value>(p.clone(op, operands, op->getResultTypes())->getResults()); });
  branch(p, choice.getFalseBranch(), [&] {
    return llvm::map_to_vector(op->getResultTypes(),
                               [&](Type type) { return p.emit.zeros(cast<RankedTensorType>(type)); });
  });
  for (auto [global, local] : llvm::zip_equal(op->getResults(), choice->getResults())) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(global.getType()).getShape();
    Value all = llvm::is_contained(shape, 0) ? Value(local) : p.emit.broadcastFrom(local, caller, p.devices);
    p.set(global, all, Layout::whole(shape));
  }
  return success();
}

}  // namespace tpuc::shard
