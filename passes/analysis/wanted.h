// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of each array of a program of open sizes anyone asks for: behind a true size there may be anything, and a
// kernel need not compute it.
#pragma once
#include <optional>

#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::analysis {

// A number of elements: scale * the true size that main's argument `size` has, plus offset.
struct End {
  mlir::Value size;
  int64_t scale = 1, offset = 0;
  bool operator==(const End &) const = default;
};

// Backwards from main's results, of which the runtime takes the true elements alone: what an element is computed from
// is asked for, and of what a select leaves out behind a size nothing is. A value that somebody asks for whole, or up
// to two sizes, has no end.
class Wanted {
 public:
  // `main` after fusion.
  explicit Wanted(mlir::func::FuncOp main);
  // The end behind which nobody asks for elements of the dim; nothing where all are asked for, or none at all.
  std::optional<End> endOf(mlir::Value value, int64_t dim) const;
  // The end behind which the operands of a reduction have, along a dim, only values of masks, which do not change its
  // result.
  std::optional<End> reducedEnd(mlir::Operation *reduce, int64_t dim) const;

 private:
  struct Want {
    enum Kind { Nothing, Before, All } kind = Nothing;
    End end = {};
    bool operator==(const Want &) const = default;
  };
  using Wants = llvm::SmallVector<Want, 4>;
  using Maker = llvm::function_ref<Want(int64_t dim)>;

  void readResults(mlir::func::FuncOp main);
  Wants of(mlir::Value value) const;
  void want(mlir::Value value, Maker wanted);
  void wantAll(mlir::Value value);
  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitControl(mlir::Operation *op);
  void visitLoop(mlir::Operation *op);
  bool visitMove(mlir::Operation *op, const Wants &wants);
  bool visitPart(mlir::Operation *op, const Wants &wants);
  bool visitSum(mlir::Operation *op, const Wants &wants);
  void visitSelect(mlir::Operation *op, const Wants &wants);
  void visitReshape(mlir::Operation *op, const Wants &wants);
  mlir::Value source(mlir::Value value) const;
  std::optional<End> sizeOf(mlir::Value scalar) const;
  using Ends = llvm::SmallVector<std::optional<End>, 4>;
  void findMask(mlir::Value pred, llvm::SmallVectorImpl<std::optional<End>> &ends) const;
  // An element's number along a dim, `offset` added; -1 for no dim.
  struct Place {
    int64_t dim = -1, offset = 0;
  };
  std::optional<Place> placeOf(mlir::Value number, llvm::ArrayRef<int64_t> along) const;
  void findDiagonal(mlir::Value pred, bool outcome, llvm::ArrayRef<int64_t> along, const Wants &wants,
                    Ends &ends) const;
  Ends diagonal(stablehlo::SelectOp select, bool outcome, const Wants &wants) const;
  std::optional<End> neutralBehind(mlir::Value value, int64_t dim, llvm::function_ref<bool(mlir::Value)> leaves) const;
  std::optional<End> endOf(stablehlo::SelectOp select, int64_t dim, llvm::function_ref<bool(mlir::Value)> leaves) const;

  llvm::DenseMap<mlir::Value, Wants> wants_;
  llvm::DenseMap<mlir::Value, mlir::Value> inputs_;  // of kernels' arguments
  bool changed_ = false;
};

}  // namespace tpuc::analysis
