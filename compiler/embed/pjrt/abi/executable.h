// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of the PJRT C API's functions on executables.
// Source of names and layouts: openxla/xla, xla/pjrt/c/pjrt_c_api.h, version 0.114.
#pragma once
#include "compiler/embed/pjrt/abi/types.h"

namespace tpuc::pjrt {

struct PJRT_Executable_Destroy_Args : Args {
  PJRT_Executable *executable;
};
struct PJRT_Executable_Name_Args : Args {
  PJRT_Executable *executable;
  const char *executable_name;
  size_t executable_name_size;
};
struct PJRT_Executable_NumReplicas_Args : Args {
  PJRT_Executable *executable;
  size_t num_replicas;
};
struct PJRT_Executable_NumPartitions_Args : Args {
  PJRT_Executable *executable;
  size_t num_partitions;
};
struct PJRT_Executable_NumOutputs_Args : Args {
  PJRT_Executable *executable;
  size_t num_outputs;
};
struct PJRT_Executable_SizeOfGeneratedCodeInBytes_Args : Args {
  PJRT_Executable *executable;
  int64_t size_in_bytes;
};
struct PJRT_Executable_GetCostAnalysis_Args : Args {
  PJRT_Executable *executable;
  size_t num_properties;
  const PJRT_NamedValue *properties;
};
struct PJRT_Executable_OutputMemoryKinds_Args : Args {
  PJRT_Executable *executable;
  size_t num_outputs;
  const char *const *memory_kinds;
  const size_t *memory_kind_sizes;
};
struct PJRT_Executable_OptimizedProgram_Args : Args {
  PJRT_Executable *executable;
  PJRT_Program *program;
};
struct PJRT_Executable_Serialize_Args : Args {
  const PJRT_Executable *executable;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_SerializedExecutable *serialized_executable;
  void (*serialized_executable_deleter)(PJRT_SerializedExecutable *exec);
};
struct PJRT_LoadedExecutable_Destroy_Args : Args {
  PJRT_LoadedExecutable *executable;
};
struct PJRT_LoadedExecutable_GetExecutable_Args : Args {
  PJRT_LoadedExecutable *loaded_executable;
  PJRT_Executable *executable;
};
struct PJRT_LoadedExecutable_AddressableDevices_Args : Args {
  PJRT_LoadedExecutable *executable;
  PJRT_Device *const *addressable_devices;
  size_t num_addressable_devices;
};
struct PJRT_LoadedExecutable_Delete_Args : Args {
  PJRT_LoadedExecutable *executable;
};
struct PJRT_LoadedExecutable_IsDeleted_Args : Args {
  PJRT_LoadedExecutable *executable;
  bool is_deleted;
};
struct PJRT_LoadedExecutable_Execute_Args : Args {
  PJRT_LoadedExecutable *executable;
  PJRT_ExecuteOptions *options;
  PJRT_Buffer *const *const *argument_lists;
  size_t num_devices;
  size_t num_args;
  PJRT_Buffer **const *output_lists;
  PJRT_Event **device_complete_events;
  PJRT_Device *execute_device;
};
struct PJRT_Executable_DeserializeAndLoad_Args : Args {
  PJRT_Client *client;
  const char *serialized_executable;
  size_t serialized_executable_size;
  PJRT_LoadedExecutable *loaded_executable;
  const char *overridden_serialized_compile_options;
  size_t overridden_serialized_compile_options_size;
  void *load_options;
};
struct PJRT_LoadedExecutable_Fingerprint_Args : Args {
  PJRT_LoadedExecutable *executable;
  const char *executable_fingerprint;
  size_t executable_fingerprint_size;
};
struct PJRT_Compile_Args : Args {
  const PJRT_TopologyDescription *topology;
  const PJRT_Program *program;
  const char *compile_options;
  size_t compile_options_size;
  PJRT_Client *client;
  PJRT_Executable *executable;
};
struct PJRT_Executable_OutputElementTypes_Args : Args {
  PJRT_Executable *executable;
  PJRT_Buffer_Type *output_types;
  size_t num_output_types;
};
struct PJRT_Executable_OutputDimensions_Args : Args {
  PJRT_Executable *executable;
  size_t num_outputs;
  const int64_t *dims;
  const size_t *dim_sizes;
};
struct PJRT_Executable_Fingerprint_Args : Args {
  PJRT_Executable *executable;
  const char *executable_fingerprint;
  size_t executable_fingerprint_size;
};
struct PJRT_Executable_GetCompiledMemoryStats_Args : Args {
  PJRT_Executable *executable;
  int64_t generated_code_size_in_bytes;
  int64_t argument_size_in_bytes;
  int64_t output_size_in_bytes;
  int64_t alias_size_in_bytes;
  int64_t temp_size_in_bytes;
  int64_t host_generated_code_size_in_bytes;
  int64_t host_argument_size_in_bytes;
  int64_t host_output_size_in_bytes;
  int64_t host_alias_size_in_bytes;
  int64_t host_temp_size_in_bytes;
  int64_t peak_memory_in_bytes;
  int64_t total_size_in_bytes;
  int64_t total_allocation_bytes;
  int64_t indefinite_allocations;
  int64_t peak_unpadded_heap_bytes;
};
struct PJRT_ExecuteContext_Create_Args : Args {
  PJRT_ExecuteContext *context;
};
struct PJRT_ExecuteContext_Destroy_Args : Args {
  PJRT_ExecuteContext *context;
};
struct PJRT_LoadedExecutable_GetDeviceAssignment_Args : Args {
  PJRT_LoadedExecutable *executable;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_DeviceAssignmentSerialized *serialized_device_assignment;
  void (*serialized_device_assignment_deleter)(PJRT_DeviceAssignmentSerialized *da);
};
struct PJRT_Executable_GetCompileOptions_Args : Args {
  PJRT_Executable *executable;
  const char *serialized_bytes;
  size_t serialized_bytes_size;
  PJRT_SerializedCompileOptions *serialized_compile_options;
  void (*serialized_compile_options_deleter)(PJRT_SerializedCompileOptions *options);
};
struct PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args : Args {
  PJRT_LoadedExecutable *executable;
  const PJRT_LogicalDeviceIds *addressable_device_logical_ids;
  size_t num_addressable_device_logical_ids;
};
struct PJRT_Executable_ParameterMemoryKinds_Args : Args {
  PJRT_Executable *executable;
  size_t num_parameters;
  const char *const *memory_kinds;
  const size_t *memory_kind_sizes;
};

}  // namespace tpuc::pjrt
