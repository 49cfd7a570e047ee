// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs assembly text on chosen inputs and gives the results' bytes.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "runtime/executor/executor.h"

namespace tpuc::exec::test {

using Bytes = std::vector<uint8_t>;
using Random = std::mt19937_64;

struct Outcome {
  bool ok = false;
  RunError error;
  std::vector<Bytes> results;
  Statistics statistics;
};

// Buffers 0 .. inputs - 1 are the arguments, the next ones the results of the given sizes.
inline std::string buffers(const std::vector<Bytes> &inputs, const std::vector<size_t> &results) {
  std::string text;
  for (size_t i = 0; i < inputs.size(); ++i)
    text += ".buffer kind: ARGUMENT index: " + std::to_string(i) + " size: " + std::to_string(inputs[i].size()) + "\n";
  for (size_t i = 0; i < results.size(); ++i)
    text += ".buffer kind: RESULT index: " + std::to_string(i) + " size: " + std::to_string(results[i]) + "\n";
  return text;
}

inline MachineShape shapeOfSide(int side) { return {2, 2, side, 256}; }

inline Outcome runText(const std::string &text, const std::vector<Bytes> &inputs, const std::vector<size_t> &results,
                       ExecutorOptions options = {}) {
  Outcome out;
  isa::Executable exe;
  if (!isa::assemble(buffers(inputs, results) + text, exe, out.error.message)) {
    ADD_FAILURE() << out.error.message << "\n" << text;
    return out;
  }
  if (!options.shape) options.shape = shapeOfSide(128);
  std::unique_ptr<Executor> executor = Executor::create(exe, options, out.error.message);
  if (!executor) return out;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!executor->bindArgument(static_cast<int>(i), inputs[i], out.error.message)) return out;
  out.ok = executor->run(out.error);
  for (int i = 0; i < executor->numResults(); ++i) {
    DeviceArray array = executor->resultArray(i);
    if (array) out.results.emplace_back(array->data(), array->data() + array->size());
  }
  out.statistics = executor->statistics();
  return out;
}

// Bit patterns that arithmetic stumbles over, among random ones.
inline uint32_t oddBits(Random &random) {
  static const uint32_t kOdd[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x3f800000,
                                  0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
                                  0x7f800001, 0x7fffffff, 0xffffffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff,
                                  31,         32,         33,         0x3f000000, 0xbf000000, 0x3fc00000, 0x40200000,
                                  0x4b000000, 0x4b000001, 0x4a800001, 0x477fe000, 0x477ff000, 0x38800000, 0x387fffff,
                                  0x33000000, 0x33000001, 0x7c00,     0xfc01,     0x3ff,      0x8001};
  uint64_t r = random();
  switch (r % 4) {
    case 0:
      return kOdd[(r >> 8) % std::size(kOdd)];
    case 1:
      return static_cast<uint32_t>(r >> 32);
    case 2:
      return (static_cast<uint32_t>(r >> 32) & 0x807fffff) | (110 + (r >> 8) % 40) << 23;  // of like magnitude
    default:
      return static_cast<uint32_t>(r >> 32) % 100 - 20;
  }
}

inline Bytes oddBytes(Random &random, size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i + 4 <= size; i += 4) {
    uint32_t bits = oddBits(random);
    std::memcpy(&bytes[i], &bits, 4);
  }
  return bytes;
}

template <typename To, typename From>
To as(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Canonical NaN, as the machine's f32 results have it.
inline uint32_t f32Bits(float f) { return f == f ? as<uint32_t>(f) : 0x7fc00000; }

inline std::vector<uint32_t> words(const Bytes &bytes) {
  std::vector<uint32_t> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), out.size() * 4);
  return out;
}

}  // namespace tpuc::exec::test
