// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strides of host arrays, and copies between them.
#include "compiler/embed/pjrt/host_layout.h"

#include <cstring>

#include "absl/strings/str_cat.h"

namespace tpuc::pjrt {
namespace {

void copyDims(std::span<const int64_t> dims, const char *from, const int64_t *fromStrides, char *to,
              const int64_t *toStrides, int64_t elementBytes) {
  if (dims.empty()) {
    std::memcpy(to, from, elementBytes);
    return;
  }
  const bool run = dims.size() == 1 && fromStrides[0] == elementBytes && toStrides[0] == elementBytes;
  if (run) {
    std::memcpy(to, from, dims[0] * elementBytes);
    return;
  }
  for (int64_t i = 0; i < dims[0]; ++i)
    copyDims(dims.subspan(1), from + i * fromStrides[0], fromStrides + 1, to + i * toStrides[0], toStrides + 1,
             elementBytes);
}

bool isPermutation(const int64_t *values, size_t count) {
  std::vector<bool> seen(count);
  for (size_t i = 0; i < count; ++i) {
    if (values[i] < 0 || values[i] >= static_cast<int64_t>(count) || seen[values[i]]) return false;
    seen[values[i]] = true;
  }
  return true;
}

}  // namespace

std::vector<int64_t> denseStrides(std::span<const int64_t> dims, std::span<const int64_t> minorToMajor,
                                  int64_t elementBytes) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = elementBytes;
  for (size_t i = 0; i < dims.size(); ++i) {
    size_t dim = minorToMajor.empty() ? dims.size() - 1 - i : minorToMajor[i];
    strides[dim] = stride;
    stride *= dims[dim];
  }
  return strides;
}

bool isRowMajor(std::span<const int64_t> dims, std::span<const int64_t> strides, int64_t elementBytes) {
  int64_t stride = elementBytes;
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d] == 0) return true;
    if (dims[d] > 1 && strides[d] != stride) return false;
    stride *= dims[d];
  }
  return true;
}

void copyStrided(std::span<const int64_t> dims, const void *from, std::span<const int64_t> fromStrides, void *to,
                 std::span<const int64_t> toStrides, int64_t elementBytes) {
  copyDims(dims, static_cast<const char *>(from), fromStrides.data(), static_cast<char *>(to), toStrides.data(),
           elementBytes);
}

StatusOr<std::vector<int64_t>> stridesOf(const PJRT_Buffer_MemoryLayout *layout, std::span<const int64_t> dims,
                                         int64_t elementBytes) {
  if (!layout) return denseStrides(dims, {}, elementBytes);
  if (layout->type == PJRT_Buffer_MemoryLayout_Type_Strides) {
    const PJRT_Buffer_MemoryLayout_Strides &s = layout->strides;
    if (s.num_byte_strides != dims.size())
      return invalidArgument(
          absl::StrCat("a layout of ", dims.size(), " dims expects as many strides, but got ", s.num_byte_strides));
    return std::vector<int64_t>(s.byte_strides, s.byte_strides + s.num_byte_strides);
  }
  const PJRT_Buffer_MemoryLayout_Tiled &t = layout->tiled;
  if (t.num_tiles) return unimplemented("tiled layouts of host arrays are not supported: expects none or {}");
  if (t.minor_to_major_size != dims.size() || !isPermutation(t.minor_to_major, t.minor_to_major_size))
    return invalidArgument(absl::StrCat("minor_to_major expects a permutation of ", dims.size(), " dims"));
  return denseStrides(dims, {t.minor_to_major, t.minor_to_major_size}, elementBytes);
}

}  // namespace tpuc::pjrt
