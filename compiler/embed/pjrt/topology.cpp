// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What devices there are, without having them: for compiling ahead of time, and for a client.
#include "absl/strings/str_cat.h"
#include "compiler/cache/build_id.h"
#include "compiler/embed/pjrt/client.h"
#include "compiler/embed/pjrt/status.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

namespace tpuc::pjrt {
namespace {

constexpr int64_t kMaxDevices = 1 << 16;

// "v5e:2x4" is eight chips of v5e; without sizes it is one. A path may have a colon too: what follows the last one has
// to be sizes.
bool splitName(const std::string &name, std::string &target, int &devices) {
  target = name;
  devices = 1;
  size_t colon = name.rfind(':');
  if (colon == std::string::npos) return true;
  llvm::SmallVector<llvm::StringRef> sizes;
  llvm::StringRef(name).substr(colon + 1).split(sizes, 'x');
  int64_t count = 1;
  for (llvm::StringRef text : sizes) {
    int64_t size = 0;
    if (text.getAsInteger(10, size)) return true;
    if (size < 1 || size > kMaxDevices || (count *= size) > kMaxDevices) return false;
  }
  target = name.substr(0, colon);
  devices = static_cast<int>(count);
  return true;
}

// Whatever sets apart what two clients make of the same program: JAX's compilation cache has this text in its key. The
// target's constants are in the topology's fingerprint.
std::string versionText(const PJRT_TopologyDescription &topology) {
  std::string text = absl::StrCat("tpuc ", TPUC_VERSION, " on ", topology.chip.name());
  if (!topology.matmulPrecision.empty()) absl::StrAppend(&text, ", matmul precision ", topology.matmulPrecision);
  return cache::buildId().empty() ? text : absl::StrCat(text, ", build ", cache::buildId());
}

}  // namespace

// The number of devices, the precision, the target's name or path.
struct PJRT_SerializedTopology {
  std::string bytes;
};

StatusOr<std::unique_ptr<PJRT_TopologyDescription>> PJRT_TopologyDescription::make(const std::string &target,
                                                                                   int devices,
                                                                                   const std::string &matmulPrecision) {
  auto topology = std::make_unique<PJRT_TopologyDescription>();
  topology->target = target;
  topology->matmulPrecision = matmulPrecision;
  std::string error;
  if (!target::loadTarget(target, topology->chip, error)) return invalidArgument(error);
  topology->platformVersion = versionText(*topology);
  for (int i = 0; i < devices; ++i) {
    auto description = std::make_unique<PJRT_DeviceDescription>();
    description->id = i;
    description->kind = "tpuc " + topology->chip.name();
    description->text = absl::StrCat("TpucDevice(id=", i, ")");
    description->debugText = absl::StrCat("tpuc:", i, " (", topology->chip.name(), ")");
    description->attributes.add("target", topology->chip.name());
    description->attributes.add("coords", std::vector<int64_t>{i, 0, 0});
    description->attributes.add("core_on_chip", int64_t{0});
    description->attributes.add("num_cores", static_cast<int64_t>(topology->chip.cores()));
    topology->descriptionList.push_back(description.get());
    topology->descriptions.push_back(std::move(description));
  }
  topology->attributes.add("target", topology->chip.name());
  return topology;
}

PJRT_Error *TopologyDescription_Create(PJRT_TopologyDescription_Create_Args *args) {
  auto options = ClientOptions::read(args->create_options, args->num_options);
  if (!options.ok()) return toError(options.status());
  std::string name(args->topology_name ? args->topology_name : "", args->topology_name ? args->topology_name_size : 0);
  std::string target;
  int devices = 0;
  if (!splitName(name.empty() ? options->target : name, target, devices))
    return toError(invalidArgument(absl::StrCat("a topology expects a target and sizes, \"v5e:4x4\", of at most ",
                                                kMaxDevices, " chips, but got '", name, "'")));
  auto topology = PJRT_TopologyDescription::make(target, devices, options->matmulPrecision);
  if (!topology.ok()) return toError(topology.status());
  args->topology = topology->release();
  return nullptr;
}

PJRT_Error *TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args *args) {
  delete args->topology;
  return nullptr;
}

PJRT_Error *TopologyDescription_PlatformName(PJRT_TopologyDescription_PlatformName_Args *args) {
  args->platform_name = kPlatformName;
  args->platform_name_size = sizeof(kPlatformName) - 1;
  return nullptr;
}

PJRT_Error *TopologyDescription_PlatformVersion(PJRT_TopologyDescription_PlatformVersion_Args *args) {
  args->platform_version = args->topology->platformVersion.data();
  args->platform_version_size = args->topology->platformVersion.size();
  return nullptr;
}

PJRT_Error *TopologyDescription_GetDeviceDescriptions(PJRT_TopologyDescription_GetDeviceDescriptions_Args *args) {
  args->descriptions = args->topology->descriptionList.data();
  args->num_descriptions = args->topology->descriptionList.size();
  return nullptr;
}

PJRT_Error *TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args *args) {
  auto *out = new PJRT_SerializedTopology;
  out->bytes = absl::StrCat(args->topology->descriptions.size(), " ", args->topology->matmulPrecision, " ",
                            args->topology->target);
  args->serialized_bytes = out->bytes.data();
  args->serialized_bytes_size = out->bytes.size();
  args->serialized_topology = out;
  args->serialized_topology_deleter = [](PJRT_SerializedTopology *serialized) { delete serialized; };
  return nullptr;
}

PJRT_Error *TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args *args) {
  std::string bytes(args->serialized_topology, args->serialized_topology_size);
  auto [count, rest] = llvm::StringRef(bytes).split(' ');
  auto [precision, target] = rest.split(' ');
  int devices = 0;
  if (count.getAsInteger(10, devices) || devices < 1 || devices > kMaxDevices || target.empty())
    return toError(invalidArgument("expects a topology that tpuc wrote, but got other bytes"));
  auto topology = PJRT_TopologyDescription::make(target.str(), devices, precision.str());
  if (!topology.ok()) return toError(topology.status());
  args->topology = topology->release();
  return nullptr;
}

PJRT_Error *TopologyDescription_Attributes(PJRT_TopologyDescription_Attributes_Args *args) {
  args->attributes = args->topology->attributes.data();
  args->num_attributes = args->topology->attributes.size();
  return nullptr;
}

PJRT_Error *TopologyDescription_Fingerprint(PJRT_TopologyDescription_Fingerprint_Args *args) {
  std::string text = absl::StrCat(args->topology->descriptions.size(), " ", target::digest(args->topology->chip));
  args->fingerprint = llvm::xxh3_64bits(llvm::StringRef(text));
  return nullptr;
}

PJRT_Error *TopologyDescription_MakeCanonicalShapeForMemorySpace(
    PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args *) {
  return toError(unimplemented("canonical shapes of memory spaces: every shape is one"));
}

PJRT_Error *TopologyDescription_GetMemorySpaceKindIds(PJRT_TopologyDescription_GetMemorySpaceKindIds_Args *args) {
  static constexpr int kIds[] = {0, 1};
  args->memory_space_kind_ids = kIds;
  args->num_memory_space_kind_ids = 2;
  return nullptr;
}

}  // namespace tpuc::pjrt
