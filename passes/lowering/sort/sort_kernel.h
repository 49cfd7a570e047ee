// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of a sort: how its elements lie, which way they are sorted, the blocks that a grid moves.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/lowering/sort/first_rounds.h"
#include "passes/lowering/sort/sort_network.h"
#include "passes/lowering/sort/sort_order.h"
#include "passes/lowering/sort/sort_stream.h"
#include "passes/plan/grid/grid_plan.h"

namespace tpuc::lowering {

// Whether an operand of the kernel's sort is made of positions.
inline bool isPositions(mlir::Value v) { return v.getDefiningOp<stablehlo::IotaOp>() != nullptr; }

enum class Lie { Rows, LongRows, Vector, Columns, ColumnTiles };
// Sequences whole in VMEM; cut, the first of all blocks so far kept there; cut, through HBM.
enum class Way { Whole, First, Streams };

class SortKernel {
 public:
  SortKernel(KernelContext &context, Code &code, stablehlo::SortOp op)
      : context_(context), c_(code), op_(op), order_(op.getComparator().front()) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);
  int64_t scratchBytes();

 private:
  using Values = llvm::SmallVector<mlir::Value>;
  struct Result {
    mlir::Value sorted;  // of the sort
    std::unique_ptr<ArrayBlock> block;
    std::unique_ptr<Domain> view;
    std::unique_ptr<Body> body;
  };

  void bind();
  void chooseValues();
  bool allowsRounds();
  mlir::LogicalResult choose();
  mlir::LogicalResult follow();
  mlir::LogicalResult followCut(const plan::GivenPlan &given);
  void chooseWay();
  void lieAs(Lie lie);
  bool fit();
  bool fitFirst();
  bool fitStream();
  bool hasRoom();
  void prepareStream();
  bool chooseStreamBlocks();
  int64_t leastCut() const { return std::max<int64_t>({2, 2 * run_, lie_ == Lie::Rows ? 1 : pack_}); }
  void addResult(unsigned i);
  mlir::LogicalResult chooseBlocks();
  void setShape(int64_t vregs);
  int64_t place();
  int64_t placeStream(int64_t vregs);
  void makeGrid();
  void makeStreamGrids();
  int64_t layInTurn(llvm::ArrayRef<ArrayBlock *> blocks);
  void placeInTurn();
  int64_t sortedDim() const { return lie_ == Lie::Rows || lie_ == Lie::LongRows ? domain_.c() : domain_.r(); }
  int64_t otherDim() const { return sortedDim() == domain_.c() ? domain_.r() : domain_.c(); }
  int64_t otherGranule() const {
    return otherDim() != domain_.c() ? domain_.unitRows() : lie_ == Lie::ColumnTiles ? 1024 : 128;
  }

  // Every vreg of the block's operands in lane form, and where its elements go: `body(lanes of each operand, positions,
  // network's vreg)`.
  void forOperands(llvm::function_ref<void(llvm::ArrayRef<mlir::Value>, mlir::Value, const Linear &)> body);
  void put(llvm::ArrayRef<mlir::Value> lanes, mlir::Value at, const Linear &vreg);
  void putOut(llvm::ArrayRef<Result *> results);
  mlir::Value stored(unsigned operand, const Linear &vreg, int64_t stride);
  mlir::Value before(const SortNetwork::Element &a, const SortNetwork::Element &b);
  SortNetwork network();
  SortNetwork outcome();
  SortShape keptShape() const;
  void emitStep(const Step &step);
  llvm::SmallVector<uint32_t> lastElement() const;
  void emitStream(mlir::Value start, mlir::Value count);
  void emitFirst(mlir::Value start, mlir::Value count);
  // Whose blocks a step sorts, by number of those that lie in HBM.
  Linear firstSequence(mlir::Value group) const { return inTurn_ ? Linear(0) : Linear(group) * shape_.units; }
  void sortBlocks(mlir::Value group);
  void finishBlocks(mlir::Value group, Grid &grid, llvm::ArrayRef<Result *> results);

  KernelContext &context_;
  Code &c_;
  stablehlo::SortOp op_;
  SortOrder order_;
  Lie lie_ = Lie::Rows;
  Way way_ = Way::Whole;
  Domain domain_;
  DimMap map_;
  int64_t size_ = 0, pack_ = 1;
  int64_t groups_ = 1;                                     // of 8 rows that a unit of rows has
  llvm::SmallVector<std::unique_ptr<ArrayBlock>> inputs_;  // null: positions, which no array has to hold
  llvm::SmallVector<Result> results_;
  std::unique_ptr<Grid> grid_;
  std::unique_ptr<Body> in_;
  SortShape shape_;
  bool rounds_ = false;  // the first few one by one, no network
  FirstRounds first_;
  int64_t run_ = 0;      // vregs of the runs of which the first is kept; 0: all is sorted
  bool padded_ = false;  // elements past the end
  // Sequences that are cut: the block at hand, its first position and its slot.
  std::string scratch_;
  mlir::RankedTensorType scratchType_;
  SortStream stream_;
  struct Leaving {
    std::unique_ptr<Grid> grid;
    llvm::SmallVector<Result *> results;  // of one extent
  };
  llvm::SmallVector<Leaving> leaving_;
  Linear firstPosition_, slot_;
  bool inTurn_ = false;    // sequences share the memory between
  int64_t cutWords_ = 0;   // VMEM that it takes to cut sequences
  int64_t keptWord_ = -1;  // of the first of all blocks so far, where no more is kept
  // The network's values: first keys, then operands, then positions.
  llvm::SmallVector<int64_t> keyAt_, operandAt_;
  int64_t positionAt_ = -1, values_ = 0, word_ = 0;
};

}  // namespace tpuc::lowering
