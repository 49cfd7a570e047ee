// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plan stage leaves on kernels.
#pragma once
#include "dialects/kernel/kernel.h"
#include "mlir/IR/AffineMap.h"
#define GET_ATTRDEF_CLASSES
#include "dialects/kernel/plan.h.inc"

namespace tpuc::kernel {

// On a kernel: its plan.
inline constexpr llvm::StringLiteral kPlanAttr("kernel.plan");
// On a kernel: for each result the places that it has in VMEM, one for each type that its views give it; none: in HBM.
inline constexpr llvm::StringLiteral kPlacesAttr("kernel.places");

inline PlanAttr planOf(FusionOp fusion) { return fusion->getAttrOfType<PlanAttr>(kPlanAttr); }

}  // namespace tpuc::kernel
