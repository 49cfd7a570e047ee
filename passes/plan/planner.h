// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planner: asks each kind of kernel for its plan. Kinds register themselves with the kernel dialect; those whose
// blocks are chosen beside their lowering are registered by it.
#pragma once
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectRegistry.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

struct Kind {
  // Sets context.plan, or follows it. A located diagnostic, and context.isOverVmem for a kernel that does not fit, on
  // failure.
  using Plan = mlir::LogicalResult (*)(KernelContext &context);
  // HBM that a kernel needs beside its arrays; 0: none.
  using ScratchBytes = int64_t (*)(kernel::FusionOp op, const target::Target &target);

  llvm::StringRef name;  // of the fusion
  Plan plan;
  ScratchBytes scratchBytes = nullptr;
};

class Kinds : public mlir::DialectInterface::Base<Kinds> {
 public:
  explicit Kinds(mlir::Dialect *dialect) : Base(dialect) {}
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Kinds)
  void add(const Kind &kind) { kinds_[kind.name] = kind; }
  const Kind *find(llvm::StringRef name) const;

  // Those of a context whose kernel dialect is loaded.
  static const Kinds &of(mlir::MLIRContext *context);

 private:
  llvm::StringMap<Kind> kinds_;
};

// Adds kinds to the kernel dialect's, of every context that loads it.
void addKind(kernel::KernelDialect &dialect, const Kind &kind);
// "loop" and "dot".
void registerKinds(mlir::DialectRegistry &registry);

}  // namespace tpuc::plan
