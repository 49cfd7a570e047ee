// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FNV-1a over 64-bit little-endian words in eight interleaved lanes, the last word filled up with zeros, the length
// mixed in at the end: as fast as memory, where the byte-wise form would take seconds for the constants of a large
// model.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tpuc::isa {

inline uint64_t checksum(std::string_view bytes) {
  constexpr uint64_t kBasis = 0xcbf29ce484222325ull, kPrime = 0x100000001b3ull;
  constexpr size_t kLanes = 8, kBlock = kLanes * 8;
  uint64_t lanes[kLanes];
  for (size_t i = 0; i < kLanes; ++i) lanes[i] = kBasis + i;
  auto block = [&](const char *data) {
    uint64_t words[kLanes];
    std::memcpy(words, data, kBlock);
    for (size_t i = 0; i < kLanes; ++i) lanes[i] = (lanes[i] ^ words[i]) * kPrime;
  };
  size_t at = 0;
  for (; at + kBlock <= bytes.size(); at += kBlock) block(bytes.data() + at);
  char tail[kBlock] = {};
  if (at < bytes.size()) std::memcpy(tail, bytes.data() + at, bytes.size() - at);
  block(tail);
  uint64_t hash = (kBasis ^ bytes.size()) * kPrime;
  for (uint64_t lane : lanes) hash = (hash ^ lane ^ (lane >> 29)) * kPrime;
  return hash;
}

}  // namespace tpuc::isa
