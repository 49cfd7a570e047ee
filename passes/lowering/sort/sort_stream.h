// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort of sequences longer than VMEM holds: sorted blocks of them, merged through HBM.
#pragma once
#include "passes/lowering/sort/sort_network.h"

namespace tpuc::lowering {

// The code that moves and merges a sequence's blocks, which lie in `buffer`.
struct SortStream : SortBlocks {
  std::string buffer;
  SortNetwork::Order order;
  mlir::SmallVector<uint32_t> last;  // each value of an element that comes after all others

  Linear slotOf(mlir::Value number) const;  // the slot of block `number`, as words from the first
  // Transfers of block `block` of the sequences from number `first` on, between its slot and HBM.
  void load(Code &c, const Linear &first, mlir::Value block) const;
  void awaitLoad(Code &c, mlir::Value block) const;
  void save(Code &c, const Linear &first, mlir::Value block) const;
  void awaitSave(Code &c, mlir::Value block) const;
  // Merges the saved, sorted blocks of a sequence up to where only `SortNetwork::mergeWithin` of each block is left.
  void merge(Code &c, const Linear &sequence) const;

 private:
  // A piece of a merge: the same vregs of 2^pieceBits() blocks. Block j of them lies in VMEM from vreg j * pieceVregs()
  // on.
  struct Pass {
    mlir::Value from, low;  // steps of 2^(from - 1) to 2^low blocks
    mlir::Value mirrored;   // whether the first of them is a merge's
  };
  using Work = llvm::function_ref<void(mlir::Value)>;
  int64_t pieceBits() const;
  int64_t pieceVregs() const { return shape.vregs >> pieceBits(); }
  SortNetwork network(Code &c, mlir::Value number) const;
  mlir::Value semaphoreOf(Code &c, int64_t kind, mlir::Value number) const;
  // Counted runs of vregs, and how far apart they are on each side.
  struct Runs {
    int64_t count, hbmVregs, vmemVregs;
  };
  void move(Code &c, bool in, const Linear &hbm, const Linear &vmemWord, int64_t vregs, mlir::ArrayRef<Runs> runs,
            mlir::Value sem) const;
  void moveBlock(Code &c, bool in, const Linear &first, mlir::Value block) const;
  Linear blockBytes(Code &c, const Linear &sequence, mlir::Value block) const;
  // Tasks [0, count): the next one's loads and the last one's stores under way while one works.
  void pipelined(Code &c, mlir::Value count, Work load, Work awaitLoad, Work work, Work save, Work awaitSave) const;
  void forPieces(Code &c, const Pass &pass, mlir::Value task,
                 llvm::function_ref<void(mlir::Value piece, mlir::Value block, mlir::Value vreg)> each) const;
  void fill(Code &c, mlir::Value task, mlir::Value piece) const;
  void mergeAcross(Code &c, const Linear &sequence, const Pass &pass) const;
  void mergeBlocks(Code &c, const Linear &sequence) const;
};

}  // namespace tpuc::lowering
