//===- registry.cpp - every dialect and pass of tpuc ---------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/pipeline/registry.h"

#include "dialects/sdy/sdy.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/tpu/tpu.h"
#include "passes/emission/passes.h"
#include "passes/expand/passes.h"
#include "passes/fusion/passes.h"
#include "passes/lowering/passes.h"
#include "passes/simplify/passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/Passes.h"

namespace tpuc {
namespace {

// Every op may stand in its caller: StableHLO has no state.
struct Inlinable : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Operation *, bool) const override { return true; }
  bool isLegalToInline(mlir::Region *, mlir::Region *, bool, mlir::IRMapping &) const override { return true; }
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const override { return true; }
};

} // namespace

void registerAllDialects(mlir::DialectRegistry &registry) {
  registerStablehloDialects(registry);
  registerSdyDialect(registry);
  registry.insert<kernel::KernelDialect, tpu::TpuDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect, mlir::func::FuncDialect>();
  mlir::func::registerInlinerExtension(registry);
  registry.addExtension(+[](mlir::MLIRContext *, stablehlo::StablehloDialect *dialect) { dialect->addInterfaces<Inlinable>(); });
  registry.addExtension(+[](mlir::MLIRContext *, chlo::ChloDialect *dialect) { dialect->addInterfaces<Inlinable>(); });
}

void registerAllPasses() {
  mlir::registerTransformsPasses();
  simplify::registerSimplifyPasses();
  simplify::registerSimplifyPipeline();
  expand::registerExpandPasses();
  fusion::registerFusionPasses();
  lowering::registerLoweringPasses();
  emission::registerEmissionPasses();
}

} // namespace tpuc
