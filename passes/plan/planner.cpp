// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of kernels.
#include "passes/plan/planner.h"

#include "passes/plan/conv/conv_plan.h"
#include "passes/plan/conv/window_plan.h"
#include "passes/plan/dot/dot_plan.h"
#include "passes/plan/loop/loop_plan.h"

using namespace mlir;

namespace tpuc::plan {

const Kind *Kinds::find(StringRef name) const {
  auto it = kinds_.find(name);
  return it == kinds_.end() ? nullptr : &it->second;
}

const Kinds &Kinds::of(MLIRContext *context) {
  return *context->getLoadedDialect<kernel::KernelDialect>()->getRegisteredInterface<Kinds>();
}

void addKind(kernel::KernelDialect &dialect, const Kind &kind) {
  auto *kinds = dialect.getRegisteredInterface<Kinds>();
  if (!kinds) kinds = &dialect.addInterface<Kinds>();
  kinds->add(kind);
}

void registerKinds(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, kernel::KernelDialect *dialect) {
    addKind(*dialect, {"loop", planLoop});
    addKind(*dialect, {"dot", planDot});
    addKind(*dialect, {"window", planWindow});
    addKind(*dialect, {"conv", planConv});
  });
}

}  // namespace tpuc::plan
