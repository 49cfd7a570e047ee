#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
using namespace mlir;
namespace tpuc::stablehlo {
LogicalResult DynamicSliceOp::verify() { return success(); }
LogicalResult DynamicUpdateSliceOp::verify() { return success(); }
LogicalResult GatherOp::verify() { return success(); }
LogicalResult DynamicGatherOp::verify() { return success(); }
LogicalResult ScatterOp::verify() { return success(); }
LogicalResult inferDynamicSlice(Emit emit, Type operand, ArrayRef<int64_t> sizes, Types &types) { types.push_back(RankedTensorType::get(sizes, cast<RankedTensorType>(operand).getElementType())); return success(); }
} // namespace tpuc::stablehlo
using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/indexing.cpp.inc"
