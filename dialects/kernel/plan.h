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
// On a loop: likewise for each value that it carries; on branches: for each that they give back.
inline constexpr llvm::StringLiteral kPlacesAttr("kernel.places");

// On a loop that carries arrays in VMEM: the numbers of results that lie in HBM. They are copied when it has ended.
inline constexpr llvm::StringLiteral kApartAttr("kernel.apart");

// Whether a loop's result lies apart from what the loop carries.
inline bool isApart(mlir::OpResult result) {
  auto apart = result.getOwner()->getAttrOfType<mlir::DenseI64ArrayAttr>(kApartAttr);
  return apart && llvm::is_contained(apart.asArrayRef(), static_cast<int64_t>(result.getResultNumber()));
}

inline PlanAttr planOf(FusionOp fusion) { return fusion->getAttrOfType<PlanAttr>(kPlanAttr); }

}  // namespace tpuc::kernel
