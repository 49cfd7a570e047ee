// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/note_shardings.h"

#include "compiler/encoder/encode.h"
#include "dialects/kernel/shardings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc {

void noteShardings(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) return;
  Builder b(module.getContext());
  bool any = false;
  auto describe = [&](DictionaryAttr attributes) -> Attribute {
    NamedAttrList out;
    auto sharding = attributes ? attributes.getAs<StringAttr>(kernel::kShardingAttr) : StringAttr();
    auto type = attributes ? attributes.getAs<TypeAttr>(kernel::kGlobalTypeAttr) : TypeAttr();
    if (sharding) out.set("sharding", sharding);
    if (auto whole = type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType())
      out.set("global", b.getDenseI64ArrayAttr(whole.getShape()));
    any |= !out.empty();
    return out.getDictionary(b.getContext());
  };
  SmallVector<Attribute> arguments, results;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) arguments.push_back(describe(main.getArgAttrDict(i)));
  for (unsigned i = 0; i < main.getNumResults(); ++i) results.push_back(describe(main.getResultAttrDict(i)));
  if (any)
    module->setAttr(encoder::kShardingsAttr,
                    b.getDictionaryAttr({b.getNamedAttr("arguments", b.getArrayAttr(arguments)),
                                         b.getNamedAttr("results", b.getArrayAttr(results))}));
}

}  // namespace tpuc
