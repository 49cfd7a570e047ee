// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of a sort, as plan/sort/sort_plan.h plans it: its elements' way into the network and out.
#pragma once
#include "passes/lowering/kernels.h"
#include "passes/lowering/sort/first_groups.h"
#include "passes/lowering/sort/first_rounds.h"
#include "passes/lowering/sort/sort_network.h"
#include "passes/lowering/sort/sort_order.h"
#include "passes/lowering/sort/sort_stream.h"
#include "passes/plan/grid/root_plan.h"
#include "passes/plan/sort/sort_plan.h"

namespace tpuc::lowering {

class SortKernel : SortPlan {
 public:
  SortKernel(KernelContext &context, Code &code, stablehlo::SortOp op) : SortPlan(context, op), c_(code) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  using Values = llvm::SmallVector<mlir::Value>;

  // Every vreg of the block's operands in lane form, and where its elements go: `body(lanes of each operand, positions,
  // network's vreg)`.
  using OperandBody = llvm::function_ref<void(llvm::ArrayRef<mlir::Value>, mlir::Value, const Linear &)>;
  class OperandWalk;
  void forOperands(OperandBody body);
  // Of 128 rows, a tile of 128 elements, how many groups of 8 rows there are, a transpose buffer.
  using TileBody = llvm::function_ref<void(const Linear &, const Linear &, int64_t, int64_t)>;
  void forTiles(int64_t elements, TileBody body);
  void forTurnedOperands(OperandBody body);
  void putTurned(Result &r);
  void put(llvm::ArrayRef<mlir::Value> lanes, mlir::Value at, const Linear &vreg);
  void settle(llvm::ArrayRef<Result *> results);
  void putOut(llvm::ArrayRef<Result *> results);
  mlir::Value codeAt(llvm::ArrayRef<mlir::Value> lanes, mlir::Value at);
  mlir::Value decoded(unsigned operand, mlir::Value code);
  mlir::Value stored(unsigned operand, const Linear &vreg, int64_t stride);
  static constexpr uint32_t kOneLess = 0x7ffffffe;
  bool isOneLess();
  uint32_t lastKey();
  mlir::Value before(const SortNetwork::Element &a, const SortNetwork::Element &b);
  SortNetwork network();
  SortNetwork outcome();
  void emitStep(const Step &step);
  llvm::SmallVector<uint32_t> lastElement();
  void emitStream(mlir::Value start, mlir::Value count);
  void emitFirst(mlir::Value start, mlir::Value count);
  void emitParts(mlir::Value start, mlir::Value count);
  void fillRest(int64_t first);
  // Whose blocks a step sorts, by number of those that lie in HBM.
  Linear firstSequence(mlir::Value group) const { return inTurn_ ? Linear(0) : Linear(group) * shape_.units; }
  void sortBlocks(mlir::Value group);
  void finishBlocks(mlir::Value group, Grid &grid, llvm::ArrayRef<Result *> results);
  Body &bodyOf(const Result &result) { return *bodies_[&result - results_.data()]; }

  Code &c_;
  std::unique_ptr<Body> in_;
  llvm::SmallVector<std::unique_ptr<Body>> bodies_;  // by result
  SortStream stream_;
  // The block or part at hand of a sequence: its first position and its words, from the first one's.
  Linear firstPosition_, slot_;
  bool meetsEnd_ = true;  // what is put may be beyond the end
};

}  // namespace tpuc::lowering
