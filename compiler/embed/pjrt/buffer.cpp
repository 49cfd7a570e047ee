// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: types, memory, conversion between the host's dense form and the device's.
#include "compiler/embed/pjrt/buffer.h"

#include <cstring>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/device/pack.h"

namespace tpuc::pjrt {
namespace {

constexpr int64_t kWorthSharing = int64_t{1} << 20;  // bytes that several threads convert

device::ThreadPool *poolFor(const PJRT_Client &client, const isa::ArrayLayout &layout) {
  return layout.bytes >= kWorthSharing ? client.pool.get() : nullptr;
}

}  // namespace

std::string_view nameOf(PJRT_Buffer_Type type) {
  switch (type) {
#define PJRT_ELEMENT(suffix, number, name) \
  case PJRT_Buffer_Type_##suffix:          \
    return name;
#include "compiler/embed/pjrt/abi/elements.def"
#undef PJRT_ELEMENT
    default:
      return "";
  }
}

PJRT_Buffer_Type typeNamed(std::string_view name) {
#define PJRT_ELEMENT(suffix, number, spelled) \
  if (name == spelled) return PJRT_Buffer_Type_##suffix;
#include "compiler/embed/pjrt/abi/elements.def"
#undef PJRT_ELEMENT
  return PJRT_Buffer_Type_INVALID;
}

std::string shapeText(PJRT_Buffer_Type type, const std::vector<int64_t> &dims) {
  return absl::StrCat(std::string(nameOf(type)), "[", absl::StrJoin(dims, ","), "]");
}

StatusOr<std::shared_ptr<Array>> allocate(PJRT_Memory *memory, PJRT_Buffer_Type type,
                                          const std::vector<int64_t> &dims) {
  isa::ArrayLayout layout;
  std::string error;
  if (nameOf(type).empty())
    return unimplemented(absl::StrCat("arrays of PJRT's element type ", static_cast<int>(type), " are not supported"));
  const auto order = isa::sharedOrder(nameOf(type), dims);
  if (!isa::makeLayout(nameOf(type), dims, order, layout, error)) return invalidArgument(error);
  auto label = std::make_shared<const std::string>(shapeText(type, dims));
  const auto bytes = static_cast<uint64_t>(layout.bytes);
  exec::DeviceArray place = memory->place->allocate(bytes, label, error);
  if (!place) {
    memory->device->chip->wait();
    place = memory->place->allocate(bytes, label, error);
  }
  if (!place) return resourceExhausted(error);
  return std::make_shared<Array>(std::move(layout), std::move(place));
}

StatusOr<exec::DeviceArray> moved(exec::DeviceArray array, const PJRT_Memory &to) {
  if (array->hbm() == to.place.get()) return array;
  std::string error;
  static const auto label = std::make_shared<const std::string>("a result");
  exec::DeviceArray there = to.place->allocate(array->size(), label, error);
  if (!there) return resourceExhausted(error);
  std::memcpy(there->data(), array->data(), array->size());
  return there;
}

std::shared_ptr<Array> Held::get() {
  std::lock_guard lock(mutex);
  return array;
}

std::shared_ptr<Array> Held::take() {
  std::lock_guard lock(mutex);
  return std::move(array);
}

void Held::set(std::shared_ptr<Array> made) {
  std::lock_guard lock(mutex);
  array = std::move(made);
}

void PJRT_Buffer::setReady(std::shared_ptr<Event> event) { held_->ready = ready_ = std::move(event); }

std::shared_ptr<Held> PJRT_Buffer::hold() const {
  std::lock_guard lock(mutex_);
  return held_;
}

std::shared_ptr<Array> PJRT_Buffer::array() const {
  std::shared_ptr<Held> held = hold();
  return held ? held->get() : nullptr;
}

void PJRT_Buffer::release() {
  std::lock_guard lock(mutex_);
  held_.reset();
}

Status PJRT_Buffer::share() {
  if (Status status = ready()->wait(); !status.ok()) return status;
  std::shared_ptr<Array> array = this->array();
  if (!array) return failedPrecondition("the array was deleted or donated");
  std::lock_guard lock(mutex_);
  shared_ = std::move(array);
  ++sharers_;
  return okStatus();
}

Status PJRT_Buffer::unshare() {
  std::lock_guard lock(mutex_);
  if (sharers_ == 0) return failedPrecondition("nobody has a pointer to the array's memory");
  if (--sharers_ == 0) shared_.reset();
  return okStatus();
}

bool PJRT_Buffer::isShared() const {
  std::lock_guard lock(mutex_);
  return sharers_ > 0;
}

PJRT_Buffer::PJRT_Buffer(PJRT_Memory *memory, PJRT_Buffer_Type type, std::vector<int64_t> dims)
    : memory(memory), type(type), dims(std::move(dims)), minorToMajor(this->dims.size()) {
  std::iota(minorToMajor.rbegin(), minorToMajor.rend(), 0);
  held_->memory = memory;
}

int64_t hostBytes(PJRT_Buffer_Type type, const std::vector<int64_t> &dims) {
  const isa::ElementType *element = isa::elementType(nameOf(type));
  if (!element) return 0;
  return std::accumulate(dims.begin(), dims.end(), static_cast<int64_t>(element->hostBytes), std::multiplies<>());
}

StatusOr<std::shared_ptr<Array>> uploaded(PJRT_Memory *memory, PJRT_Buffer_Type type, const std::vector<int64_t> &dims,
                                          const void *host) {
  auto array = allocate(memory, type, dims);
  if (!array.ok()) return array.status();
  const isa::ArrayLayout &layout = (*array)->layout();
  if (layout.elements)
    device::pack(layout, host, (*array)->data(), device::kZeroFill, poolFor(*memory->client, layout));
  return array;
}

Status upload(PJRT_Buffer &buffer, const void *host) {
  auto array = uploaded(buffer.memory, buffer.type, buffer.dims, host);
  if (!array.ok()) return array.status();
  buffer.set(std::move(*array));
  return okStatus();
}

void reorder(const Array &array, const isa::ArrayLayout &layout, uint8_t *to, uint32_t fill) {
  if (layout.elements == 0) return;
  std::vector<char> host(static_cast<size_t>(array.layout().elements) * layout.type->hostBytes);
  device::unpack(array.layout(), array.data(), host.data(), nullptr);
  if (layout.dims == array.layout().dims)
    device::pack(layout, host.data(), to, fill, nullptr);
  else
    device::packTrue(layout, array.layout().dims, host.data(), to, fill, nullptr);
}

void cut(const isa::ArrayLayout &from, const uint8_t *array, const isa::ArrayLayout &to, uint8_t *out) {
  if (to.elements == 0) return;
  std::vector<char> host(static_cast<size_t>(to.elements) * to.type->hostBytes);
  device::unpackTrue(from, to.dims, array, host.data(), nullptr);
  device::pack(to, host.data(), out, device::kZeroFill, nullptr);
}

Status download(const Array &array, void *host, device::ThreadPool *pool) {
  if (array.layout().elements)
    device::unpack(array.layout(), array.data(), host, array.layout().bytes >= kWorthSharing ? pool : nullptr);
  return okStatus();
}

}  // namespace tpuc::pjrt
