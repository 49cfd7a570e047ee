#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
using namespace mlir;
namespace tpuc::stablehlo {
LogicalResult AllGatherOp::verify() { return success(); }
LogicalResult AllReduceOp::verify() { return success(); }
LogicalResult AllToAllOp::verify() { return success(); }
LogicalResult ReduceScatterOp::verify() { return success(); }
LogicalResult CollectiveBroadcastOp::verify() { return success(); }
LogicalResult CollectiveReduceOp::verify() { return success(); }
LogicalResult CollectivePermuteOp::verify() { return success(); }
LogicalResult CrossReplicaSumOp::verify() { return success(); }
LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult CollectiveBroadcastOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult CollectiveReduceOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
} // namespace tpuc::stablehlo
using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/collective.cpp.inc"
