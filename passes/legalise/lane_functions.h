// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long arithmetic on planes as functions of lanes: one for each op, its types and the constants that it is done with.
#pragma once
#include <map>

#include "dialects/kernel/function.h"
#include "passes/legalise/wide.h"

namespace tpuc::legalise {

class LaneFunctions {
 public:
  explicit LaneFunctions(mlir::ModuleOp module) : module_(module) {}

  // The planes of `op`, from those of its operands, that `expand` builds: as an application of the function of them, or
  // in place where they are few ops, not all on elements, or in a region whose kernel takes no functions.
  using Expand = llvm::function_ref<Planes(Lanes &, llvm::ArrayRef<Planes>)>;
  Planes apply(Lanes &l, mlir::Operation *op, llvm::ArrayRef<Planes> operands, Expand expand);

 private:
  kernel::FunctionOp build(mlir::Operation *op, llvm::ArrayRef<Planes> operands, Expand expand);
  std::string nameOf(mlir::Operation *op);

  mlir::ModuleOp module_;
  std::map<llvm::SmallVector<const void *>, kernel::FunctionOp> functions_;  // null: in place
  llvm::StringMap<unsigned> names_;
};

}  // namespace tpuc::legalise
