// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a kernel of reshapes, transposes and broadcasts that keep runs along lanes (analysis/relayout.h).
//
// A step has a block of the operand and what that becomes of the result: both are cut along factors that are outermost
// in their dims on both sides. Within a step, each vreg of the result is made of loads whose 8 sublanes step along one
// factor, and of lanes that are turned to their place. Rows that share words are taken apart first, into an array of
// words in VMEM, and put together last.
#pragma once
#include "passes/analysis/relayout.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

// A block in VMEM with a word a row: the block itself, or a copy of it.
struct WideBlock {
  int64_t rows = 0, colTiles = 0;        // that it has room for
  int64_t colWords = 0;                  // word stride of column tiles
  llvm::SmallVector<int64_t> leadWords;  // and of each leading dim
  int64_t words = 0;

  // The block of a copy.
  static WideBlock of(const ArrayBlock &block);
  // The block itself, whose rows are words.
  static WideBlock itself(const ArrayBlock &block);
  // Words between neighbours `elements` apart along a dim, whole column tiles of lanes.
  int64_t stride(int64_t dim, int64_t elements) const;
};

class RelayoutPlan {
 public:
  explicit RelayoutPlan(KernelContext &context) : context_(context) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  bool isPacked() const { return from_->array.pack > 1; }
  static int64_t usefulSublanes(int64_t size, int64_t from, int64_t to);
  // Positions of a factor that a block has.
  int64_t sizeIn(const analysis::Factor &factor) const;

  KernelContext &context_;
  analysis::Relayout relayout_;
  // Factors whose positions are whole column tiles, with the lanes' own tiles, and those that are not; lanes of a run.
  llvm::SmallVector<analysis::Factor> walked_, turned_;
  int64_t run_ = 0;
  llvm::SmallVector<analysis::Factor> cuts_;  // that the grid walks, a dim of the domain each
  Domain domain_, fromView_, toView_;
  std::unique_ptr<ArrayBlock> from_, to_;
  std::unique_ptr<Grid> grid_;
  WideBlock wideFrom_, wideTo_;
  int64_t wideFromWord_ = 0, wideToWord_ = 0;  // of packed arrays

 private:
  mlir::LogicalResult bind();
  bool sortFactors();
  mlir::LogicalResult refuse() const;
  bool mayCut(const analysis::Factor &factor) const;
  int64_t granuleOf(const analysis::Factor &factor) const;
  void makeGrid();
  int64_t place();
  bool cut(size_t d, bool isLarge, bool keepsVregs);
  bool cutNext(bool isLarge);
  bool hasVregs() const;
  bool takesLong() const;
  mlir::LogicalResult choose();

  std::optional<Resident> residentFrom_, residentTo_;  // where the arrays lie in VMEM
  llvm::SmallVector<int64_t> granules_;
};

mlir::LogicalResult planRelayout(KernelContext &context);

}  // namespace tpuc::plan
