// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs for several devices: one device's program runs on each of them; what is still to be partitioned is refused.
#include "compiler/pipeline/check_devices.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/device_grid.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace tpuc {
namespace {

LogicalResult refuse(Operation *op, const Twine &what) {
  return diagnose(op, codes::kSeveralDevices)
         << "expects a program for one device, or one device's part of it, but got " << what;
}

template <typename MeshT>
std::optional<int64_t> devicesOfMesh(MeshT mesh) {
  std::optional<int64_t> devices = 1;
  for (auto axis : mesh.getAxes()) devices = devices ? llvm::checkedMul(*devices, axis.getSize()) : devices;
  return devices;  // nothing where the count overflows
}

// "{devices=[2,1,4]<=[8] last_tile_dim_replicate}" names 8; text without such a list one. What is no sharding counts as
// several: who partitions the program says what is wrong with it.
int64_t devicesOfText(StringRef sharding) {
  const bool known = sharding.empty() || sharding.starts_with("{{") || sharding.starts_with("{}") ||
                     sharding.starts_with("{replicated") || sharding.starts_with("{manual") ||
                     sharding.starts_with("{maximal") || sharding.starts_with("{unknown") ||
                     sharding.starts_with("{devices=[");
  int64_t most = known ? 1 : 2;
  for (size_t at = sharding.find("devices=["); at != StringRef::npos; at = sharding.find("devices=[", at + 1)) {
    StringRef list = sharding.drop_front(at + strlen("devices=["));
    int64_t devices = 1, size;
    while (!list.consumeInteger(10, size)) {
      devices = std::min<int64_t>(devices * (size < 1 ? 2 : std::min<int64_t>(size, 1 << 20)), 1 << 30);
      if (!list.consume_front(",")) break;
    }
    most = std::max(most, devices);
  }
  return most;
}

// Whether "{maximal device=K}" stands in the text with a device that `devices` do not have.
bool namesMissingDevice(StringRef sharding, int64_t devices) {
  while (!sharding.empty()) {
    sharding = sharding.split("maximal device=").second;
    int64_t device;
    if (!sharding.consumeInteger(10, device) && device >= devices) return true;
  }
  return false;
}

constexpr int64_t kMostDevices = 1 << 20;

// How many devices the program has: as many as it says, else as many partitions as were asked for.
FailureOr<int64_t> countDevices(ModuleOp module, int64_t asked) {
  const stablehlo::DeviceGrid grid = stablehlo::gridOf(module);
  const int64_t devices = grid.devices();
  if (devices > kMostDevices)
    return diagnose(module, codes::kBadGroups)
           << "expects a program for " << kMostDevices << " devices at most, but got " << grid.replicas
           << " replicas of " << grid.partitions << " partitions";
  if (!asked || asked == devices) return devices;
  if (devices > 1)
    return diagnose(module, codes::kDeviceCount)
           << "expects " << devices << " devices, as the program says, but got --devices=" << asked;
  stablehlo::setGrid(module, {1, asked});
  return asked;
}

// What of an op says how a program is to be partitioned; empty for nothing.
std::string partitioningOf(Operation *op, int64_t devices) {
  if (mlir::isa_and_nonnull<sdy::SdyDialect>(op->getDialect()) && !mlir::isa<sdy::MeshOp>(op))
    return ("'" + op->getName().getStringRef() + "'").str();
  bool sharded = false;
  AttrTypeWalker walker;
  walker.addWalk([&](sdy::TensorShardingAttr) {
    sharded = true;
    return WalkResult::interrupt();
  });
  int64_t most = 1;
  auto checkDictionary = [&](DictionaryAttr attributes) {
    if (auto text = attributes ? attributes.getAs<StringAttr>("mhlo.sharding") : StringAttr()) {
      most = std::max(most, devicesOfText(text.getValue()));
      sharded |= namesMissingDevice(text.getValue(), devices);
    }
    if (attributes) (void)walker.walk(attributes);
  };
  checkDictionary(op->getDiscardableAttrDictionary());
  if (auto function = dyn_cast<func::FuncOp>(op))
    for (ArrayAttr all : {function.getAllArgAttrs(), function.getAllResultAttrs()})
      if (all) llvm::for_each(all.getAsRange<DictionaryAttr>(), checkDictionary);
  if (sharded) return "a sharding";
  return most > 1 ? "a sharding over " + std::to_string(most) + " devices" : "";
}

// Finds what of ops' attributes is for several devices: meshes wherever one has them, and shardings as text. Up to the
// first op that has something: an attribute that several ops have is looked at once.
class SeveralDevices {
 public:
  SeveralDevices() {
    walker_.addWalk([&](sdy::MeshAttr mesh) { return checkMesh(mesh); });
    walker_.addWalk([&](stablehlo::MeshAttr mesh) { return checkMesh(mesh); });
  }
  // Empty for nothing.
  std::string of(Operation *op) {
    what_.clear();
    checkText(op->getDiscardableAttr(kSharding));
    if (auto function = dyn_cast<func::FuncOp>(op))
      for (ArrayAttr all : {function.getAllArgAttrs(), function.getAllResultAttrs()})
        if (all)
          llvm::for_each(all.getAsRange<DictionaryAttr>(), [&](DictionaryAttr d) { checkText(d.get(kSharding)); });
    for (NamedAttribute attribute : op->getAttrs())
      if (what_.empty() && !isa<ElementsAttr>(attribute.getValue())) (void)walker_.walk(attribute.getValue());
    return what_;
  }

