// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LiteralProto: the elements of constants.
#ifndef TPUC_COMPILER_FRONTEND_HLO_LITERAL_H
#define TPUC_COMPILER_FRONTEND_HLO_LITERAL_H

#include "compiler/frontend/hlo/emitter.h"

namespace tpuc::frontend::hlo {

// A constant for each array in the literal, whose shape is the instruction's. Fails with a sentence that says what is
// expected.
mlir::LogicalResult appendConstants(Emitter &e, const Instruction &i, const Message &literal, const Shape &shape,
                                    Leaves &results, std::string &error);

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_LITERAL_H
