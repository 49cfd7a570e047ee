// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of whole rows of a matrix whose elements share lanes, such as a table of bf16 embeddings.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

// Whether the gather may be a kernel that fetches words of two or four rows and keeps one row of each. An index of 32
// bits has to name each row; the result's rows have to lie along its sublanes, as the table's do, and to fill a tile.
bool gathersPackedRows(stablehlo::GatherOp op);

}  // namespace tpuc::analysis
