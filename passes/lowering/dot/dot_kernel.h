// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul kernel: what its lowering knows, shared by the files that do it.
//
//   dot_setup.cpp   the index space, the operands' views of it, the matrix mode
//   dot_ends.cpp    contractions that end before their arrays do
//   dot_blocks.cpp  block sizes and the use of the arrays, by cost
//   dot_stage.cpp   operands that are converted, computed or transposed into scratch before the pushes
//   dot_kernel.cpp  the code of a grid step
#pragma once
#include "passes/analysis/dot_roles.h"
#include "passes/lowering/dot/mxu_mode.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

class DotKernel {
 public:
  DotKernel(KernelContext &context, Code &code) : context_(context), c_(code) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  struct Operand {
    mlir::Value value;                                // the dot's operand, computed from
    std::vector<std::unique_ptr<ArrayBlock>> blocks;  // these
    llvm::SmallVector<mlir::Value> arrays;            // the fusion's arguments that they are
    Domain view;                                      // rows along sublanes, lanes as the arrays want them
    DimMap map;
    std::unique_ptr<Body> body;
    bool ready = false;  // one array, of the mode's type and tiles: pushed as it lies
    mlir::Value mask;    // of what is ready: where it is not zero; null: everywhere
    ArrayBlock *array = nullptr;
    bool transposed = false;  // the arrays' lanes are the view's rows
    Domain source;            // transposed: the view with rows and lanes exchanged
    std::unique_ptr<Body> sourceBody;
    std::unique_ptr<ArrayBlock> scratch;  // staged: what is pushed
  };

  // Setup.
  mlir::LogicalResult findDot();
  mlir::LogicalResult chooseMode();
  mlir::LogicalResult addEpilogue();
  llvm::SmallVector<int64_t> resultOrder();
  mlir::LogicalResult chooseDims();
  mlir::LogicalResult makeOperands();
  void findEnd();
  std::optional<int64_t> endOf(const Operand &o);
  void nameDims(Operand &o, bool rhs);
  mlir::LogicalResult makeOperand(Operand &o);
  void findReady(Operand &o);
  std::unique_ptr<ArrayBlock> makeBlock(mlir::Value v, mlir::ArrayAttr orders, unsigned i, const Origin &origin,
                                        DimMap map, const Domain *view, bool isResult);
  void syncViews();
  bool isEpilogue(mlir::Operation *op) const { return epilogue_.contains(op); }

  // Blocks.
  mlir::LogicalResult chooseBlocks();
  int64_t place();
  void setOrder(bool columnsOutside);
  double cost();
  double unevenness() const;
  void splitArrays();
  bool fits();
  int64_t sharedWords() const;
  double overlappedCycles(double step, int cores) const;
  double stepCycles();
  double tileCycles();
  double popCycles() const;
  double weightCycles() const;
  double workOf(const Operand &o) const;
  double stagingCycles() const;
  double tilesPerUnit() const;
  void chooseRing();
  void chooseStaging();

