// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The API's functions on devices, their descriptions and memories.
#include "compiler/embed/pjrt/client.h"
#include "compiler/embed/pjrt/status.h"

namespace tpuc::pjrt {

PJRT_Error *DeviceDescription_Id(PJRT_DeviceDescription_Id_Args *args) {
  args->id = args->device_description->id;
  return nullptr;
}

PJRT_Error *DeviceDescription_ProcessIndex(PJRT_DeviceDescription_ProcessIndex_Args *args) {
  args->process_index = 0;
  return nullptr;
}

PJRT_Error *DeviceDescription_Attributes(PJRT_DeviceDescription_Attributes_Args *args) {
  args->attributes = args->device_description->attributes.data();
  args->num_attributes = args->device_description->attributes.size();
  return nullptr;
}

PJRT_Error *DeviceDescription_Kind(PJRT_DeviceDescription_Kind_Args *args) {
  args->device_kind = args->device_description->kind.data();
  args->device_kind_size = args->device_description->kind.size();
  return nullptr;
}

PJRT_Error *DeviceDescription_DebugString(PJRT_DeviceDescription_DebugString_Args *args) {
  args->debug_string = args->device_description->debugText.data();
  args->debug_string_size = args->device_description->debugText.size();
  return nullptr;
}

PJRT_Error *DeviceDescription_ToString(PJRT_DeviceDescription_ToString_Args *args) {
  args->to_string = args->device_description->text.data();
  args->to_string_size = args->device_description->text.size();
  return nullptr;
}

PJRT_Error *Device_GetDescription(PJRT_Device_GetDescription_Args *args) {
  args->device_description = args->device->description;
  return nullptr;
}

PJRT_Error *Device_IsAddressable(PJRT_Device_IsAddressable_Args *args) {
  args->is_addressable = true;
  return nullptr;
}

PJRT_Error *Device_LocalHardwareId(PJRT_Device_LocalHardwareId_Args *args) {
  args->local_hardware_id = args->device->description->id;
  return nullptr;
}

PJRT_Error *Device_AddressableMemories(PJRT_Device_AddressableMemories_Args *args) {
  args->memories = args->device->memories.data();
  args->num_memories = args->device->memories.size();
  return nullptr;
}

PJRT_Error *Device_DefaultMemory(PJRT_Device_DefaultMemory_Args *args) {
  args->memory = args->device->memories.front();
  return nullptr;
}

PJRT_Error *Device_GetAttributes(PJRT_Device_GetAttributes_Args *args) {
  args->attributes = args->device->description->attributes.data();
  args->num_attributes = args->device->description->attributes.size();
  args->device_attributes = nullptr;
  args->attributes_deleter = [](PJRT_Device_Attributes *) {};
  return nullptr;
}

PJRT_Error *Device_MemoryStats(PJRT_Device_MemoryStats_Args *args) {
  const device::Hbm::Use use = args->device->chip->hbm().use();
  args->bytes_in_use = static_cast<int64_t>(use.inUse);
  args->peak_bytes_in_use = static_cast<int64_t>(use.peak);
  args->peak_bytes_in_use_is_set = true;
  args->num_allocs = static_cast<int64_t>(use.allocations);
  args->num_allocs_is_set = true;
  args->largest_alloc_size = static_cast<int64_t>(use.largest);
  args->largest_alloc_size_is_set = true;
  args->bytes_limit = static_cast<int64_t>(use.capacity);
  args->bytes_limit_is_set = true;
  args->bytes_reserved_is_set = args->peak_bytes_reserved_is_set = false;
  args->bytes_reservable_limit = args->bytes_limit;
  args->bytes_reservable_limit_is_set = true;
  args->largest_free_block_bytes = static_cast<int64_t>(use.largestFree);
  args->largest_free_block_bytes_is_set = true;
  args->pool_bytes_is_set = args->peak_pool_bytes_is_set = false;
  if (has(args, &args->peak_allocated_bytes_is_set)) args->peak_allocated_bytes_is_set = false;
  return nullptr;
}

PJRT_Error *Device_ClearMemoryStats(PJRT_Device_ClearMemoryStats_Args *args) {
  args->device->chip->hbm().clearPeak();
  return nullptr;
}

PJRT_Error *Device_PoisonExecution(PJRT_Device_PoisonExecution_Args *args) {
  args->poisoned = false;  // runs are not stopped by their launch id
  return nullptr;
}

struct PJRT_AsyncTrackingEvent {};

PJRT_Error *Device_CreateAsyncTrackingEvent(PJRT_Device_CreateAsyncTrackingEvent_Args *args) {
  args->event = new PJRT_AsyncTrackingEvent;
  return nullptr;
}

PJRT_Error *AsyncTrackingEvent_Destroy(PJRT_AsyncTrackingEvent_Destroy_Args *args) {
  delete args->event;
  return nullptr;
}

PJRT_Error *Memory_Id(PJRT_Memory_Id_Args *args) {
  args->id = args->memory->id;
  return nullptr;
}

PJRT_Error *Memory_Kind(PJRT_Memory_Kind_Args *args) {
  args->kind = args->memory->kind.data();
  args->kind_size = args->memory->kind.size();
  return nullptr;
}

PJRT_Error *Memory_Kind_Id(PJRT_Memory_Kind_Id_Args *args) {
  args->kind_id = args->memory->kindId;
  return nullptr;
}

PJRT_Error *Memory_DebugString(PJRT_Memory_DebugString_Args *args) {
  args->debug_string = args->memory->text.data();
  args->debug_string_size = args->memory->text.size();
  return nullptr;
}

PJRT_Error *Memory_ToString(PJRT_Memory_ToString_Args *args) {
  args->to_string = args->memory->text.data();
  args->to_string_size = args->memory->text.size();
  return nullptr;
}

PJRT_Error *Memory_AddressableByDevices(PJRT_Memory_AddressableByDevices_Args *args) {
  args->devices = &args->memory->device;
  args->num_devices = 1;
  return nullptr;
}

}  // namespace tpuc::pjrt
