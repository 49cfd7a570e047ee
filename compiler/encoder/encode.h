// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The encode stage: tpu.bundles and tpu.buffers -> executable.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "runtime/isa/executable.h"
#include "runtime/target/target.h"

namespace tpuc::encoder {

// An attribute of the module: the arguments that the caller gives up.
inline constexpr llvm::StringLiteral kDonatedAttr("tpuc.donated");
// Attributes of the module: the arguments, and the results, that callers have in the host's memory.
inline constexpr llvm::StringLiteral kHostArgumentsAttr("tpuc.host_arguments");
inline constexpr llvm::StringLiteral kHostResultsAttr("tpuc.host_results");

// An attribute of the module: for each argument and result its "sharding" as HLO spells it, and the "global" dims that
// it is part of.
inline constexpr llvm::StringLiteral kShardingsAttr("tpuc.shardings");

// Links the routines, the entry first, and lays out constants. A located diagnostic on failure.
mlir::LogicalResult encode(mlir::ModuleOp module, const target::Target &target, isa::Executable &exe);

}  // namespace tpuc::encoder
