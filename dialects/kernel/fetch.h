// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are brought into VMEM while kernels before their readers run.
//
// %1 = kernel.fusion "fetch"(%0 : T) -> T begins the transfer where it stands. Its result has a place in VMEM
// (kernel.places). Nobody waits for it but its first reader, or the end of its block.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/slots.h"

namespace tpuc::kernel {

inline constexpr llvm::StringLiteral kFetchKind("fetch");

// Fetches that are under way at the same time, and the first of their semaphores: they lie below those of exchanges.
constexpr int64_t kFetches = 64;
constexpr int64_t kFetchSemaphores = kDmaSemaphores - kSlots - kFetches;

inline bool isFetch(mlir::Operation *op) {
  auto fusion = mlir::dyn_cast_or_null<FusionOp>(op);
  return fusion && fusion.getKind() == kFetchKind;
}
inline bool isFetched(mlir::Value v) { return isFetch(v.getDefiningOp()); }

}  // namespace tpuc::kernel
