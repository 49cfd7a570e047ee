// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/packed_rows.h"

#include "passes/analysis/domain.h"

using namespace mlir;

namespace tpuc::analysis {

bool gathersPackedRows(stablehlo::GatherOp op) {
  auto table = cast<RankedTensorType>(op.getOperand().getType()), result = cast<RankedTensorType>(op.getType()),
       indices = cast<RankedTensorType>(op.getStartIndices().getType());
  if (table.getRank() != 2 || result.getRank() < 2 || !table.hasStaticShape() || table.getNumElements() == 0 ||
      result.getNumElements() == 0 || !indices.getElementType().isInteger(32))
    return false;
  const int64_t packing = packingOf(table.getElementType()), last = result.getRank() - 1;
  auto numbers = op.getDimensionNumbers();
  const int64_t vectorDim = numbers.getIndexVectorDim();
  if (packing == 1 || op.getSliceSizes() != ArrayRef<int64_t>{1, table.getDimSize(1)} ||
      numbers.getCollapsedSliceDims() != ArrayRef<int64_t>{0} || numbers.getStartIndexMap() != ArrayRef<int64_t>{0} ||
      numbers.getOffsetDims() != ArrayRef<int64_t>{last} || !numbers.getOperandBatchingDims().empty())
    return false;
  if (vectorDim < indices.getRank() - 1) return false;  // it comes after the dims of rows, or there is none
  const int64_t rows = result.getDimSize(last - 1);
  return result.getRank() == 2 || rows >= 8 * packing;
}

}  // namespace tpuc::analysis
