// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion of arrays between the host's dense row-major form and the device's layout (runtime/isa/layout.h).
#pragma once
#include <cstdint>

#include "runtime/device/thread_pool.h"
#include "runtime/isa/layout.h"

namespace tpuc::device {

// Padding gets the bits of `fill`, repeated every 4 bytes.
inline constexpr uint32_t kZeroFill = 0;
inline constexpr uint32_t kGarbageFill = 0x7fa5c3e1;  // a NaN as f32, no number that a program would expect elsewhere

// `host`: layout.elements * type->hostBytes bytes; null stands for zeros. `device`: layout.bytes.
// Types below 8 bits take a byte an element on the host.
void pack(const isa::ArrayLayout &layout, const void *host, void *device, uint32_t fill = kZeroFill,
          ThreadPool *pool = nullptr);
// The elements without the padding; signed types below 8 bits are sign-extended.
void unpack(const isa::ArrayLayout &layout, const void *device, void *host, ThreadPool *pool = nullptr);

// Arrays of which only the elements in front of `sizes` are true: `host` has those alone, in row-major order. What is
// behind them on the device is garbage, NaN for floats.
void packTrue(const isa::ArrayLayout &layout, const std::vector<int64_t> &sizes, const void *host, void *device,
              uint32_t fill = kZeroFill, ThreadPool *pool = nullptr);
void unpackTrue(const isa::ArrayLayout &layout, const std::vector<int64_t> &sizes, const void *device, void *host,
                ThreadPool *pool = nullptr);
// Bits of 0 for true elements, of 1 for padding of either kind.
void packShadow(const isa::ArrayLayout &layout, const std::vector<int64_t> &sizes, void *device);

}  // namespace tpuc::device
