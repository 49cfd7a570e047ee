// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arguments and results callers have in the host's memory.
#include "compiler/pipeline/note_memory_kinds.h"

#include "compiler/encoder/encode.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc {

void noteMemoryKinds(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) return;
  auto note = [&](unsigned count, llvm::function_ref<Attribute(unsigned)> kindOf, StringRef name) {
    SmallVector<int32_t> onHost;
    for (unsigned i = 0; i < count; ++i)
      if (auto kind = dyn_cast_or_null<StringAttr>(kindOf(i)); kind && kind.getValue() == "pinned_host")
        onHost.push_back(static_cast<int32_t>(i));
    if (!onHost.empty()) module->setAttr(name, Builder(module.getContext()).getDenseI32ArrayAttr(onHost));
  };
  const StringLiteral kKind("mhlo.memory_kind");
  note(main.getNumArguments(), [&](unsigned i) { return main.getArgAttr(i, kKind); }, encoder::kHostArgumentsAttr);
  note(main.getNumResults(), [&](unsigned i) { return main.getResultAttr(i, kKind); }, encoder::kHostResultsAttr);
}

}  // namespace tpuc
