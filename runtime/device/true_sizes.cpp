// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are smaller than their place: rows of true elements to and from rows of the whole array.
#include <cstring>

#include "runtime/device/pack.h"

namespace tpuc::device {
namespace {

// An element of garbage: NaN in every format of floats, and a valid boolean.
void fillGarbage(const isa::ElementType &type, std::vector<uint8_t> &bytes) {
  static constexpr uint8_t kWord[4] = {0xe1, 0xc3, 0xa5, 0x7f},
                           kDouble[8] = {0xe1, 0xc3, 0xa5, 0x7f, 0xe1, 0xc3, 0xf5, 0x7f};
  const bool isDouble = (type.numeric == isa::Numeric::Float && type.bits == 64) || type.bits == 128;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (type.hostBytes == 1)
      bytes[i] = type.numeric == isa::Numeric::Bool ? 1 : 0xff;
    else if (isDouble)
      bytes[i] = kDouble[i % 8];
    else if (type.hostBytes == 2)
      bytes[i] = kWord[2 + i % 2];
    else
      bytes[i] = kWord[i % 4];
  }
}

// Calls `row` with where each row of true elements starts in the whole array and in the dense one, in elements, and its
// length.
template <typename Row>
void forRows(const std::vector<int64_t> &whole, const std::vector<int64_t> &sizes, Row row) {
  for (int64_t size : sizes)
    if (size == 0) return;
  if (sizes.empty()) return row(0, 0, 1);
  const size_t rank = sizes.size();
  std::vector<int64_t> index(rank, 0);
  for (int64_t dense = 0;; dense += sizes[rank - 1]) {
    int64_t at = 0;
    for (size_t d = 0; d < rank; ++d) at = at * whole[d] + index[d];
    row(at, dense, sizes[rank - 1]);
    size_t d = rank - 1;
    while (d-- > 0) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1)) return;
  }
}

}  // namespace

void packTrue(const isa::ArrayLayout &layout, const std::vector<int64_t> &sizes, const void *host, void *device,
              uint32_t fill, ThreadPool *pool) {
  if (sizes == layout.dims) return pack(layout, host, device, fill, pool);
  const int64_t bytes = layout.type->hostBytes;
  std::vector<uint8_t> whole(layout.elements * bytes);
  fillGarbage(*layout.type, whole);
  forRows(layout.dims, sizes, [&](int64_t to, int64_t from, int64_t count) {
    std::memcpy(whole.data() + to * bytes, static_cast<const uint8_t *>(host) + from * bytes, count * bytes);
  });
  pack(layout, whole.data(), device, fill, pool);
}

void unpackTrue(const isa::ArrayLayout &layout, const std::vector<int64_t> &sizes, const void *device, void *host,
                ThreadPool *pool) {
  if (sizes == layout.dims) return unpack(layout, device, host, pool);
  const int64_t bytes = layout.type->hostBytes;
  std::vector<uint8_t> whole(layout.elements * bytes);
  unpack(layout, device, whole.data(), pool);
  forRows(layout.dims, sizes, [&](int64_t from, int64_t to, int64_t count) {
    std::memcpy(static_cast<uint8_t *>(host) + to * bytes, whole.data() + from * bytes, count * bytes);
  });
}

void packShadow(const isa::ArrayLayout &layout, const std::vector<int64_t> &sizes, void *device) {
  if (sizes == layout.dims) return pack(layout, nullptr, device, ~0u);
  const int64_t bytes = layout.type->hostBytes;
  std::vector<uint8_t> whole(layout.elements * bytes, 0xff);
  forRows(layout.dims, sizes,
          [&](int64_t to, int64_t, int64_t count) { std::memset(whole.data() + to * bytes, 0, count * bytes); });
  pack(layout, whole.data(), device, ~0u);
}

}  // namespace tpuc::device
