// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels may write a result where an operand lies, and who reads an array.
#pragma once
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"

namespace tpuc::plan {

// The array that a view shows.
mlir::Value rootOf(mlir::Value v);
// Uses of `v`, and of its views and planes. Where `v` is fetched, uses of the fetched array are among them: the
// transfer may read `v` until the first of these runs.
llvm::SmallVector<mlir::OpOperand *> readersOf(mlir::Value v);
// The operand that a kernel may update where it lies, to make this result: null when it reads others' elements after it
// has written some.
mlir::Value updatedInPlace(mlir::Value result);
// A kernel of one grid step has read everything before it writes: loop kernels of arrays so small are not cut
// (loop_blocks.cpp).
bool readsBeforeWriting(mlir::Operation *op);
// Whether each step of a kernel, of a loop or a matmul, reads the block of `input` that it writes of `output`, of the
// same shape, and no other step does.
bool replacesEachBlock(mlir::Operation *op, unsigned input, unsigned output);
// Whether also each vreg of `output` may be written where that of `input` lies, once all results have been computed
// there: no other point needs it.
bool replacesEachVreg(mlir::Operation *op, unsigned input, unsigned output);

}  // namespace tpuc::plan
