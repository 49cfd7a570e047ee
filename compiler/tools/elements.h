// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of dense host arrays: values, text, made-up inputs, distances.
#pragma once
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/isa/element_type.h"

namespace tpuc::tools {

// An array as the program's user sees it.
struct HostArray {
  const isa::ElementType *type = nullptr;
  std::vector<int64_t> dims;
  std::vector<uint8_t> data;  // elements * type->hostBytes

  int64_t elements() const;
  const uint8_t *at(int64_t i) const { return data.data() + i * type->hostBytes; }
  std::string typeText() const;
  std::string indexText(int64_t element) const;  // "[3, 5]"
};

// Exact for every type but 64-bit integers, which round.
std::complex<double> valueOf(const isa::ElementType &type, const uint8_t *element);
std::string textOf(const isa::ElementType &type, const uint8_t *element);
// How many representable values two real floats are apart. An infinity or a NaN is near itself only: nothing else gives
// a distance.
std::optional<uint64_t> ulpsBetween(const isa::ElementType &type, const uint8_t *a, const uint8_t *b);

// Uniform in [-1, 1) for floats, small whole numbers for integers; the same for the same seed everywhere.
void fillRandom(HostArray &array, uint64_t seed);

// Elements below a byte have meaning in their own bits only. The rest of the byte becomes what the value says.
void extendNarrow(HostArray &array);

// "[1, 2, 3, ..., 9]", the first and last few.
std::string summary(const HostArray &array);

}  // namespace tpuc::tools