 private:
  static constexpr StringLiteral kSharding = "mhlo.sharding";

  template <typename MeshT>
  WalkResult checkMesh(MeshT mesh) {
    std::optional<int64_t> devices = devicesOfMesh(mesh);
    if (!devices || *devices > 1)
      what_ = "a mesh of " + (devices ? std::to_string(*devices) : "more than 2^63") + " devices";
    return what_.empty() ? WalkResult::advance() : WalkResult::interrupt();
  }
  void checkText(Attribute attribute) {
    auto text = llvm::dyn_cast_or_null<StringAttr>(attribute);
    if (text && devicesOfText(text.getValue()) > 1)
      what_ = "a sharding over " + std::to_string(devicesOfText(text.getValue())) + " devices";
  }

  AttrTypeWalker walker_;
  std::string what_;
};

LogicalResult checkAnnotations(Operation *op, int64_t devices, SeveralDevices &several) {
  const std::string what = devices > 1 ? partitioningOf(op, devices) : several.of(op);
  return what.empty() ? success() : refuse(op, what);
}

constexpr StringLiteral kWay = "; say of how many devices: mhlo.num_partitions, or --devices=N";

// The largest group of a collective; of pairs, whether one names another device.
LogicalResult checkCollective(Operation *op) {
  auto shapeOf = [&](StringRef name) {
    auto elements = op->getAttrOfType<DenseIntElementsAttr>(name);
    return elements && elements.getType().getRank() == 2 ? elements : DenseIntElementsAttr();
  };
  if (auto groups = shapeOf("replica_groups");
      groups && groups.getType().getDimSize(1) > 1 && groups.getType().getDimSize(0) > 0)
    return refuse(
        op, "'" + op->getName().getStringRef() + "' over groups of " + Twine(groups.getType().getDimSize(1)) + kWay);
  if (auto pairs = shapeOf("source_target_pairs"))
    for (const APInt &device : pairs.getValues<APInt>())
      if (!device.isZero())
        return refuse(
            op, "'" + op->getName().getStringRef() + "' that names device " + Twine(device.getSExtValue()) + kWay);
  return success();
}

}  // namespace

LogicalResult checkDevices(ModuleOp module, int64_t asked) {
  FailureOr<int64_t> devices = countDevices(module, asked);
  if (failed(devices)) return failure();
  SeveralDevices several;
  WalkResult walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    const bool fails =
        failed(checkAnnotations(op, *devices, several)) || (*devices == 1 && failed(checkCollective(op)));
    return fails ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

bool isSharded(ModuleOp module) {
  const int64_t devices = devicesOf(module);  // annotations may be over no axes at all
  SeveralDevices several;
  return module
      .walk<WalkOrder::PreOrder>([&](Operation *op) {
        const bool annotated = !several.of(op).empty() || (devices > 1 && !partitioningOf(op, devices).empty());
        return annotated ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void nameDevices(ModuleOp module) {
  if (devicesOf(module) > 1) return;
  int64_t most = 1;
  AttrTypeWalker walker;
  walker.addWalk([&](sdy::MeshAttr mesh) { most = std::max(most, devicesOfMesh(mesh).value_or(1)); });
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (!isa<ElementsAttr>(attribute.getValue())) (void)walker.walk(attribute.getValue());
  });
  if (most > 1 && most <= kMostDevices) stablehlo::setGrid(module, {stablehlo::gridOf(module).replicas, most});
}

int64_t devicesOf(ModuleOp module) { return stablehlo::gridOf(module).devices(); }

}  // namespace tpuc
