//===- partition.cpp - one device's program -----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/flops.h"
#include "dialects/stablehlo/mesh_axes.h"
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/partition/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_PARTITIONPASS
#include "passes/shard/partition/passes.h.inc"

namespace {

constexpr int64_t kMostDevices = 1 << 20;

struct Partition : impl::PartitionPassBase<Partition> {
  using PartitionPassBase::PartitionPassBase;

  // How many devices there are: as many as the program says, else as its largest mesh has.
  int64_t devices() {
    int64_t devices = stablehlo::gridOf(getOperation()).partitions;
    if (devices > 1) return devices;
    for (auto mesh : getOperation().getOps<sdy::MeshOp>()) devices = std::max(devices, Places(mesh.getMesh()).count());
    return devices;
  }

  // A mesh has all devices or one; anything else has no program that all run.
  LogicalResult checkMeshes(int64_t devices) {
    for (auto mesh : getOperation().getOps<sdy::MeshOp>()) {
      int64_t own = Places(mesh.getMesh()).count();
      if (own > kMostDevices)
        return diagnose(mesh, codes::kMalformed)
               << "expects a mesh of " << kMostDevices << " devices at most, but got one of " << own;
      if (own != 1 && own != devices)
        return diagnose(mesh, codes::kMalformed)
               << "expects meshes of the program's " << devices << " devices, but got one of " << own;
      if (devices > 1 && sdy::isMaximal(mesh.getMesh()) && mesh.getMesh().getDeviceIds().front() >= devices)
        return diagnose(mesh, codes::kMalformed) << "expects a device of the program's " << devices << ", but got "
                                                 << mesh.getMesh().getDeviceIds().front();
    }
    return success();
  }

  // Whoever passes parts passes summands.
  LogicalResult checkArguments(func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      auto sharding = function.getArgAttrOfType<sdy::TensorShardingAttr>(i, "sdy.sharding");
      if (sharding && !sharding.getUnreducedAxes().empty() && sharding.getReductionOp() != sdy::ReductionOp::SUM)
        return diagnose(function, codes::kSeveralDevices)
               << "expects unreduced arguments to be summands, but argument " << i
               << " has another reduction: reduce it before, or leave the annotation out";
    }
    return success();
  }

  // Gives each product one device's share of its operations. The program counts all of a product; within a manual
  // computation it counts one part along the manual axes.
  void shareProducts(int64_t devices) {
    getOperation().walk([&](Operation *op) {
      if (stablehlo::productsIn(op->getLoc()).empty()) return;
      double share = 1 / static_cast<double>(devices);
      for (auto manual = op->getParentOfType<sdy::ManualComputationOp>(); manual;
           manual = manual->getParentOfType<sdy::ManualComputationOp>())
        share *= static_cast<double>(partsOf(manual));
      op->setLoc(stablehlo::withShare(op->getLoc(), share));
    });
  }

  // Along the axes that the computation itself makes manual.
  static int64_t partsOf(sdy::ManualComputationOp op) {
    SmallVector<sdy::TensorShardingAttr> shardings(op.getInShardings().getShardings());
    llvm::append_range(shardings, op.getOutShardings().getShardings());
    int64_t parts = 1;
    if (shardings.empty()) return parts;
    for (sdy::MeshAxisAttr axis : sdy::meshOf(op, shardings.front().getMeshOrRef()).getAxes())
      if (llvm::is_contained(op.getManualAxes().getValue(), StringAttr::get(op.getContext(), axis.getName())))
        parts *= axis.getSize();
    return parts;
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

  // Names the axes of the first mesh that counts all devices in order.
  void nameAxes(int64_t devices) {
    for (auto op : getOperation().getOps<sdy::MeshOp>()) {
      Places places(op.getMesh());
      if (sdy::isMaximal(op.getMesh()) || places.count() != devices || !places.inOrder()) continue;
      SmallVector<StringRef> names;
      SmallVector<int64_t> sizes;
      for (sdy::MeshAxisAttr axis : op.getMesh().getAxes()) {
        names.push_back(axis.getName());
        sizes.push_back(axis.getSize());
      }
      for (auto function : getOperation().getOps<func::FuncOp>())
        if (function.isPublic()) stablehlo::setMeshAxes(function, names, sizes);
      return;
    }
  }

  // Writes shardings where XLA's partitioner leaves them: clients of PJRT without its extension for shardings read them
  // there.
  void nameShardings() {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main) return;
    Builder b(&getContext());
    SmallVector<Attribute> arguments;
    std::string results;
    auto text = [](StringAttr own) { return own ? own.getValue() : StringRef("{replicated}"); };
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      arguments.push_back(b.getStringAttr(text(main.getArgAttrOfType<StringAttr>(i, "tpuc.sharding"))));
    for (unsigned i = 0; i < main.getNumResults(); ++i)
      results += (i ? ", " : "") + text(main.getResultAttrOfType<StringAttr>(i, "tpuc.sharding")).str();
    getOperation()->setAttr("mhlo.spmd_parameters_shardings", b.getArrayAttr(arguments));
    if (main.getNumResults() != 1) results = "{" + results + "}";
    getOperation()->setAttr("mhlo.spmd_output_sharding", b.getStringAttr(results));
  }

  void finish(int64_t devices) {
    ModuleOp module = getOperation();
    listGroups();
    nameAxes(devices);
    if (partialSums) nameShardings();
    for (auto mesh : llvm::make_early_inc_range(module.getOps<sdy::MeshOp>())) mesh.erase();
    stablehlo::setGrid(module, {stablehlo::gridOf(module).replicas, devices});
  }

  void runOnOperation() override {
    if (int64_t replicas = stablehlo::gridOf(getOperation()).replicas; replicas > 1) {
      diagnose(getOperation(), codes::kMalformed)
          << "expects one replica of a program with shardings, but got " << replicas;
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (partialSums && function.isPublic() && failed(checkArguments(function))) return signalPassFailure();
    int64_t count = devices();
    if (failed(checkMeshes(count))) return signalPassFailure();
    shareProducts(count);
    Partitioner partitioner(getOperation(), count, partialSums);
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(partitioner.function(function))) return signalPassFailure();
    finish(count);
  }
};

}  // namespace
}  // namespace tpuc::shard
