// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a sort.
//
//   sort_setup.cpp   the index space, the arrays' blocks, the values that the network holds of each element
//   sort_blocks.cpp  where blocks and network lie in VMEM, and how much of a sequence comes in at once
//   sort_plan.cpp    how to sort, by cost or as a plan says
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/kernels.h"
#include "passes/plan/sort/sort_order.h"
#include "passes/plan/sort/sort_shape.h"

namespace tpuc::plan {

class GivenPlan;

// Whether an operand of the kernel's sort is made of positions.
inline bool isPositions(mlir::Value v) { return v.getDefiningOp<stablehlo::IotaOp>() != nullptr; }

// Where elements lie: along lanes, rows in sublanes; a long row alone, or an array of one dim, along both; a sorted dim
// that isn't the last one in vregs, columns in lanes and column tiles in sublanes, or, where there are few of these,
// its elements; turned rows like such columns.
enum class Lie { Rows, LongRows, Vector, Columns, ColumnTiles, TurnedRows };
// Column tiles that a vreg takes at once.
inline int64_t tilesHeldBy(Lie lie) { return lie == Lie::LongRows || lie == Lie::ColumnTiles ? 8 : 1; }
// What a word holds that is an element's only value: a float of JAX's order and, where equal ones differ, its position,
// of sequences of less than 2^22; a key of 16 bits above a position.
enum class SortCode { None, Float, KeyAndPosition };
// Sequences whole in VMEM; there too, but they come and go in parts; cut, the first of all blocks so far kept there;
// cut, through HBM.
enum class Way { Whole, Parts, First, Streams };
// How the first few are found where no network sorts all.
enum class Few { None, Rounds, Groups };

class SortPlan {
 public:
  SortPlan(KernelContext &context, stablehlo::SortOp op)
      : context_(context), op_(op), order_(op.getComparator().front()) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();
  // HBM that the kernel needs beside its arrays, because VMEM does not hold a sequence; 0: none.
  int64_t scratchBytes();

 protected:
  struct Result {
    mlir::Value sorted;  // of the sort
    std::unique_ptr<ArrayBlock> block;
    std::unique_ptr<Domain> view;
  };
  // A grid by which sorted blocks leave.
  struct Leaving {
    std::unique_ptr<Grid> grid;
    llvm::SmallVector<Result *> results;  // of one extent
  };

  // Refuses a comparator that lanes do not have.
  mlir::LogicalResult refuseComparator();
  int64_t sortedDim() const {
    return lie_ == Lie::Rows || lie_ == Lie::LongRows || lie_ == Lie::TurnedRows ? domain_.c() : domain_.r();
  }
  int64_t otherDim() const { return sortedDim() == domain_.c() ? domain_.r() : domain_.c(); }
  SortShape keptShape() const;

  KernelContext &context_;
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
  SortShape shape_;
  int64_t word_ = 0;  // of the network
  Few few_ = Few::None;
  FirstKeys first_;
  int64_t run_ = 0;      // vregs of the runs of which the first is kept; 0: all is sorted
  bool padded_ = false;  // elements past the end
  int64_t part_ = 0;     // vregs of a sequence that come and go at once, where they do in parts
  // Sequences that are cut.
  std::string scratch_;  // buffer
  SortBlocks cut_;
  llvm::SmallVector<Leaving> leaving_;
  bool inTurn_ = false;    // sequences share the memory between
  int64_t keptWord_ = -1;  // of the first of all blocks so far, where no more is kept
  // The network's values: first keys, then operands, then positions.
  llvm::SmallVector<int64_t> keyAt_, operandAt_;
  int64_t positionAt_ = -1, values_ = 0;
  SortCode code_ = SortCode::None;

 private:
  // Setup.
  bool hasComparator();
  void bind();
  void addResult(unsigned i);
  void chooseValues();
  SortCode chooseCode();
  bool allows(Few few);

  // Blocks.
  static constexpr double kCyclesOfStep = 150;  // before and after a step's loops
  int64_t roomWords() const;
  void setShape(int64_t vregs);
  int64_t place();
  void placeCut(int64_t vregs);
  int64_t placeStream(int64_t vregs);
  int64_t placeParts();
  void makeGrid();
  void makeStreamGrids();
  int64_t layInTurn(llvm::ArrayRef<ArrayBlock *> blocks);
  void placeInTurn();
  void prepareStream();
  bool chooseStreamBlocks();
  double cyclesOfSteps() const;
  mlir::LogicalResult chooseBlocks();
  int64_t leastCut() const { return std::max<int64_t>({2, 2 * run_, lie_ == Lie::Rows ? 1 : pack_}); }
  int64_t otherGranule() const {
    return lie_ == Lie::Rows || lie_ == Lie::LongRows ? domain_.unitRows() : lie_ == Lie::ColumnTiles ? 1024 : 128;
  }

  // How to sort.
  mlir::LogicalResult choose();
  mlir::LogicalResult follow();
  mlir::LogicalResult followCut(const GivenPlan &given);
  mlir::LogicalResult followParts(const GivenPlan &given);
  int64_t cyclesOf(Few few) const;
  int64_t chooseWay();
  void chooseRows();
  bool mayTurn() const;
  bool fitTurned();
  int64_t chooseParts() const;
  bool fitParts();
  void lieAs(Lie lie);
  bool fit();
  bool fitFirst();
  bool fitStream();
  bool hasRoom();

  mlir::RankedTensorType scratchType_;
  int64_t cutWords_ = 0;  // VMEM that it takes to cut sequences
};

// The scratchBytes of a kernel with a sort; 0 for others.
int64_t sortScratchBytes(kernel::FusionOp fusion, const target::Target &target);

}  // namespace tpuc::plan
