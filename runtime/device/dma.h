// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a DMA descriptor does, without the timing: copies of contiguous runs between two memories.
#pragma once
#include <cstdint>

#include "runtime/isa/isa.h"

namespace tpuc::device {

// A descriptor made ready to run: dims merged where runs meet, and the bytes it touches around its offsets.
struct DmaPlan {
  explicit DmaPlan(const isa::DmaDescriptor &d);

  // `src` and `dst`: where the descriptor begins on each side, its offsets added by the caller.
  void copy(const uint8_t *src, uint8_t *dst) const;
  bool overlaps(const uint8_t *src, const uint8_t *dst) const {
    return src + srcLow < dst + dstHigh && dst + dstLow < src + srcHigh;
  }
  // Copies where source and destination may overlap.
  void move(const uint8_t *src, uint8_t *dst) const;
  // Whether `parts` threads may share a copy between memories that do not overlap, and what one of them then does.
  bool mayShare(int parts) const;
  void copyPart(const uint8_t *src, uint8_t *dst, int part, int parts) const;

  isa::Space srcSpace, dstSpace;
  int32_t srcBuffer, dstBuffer;
  int64_t srcOffset, dstOffset;
  int64_t totalBytes = 0, runBytes = 0;
  std::array<isa::DmaDescriptor::Dim, 4> dims;  // innermost last
  // Lowest and one past the highest byte, from the origin.
  int64_t srcLow = 0, srcHigh = 0, dstLow = 0, dstHigh = 0;

 private:
  void (*copier_)(const DmaPlan &, const uint8_t *, uint8_t *);
  int outer_ = -1;  // a dim whose parts of the destination lie apart
};

// Whether [offset + low, offset + high) lies in [0, size).
inline bool inside(int64_t offset, int64_t low, int64_t high, int64_t size) {
  return offset >= -low && high <= size && offset <= size - high;
}

}  // namespace tpuc::device
