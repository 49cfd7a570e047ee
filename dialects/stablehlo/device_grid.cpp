//===- device_grid.cpp - how many devices a program is for ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/device_grid.h"

#include <limits>

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace tpuc::stablehlo {

static constexpr StringLiteral kReplicas = "mhlo.num_replicas", kPartitions = "mhlo.num_partitions";

int64_t DeviceGrid::devices() const {
  return llvm::checkedMul(replicas, partitions).value_or(std::numeric_limits<int64_t>::max());
}

DeviceGrid gridOf(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module) module = op->getParentOfType<ModuleOp>();
  auto count = [&](StringRef name) -> int64_t {
    auto attr = module->getAttrOfType<IntegerAttr>(name);
    return attr ? std::max<int64_t>(attr.getInt(), 1) : 1;
  };
  return {count(kReplicas), count(kPartitions)};
}

bool namesGrid(ModuleOp module) {
  return module->getAttrOfType<IntegerAttr>(kReplicas) && module->getAttrOfType<IntegerAttr>(kPartitions);
}

void setGrid(ModuleOp module, DeviceGrid grid) {
  Builder b(module.getContext());
  module->setAttr(kReplicas, b.getI32IntegerAttr(static_cast<int32_t>(grid.replicas)));
  module->setAttr(kPartitions, b.getI32IntegerAttr(static_cast<int32_t>(grid.partitions)));
}

}  // namespace tpuc::stablehlo
