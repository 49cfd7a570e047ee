// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a program share memory: carried values of loops, results of branches, planes of joined arrays.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::plan {

struct Storage {
  mlir::Value value;  // the first value bound to it: its type, its place in the source
  std::string kind;   // "argument", "result", "constant", "arena"; "vmem": stays on chip
  int64_t index = 0, size = 0;
  mlir::ElementsAttr constant;
  int64_t first = INT64_MAX, last = -1;  // positions in program order between which it is in use
  int64_t alias = -1;                    // a result: the argument whose memory it takes over
};

struct Place {
  int64_t storage = -1;
  int64_t offset = 0;  // bytes from the storage's start
  bool operator==(const Place &) const = default;
};

// A copy of a whole array that control flow needs: at a loop's entry or exit, at a body's or branch's end.
struct Relocation {
  Place from, to;
  int64_t bytes = 0;
  mlir::Type type = {};  // of the array, as control flow hands it on
};

// Whether `op` is a loop or a choice of branches.
bool isControl(mlir::Operation *op);

// Every array of @main, nested regions included, has a place. A value is put straight where control flow wants it when
// nothing reads the old contents any more; otherwise `into` says what must be copied.
class StorageMap {
 public:
  // `aliases`: for each result the argument that it takes over, or -1. `apart`: results of loops that do not lie where
  // the loop carries them.
  explicit StorageMap(mlir::func::FuncOp main, llvm::ArrayRef<int64_t> aliases = {},
                      const llvm::DenseSet<mlir::Value> &apart = {});

  // For each result the argument that it may take over, among those that the program gives away (JAX's
  // tf.aliasing_output and jax.buffer_donor). The map has no aliases yet.
  llvm::SmallVector<int64_t> findAliases() const;

  Place placeOf(mlir::Value v) const { return places_.lookup(v); }
  llvm::ArrayRef<Storage> storages() const { return storages_; }
  const llvm::DenseMap<mlir::Value, Place> &places() const { return places_; }
  // Moves a storage of the arena to VMEM.
  void keepOnChip(int64_t storage) { storages_[storage].kind = "vmem"; }

  // Where a loop carries its value `i`.
  Place carriedPlace(mlir::Operation *loop, unsigned i) const;
  bool isApart(mlir::Value v) const { return apart_.contains(v); }
  // An op in program order; nothing of a condition that never runs.
  std::optional<int64_t> positionOf(mlir::Operation *op) const;

  // Copies before and behind a while, and at the end of a region whose parent is a while, if or case; or of the
  // function.
  llvm::SmallVector<Relocation> entryCopies(mlir::Operation *loop);
  llvm::SmallVector<Relocation> copiesBehind(mlir::Operation *loop);
  llvm::SmallVector<Relocation> exitCopies(mlir::Operation *terminator);
  // Before a host call that reads `v`: of planes that lie elsewhere.
  llvm::SmallVector<Relocation> joinCopies(mlir::Value v);

 private:
  bool mayTakeOver(unsigned result, unsigned argument) const;
  Place homeOf(unsigned result) const;
  bool mayMove(mlir::Value v) const;
  void number(mlir::Block &block);
  void placeBlock(mlir::Block &block);
  void placeJoins(mlir::Block &block);
  Place create(mlir::Value v, llvm::StringRef kind, int64_t index);
  Place arena(mlir::Value v) { return create(v, "arena", 0); }
  void bind(mlir::Value v, Place place);
  // Where the only place that wants `v`, a value or a view of one that `def` makes, wants it; nullopt: anywhere.
  std::optional<Place> wanted(mlir::Value v, mlir::Operation *def);
  void bindUpdated(mlir::Value made, Place place);
  std::optional<Place> placeOfUpdated(mlir::Value made, mlir::Operation *def);
  bool deadAfter(mlir::Value old, mlir::Operation *op, mlir::Value made, mlir::Operation *terminator);
  bool isFreeFrom(Place place, mlir::Value made);
  Place placeOfResult(mlir::Operation *op, unsigned i);
  Place placeToCarry(mlir::Operation *loop, unsigned i);
  void extendLives();
  void avoidOverwriting(llvm::SmallVectorImpl<Relocation> &copies, mlir::Operation *terminator);

  mlir::func::FuncOp main_;
  llvm::DenseSet<mlir::Value> apart_;
  llvm::SmallVector<Storage> storages_;
  llvm::DenseMap<mlir::Value, Place> places_;
  llvm::DenseMap<mlir::Operation *, std::pair<int64_t, int64_t>> position_;  // of the op and of its end
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Relocation>> exits_;
  int64_t next_ = 0;
  int64_t constants_ = 0;    // that have a storage, behind the program's own arguments
  int64_t firstResult_ = 0;  // the storage of result 0, before those of the others
};

// Bytes an array takes in HBM, padding and planes included.
int64_t bytesOf(mlir::Value v);

}  // namespace tpuc::plan
