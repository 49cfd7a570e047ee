// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matmul kernel: what its lowering knows, shared by the files that do it. Its plan is plan/dot's.
//
//   dot_ends.cpp    contractions that end before their arrays do
//   dot_stage.cpp   operands that are converted, computed or transposed into scratch before the pushes
//   dot_kernel.cpp  the code of a grid step
#pragma once
#include "passes/lowering/dot/mxu_mode.h"
#include "passes/lowering/kernels.h"
#include "passes/plan/dot/dot_plan.h"

namespace tpuc::lowering {

class DotKernel : DotPlan {
 public:
  DotKernel(KernelContext &context, Code &code) : DotPlan(context), c_(code) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
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
  struct Units {  // those at a point of the dims around them
    Point lead;
    mlir::Value count, last = {};
    bool isOne = false;    // known to be
    bool overlap = false;  // one is pushed while the results of another are popped
  };
  enum SumsPart : int64_t { Pushed, Leaving };
  void emitStep(const Step &step);
  void emitStages(const Step &step);
  bool movesWithin(const Operand &o) const;
  void stageDirect(Operand &o);
  void stageTransposed(Operand &o);
  void stageTile(Operand &o, const Point &at, const Linear &rowTile, const Linear &laneTile, int64_t groups);
  void storeStaged(Operand &o, const Point &at, llvm::ArrayRef<mlir::Value> groups);
  static Results resultsOf(const Tile &t) { return {t.lead, t.group, t.sums}; }
  int64_t tilesOfUnit() const { return kTiles() / deep_ * product(kLead_); }
  void setOuter(Point &at, const Linear &index);
  Tile firstTileOf(const Point &lead, const Linear &i);
  void emitUnit(const Units &units, mlir::Value i);
  void emitUnitsAt(const Point &lead, const Step &step);
  void emitUnits(const Step &step);
  void emitTiles(const Tile &first, int64_t count, int64_t last, llvm::function_ref<void()> next,
                 const Results *leaving = nullptr);
  void emitRaggedTiles(const Step &step, const Tile &first);
  void findTilesLeft(const Step &step);
  void findResultsLeft(const Step &step);
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
  // Lanes of the tile along k that are left for systolic array `array`.
  Linear lanesTaken(const Tile &tile, int64_t array) const { return tile.lanes + Linear(-kOf(array) * side_); }
  Body &bodyOf(const Operand &o) { return *bodies_[&o == &weights_]; }
  Body &sourceBodyOf(const Operand &o) { return *sourceBodies_[&o == &weights_]; }

  Code &c_;
  std::unique_ptr<Body> body_, bodies_[2], sourceBodies_[2];  // of the epilogue; of rows and weights
  mlir::Value tilesLeft_;                                     // ends: k tiles of the step's block, 1 at least
  Linear kLeft_;                                              // and what is left of k in the block, in and behind them
  mlir::Value unitsLeft_, groupsLeft_;  // of the step's rows and columns, before the results' ends; null: all
};

}  // namespace tpuc::lowering
