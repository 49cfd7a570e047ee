// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of the PJRT C API's functions on clients, devices and memories.
// Source of names and layouts: openxla/xla, xla/pjrt/c/pjrt_c_api.h, version 0.114.
#pragma once
#include "compiler/embed/pjrt/abi/types.h"

namespace tpuc::pjrt {

struct PJRT_Client_Create_Args : Args {
  const PJRT_NamedValue *create_options;
  size_t num_options;
  PJRT_KeyValueGetCallback kv_get_callback;
  void *kv_get_user_arg;
  PJRT_KeyValuePutCallback kv_put_callback;
  void *kv_put_user_arg;
  PJRT_Client *client;
  PJRT_KeyValueTryGetCallback kv_try_get_callback;
  void *kv_try_get_user_arg;
};
struct PJRT_Client_Destroy_Args : Args {
  PJRT_Client *client;
};
struct PJRT_Client_PlatformName_Args : Args {
  PJRT_Client *client;
  const char *platform_name;
  size_t platform_name_size;
};
struct PJRT_Client_ProcessIndex_Args : Args {
  PJRT_Client *client;
  int process_index;
};
struct PJRT_Client_PlatformVersion_Args : Args {
  PJRT_Client *client;
  const char *platform_version;
  size_t platform_version_size;
};
struct PJRT_Client_Devices_Args : Args {
  PJRT_Client *client;
  PJRT_Device *const *devices;
  size_t num_devices;
};
struct PJRT_Client_AddressableDevices_Args : Args {
  PJRT_Client *client;
  PJRT_Device *const *addressable_devices;
  size_t num_addressable_devices;
};
struct PJRT_Client_LookupDevice_Args : Args {
  PJRT_Client *client;
  int id;
  PJRT_Device *device;
};
struct PJRT_Client_LookupAddressableDevice_Args : Args {
  PJRT_Client *client;
  int local_hardware_id;
  PJRT_Device *addressable_device;
};
struct PJRT_Client_AddressableMemories_Args : Args {
  PJRT_Client *client;
  PJRT_Memory *const *addressable_memories;
  size_t num_addressable_memories;
};
struct PJRT_Client_Compile_Args : Args {
  PJRT_Client *client;
  const PJRT_Program *program;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_LoadedExecutable *executable;
};
struct PJRT_Client_DefaultDeviceAssignment_Args : Args {
  PJRT_Client *client;
  int num_replicas;
  int num_partitions;
  size_t default_assignment_size;
  int *default_assignment;
};
struct PJRT_Client_BufferFromHostBuffer_Args : Args {
  PJRT_Client *client;
  const void *data;
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t num_dims;
  const int64_t *byte_strides;
  size_t num_byte_strides;
  PJRT_HostBufferSemantics host_buffer_semantics;
  PJRT_Device *device;
  PJRT_Memory *memory;
  PJRT_Buffer_MemoryLayout *device_layout;
  PJRT_Event *done_with_host_buffer;
  PJRT_Buffer *buffer;
};
struct PJRT_DeviceDescription_Id_Args : Args {
  PJRT_DeviceDescription *device_description;
  int id;
};
struct PJRT_DeviceDescription_ProcessIndex_Args : Args {
  PJRT_DeviceDescription *device_description;
  int process_index;
};
struct PJRT_DeviceDescription_Attributes_Args : Args {
  PJRT_DeviceDescription *device_description;
  size_t num_attributes;
  const PJRT_NamedValue *attributes;
};
struct PJRT_DeviceDescription_Kind_Args : Args {
  PJRT_DeviceDescription *device_description;
  const char *device_kind;
  size_t device_kind_size;
};
struct PJRT_DeviceDescription_DebugString_Args : Args {
  PJRT_DeviceDescription *device_description;
  const char *debug_string;
  size_t debug_string_size;
};
struct PJRT_DeviceDescription_ToString_Args : Args {
  PJRT_DeviceDescription *device_description;
  const char *to_string;
  size_t to_string_size;
};
struct PJRT_Device_GetDescription_Args : Args {
  PJRT_Device *device;
  PJRT_DeviceDescription *device_description;
};
struct PJRT_Device_IsAddressable_Args : Args {
  PJRT_Device *device;
  bool is_addressable;
};
struct PJRT_Device_LocalHardwareId_Args : Args {
  PJRT_Device *device;
  int local_hardware_id;
};
struct PJRT_Device_AddressableMemories_Args : Args {
  PJRT_Device *device;
  PJRT_Memory *const *memories;
  size_t num_memories;
};
struct PJRT_Device_DefaultMemory_Args : Args {
  PJRT_Device *device;
  PJRT_Memory *memory;
};
struct PJRT_Device_MemoryStats_Args : Args {
  PJRT_Device *device;
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  bool peak_bytes_in_use_is_set;
  int64_t num_allocs;
  bool num_allocs_is_set;
  int64_t largest_alloc_size;
  bool largest_alloc_size_is_set;
  int64_t bytes_limit;
  bool bytes_limit_is_set;
  int64_t bytes_reserved;
  bool bytes_reserved_is_set;
  int64_t peak_bytes_reserved;
  bool peak_bytes_reserved_is_set;
  int64_t bytes_reservable_limit;
  bool bytes_reservable_limit_is_set;
  int64_t largest_free_block_bytes;
  bool largest_free_block_bytes_is_set;
  int64_t pool_bytes;
  bool pool_bytes_is_set;
  int64_t peak_pool_bytes;
  bool peak_pool_bytes_is_set;
  int64_t peak_allocated_bytes;
  bool peak_allocated_bytes_is_set;
};
struct PJRT_Memory_Id_Args : Args {
  PJRT_Memory *memory;
  int id;
};
struct PJRT_Memory_Kind_Args : Args {
  PJRT_Memory *memory;
  const char *kind;
  size_t kind_size;
};
struct PJRT_Memory_DebugString_Args : Args {
  PJRT_Memory *memory;
  const char *debug_string;
  size_t debug_string_size;
};
struct PJRT_Memory_ToString_Args : Args {
  PJRT_Memory *memory;
  const char *to_string;
  size_t to_string_size;
};
struct PJRT_Memory_AddressableByDevices_Args : Args {
  PJRT_Memory *memory;
  PJRT_Device *const *devices;
  size_t num_devices;
};
struct PJRT_Client_CreateViewOfDeviceBuffer_Args : Args {
  PJRT_Client *client;
  void *device_buffer_ptr;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_Type element_type;
  PJRT_Buffer_MemoryLayout *layout;
  PJRT_Device *device;
  void (*on_delete_callback)(void *device_buffer_ptr, void *user_arg);
  void *on_delete_callback_arg;
  intptr_t stream;
  PJRT_Buffer *buffer;
  PJRT_Memory *memory;
};
struct PJRT_Client_TopologyDescription_Args : Args {
  PJRT_Client *client;
  PJRT_TopologyDescription *topology;
};
struct PJRT_Memory_Kind_Id_Args : Args {
  PJRT_Memory *memory;
  int kind_id;
};
struct PJRT_Client_CreateBuffersForAsyncHostToDevice_Args : Args {
  PJRT_Client *client;
  PJRT_ShapeSpec *shape_specs;
  size_t num_shape_specs;
  PJRT_Buffer_MemoryLayout **device_layouts;
  size_t num_device_layouts;
  PJRT_Memory *memory;
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
};
struct PJRT_Client_DmaMap_Args : Args {
  PJRT_Client *client;
  void *data;
  size_t size;
};
struct PJRT_Client_DmaUnmap_Args : Args {
  PJRT_Client *client;
  void *data;
};
struct PJRT_Client_CreateUninitializedBuffer_Args : Args {
  PJRT_Client *client;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Device *device;
  PJRT_Memory *memory;
  PJRT_Buffer *buffer;
};
struct PJRT_Client_UpdateGlobalProcessInfo_Args : Args {
  PJRT_Client *client;
  PJRT_ProcessInfo *process_infos;
  size_t num_process_infos;
};
struct PJRT_Client_CreateAliasBuffer_Args : Args {
  PJRT_Client *client;
  PJRT_Memory *memory;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Buffer *alias_buffer;
  PJRT_FulfillAliasBufferCallback *fulfill_alias_buffer_cb;
};
struct PJRT_Client_FulfillAliasBuffer_Args : Args {
  PJRT_Client *client;
  PJRT_Buffer *buffer;
  PJRT_Error_Code status_code;
  const char *error_message;
  size_t error_message_size;
  PJRT_FulfillAliasBufferCallback *fulfill_alias_buffer_cb;
};
struct PJRT_Client_CreateErrorBuffer_Args : Args {
  PJRT_Client *client;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Memory *memory;
  PJRT_Buffer *buffer;
  const PJRT_ErrorPayload *payload;
  size_t num_payload;
};
struct PJRT_Device_PoisonExecution_Args : Args {
  PJRT_Device *device;
  int32_t launch_id;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
  bool poisoned;
  const PJRT_ErrorPayload *payload;
  size_t num_payload;
};
struct PJRT_Device_CreateAsyncTrackingEvent_Args : Args {
  PJRT_Device *device;
  const char *description;
  size_t description_size;
  PJRT_AsyncTrackingEvent *event;
};
struct PJRT_AsyncTrackingEvent_Destroy_Args : Args {
  PJRT_AsyncTrackingEvent *event;
};
struct PJRT_Device_GetAttributes_Args : Args {
  PJRT_Device *device;
  const PJRT_NamedValue *attributes;
  size_t num_attributes;
  PJRT_Device_Attributes *device_attributes;
  void (*attributes_deleter)(PJRT_Device_Attributes *);
};
struct PJRT_Client_Load_Args : Args {
  PJRT_Client *client;
  PJRT_Executable *executable;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_LoadedExecutable *loaded_executable;
};
struct PJRT_Device_ClearMemoryStats_Args : Args {
  PJRT_Device *device;
};

}  // namespace tpuc::pjrt
