// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/dma.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tpuc::device {
namespace {

using isa::DmaDescriptor;

using Dims = std::array<DmaDescriptor::Dim, 4>;

// Drops dims of count 1 and merges neighbours that are one longer run or one longer dim; innermost dim last, unused
// ones of count 1 before it.
Dims merged(const DmaDescriptor &d, int64_t &runBytes) {
  Dims out;
  int used = 0;  // from the end
  for (int i = d.numDims - 1; i >= 0; --i) {
    const DmaDescriptor::Dim &dim = d.dims[i];
    if (dim.count == 1) continue;
    if (used == 0 && dim.srcStride == runBytes && dim.dstStride == runBytes) {
      runBytes *= dim.count;
      continue;
    }
    if (used > 0) {
      DmaDescriptor::Dim &inner = out[4 - used];
      if (dim.srcStride == inner.count * inner.srcStride && dim.dstStride == inner.count * inner.dstStride) {
        inner.count *= dim.count;
        continue;
      }
    }
    out[3 - used++] = dim;
  }
  return out;
}

template <typename Copy>
void forRuns(const Dims &dims, const uint8_t *src, uint8_t *dst, Copy copy) {
  const auto [d0, d1, d2, d3] = dims;
  for (int64_t i0 = 0; i0 < d0.count; ++i0)
    for (int64_t i1 = 0; i1 < d1.count; ++i1)
      for (int64_t i2 = 0; i2 < d2.count; ++i2) {
        const uint8_t *from = src + i0 * d0.srcStride + i1 * d1.srcStride + i2 * d2.srcStride;
        uint8_t *to = dst + i0 * d0.dstStride + i1 * d1.dstStride + i2 * d2.dstStride;
        for (int64_t i3 = 0; i3 < d3.count; ++i3) copy(to + i3 * d3.dstStride, from + i3 * d3.srcStride);
      }
}

template <int64_t kRun>
void copyFixed(const DmaPlan &plan, const uint8_t *src, uint8_t *dst) {
  forRuns(plan.dims, src, dst, [](uint8_t *to, const uint8_t *from) { std::memcpy(to, from, kRun); });
}

void copyAny(const DmaPlan &plan, const uint8_t *src, uint8_t *dst) {
  forRuns(plan.dims, src, dst, [&](uint8_t *to, const uint8_t *from) { std::memcpy(to, from, plan.runBytes); });
}

// Runs of a few elements or words are far too short for a call of memcpy each.
using Copier = void (*)(const DmaPlan &, const uint8_t *, uint8_t *);
template <int64_t... kRuns>
Copier copierOf(int64_t run, std::integer_sequence<int64_t, kRuns...>) {
  Copier found = copyAny;
  ((found = run == kRuns ? copyFixed<kRuns> : found), ...);
  return found;
}

// The dim with the longest stride of the destination, when all that one step of it writes is shorter; -1 when there is
// none.
int outermostOf(const Dims &dims, int64_t runBytes) {
  int outer = -1;
  int64_t inner = runBytes;
  for (int d = 0; d < 4; ++d)
    if (dims[d].count > 1 && (outer < 0 || std::abs(dims[d].dstStride) > std::abs(dims[outer].dstStride))) outer = d;
  if (outer < 0) return -1;
  for (int d = 0; d < 4; ++d)
    if (d != outer) inner += (dims[d].count - 1) * std::abs(dims[d].dstStride);
  return inner <= std::abs(dims[outer].dstStride) ? outer : -1;
}

}  // namespace

DmaPlan::DmaPlan(const DmaDescriptor &d)
    : srcSpace(d.srcSpace),
      dstSpace(d.dstSpace),
      srcBuffer(d.srcBuffer),
      dstBuffer(d.dstBuffer),
      srcOffset(d.srcOffset),
      dstOffset(d.dstOffset),
      totalBytes(d.totalBytes()),
      runBytes(d.runBytes),
      dims(merged(d, runBytes)) {
  copier_ = copierOf(runBytes, std::integer_sequence<int64_t, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 96, 128, 192,
                                                     256, 384, 512, 1024, 2048, 4096>());
  outer_ = outermostOf(dims, runBytes);
  srcHigh = dstHigh = runBytes;
  for (const DmaDescriptor::Dim &dim : dims) {
    int64_t src = (dim.count - 1) * dim.srcStride, dst = (dim.count - 1) * dim.dstStride;
    (src < 0 ? srcLow : srcHigh) += src;
    (dst < 0 ? dstLow : dstHigh) += dst;
  }
}

void DmaPlan::copy(const uint8_t *src, uint8_t *dst) const { copier_(*this, src, dst); }

bool DmaPlan::mayShare(int parts) const { return outer_ >= 0 ? dims[outer_].count >= parts : totalBytes == runBytes; }

void DmaPlan::copyPart(const uint8_t *src, uint8_t *dst, int part, int parts) const {
  if (outer_ < 0) {
    constexpr int64_t kLine = 64;
    const int64_t lines = runBytes / kLine, begin = lines * part / parts * kLine,
                  end = part + 1 == parts ? runBytes : lines * (part + 1) / parts * kLine;
    std::memcpy(dst + begin, src + begin, end - begin);
    return;
  }
  DmaPlan mine = *this;
  DmaDescriptor::Dim &dim = mine.dims[outer_];
  const int64_t begin = dim.count * part / parts;
  dim.count = dim.count * (part + 1) / parts - begin;
  mine.copy(src + begin * dim.srcStride, dst + begin * dim.dstStride);
}

void DmaPlan::move(const uint8_t *src, uint8_t *dst) const {
  if (!overlaps(src, dst)) return copy(src, dst);
  forRuns(dims, src, dst, [&](uint8_t *to, const uint8_t *from) { std::memmove(to, from, runBytes); });
}

}  // namespace tpuc::device
