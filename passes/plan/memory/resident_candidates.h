// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that may stay in VMEM, as residency.cpp chooses among them and residency_attributes.cpp finds them again.
#pragma once
#include "passes/plan/memory/residency.h"

namespace tpuc::plan {

struct Candidate {
  mlir::Value whole;
  bool hasViews;
  int64_t storage, first, last;
  double saved;  // bytes of HBM
  Residency::Kept kept;
  int64_t word() const { return kept.places[0].word; }
  int64_t words() const { return kept.places[0].words; }
  void moveTo(int64_t word) {
    for (Resident &r : kept.places) r.word = word;
  }
};

// Whether arrays have room for all rows that a matmul transposes at once, or for those there are.
enum class RowRoom { kTiles, kFew };

// Whatever may stay on chip. What others lie over comes before them.
llvm::SmallVector<Candidate> candidatesOf(mlir::func::FuncOp main, const target::Target &target, const StorageMap &map,
                                          Residency &out, RowRoom rows);

// Whether the kernel that makes `c` may write it over `p`: the last one to read it, each step its own block, all of
// which it has read by then. A block takes all of what lies under a tile, and the kernel keeps as much beside it.
bool mayLieOver(const Candidate &c, const Candidate &p, const target::Target &target);
// Every row tile, column tile and leading index of `c` begins where the other array's does.
void layOver(Candidate &c, const Candidate &p);

// The array stays in VMEM.
void keep(const Candidate &c, StorageMap &map, Residency &out);

}  // namespace tpuc::plan
