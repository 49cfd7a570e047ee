// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/tell_shardings.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shard/partition/passes.h"

using namespace mlir;

namespace tpuc {

LogicalResult tellShardings(ModuleOp module, const CompileOptions &options) {
  auto asked = module->getAttrOfType<ArrayAttr>(shard::kInspectedAttr);
  if (!asked) return success();
  module->removeAttr(shard::kInspectedAttr);
  if (!options.onInspect) return success();
  for (auto one : asked.getAsRange<DictionaryAttr>()) {
    auto words = one.getAs<StringAttr>("asked");
    const std::string error = options.onInspect(words ? words.getValue() : "", one.getAs<IntegerAttr>("rank").getInt(),
                                                one.getAs<StringAttr>("sharding").getValue());
    if (!error.empty())
      return diagnose(module, codes::kMalformed) << "expects whoever inspects a sharding to take it, but got " << error;
  }
  return success();
}

}  // namespace tpuc
