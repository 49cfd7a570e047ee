// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The API's functions on buffers: from and to the host, what they are, copies.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/buffer.h"
#include "compiler/embed/pjrt/host_layout.h"

namespace tpuc::pjrt {
namespace {

PJRT_Memory *memoryOf(PJRT_Client *client, PJRT_Memory *memory, PJRT_Device *device) {
  if (memory) return memory;
  return (device ? device : client->deviceList.front())->memories.front();
}

Status checkDims(const int64_t *dims, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (dims[i] < 0) return invalidArgument(absl::StrCat("dim ", i, " expects a size from 0 on, but got ", dims[i]));
  return okStatus();
}

// A dense row-major copy where the caller's array is none.
Status uploadStrided(PJRT_Buffer &buffer, const PJRT_Client_BufferFromHostBuffer_Args &args) {
  const isa::ElementType *element = isa::elementType(nameOf(buffer.type));
  if (!element)
    return unimplemented(
        absl::StrCat("arrays of PJRT's element type ", static_cast<int>(args.type), " are not supported"));
  std::vector<int64_t> dense = denseStrides(buffer.dims, {}, element->hostBytes);
  std::span<const int64_t> strides = dense;
  if (args.num_byte_strides) {
    if (args.num_byte_strides != args.num_dims)
      return invalidArgument(
          absl::StrCat("byte_strides expects ", args.num_dims, " of them, but got ", args.num_byte_strides));
    strides = {args.byte_strides, args.num_byte_strides};
  }
  const bool ready = isRowMajor(buffer.dims, strides, element->hostBytes);
  if (ready) return upload(buffer, args.data);
  std::vector<char> copy(hostBytes(buffer.type, buffer.dims));
  copyStrided(buffer.dims, args.data, strides, copy.data(), dense, element->hostBytes);
  return upload(buffer, copy.data());
}

Status downloadStrided(PJRT_Buffer_Type type, const std::vector<int64_t> &dims, const Array &array,
                       std::span<const int64_t> strides, void *dst, device::ThreadPool *pool) {
  const int64_t bytes = array.layout().type->hostBytes;
  if (isRowMajor(dims, strides, bytes)) return download(array, dst, pool);
  std::vector<char> dense(hostBytes(type, dims));
  Status status = download(array, dense.data(), pool);
  if (status.ok()) copyStrided(dims, dense.data(), denseStrides(dims, {}, bytes), dst, strides, bytes);
  return status;
}

Status gone() { return invalidArgument("the array was deleted or donated"); }

// The array, when it is there and was made without an error.
StatusOr<std::shared_ptr<Array>> live(const PJRT_Buffer &buffer) {
  Status status = buffer.ready()->wait();
  if (!status.ok()) return status;
  if (std::shared_ptr<Array> array = buffer.array()) return array;
  return gone();
}

StatusOr<PJRT_Buffer *> copyTo(const PJRT_Buffer &buffer, PJRT_Memory *memory) {
  auto from = live(buffer);
  if (!from.ok()) return from.status();
  auto copy = std::make_unique<PJRT_Buffer>(memory, buffer.type, buffer.dims);
  auto to = allocate(memory, buffer.type, buffer.dims);
  if (!to.ok()) return to.status();
  if ((*from)->layout().order == (*to)->layout().order) {
    if ((*to)->layout().bytes) std::memcpy((*to)->data(), (*from)->data(), (*to)->layout().bytes);
    copy->set(std::move(*to));
  } else {
    std::vector<char> host(hostBytes(buffer.type, buffer.dims));
    Status status = download(**from, host.data(), memory->client->pool.get());
    if (status.ok()) status = upload(*copy, host.data());
    if (!status.ok()) return status;
  }
  copy->setReady(Event::done());
  return copy.release();
}

}  // namespace

PJRT_Error *Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args *args) {
  Status status = checkDims(args->dims, args->num_dims);
  if (!status.ok()) return toError(status);
  PJRT_Memory *memory = memoryOf(args->client, args->memory, args->device);
  auto buffer =
      std::make_unique<PJRT_Buffer>(memory, args->type, std::vector<int64_t>(args->dims, args->dims + args->num_dims));
  status = uploadStrided(*buffer, *args);
  if (!status.ok()) return toError(status);
  buffer->setReady(Event::done());
  args->done_with_host_buffer = new PJRT_Event{Event::done()};
  args->buffer = buffer.release();
  return nullptr;
}

