// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The positions of a reshape as nested arithmetic progressions of byte offsets in HBM: what strided transfers can copy.
// Fusing asks how many it takes, lowering makes them.
#pragma once
#include <functional>
#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tpuc::analysis {

struct CopyDim {
  int64_t count, src, dst;  // strides in bytes
  bool operator==(const CopyDim &) const = default;
};

// One group: `count` positions and their byte offsets.
struct CopyGroup {
  int64_t count;
  std::function<std::pair<int64_t, int64_t>(int64_t)> offsets;
  int64_t period = 0;  // positions so far apart are all at one distance on both sides; 0: not known
};

struct Segment {
  int64_t src, dst;
  llvm::SmallVector<CopyDim, 4> dims;  // innermost first
};

// Joins pieces of the same form at a constant distance, neighbours or every few, until nothing joins. Their order is
// not kept.
llvm::SmallVector<Segment> compress(const CopyGroup &group);

// How elements lie in HBM; of a type wider than a lane, those of a plane.
struct Packing {
  int64_t pack = 1, bytes = 4;  // elements a 32-bit lane holds; an element's

  static Packing of(mlir::Type element);
};

// Where the elements of a whole array, of a plane of it if it is wider than a lane, lie: runtime/isa/layout.h.
struct Tiles {
  llvm::SmallVector<int64_t> shape, order;  // logical; physical dim i is logical dim order[i]
  int64_t pack = 1, bytes = 4;              // elements a 32-bit lane holds; an element's

  Tiles(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);
  // What index `i` of a logical dim adds.
  int64_t offset(int64_t dim, int64_t i) const;
  // Indices of a dim that far apart are all at one distance.
  int64_t period(int64_t dim) const;
  // The distance of a dim's elements, where it is the same between all of them.
  std::optional<int64_t> stride(int64_t dim) const;
};

// A group for each run of dims that hold the same elements on both sides; for each dim of the run where it is one dim
// of one stride on the other side.
llvm::SmallVector<CopyGroup> reshapeGroups(const Tiles &src, const Tiles &dst);

}  // namespace tpuc::analysis
