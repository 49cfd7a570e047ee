// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which dims of a group of ops are the same dim: the index space of a kernel.
#pragma once
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace tpuc::analysis {

// Dims of all values of a set of ops, joined where an op walks them together. Extent-1 dims belong to no class, nor do
// those of a splat constant that ops use.
class DimClasses {
 public:
  // Adds an op's ties between its operands' and results' dims. False for an op that does not walk its operands' dims
  // (the class structure is then unchanged).
  bool add(mlir::Operation *op);
  // The class of a dim: a small stable number; -1 for extent 1.
  int64_t classOf(mlir::Value value, int64_t dim);
  llvm::SmallVector<int64_t> classesOf(mlir::Value value);
  // The same for values that have the same dims; -1 for one without.
  int64_t numberOf(mlir::Value value);
  // No value has one class twice (x + transpose(x) has).
  bool isConsistent();
  int64_t extentOf(int64_t cls) const { return cls < 0 ? 0 : extents_[cls]; }

 private:
  int64_t idOf(mlir::Value value, int64_t dim);
  int64_t find(int64_t id);
  void tie(mlir::Value a, int64_t da, mlir::Value b, int64_t db);
  void tieIds(int64_t a, int64_t b);
  void addPointwise(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, int64_t> firstIds_;  // a value's dims are numbered in a row; some values share them
  llvm::SmallVector<int64_t> parent_, extents_;    // of each dim
  llvm::SmallVector<mlir::Value> values_;
  llvm::DenseMap<mlir::Value, bool> anywhere_;  // operands: splat constants have no dims of their own
};

// True when `op` walks its operands' dims: elementwise, broadcast, transpose, unit reshape, iota, splat constant,
// reduce.
bool walksDims(mlir::Operation *op);

// What a kernel reads from the array it is of: a slice of whole tiles, or of lanes and rows within one; or a shuffled
// view. `packing`: elements a 32-bit lane holds.
bool isTileView(mlir::Operation *op);
// Rows or lanes that are not where tiles have them: element i of a dim is element (i * step + first) / every of the
// array's, padding where there is none.
struct Shuffle {
  int64_t first = 0, step = 1, every = 1;
};
// A slice, reversal or pad along rows or lanes: the cross-lane unit puts lanes in order, and rows that share them.
bool isShuffledView(mlir::Operation *op);
// Whether it moves positions along a dim, one of the last two, and how.
bool isShuffled(mlir::Operation *op, int64_t dim);
Shuffle shuffleOf(mlir::Operation *op, int64_t dim);
int64_t packingOf(mlir::Type element);
// Bytes in HBM and VMEM, the last two dims in whole tiles (runtime/isa/layout.h).
int64_t paddedBytes(mlir::RankedTensorType type);

// A reshape that only adds or removes dims of extent 1: pairs of (operand dim, result dim); nullopt otherwise.
std::optional<llvm::SmallVector<std::pair<int64_t, int64_t>>> unitReshapeTies(mlir::RankedTensorType operand,
                                                                              mlir::RankedTensorType result);

// The kernel's index space: a class per dim, -1 for a dim of extent 1. The last two lie along sublanes and lanes.
struct DomainDims {
  llvm::SmallVector<int64_t> classes;
  llvm::SmallVector<int64_t> extents;
  bool linear = false;  // one class, all arrays rank 1: rows of 128 elements
};
// `arrays`: the inputs and results with their physical orders. Fails (nullopt) when no value spans all classes.
struct OrderedArray {
  mlir::Value value;
  llvm::SmallVector<int64_t> order;
};
std::optional<DomainDims> chooseDomain(DimClasses &classes, llvm::ArrayRef<OrderedArray> arrays,
                                       llvm::ArrayRef<mlir::Value> values);

}  // namespace tpuc::analysis
