// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a whole array each device has: HLO's shardings, as `{devices=[4,1,2]<=[8] last_tile_dim_replicate}`.
// `last_tile_dims={unreduced}`: the devices along the last dim have summands of one tile.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpuc::isa {

// An array in parts of one size, which the attribute's text calls tiles. Where a dim does not divide evenly, its last
// part is padded.
struct Sharding {
  std::vector<int64_t> tiles;                // along each dim
  std::vector<std::vector<int64_t>> tileOf;  // by device: the number of its tile along each dim
  std::vector<int64_t> summandOf;            // by device: which summand of the tile it has; empty where it has the sum

  int64_t devices() const { return static_cast<int64_t>(tileOf.size()); }
  bool isWhole() const;  // every device has all of it
  bool isPartial() const { return !summandOf.empty(); }

  // A part's dims, and of a device's part the first index and how many are of the array.
  std::vector<int64_t> partDims(std::span<const int64_t> dims) const;
  struct Range {
    int64_t begin, size;
  };
  Range range(int64_t device, size_t dim, int64_t size) const;
};

// For an array of `rank` dims on `devices` devices; empty text is that of a whole array. False with `error`.
bool parseSharding(std::string_view text, size_t rank, int64_t devices, Sharding &out, std::string &error);

// Between whole and parts, in row-major order, `elementBytes` an element. Of a part only what is of the array is moved.
void takePart(const Sharding &sharding, int64_t device, std::span<const int64_t> dims, int64_t elementBytes,
              const uint8_t *whole, uint8_t *part);
void putPart(const Sharding &sharding, int64_t device, std::span<const int64_t> dims, int64_t elementBytes,
             const uint8_t *part, uint8_t *whole);
// Whether the part is what the whole has there.
bool isPart(const Sharding &sharding, int64_t device, std::span<const int64_t> dims, int64_t elementBytes,
            const uint8_t *whole, const uint8_t *part);

}  // namespace tpuc::isa
