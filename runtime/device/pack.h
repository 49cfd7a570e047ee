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
void pack(const isa::ArrayLayout &layout, const void *host, void *device, uint32_t fill = kZeroFill, ThreadPool *pool = nullptr);
// The elements without the padding; signed types below 8 bits are sign-extended.
void unpack(const isa::ArrayLayout &layout, const void *device, void *host, ThreadPool *pool = nullptr);

}  // namespace tpuc::device
