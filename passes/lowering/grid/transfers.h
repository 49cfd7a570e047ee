// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a grid step: where they begin, and the DMA into and out of VMEM.
#pragma once
#include "passes/lowering/code.h"
#include "passes/plan/grid/arrays.h"

namespace tpuc::lowering {

// First element held along a physical dim with a halo, at block number `index` of the dim it follows.
Linear haloStart(Code &code, const ArrayBlock &block, int64_t phys, const Linear &index);

// First word of a block that is worked on where its resident array lies, at grid position `index`.
Linear baseInPlace(Code &code, const ArrayBlock &block, llvm::ArrayRef<Linear> index);

// Starts the DMA of the block at grid position `index` (block numbers per domain dim) into or out of VMEM word `word`.
void emitBlockDma(Code &code, const Domain &domain, const ArrayBlock &block, llvm::ArrayRef<Linear> index,
                  const Linear &word, mlir::Value semaphore);

}  // namespace tpuc::lowering
