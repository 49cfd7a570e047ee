// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The encode stage: tpu.bundles and tpu.buffers -> executable.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "runtime/isa/executable.h"
#include "runtime/target/target.h"

namespace tpuc::encoder {

// Of the module: the arguments that the caller gives up.
inline constexpr llvm::StringLiteral kDonatedAttr("tpuc.donated");

// Links the routines, the entry first, and lays out constants. A located diagnostic on failure.
mlir::LogicalResult encode(mlir::ModuleOp module, const target::Target &target, isa::Executable &exe);

}  // namespace tpuc::encoder