PJRT_Error *Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args *args) {
  Status status = checkDims(args->shape_dims, args->shape_num_dims);
  if (!status.ok()) return toError(status);
  PJRT_Memory *memory = memoryOf(args->client, args->memory, args->device);
  auto buffer =
      std::make_unique<PJRT_Buffer>(memory, args->shape_element_type,
                                    std::vector<int64_t>(args->shape_dims, args->shape_dims + args->shape_num_dims));
  auto array = allocate(memory, buffer->type, buffer->dims);
  if (!array.ok()) return toError(array.status());
  buffer->set(std::move(*array));
  buffer->setReady(Event::done());
  args->buffer = buffer.release();
  return nullptr;
}

PJRT_Error *Client_CreateErrorBuffer(PJRT_Client_CreateErrorBuffer_Args *args) {
  auto *buffer = new PJRT_Buffer(memoryOf(args->client, args->memory, nullptr), args->shape_element_type,
                                 std::vector<int64_t>(args->shape_dims, args->shape_dims + args->shape_num_dims));
  buffer->setReady(Event::done(makeStatus(args->error_code, args->error_message, args->error_message_size)));
  args->buffer = buffer;
  return nullptr;
}

PJRT_Error *Buffer_Destroy(PJRT_Buffer_Destroy_Args *args) {
  delete args->buffer;
  return nullptr;
}

PJRT_Error *Buffer_Delete(PJRT_Buffer_Delete_Args *args) {
  args->buffer->release();
  return nullptr;
}

PJRT_Error *Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args *args) {
  args->is_deleted = args->buffer->deleted();
  return nullptr;
}

PJRT_Error *Buffer_ElementType(PJRT_Buffer_ElementType_Args *args) {
  args->type = args->buffer->type;
  return nullptr;
}

PJRT_Error *Buffer_Dimensions(PJRT_Buffer_Dimensions_Args *args) {
  args->dims = args->buffer->dims.data();
  args->num_dims = args->buffer->dims.size();
  return nullptr;
}

PJRT_Error *Buffer_UnpaddedDimensions(PJRT_Buffer_UnpaddedDimensions_Args *args) {
  args->unpadded_dims = args->buffer->dims.data();
  args->num_dims = args->buffer->dims.size();
  return nullptr;
}

PJRT_Error *Buffer_DynamicDimensionIndices(PJRT_Buffer_DynamicDimensionIndices_Args *args) {
  args->dynamic_dim_indices = nullptr;
  args->num_dynamic_dims = 0;
  return nullptr;
}

PJRT_Error *Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args *args) {
  args->layout = {};
  args->layout.struct_size = reinterpret_cast<char *>(&args->layout.type + 1) - reinterpret_cast<char *>(&args->layout);
  args->layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  args->layout.tiled = {};
  args->layout.tiled.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Tiled);
  args->layout.tiled.minor_to_major = args->buffer->minorToMajor.data();
  args->layout.tiled.minor_to_major_size = args->buffer->minorToMajor.size();
  return nullptr;
}

PJRT_Error *Buffer_OnDeviceSizeInBytes(PJRT_Buffer_OnDeviceSizeInBytes_Args *args) {
  // Callers make room for a copy by it, which has no tiles; padding is in the device's statistics.
  args->on_device_size_in_bytes = hostBytes(args->buffer->type, args->buffer->dims);
  return nullptr;
}

PJRT_Error *Buffer_Device(PJRT_Buffer_Device_Args *args) {
  args->device = args->buffer->memory->device;
  return nullptr;
}

PJRT_Error *Buffer_Memory(PJRT_Buffer_Memory_Args *args) {
  args->memory = args->buffer->memory;
  return nullptr;
}

PJRT_Error *Buffer_IsOnCpu(PJRT_Buffer_IsOnCpu_Args *args) {
  args->is_on_cpu = false;  // its bytes are tiled: nobody else reads them
  return nullptr;
}

PJRT_Error *Buffer_ReadyEvent(PJRT_Buffer_ReadyEvent_Args *args) {
  args->event = new PJRT_Event{args->buffer->ready()};
  return nullptr;
}

