// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/move/index_array.h"

using namespace mlir;

namespace tpuc::plan {

FailureOr<int64_t> indexParts(const KernelContext &context, int64_t count) {
  constexpr int64_t kMost = 64;
  const bool holds = holdsIndices(context.target, count);
  const uint64_t room = smemBudget(context.target) / (kIndexPart + kIndexPartPrefix);
  const auto most = holds ? 0 : std::clamp<int64_t>(llvm::bit_floor(room), 1, kMost);
  if (!context.plan) return most;
  GivenPlan given(context);
  const int64_t parts = given.number(kIndexParts, 0);
  if (holds && parts) return given.refuse("all indices in SMEM at once");
  if (!holds && (parts < 1 || parts > most || !llvm::isPowerOf2_64(parts)))
    return given.refuse("indices in 1 to " + Twine(most) + " parts of SMEM, a power of two");
  return parts;
}

}  // namespace tpuc::plan
