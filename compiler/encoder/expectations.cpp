// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of what a program expects of its results.
#include "compiler/encoder/expectations.h"

#include "dialects/kernel/order.h"
#include "dialects/stablehlo/check.h"

using namespace mlir;

namespace tpuc::encoder {

std::string placeText(Location location) {
  if (auto file = dyn_cast<FileLineColLoc>(location))
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" + Twine(file.getColumn())).str();
  if (auto call = dyn_cast<CallSiteLoc>(location)) return placeText(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    return fused.getLocations().empty() ? "" : placeText(fused.getLocations().front());
  if (auto name = dyn_cast<NameLoc>(location)) {
    std::string place = placeText(name.getChildLoc());
    return place.empty() ? name.getName().str() : place;
  }
  return "";
}

void encodeExpectations(ModuleOp module, isa::Executable &exe) {
  auto table = module->getAttrOfType<ArrayAttr>(check::kExpectations);
  if (auto own = module->getAttrOfType<IntegerAttr>(kernel::kOwnResultsAttr))
    exe.index.set_own_results(static_cast<uint32_t>(own.getInt() + 1));
  if (!table) return;
  for (auto entry : table.getAsRange<check::ExpectationAttr>()) {
    auto *e = exe.index.add_expectations();
    e->set_kind(check::stringifyExpectationKind(entry.getKind()).str());
    e->set_actual(static_cast<int32_t>(entry.getActual()));
    e->set_expected(static_cast<int32_t>(entry.getExpected()));
    e->set_location(placeText(entry.getPlace()));
    e->set_tolerance(entry.getTolerance().convertToDouble());
    e->set_min_ulp(entry.getMinUlps());
    e->set_max_ulp(entry.getMaxUlps());
  }
}

}  // namespace tpuc::encoder
