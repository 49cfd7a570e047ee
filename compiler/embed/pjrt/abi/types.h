// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of the PJRT C API that its functions share. A structure's declared size is the offset of its last field and
// that field's size. Source of names, numbers and layouts: openxla/xla, xla/pjrt/c/pjrt_c_api.h, version 0.114.
#pragma once
#include <cstddef>
#include <cstdint>

namespace tpuc::pjrt {

inline constexpr int kApiMajor = 0, kApiMinor = 114;

// Ours, behind a pointer.
struct PJRT_Error;
struct PJRT_Event;
struct PJRT_Client;
struct PJRT_Device;
struct PJRT_DeviceDescription;
struct PJRT_Device_Attributes;
struct PJRT_Memory;
struct PJRT_TopologyDescription;
struct PJRT_Executable;
struct PJRT_LoadedExecutable;
struct PJRT_Buffer;
struct PJRT_AsyncHostToDeviceTransferManager;
struct PJRT_AsyncTrackingEvent;
struct PJRT_ExecuteContext;
struct PJRT_CopyToDeviceStream;
struct PJRT_FulfillAliasBufferCallback;
struct PJRT_SerializedExecutable;
struct PJRT_SerializedTopology;
struct PJRT_SerializedCompileOptions;
struct PJRT_DeviceAssignmentSerialized;
struct PJRT_ErrorPayload;
struct PJRT_MultiSlice_Config;

enum PJRT_Extension_Type : uint32_t {
  PJRT_Extension_Type_Stream = 3,
  PJRT_Extension_Type_Layouts = 4,
  PJRT_Extension_Type_MemoryDescriptions = 6,
  PJRT_Extension_Type_Shardings = 19,
  PJRT_Extension_Type_AbiVersion = 20,
};

struct PJRT_Extension_Base {
  size_t struct_size;
  PJRT_Extension_Type type;
  PJRT_Extension_Base *next;
};

// What every structure of arguments begins with.
struct Args {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
};

struct PJRT_Api_Version : Args {
  int major_version;
  int minor_version;
};

enum PJRT_Error_Code : uint32_t {
  PJRT_Error_Code_OK = 0,
  PJRT_Error_Code_CANCELLED = 1,
  PJRT_Error_Code_UNKNOWN = 2,
  PJRT_Error_Code_INVALID_ARGUMENT = 3,
  PJRT_Error_Code_DEADLINE_EXCEEDED = 4,
  PJRT_Error_Code_NOT_FOUND = 5,
  PJRT_Error_Code_ALREADY_EXISTS = 6,
  PJRT_Error_Code_PERMISSION_DENIED = 7,
  PJRT_Error_Code_RESOURCE_EXHAUSTED = 8,
  PJRT_Error_Code_FAILED_PRECONDITION = 9,
  PJRT_Error_Code_ABORTED = 10,
  PJRT_Error_Code_OUT_OF_RANGE = 11,
  PJRT_Error_Code_UNIMPLEMENTED = 12,
  PJRT_Error_Code_INTERNAL = 13,
  PJRT_Error_Code_UNAVAILABLE = 14,
  PJRT_Error_Code_DATA_LOSS = 15,
  PJRT_Error_Code_UNAUTHENTICATED = 16,
};

enum PJRT_NamedValue_Type : uint32_t {
  PJRT_NamedValue_kString = 0,
  PJRT_NamedValue_kInt64 = 1,
  PJRT_NamedValue_kInt64List = 2,
  PJRT_NamedValue_kFloat = 3,
  PJRT_NamedValue_kBool = 4,
};

struct PJRT_NamedValue : Args {
  const char *name;
  size_t name_size;
  PJRT_NamedValue_Type type;
  union {
    const char *string_value;
    int64_t int64_value;
    const int64_t *int64_array_value;
    float float_value;
    bool bool_value;
  };
  size_t value_size;  // elements of a list or bytes of a string, else 1
};

enum PJRT_Buffer_Type : uint32_t {
  PJRT_Buffer_Type_INVALID = 0,
#define PJRT_ELEMENT(suffix, number, name) PJRT_Buffer_Type_##suffix = number,
#include "compiler/embed/pjrt/abi/elements.def"
#undef PJRT_ELEMENT
};

enum PJRT_HostBufferSemantics : uint32_t {
  PJRT_HostBufferSemantics_kImmutableOnlyDuringCall = 0,
  PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes = 1,
  PJRT_HostBufferSemantics_kImmutableZeroCopy = 2,
  PJRT_HostBufferSemantics_kMutableZeroCopy = 3,
};

enum PJRT_Buffer_MemoryLayout_Type : uint32_t {
  PJRT_Buffer_MemoryLayout_Type_Tiled = 0,
  PJRT_Buffer_MemoryLayout_Type_Strides = 1,
};

struct PJRT_Buffer_MemoryLayout_Tiled : Args {
  const int64_t *minor_to_major;
  size_t minor_to_major_size;
  const int64_t *tile_dims;
  const size_t *tile_dim_sizes;
  size_t num_tiles;
};

struct PJRT_Buffer_MemoryLayout_Strides : Args {
  const int64_t *byte_strides;
  size_t num_byte_strides;
};

struct PJRT_Buffer_MemoryLayout : Args {
  union {
    PJRT_Buffer_MemoryLayout_Tiled tiled;
    PJRT_Buffer_MemoryLayout_Strides strides;
  };
  PJRT_Buffer_MemoryLayout_Type type;
};

struct PJRT_ShapeSpec : Args {
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_Type element_type;
};

struct PJRT_Chunk {
  void *data;
  size_t size;
  void (*deleter)(void *data, void *deleter_arg);
  void *deleter_arg;
};

struct PJRT_Program : Args {
  char *code;
  size_t code_size;
  const char *format;
  size_t format_size;
};

struct PJRT_LogicalDeviceIds {
  int replica;
  int partition;
};

struct PJRT_ProcessInfo;

// Callers before 0.90 and after have less and more of it: struct_size says which.
struct PJRT_ExecuteOptions : Args {
  void **send_callbacks;
  void **recv_callbacks;
  size_t num_send_ops;
  size_t num_recv_ops;
  int launch_id;
  const int64_t *non_donatable_input_indices;
  size_t num_non_donatable_input_indices;
  PJRT_ExecuteContext *context;
  const char *call_location;
  size_t num_tasks;
  int *task_ids;
  int64_t *incarnation_ids;
  PJRT_MultiSlice_Config *multi_slice_config;
  bool use_major_to_minor_data_layout_for_callbacks;
  void *hlo_output_callbacks;
  size_t num_hlo_output_callbacks;
};

// Key-value stores are for clients of several processes.
using PJRT_KeyValueGetCallback = void *;
using PJRT_KeyValuePutCallback = void *;
using PJRT_KeyValueTryGetCallback = void *;
using PJRT_Event_OnReadyCallback = void (*)(PJRT_Error *error, void *user_arg);
using PJRT_ErrorPayloadVisitor = void *;

struct PJRT_Buffer_CopyRawToHostFuture_Callback_Args : Args {
  void *callback_data;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
  void *dst;
};

struct PJRT_Buffer_DonateWithControlDependency_Callback_Args : Args {
  void *callback_data;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
};

}  // namespace tpuc::pjrt
