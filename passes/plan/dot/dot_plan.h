// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a matmul kernel.
//
//   dot_setup.cpp   the index space, the operands' views of it, the matrix mode
//   dot_ends.cpp    contractions that end before their arrays do
//   dot_blocks.cpp  block sizes by cost, or as a plan says
//   dot_arrays.cpp  the use of the arrays: what they share, what is staged, how many results are in flight
//   dot_cost.cpp    estimated cycles
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/dot_roles.h"
#include "passes/plan/dot/mxu_mode.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

class Choices;
class GivenPlan;

class DotPlan {
 public:
  explicit DotPlan(KernelContext &context) : context_(context) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  struct Operand {
    mlir::Value value;                                // the dot's operand, computed from
    std::vector<std::unique_ptr<ArrayBlock>> blocks;  // these
    llvm::SmallVector<mlir::Value> arrays;            // the fusion's arguments that they are
    Domain view;                                      // rows along sublanes, lanes as the arrays want them
    DimMap map;
    bool ready = false;  // one array, of the mode's type and tiles: pushed as it lies
    int64_t ops = 0;     // elementwise, that make it of what is loaded
    mlir::Value mask;    // of what is ready: where it is not zero; null: everywhere
    ArrayBlock *array = nullptr;
    bool transposed = false;              // the arrays' lanes are the view's rows
    Domain source;                        // transposed: the view with rows and lanes exchanged
    std::unique_ptr<ArrayBlock> scratch;  // staged: what is pushed
  };

  bool ends() const { return end_ >= 0; }
  int64_t lanesHeld() const { return std::min(side_, domain_.block[kLast_]); }
  int64_t kTiles() const { return llvm::divideCeil(domain_.block[kLast_], side_); }
  int64_t unitsPerArray() const {
    return llvm::divideCeil(llvm::divideCeil(domain_.block[m_], domain_.unitRows()), down_);
  }
  int64_t resultArrays() const { return across_ * down_ * wide_; }
  int64_t arraysUsed() const { return resultArrays() * deep_; }
  int64_t kOf(int64_t array) const { return array / resultArrays(); }  // which of a step's k tiles an array takes
  // The dims around a block's column tiles: leading ones of the columns, and batches. Arrays share the last.
  llvm::SmallVector<int64_t> outerDims() const;
  int64_t lastOuter() const { return !batch_.empty() ? batch_.back() : nLead_.empty() ? -1 : nLead_.back(); }
  int64_t outerTrips(int64_t d) const { return domain_.block[d] / (d == lastOuter() ? wide_ : 1); }
  int64_t outerTrips() const { return product(outerDims()) / wide_; }
  // What a run's units are, at whose end alone the arrays are waited for: all there are in a block, else groups of
  // columns, else the last outer dim.
  bool overAll() const {
    return outerTrips() > 1 && !kSplit_ && !isRagged() &&
           (groups_ == 1 || !(domain_.steps(n_) > 1 && domain_.hasTail(n_)));
  }
  bool overGroups() const { return groups_ > 1 || lastOuter() < 0; }
  int64_t unitTrips() const {
    return overAll() ? groups_ * outerTrips() : overGroups() ? groups_ : outerTrips(lastOuter());
  }
  int64_t lastLanes() const { return domain_.block[kLast_] - (kTiles() - 1) * side_; }  // of a block's last k tile
  bool isRagged() const {
    auto isShort = [&](int64_t d) { return domain_.steps(d) > 1 && domain_.hasTail(d); };
    return !ends() &&
           ((product(kLead_) > 1 && lastLanes() != side_) || isShort(kLast_) || llvm::any_of(kLead_, isShort));
  }
  int64_t keptRows() const {
    return unitsPerArray() * domain_.unitRows() * product(mLead_);
  }  // of a unit in each array's accumulators
  int64_t product(llvm::ArrayRef<int64_t> dims) const;  // of the block's extents

  KernelContext &context_;
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
  std::unique_ptr<Grid> grid_;
  int64_t side_ = 128, arrays_ = 1;
  int64_t across_ = 1, down_ = 1, wide_ = 1;  // arrays side by side over columns, over rows, over the last outer dim
  int64_t deep_ = 1;                          // and over k: their results are added as they leave
  int64_t end_ = -1;                          // SMEM's word where the contraction ends; -1: with its arrays
  int64_t groups_ = 1;                        // of column tiles
  int64_t ring_ = 1;                          // units whose results the accumulators hold at once, a power of two
  bool popsAmongPushes_ = true;               // one loop pushes a unit's rows and pops another's
  bool kSplit_ = false;                       // results stay in the accumulators over grid steps
  bool keepsToShare_ = true;                  // blocks within a kernel's share of VMEM
  bool triesLeast_ = false;                   // smaller blocks too, of dims of millions
  bool isOverShare_ = false;                  // some that were tried are not

 private:
  static constexpr double kTileOverhead = 12;  // cycles between two tiles' rows

  // Setup.
  mlir::LogicalResult findDot();
  mlir::LogicalResult chooseMode();
  mlir::LogicalResult addEpilogue();
  llvm::SmallVector<int64_t> resultOrder();
  mlir::LogicalResult refuseOrder(llvm::StringRef expected);
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
  mlir::LogicalResult cutLeads(double &best);
  mlir::LogicalResult follow();
  mlir::LogicalResult takeArrays(const GivenPlan &given);
  void findGranules();
  // Extents of blocks to try: of a leading dim of the rows with m, of n and a leading dim of the columns, of k and the
  // last batch dim; -1: there is no such leading dim.
  struct Sizes {
    int64_t lead = -1, outer = -1, deep = -1;
    llvm::SmallVector<std::pair<int64_t, int64_t>> rows;
    llvm::SmallVector<int64_t> n, outers{1}, k, batches, depths{1};
  };
  Sizes sizesToTry() const;
  double search(const Sizes &sizes);
  int64_t triedOuter() const;
  int64_t chooseCut() const;
  int64_t leadPart(int64_t d, int64_t size, int64_t parts) const;
  bool cutTiles();
  llvm::SmallVector<int64_t> sizesOf(int64_t d, int64_t granule, llvm::ArrayRef<int64_t> parts) const;
  Choices choicesOf() const;
  bool mayShare(int64_t across, int64_t down, int64_t wide, int64_t deep) const;
  int64_t place();
  void setOrder(bool columnsOutside);
  double cost();
  double leastCycles() const;
  double unevenness() const;
  void splitArrays();
  bool fits();
  int64_t accumulatorRows() const;
  int64_t leastWords_ = INT64_MAX,
          leastRows_ = INT64_MAX;  // of all blocks that were tried: VMEM, accumulators of those
  int64_t sharedWords() const;
  double stepCycles();
  double tileCycles();
  double popCycles() const;
  double rowLoops() const;
  double pushFillCycles() const;
  double popFillCycles() const;
  double weightCycles() const;
  double workOf(const Operand &o) const;
  double stagingCycles() const;
  double tilesPerUnit() const;
  void chooseRing();
  void chooseStaging();
  void stage(Operand &o, bool isStaged);

  llvm::DenseSet<int64_t> whole_;                    // dims that are not cut
  int64_t rowGranule_ = 8, columnGranule_ = 128;     // what blocks of m and n are multiples of, where they are cut
  llvm::SmallVector<int64_t> leadGranule_;           // and those of leading dims, by dim
  bool isGiven_ = false;                             // a plan says how the arrays share a block
  llvm::SmallVector<bool, 2> staged_{false, false};  // and which operands are staged: rows, weights
};

mlir::LogicalResult planDot(KernelContext &context);

}  // namespace tpuc::plan
