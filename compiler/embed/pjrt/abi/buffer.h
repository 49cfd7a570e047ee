// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments of the PJRT C API's functions on buffers and transfers.
// Source of names and layouts: openxla/xla, xla/pjrt/c/pjrt_c_api.h, version 0.114.
#pragma once
#include "compiler/embed/pjrt/abi/types.h"

namespace tpuc::pjrt {

struct PJRT_Buffer_Destroy_Args : Args {
  PJRT_Buffer *buffer;
};
struct PJRT_Buffer_ElementType_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Buffer_Type type;
};
struct PJRT_Buffer_Dimensions_Args : Args {
  PJRT_Buffer *buffer;
  const int64_t *dims;
  size_t num_dims;
};
struct PJRT_Buffer_UnpaddedDimensions_Args : Args {
  PJRT_Buffer *buffer;
  const int64_t *unpadded_dims;
  size_t num_dims;
};
struct PJRT_Buffer_DynamicDimensionIndices_Args : Args {
  PJRT_Buffer *buffer;
  const size_t *dynamic_dim_indices;
  size_t num_dynamic_dims;
};
struct PJRT_Buffer_GetMemoryLayout_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Buffer_MemoryLayout layout;
};
struct PJRT_Buffer_OnDeviceSizeInBytes_Args : Args {
  PJRT_Buffer *buffer;
  size_t on_device_size_in_bytes;
};
struct PJRT_Buffer_Device_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Device *device;
};
struct PJRT_Buffer_Memory_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Memory *memory;
};
struct PJRT_Buffer_Delete_Args : Args {
  PJRT_Buffer *buffer;
};
struct PJRT_Buffer_IsDeleted_Args : Args {
  PJRT_Buffer *buffer;
  bool is_deleted;
};
struct PJRT_Buffer_CopyToDevice_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Device *dst_device;
  PJRT_Buffer *dst_buffer;
};
struct PJRT_Buffer_ToHostBuffer_Args : Args {
  PJRT_Buffer *src;
  PJRT_Buffer_MemoryLayout *host_layout;
  void *dst;
  size_t dst_size;
  PJRT_Event *event;
};
struct PJRT_Buffer_IsOnCpu_Args : Args {
  PJRT_Buffer *buffer;
  bool is_on_cpu;
};
struct PJRT_Buffer_ReadyEvent_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Event *event;
};
struct PJRT_Buffer_UnsafePointer_Args : Args {
  PJRT_Buffer *buffer;
  uintptr_t buffer_pointer;
};
struct PJRT_Buffer_IncreaseExternalReferenceCount_Args : Args {
  PJRT_Buffer *buffer;
};
struct PJRT_Buffer_DecreaseExternalReferenceCount_Args : Args {
  PJRT_Buffer *buffer;
};
struct PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args : Args {
  PJRT_Buffer *buffer;
  void *device_memory_ptr;
};
struct PJRT_CopyToDeviceStream_Destroy_Args : Args {
  PJRT_CopyToDeviceStream *stream;
};
struct PJRT_CopyToDeviceStream_AddChunk_Args : Args {
  PJRT_CopyToDeviceStream *stream;
  PJRT_Chunk *chunk;
  PJRT_Event *transfer_complete;
};
struct PJRT_CopyToDeviceStream_TotalBytes_Args : Args {
  PJRT_CopyToDeviceStream *stream;
  int64_t total_bytes;
};
struct PJRT_CopyToDeviceStream_GranuleSize_Args : Args {
  PJRT_CopyToDeviceStream *stream;
  int64_t granule_size_in_bytes;
};
struct PJRT_CopyToDeviceStream_CurrentBytes_Args : Args {
  PJRT_CopyToDeviceStream *stream;
  int64_t current_bytes;
};
struct PJRT_Buffer_CopyToMemory_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Memory *dst_memory;
  PJRT_Buffer *dst_buffer;
};
struct PJRT_Buffer_CopyRawToHost_Args : Args {
  PJRT_Buffer *buffer;
  void *dst;
  int64_t offset;
  int64_t transfer_size;
  PJRT_Event *event;
};
struct PJRT_AsyncHostToDeviceTransferManager_Destroy_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
};
struct PJRT_AsyncHostToDeviceTransferManager_TransferData_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  const void *data;
  int64_t offset;
  int64_t transfer_size;
  bool is_last_transfer;
  PJRT_Event *done_with_h2d_transfer;
};
struct PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  PJRT_Buffer *buffer_out;
};
struct PJRT_AsyncHostToDeviceTransferManager_Device_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  PJRT_Device *device_out;
};
struct PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  size_t buffer_count;
};
struct PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  size_t buffer_size;
};
struct PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  PJRT_Error_Code error_code;
  const char *error_message;
  size_t error_message_size;
};
struct PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  const PJRT_NamedValue *transfer_metadata;
  size_t num_metadata;
};
struct PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args : Args {
  PJRT_AsyncHostToDeviceTransferManager *transfer_manager;
  int buffer_index;
  const void *data;
  const int64_t *shape_dims;
  size_t shape_num_dims;
  PJRT_Buffer_Type shape_element_type;
  PJRT_Buffer_MemoryLayout *shape_layout;
  PJRT_Event *done_with_h2d_transfer;
};
struct PJRT_Buffer_CopyRawToHostFuture_Args : Args {
  PJRT_Buffer *buffer;
  int64_t offset;
  int64_t transfer_size;
  PJRT_Event *event;
  void *callback_data;
  void (*future_ready_callback)(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args);
};
struct PJRT_Buffer_DonateWithControlDependency_Args : Args {
  PJRT_Buffer *buffer;
  void *callback_data;
  void (*dependency_ready_callback)(PJRT_Buffer_DonateWithControlDependency_Callback_Args *args);
  PJRT_Buffer *out_buffer;
};
struct PJRT_Buffer_Bitcast_Args : Args {
  PJRT_Buffer *buffer;
  PJRT_Buffer_Type element_type;
  const int64_t *dims;
  size_t num_dims;
  PJRT_Buffer_MemoryLayout *device_layout;
  PJRT_Buffer *out_buffer;
};

}  // namespace tpuc::pjrt
