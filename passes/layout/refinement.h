// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reshape's dims have in common.
#pragma once
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tpuc::layout {

// Extents whose runs make up the dims of both shapes, and those of each dim, by number: none of a dim of one element.
struct Refinement {
  llvm::SmallVector<int64_t> parts;
  llvm::SmallVector<llvm::SmallVector<int64_t>> ofWhole, ofSplit;
};

// Refines two shapes of as many elements. Gives nullopt where a run of dims of one ends inside a dim of the other that
// it does not divide.
std::optional<Refinement> refine(llvm::ArrayRef<int64_t> whole, llvm::ArrayRef<int64_t> split);

}  // namespace tpuc::layout
