// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays on the device, in its tiled layout, and their way to the host and back.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "compiler/embed/pjrt/status_or.h"
#include "compiler/embed/pjrt/client.h"
#include "compiler/embed/pjrt/status.h"
#include "runtime/executor/executor.h"
#include "runtime/isa/layout.h"

namespace tpuc::pjrt {

// As StableHLO spells it; empty for types that no array has.
std::string_view nameOf(PJRT_Buffer_Type type);
// PJRT_Buffer_Type_INVALID for a name that is none.
PJRT_Buffer_Type typeNamed(std::string_view name);

// An array's memory; what it takes is counted as long as it lives.
class Array {
 public:
  // Null data where the host has no memory left.
  Array(PJRT_Device *device, isa::ArrayLayout layout, exec::DeviceArray memory);
  ~Array();
  Array(const Array &) = delete;

  const isa::ArrayLayout &layout() const { return layout_; }
  const exec::DeviceArray &memory() const { return memory_; }
  uint8_t *data() const { return memory_->data(); }
  // The memory, for a program that takes it over: the array is gone.
  exec::DeviceArray take() { return memory_; }

 private:
  PJRT_Device *device_;
  isa::ArrayLayout layout_;
  exec::DeviceArray memory_;
};

StatusOr<std::shared_ptr<Array>> allocate(PJRT_Device *device, PJRT_Buffer_Type type, const std::vector<int64_t> &dims);

struct PJRT_Buffer {
  PJRT_Memory *memory = nullptr;
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  std::vector<int64_t> dims, minorToMajor;
  std::shared_ptr<Event> ready;

  PJRT_Buffer(PJRT_Memory *memory, PJRT_Buffer_Type type, std::vector<int64_t> dims);

  // Null once deleted or donated.
  std::shared_ptr<Array> array() const;
  void set(std::shared_ptr<Array> array);
  std::shared_ptr<Array> release();
  bool deleted() const { return deleted_; }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Array> array_;
  std::atomic<bool> deleted_{false};
};

// Dense and row-major on the host.
int64_t hostBytes(PJRT_Buffer_Type type, const std::vector<int64_t> &dims);
Status upload(PJRT_Buffer &buffer, const void *host);
Status download(const Array &array, void *host, device::ThreadPool *pool);

}  // namespace tpuc::pjrt
