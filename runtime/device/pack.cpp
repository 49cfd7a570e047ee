// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One 512-byte word at a time: p rows of up to 128 elements to or from the parts of 128 lanes.
#include "runtime/device/pack.h"

#include <algorithm>
#include <cstring>

#include "runtime/isa/isa.h"

namespace tpuc::device {
namespace {

using isa::ArrayLayout;
using isa::kLanes;
using isa::kSublanes;

constexpr int64_t kGrainWords = 512;  // words worth a thread

// Host elements of one plane: T at data[i * elementStride]. Strides count T's.
template <typename T>
struct Plane {
  T *data;  // null: zeros
  int64_t columnStride, rowStride;
};

template <typename T, int P>
constexpr uint32_t partMask() {
  return P == 1 ? ~uint32_t{0} : (uint32_t{1} << (32 / P)) - 1;
}

// A row's elements `first` to `first + n - 1`, the rest of 128 from `fill`; `space` holds it unless it is contiguous.
template <typename T>
const T *gather(const Plane<T> &plane, int64_t row, int64_t first, int64_t n, T fill, T *space) {
  if (!plane.data) {
    std::fill(space, space + n, T{0});
  } else {
    const T *from = plane.data + row * plane.rowStride + first * plane.columnStride;
    if (plane.columnStride == 1 && n == kLanes) return from;
    if (plane.columnStride == 1)
      std::memcpy(space, from, n * sizeof(T));
    else
      for (int64_t i = 0; i < n; ++i) space[i] = from[i * plane.columnStride];
  }
  std::fill(space + n, space + kLanes, fill);
  return space;
}

// Rows row .. row + P - 1 of which `rows` exist in all, columns first .. first + n - 1.
template <typename T, int P>
void packWord(const Plane<T> &plane, int64_t row, int64_t rows, int64_t first, int64_t n, uint32_t fill,
              uint32_t *word) {
  constexpr int kBits = 32 / P;
  T space[P][kLanes];
  const T *parts[P];
  for (int j = 0; j < P; ++j) {
    T partFill = static_cast<T>((fill >> (j * kBits)) & partMask<T, P>());
    parts[j] = gather(plane, row + j, first, row + j < rows ? n : 0, partFill, space[j]);
  }
  if constexpr (P == 1) {
    std::memcpy(word, parts[0], isa::kWordBytes);
  } else {
    std::memset(word, 0, isa::kWordBytes);
    for (int j = 0; j < P; ++j) {
      const T *part = parts[j];
      for (int lane = 0; lane < kLanes; ++lane)
        word[lane] |= (static_cast<uint32_t>(part[lane]) & partMask<T, P>()) << (j * kBits);
    }
  }
}

template <typename T, int P>
void unpackWord(const Plane<T> &plane, int64_t row, int64_t rows, int64_t first, int64_t n, bool isSigned,
                const uint32_t *word) {
  constexpr int kBits = 32 / P;
  for (int j = 0; j < P && row + j < rows; ++j) {
    T *to = plane.data + (row + j) * plane.rowStride + first * plane.columnStride;
    if (P == 1 && plane.columnStride == 1) {
      std::memcpy(to, word, n * sizeof(T));
    } else if (isSigned) {
      for (int64_t i = 0; i < n; ++i)
        to[i * plane.columnStride] =
            static_cast<T>(static_cast<int32_t>(word[i] << (32 - kBits - j * kBits)) >> (32 - kBits));
    } else {
      for (int64_t i = 0; i < n; ++i)
        to[i * plane.columnStride] = static_cast<T>((word[i] >> (j * kBits)) & partMask<T, P>());
    }
  }
}

// The host offset, in elements, of the physical leading index `outer`.
int64_t leadingOffset(const ArrayLayout &l, const std::vector<int64_t> &strides, int64_t outer) {
  int64_t offset = 0;
  for (size_t i = l.dims.size() - 2; i-- > 0;) {
    int64_t extent = l.dims[l.order[i]];
    offset += outer % extent * strides[l.order[i]];
    outer /= extent;
  }
  return offset;
}

std::vector<int64_t> denseStrides(const ArrayLayout &l) {
  std::vector<int64_t> strides(l.dims.size());
  int64_t stride = 1;
  for (size_t i = l.dims.size(); i-- > 0; stride *= l.dims[i]) strides[i] = stride;
  return strides;
}

// Calls word(plane, row, rows, first column, columns, index of the word) for words begin to end of one plane.
template <typename T, typename Word>
void forWords(const ArrayLayout &l, T *host, int64_t step, int64_t begin, int64_t end, Word word) {
  const int64_t p = l.type->packing;
  if (!l.tiled()) {
    // Rows of 128; only the last can be short, and it is in the last word.
    Plane<T> plane{host, step, kLanes * step};
    for (int64_t w = begin; w < end; ++w) {
      int64_t full = l.elements / kLanes, rest = l.elements % kLanes;
      if ((w + 1) * p <= full || rest == 0)
        word(plane, w * p, full, 0, kLanes, w);
      else
        word.ragged(plane, w * p, full, rest, w);
    }
    return;
  }
  std::vector<int64_t> strides = denseStrides(l);
  size_t rank = l.dims.size();
  const int64_t rowStride = strides[l.order[rank - 2]] * step, columnStride = strides[l.order[rank - 1]] * step;
  const int64_t tiles = l.rowTiles * l.columnTiles;
  int64_t outer = -1;
  Plane<T> plane{};
  for (int64_t w = begin; w < end; ++w) {
    int64_t tile = w / kSublanes;
    if (tile / tiles != outer) {
      outer = tile / tiles;
      plane = {host ? host + leadingOffset(l, strides, outer) * step : nullptr, columnStride, rowStride};
    }
    int64_t rowTile = tile % tiles / l.columnTiles, first = tile % l.columnTiles * kLanes;
    word(plane, rowTile * l.tileRows() + w % kSublanes * p, l.rows, first, std::min<int64_t>(kLanes, l.columns - first),
         w);
  }
}

template <typename T, int P>
struct Packer {
  uint32_t *device;
  uint32_t fill;
  void operator()(const Plane<T> &plane, int64_t row, int64_t rows, int64_t first, int64_t n, int64_t w) const {
    packWord<T, P>(plane, row, rows, first, n, fill, device + w * kLanes);
  }
  // The word with the short row `full`: its rows one by one, shorter ones by way of a copy.
  void ragged(const Plane<T> &plane, int64_t row, int64_t full, int64_t rest, int64_t w) const {
    constexpr int kBits = 32 / P;
    uint32_t *word = device + w * kLanes;
    for (int lane = 0; lane < kLanes; ++lane) {
      uint32_t bits = fill;
      for (int j = 0; j < P; ++j) {
        int64_t r = row + j;
        if (r > full || (r == full && lane >= rest)) continue;
        uint32_t value =
            plane.data ? static_cast<uint32_t>(plane.data[r * plane.rowStride + lane * plane.columnStride]) : 0;
        bits = (bits & ~(partMask<T, P>() << (j * kBits))) | (value & partMask<T, P>()) << (j * kBits);
      }
      word[lane] = bits;
    }
  }
};

template <typename T, int P>
struct Unpacker {
  const uint32_t *device;
  bool isSigned;
  void operator()(const Plane<T> &plane, int64_t row, int64_t rows, int64_t first, int64_t n, int64_t w) const {
    unpackWord<T, P>(plane, row, rows, first, n, isSigned, device + w * kLanes);
  }
  void ragged(const Plane<T> &plane, int64_t row, int64_t full, int64_t rest, int64_t w) const {
    const uint32_t *word = device + w * kLanes;
    unpackWord<T, P>(plane, row, full, 0, kLanes, isSigned, word);
    if (full < row || full >= row + P) return;
    uint32_t last[kLanes];  // the short row's part, moved to part 0
    for (int lane = 0; lane < kLanes; ++lane)
      last[lane] = P == 1 ? word[lane] : word[lane] >> ((full - row) * (32 / P));
    Plane<T> one{plane.data + full * plane.rowStride, plane.columnStride, 0};
    unpackWord<T, P>(one, 0, 1, 0, rest, isSigned, last);
  }
};

void inParallel(const ArrayLayout &l, ThreadPool *pool, const std::function<void(int64_t, int64_t)> &body) {
  if (pool && l.words > kGrainWords)
    pool->parallelFor(l.words, kGrainWords, body);
  else
    body(0, l.words);
}

template <typename T, int P>
void packAll(const ArrayLayout &l, const void *host, void *device, uint32_t fill, ThreadPool *pool) {
  const int64_t planes = l.type->planes;
  for (int64_t k = 0; k < planes; ++k) {
    Packer<T, P> packer{reinterpret_cast<uint32_t *>(static_cast<char *>(device) + k * l.planeBytes), fill};
    T *data = host ? const_cast<T *>(static_cast<const T *>(host)) + k : nullptr;
    inParallel(l, pool, [&](int64_t begin, int64_t end) { forWords<T>(l, data, planes, begin, end, packer); });
  }
}

template <typename T, int P>
void unpackAll(const ArrayLayout &l, const void *device, void *host, ThreadPool *pool) {
  const int64_t planes = l.type->planes;
  for (int64_t k = 0; k < planes; ++k) {
    Unpacker<T, P> unpacker{reinterpret_cast<const uint32_t *>(static_cast<const char *>(device) + k * l.planeBytes),
                            l.type->numeric == isa::Numeric::Int && P > 4};
    inParallel(l, pool, [&](int64_t begin, int64_t end) {
      forWords<T>(l, static_cast<T *>(host) + k, planes, begin, end, unpacker);
    });
  }
}

}  // namespace

void pack(const ArrayLayout &l, const void *host, void *device, uint32_t fill, ThreadPool *pool) {
  switch (l.type->packing) {
    case 1:
      return packAll<uint32_t, 1>(l, host, device, fill, pool);
    case 2:
      return packAll<uint16_t, 2>(l, host, device, fill, pool);
    case 4:
      return packAll<uint8_t, 4>(l, host, device, fill, pool);
    case 8:
      return packAll<uint8_t, 8>(l, host, device, fill, pool);
    default:
      return packAll<uint8_t, 16>(l, host, device, fill, pool);
  }
}

void unpack(const ArrayLayout &l, const void *device, void *host, ThreadPool *pool) {
  switch (l.type->packing) {
    case 1:
      return unpackAll<uint32_t, 1>(l, device, host, pool);
    case 2:
      return unpackAll<uint16_t, 2>(l, device, host, pool);
    case 4:
      return unpackAll<uint8_t, 4>(l, device, host, pool);
    case 8:
      return unpackAll<uint8_t, 8>(l, device, host, pool);
    default:
      return unpackAll<uint8_t, 16>(l, device, host, pool);
  }
}

}  // namespace tpuc::device
