//===- ops_host.cpp - what one device does alone: calls of the host ------------------------------------===//
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

// The device that alone has the op's results.
std::optional<int64_t> deviceOf(Operation *op) {
  auto stated = op->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding");
  if (!stated || stated.getShardings().empty()) return std::nullopt;
  sdy::MeshAttr mesh = sdy::meshOf(op, stated.getShardings().front().getMeshOrRef());
  if (!mesh || !sdy::isMaximal(mesh)) return std::nullopt;
  return mesh.getDeviceIds().front();
}

// What `device` has of the results, on all.
void share(Operation *op, ValueRange results, int64_t device, Partitioner &p) {
  for (auto [global, local] : llvm::zip_equal(op->getResults(), results)) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(global.getType()).getShape();
    Value all = llvm::is_contained(shape, 0) ? local : p.emit.broadcastFrom(local, device, p.devices);
    p.set(global, all, Layout::whole(shape));
  }
}

void branch(Partitioner &p, Region &region, llvm::function_ref<SmallVector<Value>()> values) {
  OpBuilder::InsertionGuard guard(p.emit.builder);
  p.emit.builder.createBlock(&region);
  p.emit.create<hlo::ReturnOp>(values());
}

}  // namespace

LogicalResult hostCall(Operation *op, Partitioner &p) {
  if (!p.emit.manual.empty()) return p.replicate(op);
  const int64_t caller = deviceOf(op).value_or(0);
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
  share(op, choice->getResults(), caller, p);
  return success();
}

bool isOnOneDevice(Operation *op) { return deviceOf(op).has_value(); }

LogicalResult onOneDevice(Operation *op, Partitioner &p) {
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value value) { return p.whole(value); });
  share(op, p.clone(op, operands, op->getResultTypes())->getResults(), *deviceOf(op), p);
  return success();
}

}  // namespace tpuc::shard
