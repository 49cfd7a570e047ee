#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
using namespace mlir;
namespace tpuc::stablehlo {
LogicalResult IfOp::verify() { return success(); }
LogicalResult CaseOp::verify() { return success(); }
LogicalResult WhileOp::verify() { return success(); }
LogicalResult OptimizationBarrierOp::verify() { return success(); }
LogicalResult CustomCallOp::verify() { return success(); }
LogicalResult CompositeOp::verify() { return success(); }
LogicalResult TupleOp::verify() { return success(); }
LogicalResult GetTupleElementOp::verify() { return success(); }
LogicalResult InfeedOp::verify() { return success(); }
LogicalResult SendOp::verify() { return success(); }
LogicalResult RecvOp::verify() { return success(); }
LogicalResult AsyncStartOp::verify() { return success(); }
LogicalResult AsyncDoneOp::verify() { return success(); }
LogicalResult inferTuple(MLIRContext *c, ValueRange operands, Types &types) { types.push_back(TupleType::get(c, operands.getTypes())); return success(); }
LogicalResult inferTupleElement(Emit emit, ValueRange operands, int64_t index, Types &types) { types.push_back(cast<TupleType>(operands[0].getType()).getType(index)); return success(); }
ParseResult WhileOp::parse(OpAsmParser &, OperationState &) { return failure(); }
void WhileOp::print(OpAsmPrinter &) {}
void WhileOp::getAsmBlockArgumentNames(Region &, OpAsmSetValueNameFn) {}
void CustomCallOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &) {}
LogicalResult CustomCallOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult CompositeOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
} // namespace tpuc::stablehlo
using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/control.cpp.inc"
