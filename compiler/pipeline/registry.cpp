//===- registry.cpp - every dialect and pass of tpuc ---------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/pipeline/registry.h"

#include "dialects/kernel/kernel.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/tpu/tpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/decompose/passes.h"
#include "passes/emission/passes.h"
#include "passes/fusion/passes.h"
#include "passes/layout/passes.h"
#include "passes/legalise/passes.h"
#include "passes/lowering/passes.h"
#include "passes/plan/passes.h"
#include "passes/shapes/passes.h"
#include "passes/shard/partition/passes.h"
#include "passes/shard/passes.h"
#include "passes/simplify/passes.h"
#include "passes/verify/passes.h"

namespace tpuc {

void registerAllDialects(mlir::DialectRegistry &registry) {
  registerStablehloDialects(registry);
  registerSdyDialect(registry);
  shard::registerModels(registry);
  registry.insert<kernel::KernelDialect, tpu::TpuDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect,
                  mlir::func::FuncDialect>();
}

void registerAllPasses() {
  mlir::registerTransformsPasses();
  shapes::registerShapesPasses();
  shapes::registerShapesPipeline();
  simplify::registerSimplifyPasses();
  simplify::registerSimplifyPipeline();
  shard::registerShardPasses();
  shard::registerShardPipelines();
  shard::registerShardStage();
  decompose::registerDecomposePasses();
  layout::registerLayoutPasses();
  legalise::registerLegalisePasses();
  fusion::registerFusionPasses();
  plan::registerPlanPasses();
  lowering::registerLoweringPasses();
  emission::registerEmissionPasses();
  verify::registerVerifyPasses();
}

}  // namespace tpuc