  // Code.
  struct Tile {  // a k tile of a group of columns
    Point lead;  // batch and leading n
    Linear group;
    Point k;              // leading k, and the tile
    Linear lanes;         // of k in it, of all arrays together where they take several
    Linear sums;          // first accumulator group of its results
    int64_t variant = 0;  // the pass
  };
  struct Results {  // of a unit, complete in the accumulators
    Point lead;
    Linear group, sums;
    bool apart = false;  // in others than the unit's that is pushed
  };
  enum SumsPart : int64_t { Pushed, Leaving };
  void emitStep(const Step &step);
  void emitStages(const Step &step);
  bool movesWithin(const Operand &o) const;
  void stageDirect(Operand &o);
  void stageTransposed(Operand &o);
  void stageTile(Operand &o, const Point &at, const Linear &rowTile, const Linear &laneTile, int64_t groups);
  void storeStaged(Operand &o, const Point &at, llvm::ArrayRef<mlir::Value> groups);
  void emitUnits(const Step &step);
  void emitTiles(const Tile &first, int64_t count, int64_t last, llvm::function_ref<void()> next,
                 const Results *leaving = nullptr);
  void emitRaggedTiles(const Step &step, const Tile &first);
  void findTilesLeft(const Step &step);
  void emitTilesLeft(const Tile &first, llvm::function_ref<void()> next, const Results *leaving);
  void runTile(const Tile &tile, llvm::function_ref<void()> stageNext, const Results *leaving = nullptr);
  mlir::Value unitTrip();
  mlir::Value groupTrip();
  void stageWeights(const Tile &tile);
  void stageDirectWeights(const Tile &tile, int64_t array);
  void stageTransposedWeights(const Tile &tile, int64_t array);
  void pushRows(const Tile &tile, const Results *leaving = nullptr);
  void pushUnit(const Tile &tile, const Point &outer, const Linear &unit, const Linear &units);
  void popRows(const Results &results);
  void popUnit(const Results &results, const Point &outer, const Linear &unit, const Linear &units);
  void storeResults(const Point &at, llvm::ArrayRef<mlir::Value> popped);
  void swap();
  mlir::Value toMode(const Operand &o, mlir::Value v);
  mlir::Value fetch(Operand &o, const Point &at, int64_t firstGroup, bool low);
  mlir::Value fetchReady(Operand &o, const Point &at);
  Linear sumsOf(const Linear &unit, const Linear &group, const Point &lead);
  bool isPadding(int64_t sub) const {
    return domain_.dims[m_] <= 8 * sub;
  }  // a unit's group of 8 rows: none of them is there
  Linear accumulator(const Linear &sums, const Point &rows, const Linear &unit, int64_t sub);
  int64_t groupSums() const {
    return unitsPerArray() * domain_.pack * product(mLead_);
  }  // accumulator groups of a column group
  Point arrayPoint(const Linear &group, int64_t array, const Point &at);
  // Of k, what array `array` takes of the tile.
  Linear lanesTaken(const Tile &tile, int64_t array) const { return tile.lanes + Linear(-kOf(array) * side_); }
  bool ends() const { return end_ >= 0; }
  int64_t lanesHeld() const { return std::min(side_, domain_.block[kLast_]); }
  int64_t kTiles() const { return llvm::divideCeil(domain_.block[kLast_], side_); }
  int64_t unitsPerArray() const {
    return llvm::divideCeil(llvm::divideCeil(domain_.block[m_], domain_.unitRows()), down_);
  }
  int64_t resultArrays() const { return across_ * down_ * wide_; }
  int64_t arraysUsed() const { return resultArrays() * deep_; }
  int64_t kOf(int64_t array) const { return array / resultArrays(); }  // which of a step's k tiles an array takes
  bool overGroups() const { return groups_ > 1 || batch_.empty(); }    // what a run's units are, else batches
  int64_t batchTrips() const { return batch_.empty() ? 1 : domain_.block[batch_.back()] / wide_; }
  // All batches' groups in one run, at whose end alone the arrays are waited for.
  bool overBoth() const {
    return groups_ > 1 && batchTrips() > 1 && !kSplit_ && !isRagged() &&
           !(domain_.steps(n_) > 1 && domain_.hasTail(n_));
  }
  int64_t unitTrips() const { return overBoth() ? groups_ * batchTrips() : overGroups() ? groups_ : batchTrips(); }
  int64_t lastLanes() const { return domain_.block[kLast_] - (kTiles() - 1) * side_; }  // of a block's last k tile
  bool isRagged() const {
    return !ends() &&
           ((product(kLead_) > 1 && lastLanes() != side_) || (domain_.steps(kLast_) > 1 && domain_.hasTail(kLast_)));
  }
  int64_t keptRows() const {
    return unitsPerArray() * domain_.unitRows() * product(mLead_);
  }  // of a unit in each array's accumulators
  llvm::SmallVector<int64_t> outerDims() const;
  int64_t product(llvm::ArrayRef<int64_t> dims) const;  // of the block's extents

  KernelContext &context_;
  Code &c_;
  stablehlo::DotGeneralOp dot_;
  llvm::DenseSet<mlir::Operation *> epilogue_;  // ops after the dot
  analysis::DotRoles roles_;
  MxuMode mode_;
  llvm::SmallVector<mlir::Value> epilogueArgs_;               // space_.inputs are theirs
  Space space_;                                               // the epilogue's classes and blocks
  Domain domain_;                                             // the results' view
  llvm::SmallVector<int64_t> batch_, mLead_, nLead_, kLead_;  // dims of domain_
  int64_t kLast_ = 0, m_ = 0, n_ = 0;
  llvm::DenseMap<int64_t, int64_t> lhsDim_, rhsDim_, outDim_;  // operand dims -> domain dims
  Operand rows_, weights_;
  std::unique_ptr<Body> body_;
  std::unique_ptr<Grid> grid_;
  int64_t side_ = 128, arrays_ = 1;
  int64_t across_ = 1, down_ = 1, wide_ = 1;  // arrays side by side over columns, over rows, over the last batch dim
  int64_t deep_ = 1;                          // and over k: their results are added as they leave
  int64_t end_ = -1;                          // SMEM's word where the contraction ends; -1: with its arrays
  mlir::Value tilesLeft_;                     // ends: k tiles of the step's block, 1 at least
  Linear kLeft_;                              // and what is left of k in the block, in and behind them
  int64_t groups_ = 1;                        // of column tiles
  int64_t ring_ = 1;                          // units whose results the accumulators hold at once, a power of two
  bool popsAmongPushes_ = true;               // one loop pushes a unit's rows and pops another's
  bool kSplit_ = false;                       // results stay in the accumulators over grid steps
  bool keepsToShare_ = true;                  // blocks within a kernel's share of VMEM
};

}  // namespace tpuc::lowering
