#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
using namespace mlir;
namespace tpuc::stablehlo {
LogicalResult DynamicBroadcastInDimOp::verify() { return success(); }
LogicalResult DynamicIotaOp::verify() { return success(); }
LogicalResult DynamicPadOp::verify() { return success(); }
LogicalResult DynamicReshapeOp::verify() { return success(); }
LogicalResult RealDynamicSliceOp::verify() { return success(); }
} // namespace tpuc::stablehlo
using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/dynamic.cpp.inc"
