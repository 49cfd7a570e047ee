// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of any op of a kernel's body at one vreg of its domain: loads of its blocks, then instructions.
#pragma once
#include <functional>

#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/code.h"
#include "passes/plan/kernels.h"

namespace tpuc::lowering {

// One vreg of the domain: block-local position along every dim. For r: a unit of 8 * pack rows (`at[r]`) and one of its
// groups of 8 rows (`sub`); for c: a column tile. Dims that the value does not have are ignored.
struct Point {
  llvm::SmallVector<Linear> at;
  int64_t sub = 0;
};

// The first and last index along a dim.
struct IndexRange {
  int64_t first = 0, last = 0;
};

// A value of the body that is at hand as a vreg for each point: a dot's accumulators, a reduction's result.
using Provider = std::function<mlir::Value(const Point &)>;

class Body {
 public:
  Body(Code &code, const Domain &domain) : code(code), domain(domain) {}

  Code &code;
  const Domain &domain;
  llvm::SmallVector<Linear> blockIndex;  // grid position per domain dim
  // The same as trips of loops follow from it (blockTrip): constants in code that is for whole blocks only.
  llvm::SmallVector<Linear> tripIndex;
  llvm::DenseMap<mlir::Value, ArrayBlock *> blocks;  // block arguments
  llvm::DenseMap<mlir::Value, Provider> providers;

  // Along dims of which a nest walks a stretch: the indices that all its points have. Masks that only ask where an
  // index lies are known from them.
  llvm::SmallDenseMap<int64_t, IndexRange> stretches;

  // Masks of true sizes are left out where the least one lies behind.
  void readLeastSizes(const KernelContext &context);
  // And all of them, for a run whose true sizes are the largest ones.
  void leaveMasksOut(bool all) {
    noMasks_ = all;
    nextPoint();
  }

  // The vreg (or mask, for i1) of `v` at `point`. Memoised until `nextPoint`.
  mlir::Value evaluate(mlir::Value v, const DimMap &map, const Point &point);
  void nextPoint() { memo_.clear(); }

  // A packed vreg as it lies in VMEM, 8 * pack rows; only for a block that isPackedAlike.
  mlir::Value loadPacked(ArrayBlock &block, const DimMap &map, const Point &point);

  // Writes a result's vregs of one unit of rows: one value for each of the unit's groups of 8 rows (only the first when
  // the domain's r is not among `map`).
  void store(ArrayBlock &block, llvm::ArrayRef<mlir::Value> values, const Point &point);

  // The index along domain dim d, or the linear index, as a vreg of i32.
  mlir::Value indexVector(int64_t d, const Point &point);
  // First row of the point in the whole domain.
  Linear rowBase(const Point &point) const;
  // Lanes (and rows) inside the domain's extents; null when all of the point is.
  mlir::Value boundsMask(const Point &point, bool rows, bool lanes);

 private:
  llvm::DenseMap<mlir::Value, int64_t> leastSizes_;  // of block arguments
  bool noMasks_ = false;
  bool isBeforeEnd(mlir::Value pred, DimMap map, const Point &point) const;
  std::optional<bool> knownMask(mlir::Value pred, const DimMap &map, const Point &point) const;
  std::optional<unsigned> knownSide(mlir::Value v, const DimMap &map, const Point &point) const;
  std::optional<IndexRange> indicesOf(int64_t d, const Point &point) const;
  mlir::Value load(ArrayBlock &block, const DimMap &map, const Point &point);
  mlir::Value loadVector(ArrayBlock &block, int64_t dim, const Point &point);
  class ShuffledLoad;
  mlir::Value loadShuffled(ArrayBlock &block, const DimMap &map, const Point &point);
  mlir::Value extractPart(const ArrayBlock &block, mlir::Value word, const Linear &part);
  mlir::Value extractTop(const ArrayBlock &block, mlir::Value top);
  mlir::Value toLaneForm(const ArrayBlock &block, mlir::Value packedLow);
  mlir::Value unpack(const ArrayBlock &block, mlir::Value packed, int64_t part);
  mlir::Value pack(const ArrayBlock &block, llvm::ArrayRef<mlir::Value> groups);
  mlir::Value unpackBelowByte(const ArrayBlock &block, mlir::Value packed, int64_t group);
  mlir::Value packBelowByte(const ArrayBlock &block, llvm::ArrayRef<mlir::Value> groups);
  Linear localIndex(const ArrayBlock &block, int64_t phys, const Point &point) const;
  static Code::Extent extentOf(const plan::ArrayBlock &block);
  void storePart(ArrayBlock &block, mlir::Value v, const Linear &word, const Linear &part, int64_t stride,
                 mlir::Value mask);

  struct Place {
    DimMap map;
    int64_t sub;
  };
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::pair<Place, mlir::Value>, 1>> memo_;
};

}  // namespace tpuc::lowering
