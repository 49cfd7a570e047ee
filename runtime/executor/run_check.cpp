// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checking mode's part of a run: which bytes of HBM are garbage before a run, and which may not be after it.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "runtime/device/pack.h"
#include "runtime/executor/loaded_program.h"

namespace tpuc::exec {

// Arguments and constants are garbage where their arrays are padding, everything else everywhere.
bool LoadedProgram::placeShadows(const Run &run, std::string &error) {
  const int count = exe_->index.buffers_size();
  arenaShadow_ = device::Mapping(arena_ ? arena_->size() : 0);
  bufferShadows_.resize(count);
  shadows_.resize(count);
  if (!arenaShadow_.data()) {
    error = "out of host memory";
    return false;
  }
  std::memset(arenaShadow_.data(), 0xff, arenaShadow_.size());
  const isa::Extents extents = extentsOf(run);
  for (int i = 0; i < count; ++i) {
    const isa::proto::Buffer &b = exe_->index.buffers(i);
    shadows_[i] = {arenaShadow_.data() + b.offset(), static_cast<int64_t>(b.size()), true};
    if (b.kind() == isa::proto::ARENA || !isa::Executable::has(b, run.entry)) continue;
    bufferShadows_[i] = device::Mapping(b.size());
    shadows_[i].data = bufferShadows_[i].data();
    if (!shadows_[i].data) {
      error = "out of host memory";
      return false;
    }
    isa::ArrayLayout layout;
    std::string unknown;
    if (b.kind() == isa::proto::RESULT)
      std::memset(shadows_[i].data, 0xff, b.size());
    else if (layoutOf(b.array(), layout, unknown) && layout.bytes == shadows_[i].size)
      device::packShadow(layout, isa::trueDims(b.array(), extents), shadows_[i].data);
  }
  const Entry &entry = entries_[run.entry];
  for (const Result &r : entry.results)
    if (r.alias >= 0) shadows_[r.buffer] = shadows_[entry.arguments[r.alias]];
  return true;
}

bool LoadedProgram::checkResults(const Run &run, std::string &error) const {
  for (int i = 0; i < numResults(run.entry); ++i) {
    isa::ArrayLayout layout;
    std::string unknown;
    const HbmBuffer &shadow = shadows_[entries_[run.entry].results[i].buffer];
    if (!layoutOf(result(i, run.entry).array(), layout, unknown) || layout.bytes != shadow.size) continue;
    const std::vector<int64_t> dims = isa::trueDims(result(i, run.entry).array(), extentsOf(run));
    std::vector<uint8_t> bits(std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>()) *
                              layout.type->hostBytes);
    device::unpackTrue(layout, dims, shadow.data, bits.data());
    auto it = std::find_if(bits.begin(), bits.end(), [](uint8_t b) { return b != 0; });
    if (it == bits.end()) continue;
    int64_t element = (it - bits.begin()) / layout.type->hostBytes;
    std::string index;
    for (size_t d = dims.size(); d-- > 0; element /= dims[d])
      index = std::to_string(element % dims[d]) + (index.empty() ? "" : ", ") + index;
    error = "result " + std::to_string(i) + " has garbage at [" + index + "]";
    return false;
  }
  return true;
}

}  // namespace tpuc::exec
