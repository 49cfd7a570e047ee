// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of open sizes as one of its largest sizes, op by op. Of every value it is known how much of each dimension
// is true: the elements before the extent. Those behind it are padding, and nobody knows what they are. An op through
// which padding would reach a true element gets a mask in front.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/shapes/extent.h"
#include "passes/shapes/joined_dims.h"
#include "passes/shapes/padded_rows.h"
#include "passes/shapes/size_values.h"

namespace tpuc::shapes {

using Extents = llvm::SmallVector<Extent>;

// What sizes have to fulfil, to be asked when they are known: `size` is 0, or at least 0.
struct SizeCondition {
  std::string size;
  bool zero = false;
  std::string message;
  mlir::Location location;
};

class Padder;
// Makes `op`, whose operands have static types and known extents, an op of static types, and says the extents of its
// results.
using PadRule = mlir::LogicalResult (*)(mlir::Operation *op, Padder &padder);
using PadRules = llvm::StringMap<PadRule>;

class Padder {
 public:
  explicit Padder(mlir::func::FuncOp main);

  // Pads main, whose arguments' extents are set. Gives false without an error where an op can only be compiled for the
  // exact size: see `refused`.
  mlir::LogicalResult run();
  mlir::Operation *refused() const { return refused_; }
  const std::string &whyRefused() const { return whyRefused_; }
  llvm::ArrayRef<SizeCondition> conditions() const { return conditions_; }

  ExtentSpace space;
  SizeValues values{space};
  PaddedRows rows;

  // True sizes.
  void setExtents(mlir::Value value, Extents extents) { extents_[value] = std::move(extents); }
  Extents extents(mlir::Value value) const;
  // Has the dimension, or any, elements that are no true ones?
  bool isPadded(mlir::Value value, int64_t dim) const;
  bool isPadded(mlir::Value value) const;
  llvm::SmallVector<int64_t> paddedAmong(mlir::Value value, llvm::ArrayRef<int64_t> dims) const;
  // The largest shape of these extents; every value has that of its extents.
  llvm::SmallVector<int64_t> capacity(llvm::ArrayRef<Extent> extents);
  mlir::RankedTensorType typeOf(mlir::Type element, llvm::ArrayRef<Extent> extents);

  // Where dims were joined to make the value.
  std::optional<Join> joinOf(mlir::Value value) const;
  void setJoin(mlir::Value value, const Join &join) { joins_[value] = join; }
  // Visits an op that was made; what stands for its results then. Nothing, and the op is gone, where it is refused.
  std::optional<llvm::SmallVector<mlir::Value>> resultsOf(mlir::Operation *op);

  // Ends of a rule: the op keeps its place with other result types, or `value` stands for its result.
  mlir::LogicalResult retype(mlir::Operation *op, llvm::ArrayRef<Extents> extents);
  mlir::LogicalResult replace(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values, llvm::ArrayRef<Extents> extents);
  // And what is known of its results.
  void erase(mlir::Operation *op);
  // The program has to be compiled for its exact size.
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &why);
  mlir::LogicalResult block(mlir::Block &block);
  // Sizes that only programs of a sound size have. An error where no size is sound.
  mlir::LogicalResult requireEqual(mlir::Operation *op, const Extent &a, const Extent &b, const llvm::Twine &what);
  mlir::LogicalResult requireAtLeast(mlir::Operation *op, const Extent &a, const Extent &b, const llvm::Twine &what);
  mlir::LogicalResult requireTrue(mlir::Operation *op, const Extent &holds, const llvm::Twine &message);

  // Builds in front of `op` (masks.cpp).
  // The extent as a number of the program: i32, or `element`.
  mlir::Value scalar(const Extent &extent);
  mlir::Value scalar(const Extent &extent, mlir::Type element, mlir::OpBuilder &builder, mlir::Location location);
  // `value` with `fill` (a scalar) where it is padding in one of `dims`; `why` is what the mask says of itself.
  mlir::Value masked(mlir::Operation *op, mlir::Value value, llvm::ArrayRef<int64_t> dims, mlir::Value fill,
                     llvm::StringRef why);
  mlir::Value masked(mlir::Operation *op, mlir::Value value, llvm::ArrayRef<int64_t> dims, const simplify::Scalar &fill,
                     llvm::StringRef why);
  // Whether each place of a `shape` lies in the extents of `dims`.
  mlir::Value within(mlir::OpBuilder &builder, mlir::Location location, llvm::ArrayRef<int64_t> shape,
                     llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<Extent> extents);
  // Cut, or filled up with zeros behind, to the shape.
  mlir::Value fitted(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value,
                     llvm::ArrayRef<int64_t> shape);
  // `size` elements of a dimension from `start` (an i32) on; start + size is at most `last`, and zeros follow the
  // value's own.
  mlir::Value shifted(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value, int64_t dim,
                      mlir::Value start, int64_t size, int64_t last);

  mlir::func::FuncOp main() { return main_; }

 private:
  mlir::LogicalResult visit(mlir::Operation *op);
  bool needsRule(mlir::Operation *op) const;
  mlir::Value symbolValue(llvm::StringRef name);
  template <typename Op, typename... Args>
  mlir::Value sizeOp(Args &&...args);
  mlir::Value sizeNumber(int64_t number);
  mlir::Value atomValue(const ExtentSpace::Atom &atom);

  mlir::func::FuncOp main_;
  PadRules rules_;
  llvm::DenseMap<mlir::Value, Extents> extents_;
  Joins joins_;
  std::map<Extent, mlir::Value> scalars_;
  mlir::Operation *lastSize_ = nullptr;  // that was made for them
  std::vector<SizeCondition> conditions_;
  mlir::Operation *refused_ = nullptr;
  std::string whyRefused_;
};

// An attribute of a mask: why it stands there.
inline constexpr llvm::StringLiteral kMaskAttr = "shapes.mask";

mlir::Value splat(mlir::OpBuilder &builder, mlir::Location location, mlir::Type element, const simplify::Scalar &value,
                  llvm::ArrayRef<int64_t> shape = {});
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location location, mlir::Type element, int64_t value,
                  llvm::ArrayRef<int64_t> shape = {});
// Scalars; of any type of elements, and of complex ones.
mlir::Value zeroOf(mlir::OpBuilder &builder, mlir::Location location, mlir::Type element);
mlir::Value complexNumber(mlir::OpBuilder &builder, mlir::Location location, mlir::ComplexType element,
                          const llvm::APFloat &real);
mlir::Value broadcast(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value,
                      llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims);
// max(low, min(value, high)) of integers of one shape.
mlir::Value clamped(mlir::OpBuilder &builder, mlir::Location location, mlir::Value value, int64_t low,
                    mlir::Value high);

// Rules by op, a family a file: pad_elementwise.cpp, pad_moves.cpp, pad_reductions.cpp, pad_windows.cpp, pad_sorts.cpp,
// pad_indexing.cpp, pad_norms.cpp, pad_control.cpp.
void addElementwiseRules(PadRules &rules);
void addMoveRules(PadRules &rules);
void addReductionRules(PadRules &rules);
void addWindowRules(PadRules &rules);
void addSortRules(PadRules &rules);
void addIndexingRules(PadRules &rules);
void addNormRules(PadRules &rules);
void addControlRules(PadRules &rules);

}  // namespace tpuc::shapes
