// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/emission/twins.h"

#include "dialects/diagnostics/diagnose.h"

using namespace mlir;

namespace tpuc::emission {

FailureOr<Names> namesOf(tpu::TwinOp twin, tpu::RoutineOp routine, const Names &original, ConvertContext &context) {
  Renamed renamed;
  for (auto [from, to] :
       llvm::zip(twin.getFrom().getAsRange<FlatSymbolRefAttr>(), twin.getTo().getAsRange<FlatSymbolRefAttr>()))
    renamed[from.getAttr()] = to.getAttr();
  llvm::DenseMap<int64_t, int64_t> descriptors;
  bool clear = true;
  routine.walk([&](tpu::DmaStartOp dma) {
    const int64_t own = context.descriptors.indexOf(descriptorOf(dma, context.descriptors, Renamed()));
    const int64_t other = context.descriptors.indexOf(descriptorOf(dma, context.descriptors, renamed));
    clear &= descriptors.try_emplace(own, other).first->second == other;
  });
  if (!clear)
    return diagnose(twin, codes::kBrokenStage)
           << "expects buffers that are one place in '" << routine.getSymName() << "' to be one here too";
  llvm::DenseMap<int32_t, int32_t> places;
  if (auto lines = twin.getLines())
    for (size_t i = 0; i + 1 < lines->size(); i += 2)
      places[context.placeOf(Location(cast<LocationAttr>((*lines)[i])))] =
          context.placeOf(Location(cast<LocationAttr>((*lines)[i + 1])));
  Names names;
  for (int64_t d : original.descriptors) names.descriptors.push_back(descriptors.lookup(d));
  for (int32_t l : original.locations) {
    auto own = places.find(l);
    names.locations.push_back(own == places.end() ? l : own->second);
  }
  return names;
}

}  // namespace tpuc::emission
