// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the host: `stablehlo.custom_call @tpuc.host_call`, a function of the process that traced the program, by its
// index. It stands between kernels, reads and gives arrays in the program's own types, and unless it has no side
// effects runs as often as its place is reached.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::kernel {

inline constexpr char kHostCallTarget[] = "tpuc.host_call";

inline bool isHostCall(mlir::Operation *op) {
  auto call = mlir::dyn_cast<stablehlo::CustomCallOp>(op);
  return call && call.getCallTargetName() == kHostCallTarget;
}

// What the host knows the function by; null where the call does not say.
inline mlir::IntegerAttr hostFunctionOf(mlir::Operation *call) {
  auto fields = call->getAttrOfType<mlir::DictionaryAttr>("mhlo.backend_config");
  if (!fields)
    fields =
        mlir::dyn_cast_or_null<mlir::DictionaryAttr>(mlir::cast<stablehlo::CustomCallOp>(call).getBackendConfigAttr());
  return fields ? fields.getAs<mlir::IntegerAttr>("index") : mlir::IntegerAttr();
}

}  // namespace tpuc::kernel
