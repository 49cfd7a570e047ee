// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims that a program joins, [b, s, d] -> [b*s, d]: true elements lie there in rows of s among rows of the largest s,
// and would have to be gathered. Ops on such an array are made on the one whose dims are still apart.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/Value.h"

namespace tpuc::shapes {

class Padder;

// Dims [dim, dim + count) of `source` are dim `dim` of the value.
struct Join {
  mlir::Value source;
  int64_t dim = 0, count = 0;
};

using Joins = llvm::DenseMap<mlir::Value, Join>;

// `source` with these dims as one, its true elements first; in front of `op`. Null where it has too many elements.
mlir::Value joined(mlir::Operation *op, Padder &padder, mlir::Value source, int64_t dim, int64_t count);
// Does the op on arrays whose dims are apart, where it is one of those that can be. False where it stays as it is.
bool doApart(mlir::Operation *op, Padder &padder);
// Notes of `value`, a broadcast of an array that was joined, what it is apart: dim i of the operand is dim places[i].
void noteApart(mlir::Operation *op, Padder &padder, mlir::Value operand, mlir::Value value,
               llvm::ArrayRef<int64_t> places);

}  // namespace tpuc::shapes
