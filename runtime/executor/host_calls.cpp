// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/host_calls.h"

#include <algorithm>

#include "runtime/device/pack.h"

namespace tpuc::exec {
namespace {

size_t hostBytes(const isa::ArrayLayout &layout) {
  return static_cast<size_t>(layout.elements) * layout.type->hostBytes;
}

// Memory for dense arrays, each aligned as the widest of elements.
class Dense {
 public:
  void add(const isa::ArrayLayout &layout) {
    arrays_.push_back({&layout, nullptr});
    bytes_.emplace_back((hostBytes(layout) + sizeof(Unit) - 1) / sizeof(Unit) + 1);
    arrays_.back().data = bytes_.back().data();
  }
  std::span<const HostArray> arrays() const { return arrays_; }

 private:
  struct alignas(16) Unit {
    uint8_t bytes[16];
  };
  std::vector<HostArray> arrays_;
  std::vector<std::vector<Unit>> bytes_;
};

}  // namespace

HostCalls::Array HostCalls::arrayOf(const isa::proto::HostArray &array) {
  Array out{static_cast<int>(array.buffer()), static_cast<int64_t>(array.offset()), {}};
  const std::vector<int64_t> dims(array.array().dims().begin(), array.array().dims().end());
  const std::vector<int32_t> order(array.array().order().begin(), array.array().order().end());
  std::string error;
  isa::makeLayout(array.array().type(), dims, order, out.layout, error);
  return out;
}

HostCalls::HostCalls(const isa::Executable &exe) {
  for (const isa::proto::HostCall &c : exe.index.host_calls()) {
    Call &call = calls_.emplace_back();
    call.id = c.id();
    for (const isa::proto::HostArray &a : c.operands()) call.operands.push_back(arrayOf(a));
    for (const isa::proto::HostArray &a : c.results()) call.results.push_back(arrayOf(a));
  }
}

bool HostCalls::run(size_t number, const HbmBuffer *hbm, const HostFunction &host, std::string &error) const {
  const Call &call = calls_[number];
  Dense operands, results;
  for (const Array &a : call.operands) operands.add(a.layout);
  for (const Array &a : call.results) results.add(a.layout);
  for (size_t i = 0; i < call.operands.size(); ++i)
    device::unpack(call.operands[i].layout, hbm[call.operands[i].buffer].data + call.operands[i].offset,
                   operands.arrays()[i].data);
  if (!host(call.id, operands.arrays(), results.arrays(), error)) return false;
  for (size_t i = 0; i < call.results.size(); ++i)
    device::pack(call.results[i].layout, results.arrays()[i].data,
                 hbm[call.results[i].buffer].data + call.results[i].offset, device::kGarbageFill);
  return true;
}

std::string HostCalls::garbage(size_t number, const HbmBuffer *shadows) const {
  for (size_t i = 0; i < calls_[number].operands.size(); ++i) {
    const Array &a = calls_[number].operands[i];
    std::vector<uint8_t> bits(hostBytes(a.layout));
    device::unpack(a.layout, shadows[a.buffer].data + a.offset, bits.data());
    if (std::any_of(bits.begin(), bits.end(), [](uint8_t b) { return b != 0; }))
      return "operand " + std::to_string(i) + " of the host call has garbage";
  }
  return {};
}

void HostCalls::clean(size_t number, const HbmBuffer *shadows) const {
  for (const Array &a : calls_[number].results) device::pack(a.layout, nullptr, shadows[a.buffer].data + a.offset, ~0u);
}

}  // namespace tpuc::exec
