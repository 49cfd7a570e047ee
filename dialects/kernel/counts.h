// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes say of loops and kernels in numbers.
#pragma once
#include <optional>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace tpuc::kernel {

// On a stablehlo.while: it runs so often, and its condition is not evaluated.
inline constexpr llvm::StringLiteral kTripCountAttr("kernel.trip_count");
constexpr int64_t kMostTrips = INT32_MAX;  // of the instruction `loop`

// On a counted loop whose iterations do not depend on one another: cores share the iterations. An array that stays in
// VMEM within an iteration is in that of the iteration's core.
inline constexpr llvm::StringLiteral kOverCoresAttr("kernel.over_cores");

// On a kernel, where a device has several cores: the program's core alone runs its steps. What it makes may stay in
// that core's VMEM for others like it.
inline constexpr llvm::StringLiteral kOneCoreAttr("kernel.one_core");

// Counters (kernel.counter) that a loop and those around it may have together: words of SMEM.
constexpr int64_t kCounters = 16;

// On a kernel: the operations of the program's own products that a call does, and those of 8-bit integers: [1600, 0].
inline constexpr llvm::StringLiteral kFlopsAttr("kernel.flops");

// The loop's trip count; nothing where its condition decides.
inline std::optional<int64_t> tripCountOf(mlir::Operation *loop) {
  auto trips = loop->getAttrOfType<mlir::IntegerAttr>(kTripCountAttr);
  return trips ? std::optional<int64_t>(trips.getInt()) : std::nullopt;
}

// The loop that cores share and that `op` stands in; null: none.
inline mlir::Operation *loopOverCores(mlir::Operation *op) {
  for (op = op->getParentOp(); op && !op->hasAttr(kOverCoresAttr);) op = op->getParentOp();
  return op;
}

}  // namespace tpuc::kernel
