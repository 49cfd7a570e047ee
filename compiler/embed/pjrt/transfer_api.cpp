// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that come from the host in pieces: each gathers its bytes, and goes to the device with the last of them.
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/embed/pjrt/buffer.h"

namespace tpuc::pjrt {

struct PJRT_AsyncHostToDeviceTransferManager {
  struct Slot {
    std::unique_ptr<PJRT_Buffer> buffer;  // until it is retrieved
    PJRT_Memory *memory = nullptr;
    PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
    std::vector<int64_t> dims;
    std::shared_ptr<Held> held;  // the buffer's, which the caller may destroy meanwhile
    std::shared_ptr<Event> ready;
    std::vector<char> bytes;
    bool done = false;
  };
  PJRT_Device *device = nullptr;
  std::mutex mutex;
  std::vector<Slot> slots;

  StatusOr<Slot *> slot(int index) {
    if (index < 0 || index >= static_cast<int>(slots.size()))
      return invalidArgument(absl::StrCat("expects an array from 0 to ", slots.size(), ", but got ", index));
    return &slots[index];
  }

  void finish(Slot &slot, Status status) {
    if (slot.done) return;
    slot.done = true;
    if (status.ok()) {
      auto array = uploaded(slot.memory, slot.type, slot.dims, slot.bytes.data());
      if (array.ok())
        slot.held->set(std::move(*array));
      else
        status = array.status();
    }
    slot.bytes = {};
    slot.ready->set(std::move(status));
  }
};

namespace {

Status put(PJRT_AsyncHostToDeviceTransferManager &manager, int index, const void *data, int64_t offset, int64_t size,
           bool last) {
  std::lock_guard lock(manager.mutex);
  auto slot = manager.slot(index);
  if (!slot.ok()) return slot.status();
  if ((*slot)->done) return failedPrecondition(absl::StrCat("array ", index, " has had its last transfer"));
  const auto bytes = static_cast<int64_t>((*slot)->bytes.size());
  if (offset < 0 || size < 0 || offset > bytes || size > bytes - offset)
    return invalidArgument(
        absl::StrCat("array ", index, " has ", bytes, " bytes, but got ", size, " from ", offset, " on"));
  if (size) std::memcpy((*slot)->bytes.data() + offset, data, size);
  if (last) manager.finish(**slot, okStatus());
  return okStatus();
}

}  // namespace

PJRT_Error *Client_CreateBuffersForAsyncHostToDevice(PJRT_Client_CreateBuffersForAsyncHostToDevice_Args *args) {
  auto manager = std::make_unique<PJRT_AsyncHostToDeviceTransferManager>();
  PJRT_Memory *memory = args->memory ? args->memory : args->client->memoryList.front();
  manager->device = memory->device;
  for (size_t i = 0; i < args->num_shape_specs; ++i) {
    const PJRT_ShapeSpec &spec = args->shape_specs[i];
    auto &slot = manager->slots.emplace_back();
    slot.buffer = std::make_unique<PJRT_Buffer>(memory, spec.element_type,
                                                std::vector<int64_t>(spec.dims, spec.dims + spec.num_dims));
    if (!isa::elementType(nameOf(spec.element_type)))
      return toError(unimplemented(
          absl::StrCat("arrays of PJRT's element type ", static_cast<int>(spec.element_type), " are not supported")));
    slot.memory = memory;
    slot.type = spec.element_type;
    slot.dims = slot.buffer->dims;
    slot.held = slot.buffer->hold();
    slot.ready = std::make_shared<Event>();
    slot.buffer->setReady(slot.ready);
    slot.bytes.resize(hostBytes(spec.element_type, slot.buffer->dims));
  }
  args->transfer_manager = manager.release();
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_Destroy(PJRT_AsyncHostToDeviceTransferManager_Destroy_Args *args) {
  if (!args->transfer_manager) return nullptr;
  for (auto &slot : args->transfer_manager->slots)
    args->transfer_manager->finish(slot, cancelled("the transfer was given up before its last piece"));
  delete args->transfer_manager;
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_TransferData(
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args *args) {
  Status status = put(*args->transfer_manager, args->buffer_index, args->data, args->offset, args->transfer_size,
                      args->is_last_transfer);
  if (!status.ok()) return toError(status);
  args->done_with_h2d_transfer = new PJRT_Event{Event::done()};
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_TransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args *args) {
  std::vector<int64_t> dims(args->shape_dims, args->shape_dims + args->shape_num_dims);
  Status status =
      put(*args->transfer_manager, args->buffer_index, args->data, 0, hostBytes(args->shape_element_type, dims), true);
  if (!status.ok()) return toError(status);
  args->done_with_h2d_transfer = new PJRT_Event{Event::done()};
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_RetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args *args) {
  std::lock_guard lock(args->transfer_manager->mutex);
  auto slot = args->transfer_manager->slot(args->buffer_index);
  if (!slot.ok()) return toError(slot.status());
  if (!(*slot)->buffer)
    return toError(failedPrecondition(absl::StrCat("array ", args->buffer_index, " is retrieved already")));
  args->buffer_out = (*slot)->buffer.release();
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_Device(PJRT_AsyncHostToDeviceTransferManager_Device_Args *args) {
  args->device_out = args->transfer_manager->device;
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_BufferCount(PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args *args) {
  args->buffer_count = args->transfer_manager->slots.size();
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_BufferSize(PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args *args) {
  auto slot = args->transfer_manager->slot(args->buffer_index);
  if (!slot.ok()) return toError(slot.status());
  args->buffer_size = hostBytes((*slot)->type, (*slot)->dims);
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_SetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args *args) {
  std::lock_guard lock(args->transfer_manager->mutex);
  auto slot = args->transfer_manager->slot(args->buffer_index);
  if (!slot.ok()) return toError(slot.status());
  args->transfer_manager->finish(**slot, makeStatus(args->error_code, args->error_message, args->error_message_size));
  return nullptr;
}

PJRT_Error *AsyncHostToDeviceTransferManager_AddMetadata(PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args *) {
  return nullptr;
}

// Streams belong to receives from the host, which no program has.
namespace {
Status noStreams() { return unimplemented("no program has receives from the host"); }
}  // namespace

PJRT_Error *CopyToDeviceStream_Destroy(PJRT_CopyToDeviceStream_Destroy_Args *) { return nullptr; }
PJRT_Error *CopyToDeviceStream_AddChunk(PJRT_CopyToDeviceStream_AddChunk_Args *) { return toError(noStreams()); }
PJRT_Error *CopyToDeviceStream_TotalBytes(PJRT_CopyToDeviceStream_TotalBytes_Args *) { return toError(noStreams()); }
PJRT_Error *CopyToDeviceStream_GranuleSize(PJRT_CopyToDeviceStream_GranuleSize_Args *) { return toError(noStreams()); }
PJRT_Error *CopyToDeviceStream_CurrentBytes(PJRT_CopyToDeviceStream_CurrentBytes_Args *) {
  return toError(noStreams());
}

}  // namespace tpuc::pjrt
