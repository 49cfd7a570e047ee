// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/embed/pjrt/op_sharding.h"

#include <map>

#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

namespace tpuc::pjrt {
namespace {

// Field numbers of the public schema.
constexpr unsigned kType = 1, kTileDims = 3, kTileDevices = 4, kReplicateLast = 6;
constexpr uint64_t kOther = 3;  // in tiles; 0, which is not written: whole everywhere

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

}  // namespace

std::string opSharding(const isa::Sharding &sharding) {
  if (sharding.isWhole()) return {};
  std::map<std::vector<int64_t>, std::vector<int64_t>> holders;  // of each tile, in row-major order
  for (int64_t device = 0; device < sharding.devices(); ++device) holders[sharding.tileOf[device]].push_back(device);
  std::vector<int64_t> dims = sharding.tiles, devices;
  for (const auto &[tile, own] : holders) devices.insert(devices.end(), own.begin(), own.end());
  const auto copies = static_cast<int64_t>(holders.begin()->second.size());
  if (copies > 1) dims.push_back(copies);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  number(os, kType, kOther);
  packed(os, kTileDims, dims);
  packed(os, kTileDevices, devices);
  if (copies > 1) number(os, kReplicateLast, 1);
  return bytes;
}

}  // namespace tpuc::pjrt
