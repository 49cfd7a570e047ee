// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: types, memory, conversion between the host's dense form and the device's.
#include "compiler/embed/pjrt/buffer.h"

#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/device/pack.h"

namespace tpuc::pjrt {

std::string_view nameOf(PJRT_Buffer_Type type) {
  switch (type) {
#define PJRT_ELEMENT(suffix, number, name) \
  case PJRT_Buffer_Type_##suffix: return name;
#include "compiler/embed/pjrt/abi/elements.def"
#undef PJRT_ELEMENT
  default: return "";
  }
}

PJRT_Buffer_Type typeNamed(std::string_view name) {
#define PJRT_ELEMENT(suffix, number, spelled) \
  if (name == spelled) return PJRT_Buffer_Type_##suffix;
#include "compiler/embed/pjrt/abi/elements.def"
#undef PJRT_ELEMENT
  return PJRT_Buffer_Type_INVALID;
}

Array::Array(PJRT_Device *device, isa::ArrayLayout layout, exec::DeviceArray memory)
    : device_(device), layout_(std::move(layout)), memory_(std::move(memory)) {
  device_->use.add(layout_.bytes);
}

Array::~Array() { device_->use.remove(layout_.bytes); }

StatusOr<std::shared_ptr<Array>> allocate(PJRT_Device *device, PJRT_Buffer_Type type, const std::vector<int64_t> &dims) {
  isa::ArrayLayout layout;
  std::string error;
  if (nameOf(type).empty())
    return unimplemented(absl::StrCat("arrays of PJRT's element type ", static_cast<int>(type), " are not supported"));
  if (!isa::makeLayout(nameOf(type), dims, {}, layout, error)) return invalidArgument(error);
  const auto capacity = static_cast<int64_t>(device->client->topology->chip.memory().hbm_bytes());
  if (device->use.inUse() + layout.bytes > capacity)
    return resourceExhausted(absl::StrCat("an array of ", std::string(nameOf(type)), "[", absl::StrJoin(dims, ","), "] takes ", layout.bytes,
                                                     " bytes of HBM, but of ", capacity, " bytes ", device->use.inUse(), " are in use"));
  auto memory = std::make_shared<device::Mapping>(layout.bytes);
  if (layout.bytes && !memory->data()) return resourceExhausted(absl::StrCat("the host has no ", layout.bytes, " bytes of memory left"));
  return std::make_shared<Array>(device, std::move(layout), std::move(memory));
}

PJRT_Buffer::PJRT_Buffer(PJRT_Memory *memory, PJRT_Buffer_Type type, std::vector<int64_t> dims)
    : memory(memory), type(type), dims(std::move(dims)), minorToMajor(this->dims.size()) {
  std::iota(minorToMajor.rbegin(), minorToMajor.rend(), 0);
}

std::shared_ptr<Array> PJRT_Buffer::array() const {
  std::lock_guard lock(mutex_);
  return array_;
}

void PJRT_Buffer::set(std::shared_ptr<Array> array) {
  std::lock_guard lock(mutex_);
  if (!deleted_) array_ = std::move(array);
}

std::shared_ptr<Array> PJRT_Buffer::release() {
  std::lock_guard lock(mutex_);
  deleted_ = true;
  return std::move(array_);
}

int64_t hostBytes(PJRT_Buffer_Type type, const std::vector<int64_t> &dims) {
  const isa::ElementType *element = isa::elementType(nameOf(type));
  if (!element) return 0;
  return std::accumulate(dims.begin(), dims.end(), static_cast<int64_t>(element->hostBytes), std::multiplies<>());
}

Status upload(PJRT_Buffer &buffer, const void *host) {
  auto array = allocate(buffer.memory->device, buffer.type, buffer.dims);
  if (!array.ok()) return array.status();
  if ((*array)->layout().elements) device::pack((*array)->layout(), host, (*array)->data(), device::kZeroFill, buffer.memory->client->pool.get());
  buffer.set(std::move(*array));
  return okStatus();
}

Status download(const Array &array, void *host, device::ThreadPool *pool) {
  if (array.layout().elements) device::unpack(array.layout(), array.data(), host, pool);
  return okStatus();
}

}  // namespace tpuc::pjrt
