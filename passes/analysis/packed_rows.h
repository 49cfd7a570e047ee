// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of whole rows of a matrix whose elements share lanes, such as a table of bf16 embeddings.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

// Whether an index of 32 bits names each row, the result's rows lie along its sublanes as the table's do, and there are
// enough of them for a tile: all that a kernel needs that takes words with two or four rows and keeps one.
bool gathersPackedRows(stablehlo::GatherOp op);

}  // namespace tpuc::analysis
