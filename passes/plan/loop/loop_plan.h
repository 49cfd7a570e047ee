// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a loop kernel: elementwise ops and reductions over one index space.
//
//   loop_plan.cpp    what it walks, and what its reductions keep
//   loop_blocks.cpp  its blocks: chosen, or as a plan says
//   loop_cost.cpp    what blocks cost
//
// Dims that a reduction's consumers walk again stay whole; other reduced dims may be walked in sequence.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/MapVector.h"
#include "passes/plan/kernels.h"
#include "passes/plan/loop/reducer.h"

namespace tpuc::plan {

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

class LoopPlan {
 public:
  explicit LoopPlan(KernelContext &context) : context_(context) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  llvm::SmallVector<int64_t> dimsOf(mlir::Value v);
  int64_t vregsOf(llvm::ArrayRef<int64_t> dims) const;
  // Whether the reduced vregs are so few that they are straight code.
  bool isStraight(const Reduction &r) const;
  // The product of f32 that a sum takes onto itself, rounded once; null: it adds what its operand is.
  stablehlo::MulOp productOf(Reduction &r) const;
  // Whether the nest of a reduction sums several kept points at once: what they have in common is loaded once for all.
  bool isJammed(const Reduction &r) const;

  KernelContext &context_;
  Space space_;
  llvm::SmallVector<Reduction> reductions_;
  llvm::DenseMap<mlir::Value, size_t> reductionOf_, sourceOf_;
  llvm::MapVector<mlir::Value, KeptValue> kept_;
  llvm::SmallVector<int64_t> jam_;  // by dim: how many points go together; empty: each by itself
  bool inRows_ = false;             // rows are short: each is reduced and stored in one piece, from registers
  llvm::SmallVector<std::pair<size_t, size_t>> replaced_;  // inputs, and the results that lie over them
  llvm::SmallVector<std::pair<size_t, size_t>> carried_;   // likewise, vreg by vreg: what a loop carries
  std::unique_ptr<Grid> grid_;

 private:
  mlir::LogicalResult analyse();
  void findReductions();
  bool fitsRows();
  void findKept();
  void findReplaced();
  bool mayStayUnder(size_t i, size_t k) const;
  mlir::LogicalResult checkReplaced();
  void prepare();
  void findGranules();
  bool mixesSums(int64_t cut) const;
  int64_t halved(int64_t k) const;
  bool wastes(int64_t k) const;
  int64_t wordsWith(int64_t cut);
  int64_t chooseCut(bool mayWaste, bool maySplitSums, bool cutsAllFirst);
  bool leavesCoresIdle() const;
  double search(bool cutsAllFirst);
  double shareOut(double cycles);
  double searchBoth();
  bool cutsAll(int64_t k) const;
  mlir::LogicalResult chooseBlocks();
  mlir::LogicalResult follow();
  void finish();
  int64_t place();

  // Instructions, by the unit that takes them, and cycles beside them.
  struct Work {
    double alu = 0, loads = 0, stores = 0, crossLane = 0, others = 0;
  };
  // A loop of a nest: how often it goes round, and how many vregs of the dim that is.
  struct Trips {
    int64_t dim = 0;
    double trips = 1, vregs = 1;
    bool together = false;  // straight code, in which each value is made once
  };
  using Nest = llvm::SmallVector<Trips>;
  Trips loopOver(int64_t dim) const;
  Nest nestOver(llvm::ArrayRef<int64_t> order) const;
  Nest nestOf(const Reduction &r) const;
  double turnsOf(const Nest &nest, llvm::ArrayRef<int64_t> dims) const;
  double startsOf(const Nest &nest) const;
  void countLoad(const ArrayBlock &block, const DimMap &map, double turns, Work &work) const;
  void countStore(const ArrayBlock &block, const DimMap &map, double turns, Work &work) const;
  void countValue(mlir::Value v, const Nest &nest, llvm::DenseSet<mlir::Value> &seen, Work &work);
  Work workOf(Reduction &r, bool fuses);
  double cyclesOf(const Work &work) const;
  bool mayJam(Reduction &r) const;
  llvm::SmallVector<int64_t> jamsAlong(int64_t dim) const;
  void chooseJam();
  bool mayFollowJam();
  double stepCycles();
  double filledBy(int cores) const;
  double cost();

  llvm::DenseSet<int64_t> whole_, reduced_;  // dims that are not cut, dims that reductions sum over
  llvm::SmallVector<int64_t> granule_;       // what the block along each dim is a multiple of, where it is cut
};

mlir::LogicalResult planLoop(KernelContext &context);

}  // namespace tpuc::plan
