// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays as callers have them on the host: any strides, any order of dims.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/embed/pjrt/abi/types.h"
#include "compiler/embed/pjrt/status_or.h"

namespace tpuc::pjrt {

// Strides in bytes of a dense array whose dims lie in this order, the fastest first; empty `minorToMajor`: row-major.
std::vector<int64_t> denseStrides(std::span<const int64_t> dims, std::span<const int64_t> minorToMajor,
                                  int64_t elementBytes);
bool isRowMajor(std::span<const int64_t> dims, std::span<const int64_t> strides, int64_t elementBytes);

// Copies elements between two arrays of the same dims.
void copyStrided(std::span<const int64_t> dims, const void *from, std::span<const int64_t> fromStrides, void *to,
                 std::span<const int64_t> toStrides, int64_t elementBytes);

// The strides that a caller's layout asks for; null is row-major. Tiles of the host's are not supported.
StatusOr<std::vector<int64_t>> stridesOf(const PJRT_Buffer_MemoryLayout *layout, std::span<const int64_t> dims,
                                         int64_t elementBytes);

}  // namespace tpuc::pjrt
