// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays on the device, in its tiled layout, and their way to the host and back.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/embed/pjrt/client.h"
#include "compiler/embed/pjrt/status.h"
#include "compiler/embed/pjrt/status_or.h"
#include "runtime/device/pack.h"
#include "runtime/executor/executor.h"
#include "runtime/isa/layout.h"

namespace tpuc::pjrt {

// The type's name in StableHLO; empty for types that no array has.
std::string_view nameOf(PJRT_Buffer_Type type);
// PJRT_Buffer_Type_INVALID for a name that is none.
PJRT_Buffer_Type typeNamed(std::string_view name);

// An array's memory and how its elements lie there.
class Array {
 public:
  Array(isa::ArrayLayout layout, exec::DeviceArray memory) : layout_(std::move(layout)), memory_(std::move(memory)) {}

  const isa::ArrayLayout &layout() const { return layout_; }
  const exec::DeviceArray &memory() const { return memory_; }
  uint8_t *data() const { return memory_->data(); }
  // The memory, for a program that takes it over.
  exec::DeviceArray take() { return std::move(memory_); }

 private:
  isa::ArrayLayout layout_;
  exec::DeviceArray memory_;
};

// Where there is no room, runs on their way may still give some up.
StatusOr<std::shared_ptr<Array>> allocate(PJRT_Memory *memory, PJRT_Buffer_Type type, const std::vector<int64_t> &dims);
// The same bytes in that memory: a copy where they are elsewhere.
StatusOr<exec::DeviceArray> moved(exec::DeviceArray array, const PJRT_Memory &to);
// "f32[8,128]"
std::string shapeText(PJRT_Buffer_Type type, const std::vector<int64_t> &dims);

// What a buffer has, and runs that will fill it or read it hold on to: it outlives the buffer's deletion.
struct Held {
  PJRT_Memory *memory = nullptr;  // where the array is, or will be
  std::mutex mutex;
  std::shared_ptr<Array> array;  // null: not there yet, or taken over by a run
  std::shared_ptr<Event> ready;

  std::shared_ptr<Array> get();
  std::shared_ptr<Array> take();
  void set(std::shared_ptr<Array> made);
};

struct PJRT_Buffer {
  PJRT_Memory *memory = nullptr;
  PJRT_Buffer_Type type = PJRT_Buffer_Type_INVALID;
  std::vector<int64_t> dims, minorToMajor;

  PJRT_Buffer(PJRT_Memory *memory, PJRT_Buffer_Type type, std::vector<int64_t> dims);

  const std::shared_ptr<Event> &ready() const { return ready_; }
  void setReady(std::shared_ptr<Event> event);
  // Null once deleted or donated, as the array is.
  std::shared_ptr<Held> hold() const;
  std::shared_ptr<Array> array() const;
  void set(std::shared_ptr<Array> array) { hold()->set(std::move(array)); }
  // It is deleted; runs that wait for their turn keep what they hold.
  void release();
  bool deleted() const { return !hold(); }

  // Others have a pointer to its memory: it stays until they give it back, and nobody takes it over.
  Status share();
  Status unshare();
  bool isShared() const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Held> held_ = std::make_shared<Held>();
  std::shared_ptr<Event> ready_;
  std::shared_ptr<Array> shared_;
  size_t sharers_ = 0;
};

// Dense and row-major on the host.
int64_t hostBytes(PJRT_Buffer_Type type, const std::vector<int64_t> &dims);
Status upload(PJRT_Buffer &buffer, const void *host);
StatusOr<std::shared_ptr<Array>> uploaded(PJRT_Memory *memory, PJRT_Buffer_Type type, const std::vector<int64_t> &dims,
                                          const void *host);
// Writes the array's elements as `layout` has them. Its sizes may be larger: what lies behind the array's is filled.
void reorder(const Array &array, const isa::ArrayLayout &layout, uint8_t *to, uint32_t fill = device::kZeroFill);
// Copies what of an array in layout `from` the layout `to` has room for: its sizes are the same or smaller.
void cut(const isa::ArrayLayout &from, const uint8_t *array, const isa::ArrayLayout &to, uint8_t *out);
Status download(const Array &array, void *host, device::ThreadPool *pool);

}  // namespace tpuc::pjrt
