// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop kernel: what its lowering knows, shared by the files that do it.
//
//   loop_kernel.cpp  the grid, and where partial results lie
//   loop_reduce.cpp  the code of reductions and results
//   loop_rows.cpp    the same where rows are short: in one piece
//   positions.cpp    what a reduction's region knows of positions as they are walked
#pragma once
#include "passes/lowering/body/region.h"
#include "passes/lowering/kernels.h"
#include "passes/plan/loop/loop_plan.h"

namespace tpuc::lowering {

class LoopKernel : LoopPlan {
 public:
  LoopKernel(KernelContext &context, Code &code) : LoopPlan(context), c_(code) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  Linear vregAt(llvm::ArrayRef<int64_t> dims, const Linear &first, const Point &p) const;
  Code::Extent extentOf(llvm::ArrayRef<int64_t> dims) const;
  mlir::LogicalResult checkReducers();
  std::optional<SizeEnd> endOfSequence(int64_t d);
  mlir::Value areSizesLargest();
  void emitStep(const Step &step, llvm::ArrayRef<Linear> tripIndex);
  void emitBySize(const Step &step);
  template <typename Emit>
  void emitEither(mlir::Value isFirst, Emit emit);
  int64_t accumulatorSets(const Reduction &r);
  int64_t sumsOf(const Reduction &r) const;
  void clearSums(Reduction &r);
  llvm::SmallVector<mlir::Value> startsOf(Reduction &r, const Point &outer, int64_t sets);
  void addProducts(Reduction &r, stablehlo::MulOp product, const Point &at, llvm::MutableArrayRef<mlir::Value> sums);
  llvm::SmallVector<mlir::Value> addPoint(Reduction &r, const Point &at, mlir::ValueRange sums, bool maskLanes);
  llvm::SmallVector<mlir::Value> addColumns(Reduction &r, const Point &at, mlir::ValueRange sums, int64_t sets);
  void storeSums(Reduction &r, const Point &outer, llvm::MutableArrayRef<mlir::Value> total, int64_t sets);
  void accumulate(Reduction &r, const Step &step);
  void sumJammed(Reduction &r);
  void sumPoints(Reduction &r, llvm::ArrayRef<Point> points);
  bool finishesAtOnce(const Reduction &r) const;
  llvm::SmallVector<mlir::Value> finished(Reduction &r, const Point &p, llvm::ArrayRef<mlir::Value> partial);
  void finalise(Reduction &r);
  void emitReduction(Reduction &r, const Step &step);
  void emitRows();
  void reduceRow(Reduction &r, const Point &row);
  void storeRow(const Point &row);
  mlir::Value neutralOutside(Reduction &r, unsigned operand, mlir::Value v, const Point &p, bool maskLanes);
  Linear scratchAddress(const Reduction &r, unsigned operand, const Point &p);
  llvm::SmallVector<mlir::Value> inputsOf(Reduction &r, unsigned operand, const Point &p, bool rows, bool maskLanes);
  mlir::Value identity(Reduction &r, unsigned operand, const Point &p);
  llvm::SmallVector<mlir::Value> combine(Reduction &r, llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b,
                                         const KnownMasks &known = KnownMasks());
  llvm::SmallVector<mlir::Value> acrossVreg(Reduction &r, llvm::ArrayRef<mlir::Value> values);

  Code &c_;
  llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::Value>>
      rowValues_;  // of the row in work: what its reductions walk and others use, their results
  std::unique_ptr<Body> body_;
};

}  // namespace tpuc::lowering
