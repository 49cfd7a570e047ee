// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, loops, branches, and what orders them.
#include "compiler/frontend/hlo/families.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::frontend::hlo {

// HLO names the body first.
TPUC_HLO_EMIT(emitWhile) {
  if (TypeRange(ValueRange(*i.operands[0])) != TypeRange(i.shape.types()))
    return e.malformed(i) << "expects the shape of its operand";
  Operation *made = e.create(i, op, *i.operands[0], {}, results, 2);
  return success(succeeded(e.emitRegion(*i.computations[1], i, made->getRegion(0))) &&
                 succeeded(e.emitRegion(*i.computations[0], i, made->getRegion(1))));
}

// What decides, then an argument for each branch: the first of two is the true one.
TPUC_HLO_EMIT(emitConditional) {
  const size_t branches = i.computations.size();
  if (branches == 0 || i.operands.size() != branches + 1 || i.operands[0]->size() != 1)
    return e.malformed(i) << "expects a predicate or an index, and an argument for each branch";
  auto type = dyn_cast<RankedTensorType>(i.array(0).getType());
  const bool isPredicate = type && type.getElementType().isInteger(1);
  if (isPredicate && branches != 2) return e.malformed(i) << "expects two branches, but got " << branches;
  Operation *made = e.create(i, isPredicate ? "stablehlo.if" : "stablehlo.case", i.array(0), {}, results, branches);
  for (auto [n, computation] : llvm::enumerate(i.computations))
    if (failed(e.emitBranch(*computation, i, *i.operands[n + 1], made->getRegion(n)))) return failure();
  return success();
}

TPUC_HLO_EMIT(emitCall) {
  FailureOr<func::FuncOp> callee = e.function(*i.computations[0]);
  if (failed(callee)) return failure();
  SmallVector<mlir::Value> operands = i.values();
  FunctionType type = callee->getFunctionType();
  if (TypeRange(ValueRange(operands)) != TypeRange(type.getInputs()) ||
      TypeRange(type.getResults()) != TypeRange(i.shape.types()))
    return e.malformed(i) << "expects operands and a result as its computation has them";
  llvm::append_range(results, func::CallOp::create(e.b, i.location, *callee, operands).getResults());
  return success();
}

// A fusion, and what runs beside the others: its lines in this place.
TPUC_HLO_EMIT(emitInlined) { return e.emitInline(*i.computations[0], i, i.operands, results); }

TPUC_HLO_EMIT(emitAfterAll) {
  e.create(i, i.operands.empty() ? "stablehlo.create_token" : op, i.values(), {}, results);
  return success();
}

// The start is the whole operation, so the end has its results.
TPUC_HLO_EMIT(emitDone) {
  results = *i.operands[0];
  return success();
}

TPUC_HLO_EMIT(emitCopyStart) {
  results = *i.operands[0];
  return success();
}

}  // namespace tpuc::frontend::hlo
