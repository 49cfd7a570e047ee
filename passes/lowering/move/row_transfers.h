// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers of rows that the scalar unit starts one by one.
#pragma once
#include "passes/lowering/code.h"
#include "passes/plan/move/rows.h"

namespace tpuc::lowering {

// One side of a transfer: a memory ("hbm", "vmem", "smem"), the buffer where that is HBM, bytes from its start, and
// bytes from run to run.
struct TransferEnd {
  llvm::StringRef memory, buffer;
  Linear at;
  int64_t stride = 0;
};
// Starts a transfer of `run` bytes, repeated `counts` times in each dim that it has. `semaphore` counts it when it is
// complete.
void startTransfer(Code &c, TransferEnd from, TransferEnd to, int64_t run, llvm::ArrayRef<int64_t> counts,
                   mlir::Value semaphore);

// Byte of the buffer where number `q` of the rows that share words begins.
mlir::Value byteOfRow(Code &c, const Rows &rows, mlir::Value q);

}  // namespace tpuc::lowering
