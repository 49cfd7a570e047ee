// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop kernel: what its lowering knows, shared by the files that do it.
//
//   loop_kernel.cpp  the index space, blocks, what is kept
//   loop_reduce.cpp  the code of reductions and results
//   loop_rows.cpp    the same where rows are short: in one piece
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/MapVector.h"
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

struct Reduction {
  stablehlo::ReduceOp op;
  std::optional<Reducer> reducer;            // null: the op's region, on all its operands together
  llvm::SmallVector<int64_t> kept, reduced;  // domain dims, in domain order
  int64_t scratchWord = 0, scratchWords = 0, region = 0;
  bool pinned = false;  // its consumers walk the reduced dims again
  bool late = false;    // needs another reduction that completes at the sequence's end
  bool sequential = false;
};

// A value that a reduction walks and others walk again, too dear to compute twice: kept in VMEM, a vreg for each of the
// block's.
struct KeptValue {
  llvm::SmallVector<int64_t> dims;
  int64_t word = 0, region = 0;
};

class LoopKernel {
 public:
  LoopKernel(KernelContext &context, Code &code) : context_(context), c_(code) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  mlir::LogicalResult analyse();
  llvm::SmallVector<int64_t> dimsOf(mlir::Value v);
  void findKept();
  void findReplaced(llvm::DenseSet<int64_t> &whole);
  mlir::LogicalResult checkReplaced();
  int64_t vregsOf(llvm::ArrayRef<int64_t> dims) const;
  Linear vregAt(llvm::ArrayRef<int64_t> dims, const Linear &first, const Point &p) const;
  mlir::LogicalResult chooseBlocks();
  int64_t place();
  void emitStep(const Step &step);
  int64_t accumulatorSets(const Reduction &r);
  void accumulate(Reduction &r, const Step &step);
  bool finishesAtOnce(const Reduction &r) const;
  llvm::SmallVector<mlir::Value> finished(Reduction &r, const Point &p, llvm::ArrayRef<mlir::Value> partial);
  void finalise(Reduction &r);
  void emitReduction(Reduction &r, const Step &step);
  bool fitsRows();
  void emitRows();
  void reduceRow(Reduction &r, const Point &row);
  void storeRow(const Point &row);
  mlir::Value neutralOutside(Reduction &r, unsigned operand, mlir::Value v, const Point &p, bool maskLanes);
  Linear scratchAddress(const Reduction &r, unsigned operand, const Point &p);
  llvm::SmallVector<mlir::Value> inputsOf(Reduction &r, unsigned operand, const Point &p, bool rows, bool maskLanes);
  mlir::Value identity(Reduction &r, unsigned operand, const Point &p);
  llvm::SmallVector<mlir::Value> combine(Reduction &r, llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b);
  llvm::SmallVector<mlir::Value> acrossVreg(Reduction &r, llvm::ArrayRef<mlir::Value> values);

  KernelContext &context_;
  Code &c_;
  Space space_;
  llvm::SmallVector<Reduction> reductions_;
  llvm::DenseMap<mlir::Value, size_t> reductionOf_;
  llvm::MapVector<mlir::Value, KeptValue> kept_;
  bool inRows_ = false;  // rows are short: each is reduced and stored in one piece, from registers
  llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::Value>>
      rowValues_;  // of the row in work: what its reductions walk and others use, their results
  llvm::SmallVector<std::pair<size_t, size_t>> replaced_;  // inputs, and the results that lie over them
  std::unique_ptr<Body> body_;
  std::unique_ptr<Grid> grid_;
};

}  // namespace tpuc::lowering
