// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How products of two element types run on the matrix unit.
#pragma once
#include <optional>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "runtime/isa/isa.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

struct MxuMode {
  llvm::StringRef suffix;  // of mxu.ldw and mxu.push
  int64_t pack = 1;        // rows a vreg of it holds / 8
  int64_t passes = 1;      // 3: hi hi, hi lo, lo hi
  bool intFromBf16 = false;
};

// Its instructions that push rows and load weights.
struct MxuOps {
  isa::Op push, ldw;
};
MxuOps opsOf(const MxuMode &mode);

// Null when the matrix unit has no mode for these types. `precision`: what the user asks for, "" as `config` says.
std::optional<MxuMode> chooseMxuMode(const target::Target &target, mlir::Type a, mlir::Type b, mlir::Type out,
                                     std::optional<mlir::ArrayAttr> config, llvm::StringRef precision);

}  // namespace tpuc::plan
