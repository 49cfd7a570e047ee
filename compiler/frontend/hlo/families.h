// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the table of opcodes names, by family.
#ifndef TPUC_COMPILER_FRONTEND_HLO_FAMILIES_H
#define TPUC_COMPILER_FRONTEND_HLO_FAMILIES_H

#include "compiler/frontend/hlo/emitter.h"

namespace tpuc::frontend::hlo {

#define TPUC_HLO_EMIT(NAME) \
  mlir::LogicalResult NAME(Emitter &e, const Instruction &i, llvm::StringRef op, Leaves &results)

// emit_elementwise.cpp
TPUC_HLO_EMIT(emitPlain);
TPUC_HLO_EMIT(emitCompare);
TPUC_HLO_EMIT(emitSelect);
TPUC_HLO_EMIT(emitReducePrecision);
TPUC_HLO_EMIT(emitConstant);
// emit_shape.cpp
TPUC_HLO_EMIT(emitBroadcast);
TPUC_HLO_EMIT(emitDims);
TPUC_HLO_EMIT(emitOneDim);
TPUC_HLO_EMIT(emitSlice);
TPUC_HLO_EMIT(emitPad);
TPUC_HLO_EMIT(emitDynamicReshape);
TPUC_HLO_EMIT(emitBitcast);
TPUC_HLO_EMIT(emitIdentity);
TPUC_HLO_EMIT(emitFirst);
TPUC_HLO_EMIT(emitTuple);
TPUC_HLO_EMIT(emitTupleElement);
// emit_indexing.cpp
TPUC_HLO_EMIT(emitDynamicSlice);
TPUC_HLO_EMIT(emitDynamicUpdateSlice);
TPUC_HLO_EMIT(emitGather);
TPUC_HLO_EMIT(emitScatter);
// emit_contraction.cpp
TPUC_HLO_EMIT(emitDot);
TPUC_HLO_EMIT(emitRaggedDot);
TPUC_HLO_EMIT(emitConvolution);
// emit_reduction.cpp
TPUC_HLO_EMIT(emitReduce);
TPUC_HLO_EMIT(emitReduceWindow);
TPUC_HLO_EMIT(emitSelectAndScatter);
TPUC_HLO_EMIT(emitMap);
TPUC_HLO_EMIT(emitScan);
TPUC_HLO_EMIT(emitSort);
TPUC_HLO_EMIT(emitTopK);
TPUC_HLO_EMIT(emitBatchNorm);
// emit_linalg.cpp
TPUC_HLO_EMIT(emitFft);
TPUC_HLO_EMIT(emitCholesky);
TPUC_HLO_EMIT(emitTriangularSolve);
TPUC_HLO_EMIT(emitRng);
TPUC_HLO_EMIT(emitRngBits);
// emit_control.cpp
TPUC_HLO_EMIT(emitWhile);
TPUC_HLO_EMIT(emitConditional);
TPUC_HLO_EMIT(emitCall);
TPUC_HLO_EMIT(emitInlined);
TPUC_HLO_EMIT(emitAfterAll);
TPUC_HLO_EMIT(emitDone);
TPUC_HLO_EMIT(emitCopyStart);
// emit_transfers.cpp
TPUC_HLO_EMIT(emitInfeed);
TPUC_HLO_EMIT(emitOutfeed);
TPUC_HLO_EMIT(emitSend);
TPUC_HLO_EMIT(emitRecv);
// emit_custom_call.cpp
TPUC_HLO_EMIT(emitCustomCall);
// emit_collective.cpp
TPUC_HLO_EMIT(emitCollective);
TPUC_HLO_EMIT(emitCollectivePermute);

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_FAMILIES_H
