//===- table.h - the shardings of a module while they propagate ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each place that can hold a sharding (an argument or result of a function, a result of an op, an edge of data flow) is
// a slot. Propagation works on slots, as numbers, and writes attributes once at its end. Members of a sharding group
// share a slot.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_TABLE_H
#define TPUC_PASSES_SHARD_TABLE_H

#include "dialects/sdy/axes.h"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::shard {

using sdy::Axes;
using sdy::Axis;

struct Mesh {
  mlir::Attribute ref;  // as the program states it
  sdy::MeshAttr attr;
  bool isEmpty() const { return attr.getAxes().empty() && attr.getDeviceIds().empty(); }
  bool isMaximal() const { return sdy::isMaximal(attr); }
};

struct Dim {
  Axes axes;
  bool closed = false;
  std::optional<int64_t> priority;
  bool operator==(const Dim &) const = default;
};

struct Sharding {
  const Mesh *mesh = nullptr;
  llvm::SmallVector<Dim, 4> dims;
  Axes replicated, unreduced;
  Axes hidden;  // axes of dimensions whose priority has not come yet: nothing else takes them
  sdy::ReductionOp reduction = sdy::ReductionOp::SUM;
  bool operator==(const Sharding &) const = default;
  // Neither axes nor closed dimensions.
  bool saysNothing() const;
};

class Table {
 public:
  explicit Table(mlir::ModuleOp module);

  // -1 for a value that has no sharding, as a token or an array of open size.
  int slotOf(mlir::Value value);
  int slotOfResult(mlir::func::FuncOp function, unsigned index);
  std::optional<Sharding> &operator[](int slot) { return slots[slot].sharding; }
  // Nothing propagates into a fixed slot.
  bool isFixed(int slot) const { return slots[slot].fixed; }
  size_t size() const { return slots.size(); }
  // A value that stands for a slot, or null for a function's result.
  mlir::Value valueOf(int slot) const { return slots[slot].value; }
  // The function's result that a slot without a value is.
  std::pair<mlir::func::FuncOp, unsigned> resultOf(int slot) const { return {slots[slot].function, slots[slot].index}; }

  const Mesh *meshOf(mlir::Attribute ref);
  std::optional<Sharding> decode(sdy::TensorShardingAttr sharding);
  sdy::TensorShardingAttr encode(const Sharding &sharding) const;

  // The slots of several values become one.
  void unite(llvm::ArrayRef<int> members);
  // Writes all that changed into the program.
  void flush();

 private:
  struct Slot {
    mlir::Value value;            // of an argument, a result of an op or an edge
    mlir::func::FuncOp function;  // of a function's result
    unsigned index = 0;
    bool fixed = false;
    std::optional<Sharding> sharding, initial;
  };
  int add(Slot slot, sdy::TensorShardingAttr sharding);
  void write(Slot &slot, const Sharding &sharding);

  mlir::ModuleOp module;
  llvm::MapVector<mlir::Attribute, std::unique_ptr<Mesh>> meshes;
  std::vector<Slot> slots;
  llvm::DenseMap<mlir::Value, int> ofValue;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, int> ofResult;
  std::vector<std::pair<mlir::Value, int>> members;  // of groups
};

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_TABLE_H
