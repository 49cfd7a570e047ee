// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which exchanges with other devices are under way at the same time.
#pragma once
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tpuc::kernel {

// On an exchange_start: its semaphores. Exchanges that are under way at the same time have different ones; 0 where the
// attribute is missing.
inline constexpr llvm::StringLiteral kSlotAttr("kernel.slot");
constexpr int64_t kSlots = 64;

// A program's DMA semaphores. Kernels count from the first on, exchanges from the last: a slot is one of those too.
constexpr int64_t kDmaSemaphores = 2048;

inline int64_t slotOf(mlir::Operation *start) {
  auto slot = start->getAttrOfType<mlir::IntegerAttr>(kSlotAttr);
  return slot ? slot.getInt() : 0;
}

}  // namespace tpuc::kernel
