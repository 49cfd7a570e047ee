// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/pjrt/op_sharding.h"

#include <map>

#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::pjrt {
namespace {

// Field numbers of the public schema.
constexpr unsigned kType = 1, kTileDims = 3, kTileDevices = 4, kReplicateLast = 6, kLastTileDims = 8;
// Types of shardings: whole everywhere, which is not written; in tiles; in summands.
constexpr int64_t kReplicated = 0, kOther = 3, kUnreduced = 6;

void number(llvm::raw_ostream &os, unsigned field, uint64_t value) {
  llvm::encodeULEB128(field << 3, os);
  llvm::encodeULEB128(value, os);
}

void packed(llvm::raw_ostream &os, unsigned field, const std::vector<int64_t> &values) {
  std::string bytes;
  llvm::raw_string_ostream list(bytes);
  for (int64_t value : values) llvm::encodeULEB128(static_cast<uint64_t>(value), list);
  llvm::encodeULEB128(field << 3 | 2, os);
  llvm::encodeULEB128(bytes.size(), os);
  os << bytes;
}

using Devices = std::vector<int64_t>;
using Holders = std::map<std::vector<int64_t>, std::map<int64_t, Devices>>;  // of each tile, of each summand of it

Holders holdersOf(const isa::Sharding &sharding) {
  Holders holders;  // tiles in row-major order
  for (int64_t device = 0; device < sharding.devices(); ++device)
    holders[sharding.tileOf[device]][sharding.isPartial() ? sharding.summandOf[device] : 0].push_back(device);
  return holders;
}

}  // namespace

std::string opSharding(const isa::Sharding &sharding) {
  if (sharding.isWhole()) return {};
  const Holders holders = holdersOf(sharding);
  const auto &first = holders.begin()->second;
  const size_t copies = first.begin()->second.size();
  std::vector<int64_t> dims = sharding.tiles, devices, lastDims;
  for (const auto &[tile, summands] : holders)
    for (size_t copy = 0; copy < copies; ++copy)
      for (const auto &[summand, own] : summands) devices.push_back(own[copy]);
  if (copies > 1) {
    dims.push_back(static_cast<int64_t>(copies));
    lastDims.push_back(kReplicated);
  }
  if (sharding.isPartial()) {
    dims.push_back(static_cast<int64_t>(first.size()));
    lastDims.push_back(kUnreduced);
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  number(os, kType, kOther);
  packed(os, kTileDims, dims);
  packed(os, kTileDevices, devices);
  if (sharding.isPartial())
    packed(os, kLastTileDims, lastDims);
  else if (copies > 1)
    number(os, kReplicateLast, 1);
  return bytes;
}

}  // namespace tpuc::pjrt
