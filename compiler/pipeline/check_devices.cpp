// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for several devices: counted by the module, meshes, shardings as text (of GSPMD), and groups of collectives.
#include "compiler/pipeline/check_devices.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace tpuc {
namespace {

constexpr StringLiteral kWay = "; only --stop-after=shard takes one for several: export it for one device, without shardings";

LogicalResult refuse(Operation *op, const Twine &what) {
  return diagnose(op, codes::kSeveralDevices) << "expects a program for one device, but got " << what << kWay;
}

template <typename MeshT>
std::optional<int64_t> devicesOfMesh(MeshT mesh) {
  std::optional<int64_t> devices = 1;
  for (auto axis : mesh.getAxes()) devices = devices ? llvm::checkedMul(*devices, axis.getSize()) : devices;
  return devices;  // nothing where the count overflows
}

// "{devices=[2,1,4]<=[8] last_tile_dim_replicate}" names 8; text without such a list one.
int64_t devicesOf(StringRef sharding) {
  int64_t most = 1;
  for (size_t at = sharding.find("devices=["); at != StringRef::npos; at = sharding.find("devices=[", at + 1)) {
    StringRef list = sharding.drop_front(at + strlen("devices=["));
    int64_t devices = 1, size;
    while (!list.consumeInteger(10, size)) {
      devices = std::min<int64_t>(devices * std::clamp<int64_t>(size, 0, 1 << 20), 1 << 30);
      if (!list.consume_front(",")) break;
    }
    most = std::max(most, devices);
  }
  return most;
}

LogicalResult checkCounts(ModuleOp module) {
  for (StringRef name : {"mhlo.num_partitions", "mhlo.num_replicas"})
    if (auto count = module->getAttrOfType<IntegerAttr>(name); count && count.getValue().sgt(1))
      return refuse(module, name + " = " + Twine(count.getInt()));
  return success();
}

// Meshes wherever an attribute has one, and shardings as text.
LogicalResult checkAttributes(Operation *op) {
  std::string what;
  AttrTypeWalker walker;
  auto checkMesh = [&](auto mesh) {
    std::optional<int64_t> devices = devicesOfMesh(mesh);
    if (!devices || *devices > 1)
      what = "a mesh of " + (devices ? std::to_string(*devices) : "more than 2^63") + " devices";
    return what.empty() ? WalkResult::advance() : WalkResult::interrupt();
  };
  walker.addWalk([&](sdy::MeshAttr mesh) { return checkMesh(mesh); });
  walker.addWalk([&](stablehlo::MeshAttr mesh) { return checkMesh(mesh); });
  auto checkDictionary = [&](DictionaryAttr attributes) {
    if (auto text = attributes ? attributes.getAs<StringAttr>("mhlo.sharding") : StringAttr();
        text && devicesOf(text.getValue()) > 1)
      what = "a sharding over " + std::to_string(devicesOf(text.getValue())) + " devices";
  };
  checkDictionary(op->getDiscardableAttrDictionary());
  if (auto function = dyn_cast<func::FuncOp>(op))
    for (ArrayAttr all : {function.getAllArgAttrs(), function.getAllResultAttrs()})
      if (all) llvm::for_each(all.getAsRange<DictionaryAttr>(), checkDictionary);
  for (NamedAttribute attribute : op->getAttrs())
    if (what.empty() && !isa<ElementsAttr>(attribute.getValue())) (void)walker.walk(attribute.getValue());
  return what.empty() ? success() : refuse(op, what);
}

// The largest group of a collective; of pairs, whether one names another device.
LogicalResult checkCollective(Operation *op) {
  auto shapeOf = [&](StringRef name) {
    auto elements = op->getAttrOfType<DenseIntElementsAttr>(name);
    return elements && elements.getType().getRank() == 2 ? elements : DenseIntElementsAttr();
  };
  if (auto groups = shapeOf("replica_groups");
      groups && groups.getType().getDimSize(1) > 1 && groups.getType().getDimSize(0) > 0)
    return refuse(op, "'" + op->getName().getStringRef() + "' over groups of " + Twine(groups.getType().getDimSize(1)));
  if (auto pairs = shapeOf("source_target_pairs"))
    for (const APInt &device : pairs.getValues<APInt>())
      if (!device.isZero())
        return refuse(op, "'" + op->getName().getStringRef() + "' that names device " + Twine(device.getSExtValue()));
  return success();
}

}  // namespace

LogicalResult checkDevices(ModuleOp module) {
  if (failed(checkCounts(module))) return failure();
  WalkResult walk = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    return failed(checkAttributes(op)) || failed(checkCollective(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

bool isForSeveralDevices(ModuleOp module) {
  ScopedDiagnosticHandler quiet(module.getContext(), [](Diagnostic &) { return success(); });
  return failed(checkDevices(module));
}

}  // namespace tpuc
