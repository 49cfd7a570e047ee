// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the indices of gathers and scatters are while the scalar unit reads them.
#pragma once
#include <algorithm>
#include <cstdint>

#include "passes/plan/grid/grid_plan.h"

namespace tpuc::plan {

inline constexpr int64_t kMostHeldIndices = 1 << 18;  // bytes; more come in parts
inline constexpr int64_t kIndexPart = 4096;           // bytes of a part
inline constexpr int64_t kIndexPartPrefix = 64;       // bytes beside it: SMEM has its number in one of their words

// SMEM that is left beside scalars that the registers do not hold.
inline int64_t smemBudget(const target::Target &target) {
  return static_cast<int64_t>(target.core().smem_bytes()) / 8 * 7;
}
// Whether SMEM holds so many 32-bit indices at once.
inline bool holdsIndices(const target::Target &target, int64_t count) {
  return 4 * count <= std::min(kMostHeldIndices, smemBudget(target));
}

// The choice of a plan whose indices come in parts: how many SMEM has room for, a power of two. 0: it holds them all.
inline constexpr llvm::StringLiteral kIndexParts("index_parts");
// Of so many indices, as the kernel's plan says; without one as many as there is room for.
mlir::FailureOr<int64_t> indexParts(const KernelContext &context, int64_t count);

}  // namespace tpuc::plan
