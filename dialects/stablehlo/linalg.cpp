#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
using namespace mlir;
namespace tpuc::stablehlo {
LogicalResult FftOp::verify() { return success(); }
LogicalResult CholeskyOp::verify() { return success(); }
LogicalResult TriangularSolveOp::verify() { return success(); }
LogicalResult RngOp::verify() { return success(); }
LogicalResult RngBitGeneratorOp::verify() { return success(); }
} // namespace tpuc::stablehlo
using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/linalg.cpp.inc"
