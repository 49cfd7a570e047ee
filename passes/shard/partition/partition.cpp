//===- partition.cpp - one device's program -----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_PARTITIONPASS
#include "passes/shard/partition/passes.h.inc"

namespace {

int64_t countOf(ModuleOp module, StringRef name) {
  auto count = module->getAttrOfType<IntegerAttr>(name);
  return count ? count.getInt() : 1;
}

struct Partition : impl::PartitionPassBase<Partition> {
  // As many as the program says, or its largest mesh has.
  int64_t devices() {
    int64_t devices = countOf(getOperation(), "mhlo.num_partitions");
    for (auto mesh : getOperation().getOps<sdy::MeshOp>()) devices = std::max(devices, Places(mesh.getMesh()).count());
    return devices;
  }

  // A mesh has all devices or one; anything else has no program that all run.
  LogicalResult checkMeshes(int64_t devices) {
    for (auto mesh : getOperation().getOps<sdy::MeshOp>()) {
      int64_t own = Places(mesh.getMesh()).count();
      if (own != 1 && own != devices)
        return diagnose(mesh, codes::kMalformed)
               << "expects meshes of the program's " << devices << " devices, but got one of " << own;
    }
    return success();
  }

  // Whoever runs the program has whole arrays, and no sums of parts.
  LogicalResult checkArguments(func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto sharding = function.getArgAttrOfType<sdy::TensorShardingAttr>(i, "sdy.sharding");
      if (sharding && !sharding.getUnreducedAxes().empty())
        return diagnose(function, codes::kSeveralDevices)
               << "expects arguments that are whole, but argument " << i
               << " is unreduced: sum its parts before, or leave the annotation out";
    }
    return success();
  }

  // Groups along axes of a mesh that goes, as lists.
  void listGroups() {
    getOperation().walk([](Operation *op) {
      auto groups = op->getAttrOfType<stablehlo::ReplicaGroupMeshAxesAttr>("replica_groups");
      auto symbol = groups ? dyn_cast<FlatSymbolRefAttr>(groups.getMesh()) : FlatSymbolRefAttr();
      sdy::MeshAttr mesh = symbol ? sdy::meshOf(op, symbol) : sdy::MeshAttr();
      if (!mesh) return;
      SmallVector<sdy::AxisRefAttr> axes;
      for (stablehlo::AxisRefAttr axis : groups.getAxes())
        axes.push_back(sdy::AxisRefAttr::get(op->getContext(), axis.getName(),
                                             axis.getSubAxisInfo() ? axis.getSubAxisInfo().getPreSize() : 0,
                                             axis.getSubAxisInfo() ? axis.getSubAxisInfo().getSize() : 0));
      SmallVector<int64_t> flat;
      auto all = Places(mesh).groups(sdy::decode(mesh, axes));
      for (auto &group : all) llvm::append_range(flat, group);
      auto type = RankedTensorType::get({static_cast<int64_t>(all.size()), static_cast<int64_t>(all.front().size())},
                                        IntegerType::get(op->getContext(), 64));
      op->setAttr("replica_groups", DenseElementsAttr::get(type, ArrayRef<int64_t>(flat)));
    });
  }

  void finish(int64_t devices) {
    ModuleOp module = getOperation();
    listGroups();
    for (auto mesh : llvm::make_early_inc_range(module.getOps<sdy::MeshOp>())) mesh.erase();
    Builder builder(module.getContext());
    module->setAttr("mhlo.num_partitions", builder.getI32IntegerAttr(devices));
    module->setAttr("mhlo.num_replicas", builder.getI32IntegerAttr(countOf(module, "mhlo.num_replicas")));
  }

  void runOnOperation() override {
    if (int64_t replicas = countOf(getOperation(), "mhlo.num_replicas"); replicas > 1) {
      diagnose(getOperation(), codes::kMalformed)
          << "expects one replica of a program with shardings, but got " << replicas;
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && failed(checkArguments(function))) return signalPassFailure();
    int64_t count = devices();
    if (failed(checkMeshes(count))) return signalPassFailure();
    Partitioner partitioner(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(partitioner.function(function))) return signalPassFailure();
    finish(count);
  }
};

}  // namespace
}  // namespace tpuc::shard
