//===- models.cpp - registers the sharding rules of all ops ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/models.h"

#include "dialects/kernel/kernel.h"

using namespace mlir;

namespace tpuc::shard {

void registerModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, stablehlo::StablehloDialect *) {
    context->getOrLoadDialect<sdy::SdyDialect>();
    for (auto *attach : {attachElementwise, attachShape, attachContraction, attachConvolution, attachIndexing,
                         attachReduction, attachLinalg, attachCollective, attachCalls, attachEdges})
      attach(context);
  });
  registry.addExtension(+[](MLIRContext *context, chlo::ChloDialect *) {
    context->getOrLoadDialect<sdy::SdyDialect>();
    attachChlo(context);
    attachChloCalls(context);
  });
  registry.addExtension(+[](MLIRContext *context, kernel::KernelDialect *) {
    context->getOrLoadDialect<sdy::SdyDialect>();
    attachKernel(context);
  });
}

}  // namespace tpuc::shard
