// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HloModuleProto, as XLA writes it, to a module of stablehlo.
#ifndef TPUC_COMPILER_FRONTEND_HLO_HLO_H
#define TPUC_COMPILER_FRONTEND_HLO_HLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tpuc::frontend::hlo {

// Whether the bytes are no text and begin as a message of protobuf, whole or damaged.
bool isProtobuf(llvm::StringRef bytes);

// An HloModuleProto, or one within an HloProto or an HloModuleProtoWithConfig. Null after an error, which says what is
// wrong and where.
mlir::OwningOpRef<mlir::ModuleOp> readModule(llvm::StringRef bytes, mlir::Location file);

}  // namespace tpuc::frontend::hlo

#endif  // TPUC_COMPILER_FRONTEND_HLO_HLO_H
