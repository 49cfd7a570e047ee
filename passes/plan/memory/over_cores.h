// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations cores share (kernel.over_cores): what they keep is in each core's own VMEM, and a kernel in
// them has one core.
#pragma once
#include <optional>

#include "dialects/kernel/counts.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/memory/storage.h"
#include "runtime/target/target.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::plan {

// Why cores may not share the loop, as "expects ..., but got ..."; nothing where they may: each iteration writes pieces
// of its own of what the loop carries, by kernels that move blocks, and whatever else it makes is in VMEM.
std::optional<std::string> objectionToSharing(stablehlo::WhileOp loop, StorageMap &map);

// The target as kernels see it: in such a loop a single core, with its share of HBM's bandwidth; a kernel of one core
// has all of that.
class KernelTargets {
 public:
  explicit KernelTargets(const target::Target &target);
  const target::Target &of(mlir::Operation *kernel) const { return modelOf(kernel).target(); }
  const timing::MachineModel &modelOf(mlir::Operation *kernel) const {
    return kernel::loopOverCores(kernel) ? shared_ : kernel->hasAttr(kernel::kOneCoreAttr) ? alone_ : all_;
  }

 private:
  timing::MachineModel all_, shared_, alone_;
};

}  // namespace tpuc::plan
