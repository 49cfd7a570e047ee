// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region on single elements as ops on whole arrays.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::builders {

// Whether every op of the region works element by element, so that it can run on arrays of any one shape; branches and
// loops may.
bool isElementwiseRegion(mlir::Block &block);
// The terminator's operands when the block's arguments are `arguments`, arrays of one shape. Of branches all are
// computed and selected from; a loop goes on until no element does, and elements that are done keep their values.
// `runs`: the elements for which the block is run at all, a mask; null for all. A loop might not end for what stands in
// place of the others.
llvm::SmallVector<mlir::Value> inlineElementwise(mlir::OpBuilder &b, mlir::Block &block, mlir::ValueRange arguments,
                                                 mlir::Value runs = {});
bool hasLoop(mlir::Block &block);
// What the block reads of outside, constants aside, which any kernel may have.
llvm::SmallVector<mlir::Value> capturesOf(mlir::Block &block);

}  // namespace tpuc::builders
