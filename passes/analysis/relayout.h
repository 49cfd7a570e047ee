// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a chain of reshapes, transposes and broadcasts does to an array, as one move. Fusing asks for it, the planner
// cuts it, lowering makes its loops.
#pragma once
#include <optional>

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

// Elements that follow each other at one distance on both sides. [8, 6] seen as [8, 2, 3] has the factors 8, 2 and 3.
struct Factor {
  int64_t size = 1;
  int64_t from = -1, fromStride = 0;  // dim of the operand and elements along it; -1: the same elements again
  int64_t to = -1, toStride = 0;      // of the result
};

// The factors of one op after another, the result's outermost first, without those of one element; the last is along
// the lanes of both sides. Nothing where dims are cut where no factor ends, or where lanes are turned.
struct Relayout {
  mlir::RankedTensorType from, to;
  llvm::SmallVector<Factor> factors;
  const Factor &lanes() const { return factors.back(); }
};

// An op that may be part of one.
bool isRelayoutOp(mlir::Operation *op);
// The relayout of ops in order, each of which reads the one before and nothing else.
std::optional<Relayout> relayoutOf(llvm::ArrayRef<mlir::Operation *> ops);
// The relayout of a kernel's body.
std::optional<Relayout> relayoutOf(kernel::FusionOp op);

}  // namespace tpuc::analysis
