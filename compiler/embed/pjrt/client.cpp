// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The client and the API's functions on it that are not of programs or arrays.
#include "compiler/embed/pjrt/client.h"

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/program.h"
#include "compiler/embed/pjrt/status.h"

namespace tpuc::pjrt {
namespace {

constexpr uint64_t kHostBytes = uint64_t{64} << 30;  // of addresses

PJRT_Device *deviceById(PJRT_Client *client, int id) {
  for (PJRT_Device *device : client->deviceList)
    if (device->description->id == id) return device;
  return nullptr;
}

Status noDevice(int id) { return invalidArgument(absl::StrCat("there is no device ", id)); }

}  // namespace

PJRT_Client::~PJRT_Client() {
  for (auto &device : devices)
    if (device->chip) device->chip->wait();
}

StatusOr<std::unique_ptr<PJRT_Client>> PJRT_Client::make(ClientOptions options) {
  auto client = std::make_unique<PJRT_Client>();
  auto topology =
      PJRT_TopologyDescription::make(options.target, static_cast<int>(options.devices), options.matmulPrecision);
  if (!topology.ok()) return topology.status();
  client->topology = std::move(*topology);
  client->pool = std::make_shared<device::ThreadPool>(static_cast<int>(options.threads));
  client->options = std::move(options);
  client->cache = std::make_unique<cache::CompileCache>(client->options.cache);
  if (client->options.buckets) client->families = std::make_unique<SizeFamilies>(*client->options.buckets);
  for (PJRT_DeviceDescription *description : client->topology->descriptionList) {
    auto device = std::make_unique<PJRT_Device>();
    device->client = client.get();
    device->description = description;
    exec::DeviceOptions chip;
    chip.id = description->id;
    chip.numDevices = static_cast<int>(client->topology->descriptionList.size());
    chip.pool = client->pool;
    chip.checking = client->options.checking;
    std::string error;
    device->chip = exec::Device::create(client->topology->chip, chip, error);
    std::shared_ptr<device::Hbm> host = device->chip ? device::Hbm::create(kHostBytes, error) : nullptr;
    if (!host) return resourceExhausted(error);
    for (int kind = 0; kind < 2; ++kind) {
      auto memory = std::make_unique<PJRT_Memory>();
      memory->client = client.get();
      memory->device = device.get();
      memory->id = static_cast<int>(client->memories.size());
      memory->kindId = kind;
      memory->kind = CompiledProgram::kMemoryKinds[kind];
      memory->place = kind ? host : device->chip->hbmPointer();
      memory->text = absl::StrCat("TpucMemory(", memory->kind, " of device ", description->id, ")");
      device->memories.push_back(memory.get());
      client->memoryList.push_back(memory.get());
      client->memories.push_back(std::move(memory));
    }
    client->deviceList.push_back(device.get());
    client->devices.push_back(std::move(device));
  }
  return client;
}

std::unique_ptr<Session> PJRT_Client::takeSession() {
  std::lock_guard lock(sessionsMutex_);
  if (sessions_.empty()) return std::make_unique<Session>();
  std::unique_ptr<Session> session = std::move(sessions_.back());
  sessions_.pop_back();
  return session;
}

void PJRT_Client::giveBack(std::unique_ptr<Session> session) {
  std::lock_guard lock(sessionsMutex_);
  sessions_.push_back(std::move(session));
}

PJRT_Error *Client_Create(PJRT_Client_Create_Args *args) {
  auto options = ClientOptions::read(args->create_options, args->num_options);
  if (!options.ok()) return toError(options.status());
  auto client = PJRT_Client::make(std::move(*options));
  if (!client.ok()) return toError(client.status());
  args->client = client->release();
  return nullptr;
}

PJRT_Error *Client_Destroy(PJRT_Client_Destroy_Args *args) {
  delete args->client;
  return nullptr;
}

PJRT_Error *Client_PlatformName(PJRT_Client_PlatformName_Args *args) {
  args->platform_name = kPlatformName;
  args->platform_name_size = sizeof(kPlatformName) - 1;
  return nullptr;
}

PJRT_Error *Client_ProcessIndex(PJRT_Client_ProcessIndex_Args *args) {
  args->process_index = 0;
  return nullptr;
}

PJRT_Error *Client_PlatformVersion(PJRT_Client_PlatformVersion_Args *args) {
  args->platform_version = args->client->topology->platformVersion.data();
  args->platform_version_size = args->client->topology->platformVersion.size();
  return nullptr;
}

PJRT_Error *Client_TopologyDescription(PJRT_Client_TopologyDescription_Args *args) {
  args->topology = args->client->topology.get();
  return nullptr;
}

PJRT_Error *Client_Devices(PJRT_Client_Devices_Args *args) {
  args->devices = args->client->deviceList.data();
  args->num_devices = args->client->deviceList.size();
  return nullptr;
}

PJRT_Error *Client_AddressableDevices(PJRT_Client_AddressableDevices_Args *args) {
  args->addressable_devices = args->client->deviceList.data();
  args->num_addressable_devices = args->client->deviceList.size();
  return nullptr;
}

PJRT_Error *Client_LookupDevice(PJRT_Client_LookupDevice_Args *args) {
  args->device = deviceById(args->client, args->id);
  return args->device ? nullptr : toError(noDevice(args->id));
}

PJRT_Error *Client_LookupAddressableDevice(PJRT_Client_LookupAddressableDevice_Args *args) {
  args->addressable_device = deviceById(args->client, args->local_hardware_id);
  return args->addressable_device ? nullptr : toError(noDevice(args->local_hardware_id));
}

PJRT_Error *Client_AddressableMemories(PJRT_Client_AddressableMemories_Args *args) {
  args->addressable_memories = args->client->memoryList.data();
  args->num_addressable_memories = args->client->memoryList.size();
  return nullptr;
}

PJRT_Error *Client_DefaultDeviceAssignment(PJRT_Client_DefaultDeviceAssignment_Args *args) {
  const size_t wanted = static_cast<size_t>(args->num_replicas) * static_cast<size_t>(args->num_partitions);
  if (args->num_replicas < 1 || args->num_partitions < 1 || args->default_assignment_size < wanted)
    return toError(invalidArgument("a device assignment expects room for num_replicas x num_partitions devices"));
  if (wanted > args->client->deviceList.size())
    return toError(
        invalidArgument(absl::StrCat("a device assignment of ", wanted, " devices expects as many, but there are ",
                                     args->client->deviceList.size())));
  for (size_t i = 0; i < wanted; ++i) args->default_assignment[i] = args->client->deviceList[i]->description->id;
  return nullptr;
}

// Host memory needs no mapping: transfers are copies by the host.
PJRT_Error *Client_DmaMap(PJRT_Client_DmaMap_Args *) { return nullptr; }
PJRT_Error *Client_DmaUnmap(PJRT_Client_DmaUnmap_Args *) { return nullptr; }

// One process: there is nobody to tell of.
PJRT_Error *Client_UpdateGlobalProcessInfo(PJRT_Client_UpdateGlobalProcessInfo_Args *) { return nullptr; }

}  // namespace tpuc::pjrt
