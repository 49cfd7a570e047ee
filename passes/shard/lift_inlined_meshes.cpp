//===- lift_inlined_meshes.cpp - a symbol for each mesh that shardings write out ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_LIFTINLINEDMESHESPASS
#include "passes/shard/passes.h.inc"

namespace {

// Meshes of a module by what they are; the first symbol of each stays.
class Lifter {
 public:
  explicit Lifter(ModuleOp module) : module(module), symbols(module) {
    for (auto op : llvm::make_early_inc_range(module.getOps<sdy::MeshOp>())) {
      auto [known, isNew] = names.try_emplace(op.getMesh(), FlatSymbolRefAttr::get(op.getSymNameAttr()));
      if (isNew) continue;
      renamed[FlatSymbolRefAttr::get(op.getSymNameAttr())] = known->second;
      symbols.erase(op);
    }
  }

  Attribute symbolOf(Attribute meshOrRef) {
    if (auto mesh = dyn_cast<sdy::MeshAttr>(meshOrRef)) {
      FlatSymbolRefAttr &name = names[mesh];
      return name ? name : name = create(mesh);
    }
    auto found = renamed.find(meshOrRef);
    return found == renamed.end() ? meshOrRef : found->second;
  }

 private:
  FlatSymbolRefAttr create(sdy::MeshAttr mesh) {
    std::string base = "mesh", name = base;
    if (sdy::isMaximal(mesh)) name = base = "maximal_mesh_" + std::to_string(mesh.getDeviceIds().front());
    for (int number = 0; symbols.lookup(name); ++number) name = base + "_" + std::to_string(number);
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto op = sdy::MeshOp::create(builder, module.getLoc(), name, mesh);
    symbols.insert(op);
    return FlatSymbolRefAttr::get(op.getSymNameAttr());
  }

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<Attribute, FlatSymbolRefAttr> names;
  llvm::DenseMap<Attribute, Attribute> renamed;
};

struct LiftInlinedMeshes : impl::LiftInlinedMeshesPassBase<LiftInlinedMeshes> {
  void runOnOperation() override {
    Lifter lifter(getOperation());
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](sdy::TensorShardingAttr sharding) {
      return sdy::TensorShardingAttr::get(sharding.getContext(), lifter.symbolOf(sharding.getMeshOrRef()),
                                          sharding.getDimShardings(), sharding.getReplicatedAxes(),
                                          sharding.getUnreducedAxes(), sharding.getReductionOp());
    });
    getOperation().walk([&](Operation *op) {
      if (!isa<sdy::MeshOp>(op)) replacer.replaceElementsIn(op, /*replaceAttrs=*/true);
    });
  }
};

}  // namespace
}  // namespace tpuc::shard
