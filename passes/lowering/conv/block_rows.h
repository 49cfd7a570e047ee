// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of positions that a copy of an input block takes from it (plan/conv/padded_input.h).
#pragma once
#include "passes/lowering/grid/emit_grid.h"
#include "passes/plan/conv/padded_input.h"

namespace tpuc::lowering {

class BlockRows : protected PaddedInput {
 public:
  // The rows of the block at grid position `index`.
  BlockRows(Code &code, const PaddedInput &copy, llvm::ArrayRef<Linear> index)
      : PaddedInput(copy), c_(code), index_(index) {}

  // A row of the copy, and where the block has it.
  struct Row {
    llvm::SmallVector<Linear> lead;
    Linear source;      // words
    mlir::Value valid;  // null: it is there
  };
  // How many to walk along each leading axis, and the first of them.
  llvm::SmallVector<int64_t> rowExtents(llvm::SmallVectorImpl<int64_t> &first) const;
  Row rowAt(llvm::ArrayRef<Linear> at, llvm::ArrayRef<int64_t> first) const;
  // What of 8 rows of lanes is the array's; null: all.
  mlir::Value presence(const Row &row) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const { return !a ? b : !b ? a : c_.inst("m.and", {a, b}); }

 protected:
  bool isStatic(size_t axis) const;

  Code &c_;
  llvm::ArrayRef<Linear> index_;
};

}  // namespace tpuc::lowering
