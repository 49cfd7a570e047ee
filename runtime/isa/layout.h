// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the elements of a logical array lie in HBM: a pure function of type, extents and physical order. Compiler,
// executor and host conversion all use this definition.
//
// Rank 2 and more: the last two physical dims [R, C] are padded to tiles of 8p x 128 elements, p the type's packing. A
// tile is 8 words of 512 bytes; tiles are row-major, leading dims row-major outside. In a tile, element (row, column)
// is in word row / p, lane column, part row % p of the lane's 4 bytes.
// Rank 0 and 1: rows of 128 lanes packed likewise, padded to a whole word only: element i is in word i / (128 p), lane
// i % 128, part i / 128 % p.
// Types of several planes are as many 32-bit arrays, one after the other.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/isa/element_type.h"

namespace tpuc::isa {

struct ArrayLayout {
  const ElementType *type = nullptr;
  std::vector<int64_t> dims;   // logical
  std::vector<int32_t> order;  // physical dim i is logical dim order[i]; a permutation of all dims
  int64_t elements = 0;
  int64_t planeBytes = 0, bytes = 0;
  // Rank >= 2 (else `words` only): the last two physical dims and the product of the others.
  int64_t rows = 0, columns = 0, outer = 0;
  int64_t rowTiles = 0, columnTiles = 0;
  int64_t words = 0;  // 512-byte words of a plane

  bool tiled() const { return dims.size() >= 2; }
  int64_t tileRows() const { return 8 * type->packing; }

  struct Place {
    int64_t byte = 0;  // from the plane's start
    int bit = 0;       // in that byte
  };
  // The place of the element at `index` (logical, one entry a dim).
  Place place(std::span<const int64_t> index) const;
};

// False with `error` for an unknown type, a negative extent, an order that is no permutation, or more than 2^44 bytes.
// An empty `order` is the identity.
bool makeLayout(std::string_view type, std::span<const int64_t> dims, std::span<const int32_t> order,
                ArrayLayout &layout, std::string &error);

// Bytes of the array with its padding; -1 where makeLayout fails.
int64_t paddedBytes(std::string_view type, std::span<const int64_t> dims, std::span<const int32_t> order = {});

// The order of an array that programs share, a function of its type and dims alone; empty: the dims' own. Another one
// puts two other dims under the tiles, the rest outside as they were. It is chosen only if it cuts the bytes to an
// eighth and saves 8 MiB, so that it pays for the transposes of programs that want the dims' own; 1 MiB for heads (a
// last dim of 8 or more under one of less than 8) and for matrices, which have it only with less than 8 columns.
// Elements have 8 to 32 bits.
std::vector<int32_t> sharedOrder(std::string_view type, std::span<const int64_t> dims);

}  // namespace tpuc::isa
