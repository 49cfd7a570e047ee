// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop over several dims of a block.
#pragma once
#include "passes/lowering/grid/stretches.h"

namespace tpuc::lowering {

// A nest of straight code whose innermost loop is short, as one loop: it fills and drains once, not once for each row
// of the others. False, nothing made, where the nest is long or its extents are not known. `unroll`: positions that are
// straight code; `stretch`: of one dim, null for all.
bool emitFlatNest(Code &code, const Domain &domain, llvm::ArrayRef<Linear> index, llvm::ArrayRef<int64_t> dims,
                  int64_t unroll, llvm::function_ref<void(const Point &)> body, const Stretch *stretch = nullptr);

}  // namespace tpuc::lowering
