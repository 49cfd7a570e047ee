// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of boxes whose corners are known only when the program runs: strided DMAs started by the scalar unit.
#pragma once
#include "passes/lowering/code.h"
#include "passes/plan/move/copy_plan.h"

namespace tpuc::lowering {

// A memory; of HBM, a buffer.
struct Memory {
  llvm::StringRef space, symbol;
};

// An array somewhere: tiled as in HBM, or dense in row-major order.
struct Side {
  std::string space, symbol;  // the symbol only in HBM
  Array array;
  bool dense = false;
  Linear base;  // byte of its first element

  static Side hbm(const Origin &origin, const Array &array) {
    return {"hbm", origin.buffer, array, false, origin.offset};
  }
  Memory memory() const { return {space, symbol}; }
  // Whether both are one array in one place.
  bool isAt(const Side &other) const { return symbol == other.symbol && isSame(base, other.base); }
  // Byte offset of index i along logical dim `dim`.
  int64_t at(int64_t dim, int64_t i) const;
  Linear at(Code &c, int64_t dim, const Linear &i) const;
  // The distance of neighbours along `dim` when it is the same everywhere.
  std::optional<int64_t> stride(int64_t dim) const;
  // Positions of `dim` in a tile, from a multiple of which on all lie as from the first on.
  int64_t tile(int64_t dim) const;
};

// `count` positions along a source dim and a destination dim (-1: the array does not have it), from the given starts,
// of which numbers are known that divide them.
struct BoxDim {
  int64_t src = -1, dst = -1, count = 1;
  Linear srcStart, dstStart;
  int64_t srcMultiple = 1, dstMultiple = 1;
};

// A box of these extents, dim by dim, from the first position on both sides.
llvm::SmallVector<BoxDim> boxOf(llvm::ArrayRef<int64_t> extents);
// Starts the transfers on semaphore 0; returns how many.
int64_t emitBoxCopy(Code &c, const Side &src, const Side &dst, llvm::ArrayRef<BoxDim> box);
void emitWait(Code &c, int64_t transfers);

// The whole of `from` into `to`, arrays of one type and layout.
int64_t emitArrayCopy(Code &c, const Side &from, const Side &to);

// Starts one transfer on semaphore 0; of more than a descriptor's four dims the shortest become scalar loops. Returns
// the number of descriptors started.
int64_t emitTransfer(Code &c, Memory src, Memory dst, const Transfer &t, const Linear &srcAdd, const Linear &dstAdd);

}  // namespace tpuc::lowering