PJRT_Error *Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args *args) {
  const PJRT_Buffer &buffer = *args->src;
  const auto bytes = static_cast<size_t>(hostBytes(buffer.type, buffer.dims));
  if (!args->dst) {
    args->dst_size = bytes;
    return nullptr;
  }
  if (args->dst_size < bytes)
    return toError(invalidArgument(
        absl::StrCat("the array takes ", bytes, " bytes on the host, but got room for ", args->dst_size)));
  std::shared_ptr<Held> held = buffer.hold();
  if (!held) return toError(gone());
  auto strides = stridesOf(args->host_layout, buffer.dims, isa::elementType(nameOf(buffer.type))->hostBytes);
  if (!strides.ok()) return toError(strides.status());
  // The thread that makes the array copies it as soon as it is made.
  auto done = std::make_shared<Event>();
  auto fetch = [held, memory = buffer.memory, type = buffer.type, dims = buffer.dims, strides = *strides,
                to = args->dst, done](const Status &made) {
    std::shared_ptr<Array> array = held->get();
    if (!made.ok() || !array) return done->set(made.ok() ? gone() : made);
    Status status = downloadStrided(type, dims, *array, strides, to, memory->client->pool.get());
    array.reset();
    done->set(std::move(status));
  };
  buffer.ready()->onReady(fetch);
  args->event = new PJRT_Event{std::move(done)};
  return nullptr;
}

PJRT_Error *Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args *args) {
  auto copy = copyTo(*args->buffer, args->dst_device->memories.front());
  if (!copy.ok()) return toError(copy.status());
  args->dst_buffer = *copy;
  return nullptr;
}

PJRT_Error *Buffer_CopyToMemory(PJRT_Buffer_CopyToMemory_Args *args) {
  auto copy = copyTo(*args->buffer, args->dst_memory);
  if (!copy.ok()) return toError(copy.status());
  args->dst_buffer = *copy;
  return nullptr;
}

// Raw bytes are those of the dense array on the host: the device's tiles are nobody's business.
PJRT_Error *Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args *args) {
  auto array = live(*args->buffer);
  if (!array.ok()) return toError(array.status());
  std::vector<char> host(hostBytes(args->buffer->type, args->buffer->dims));
  const auto size = static_cast<int64_t>(host.size());
  if (args->offset < 0 || args->transfer_size < 0 || args->offset > size || args->transfer_size > size - args->offset)
    return toError(invalidArgument(absl::StrCat("expects a part of ", size, " bytes, but got ", args->transfer_size,
                                                " from ", args->offset, " on")));
  Status status = download(**array, host.data(), args->buffer->memory->client->pool.get());
  if (!status.ok()) return toError(status);
  if (args->transfer_size) std::memcpy(args->dst, host.data() + args->offset, args->transfer_size);
  args->event = new PJRT_Event{Event::done()};
  return nullptr;
}

PJRT_Error *Buffer_CopyRawToHostFuture(PJRT_Buffer_CopyRawToHostFuture_Args *) {
  return toError(unimplemented("copies to memory that is not known yet are not supported"));
}

PJRT_Error *Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args *args) {
  auto array = live(*args->buffer);
  if (!array.ok()) return toError(array.status());
  args->buffer_pointer = reinterpret_cast<uintptr_t>((*array)->data());  // tells two arrays apart
  return nullptr;
}

PJRT_Error *Buffer_OpaqueDeviceMemoryDataPointer(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args *args) {
  auto array = live(*args->buffer);
  if (!array.ok()) return toError(array.status());
  args->device_memory_ptr = (*array)->data();
  return nullptr;
}

PJRT_Error *Client_CreateViewOfDeviceBuffer(PJRT_Client_CreateViewOfDeviceBuffer_Args *) {
  return toError(
      unimplemented("expects an array in the device's own memory, but got one that others have allocated: upload it by "
                    "jax.device_put or PJRT_Client_BufferFromHostBuffer"));
}

// What the pointer leads to lies in tiles of the array's type.
PJRT_Error *Buffer_IncreaseExternalReferenceCount(PJRT_Buffer_IncreaseExternalReferenceCount_Args *args) {
  return toError(args->buffer->share());
}
PJRT_Error *Buffer_DecreaseExternalReferenceCount(PJRT_Buffer_DecreaseExternalReferenceCount_Args *args) {
  return toError(args->buffer->unshare());
}

PJRT_Error *Buffer_Bitcast(PJRT_Buffer_Bitcast_Args *) {
  return toError(unimplemented(
      "an array's bytes are in tiles of its type: expects stablehlo.bitcast_convert in a program instead"));
}

PJRT_Error *Buffer_DonateWithControlDependency(PJRT_Buffer_DonateWithControlDependency_Args *) {
  return toError(unimplemented("donations that wait for others are not supported"));
}

PJRT_Error *Client_CreateAliasBuffer(PJRT_Client_CreateAliasBuffer_Args *) {
  return toError(unimplemented("buffers that others fill in later are not supported"));
}

PJRT_Error *Client_FulfillAliasBuffer(PJRT_Client_FulfillAliasBuffer_Args *) {
  return toError(unimplemented("buffers that others fill in later are not supported"));
}

}  // namespace tpuc::pjrt
