//===- explain.h - which annotation reached which value, by which op ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_EXPLAIN_H
#define TPUC_PASSES_SHARD_EXPLAIN_H

#include "llvm/ADT/DenseSet.h"
#include "passes/shard/strategy.h"

namespace tpuc::shard {

// x, x:(1)2
std::string axisText(const Mesh *mesh, Axis axis);

// How the axes of each array came to it: what the program states of them, then step by step.
class Explainer {
 public:
  explicit Explainer(Table &table);
  // After a step: the arrays whose slots changed, and the strategy's decisions.
  void note(mlir::Operation *op, llvm::ArrayRef<int> slots, const Rule &rule,
            llvm::ArrayRef<std::optional<Sharding>> before, llvm::ArrayRef<int> changed,
            llvm::ArrayRef<Decision> decisions);
  // Writes attributes: sdy.propagation_edges on ops, sdy.sharding_origins on all that holds a sharding.
  void write(bool edges, bool origins);
  // Makes remarks. Those of category `propagation` are one for each axis of an array: its path in words, and as the
  // facts that reports are made of. Those of category `sharding` are one for each conflict.
  void remark();

 private:
  // An axis that a slot has had since `step`; 0: the program states it.
  struct Arrival {
    Axis axis;
    int step = 0;
    mlir::Operation *op = nullptr;
    int operands = 0, source = -1, target = -1;  // arrays of the op
    int from = -1;                               // the source's slot
  };
  // A slot in words.
  struct Array {
    std::string name;
    mlir::Location location;
    mlir::Type type;
  };
  struct Move {
    mlir::Operation *op;
    int step;
    Axis axis;
    const Mesh *mesh;
    int source, operands;
    llvm::SmallVector<int> targets;  // arrays
  };
  // A factor along which not all arrays of an op could have what one of them had.
  struct Conflict {
    mlir::Operation *op;
    llvm::SmallVector<int, 4> slots;
    const Rule *rule;
    int factor, source;
    Axes axes;
  };
  void noteConflicts(mlir::Operation *op, llvm::ArrayRef<int> slots, const Rule &rule,
                     llvm::ArrayRef<Decision> decisions);
  void noteMove(mlir::Operation *op, int source, int target, int operands, Axis axis, const Mesh *mesh);
  void writeEdges();
  void writeOrigins();
  const Arrival *arrivalOf(int slot, Axis axis, int before) const;
  llvm::SmallVector<std::pair<int, const Arrival *>> pathTo(int slot, Axis axis) const;
  Array describe(int slot) const;
  std::string statementOf(int slot) const;
  std::string textOfPath(llvm::ArrayRef<std::pair<int, const Arrival *>> path) const;
  void remarkAxis(int slot, Axis axis, bool now);
  void remarkArray(int slot);
  std::string textOfConflict(const Conflict &conflict) const;
  std::string whyNot(const Conflict &conflict, int array, Axis axis) const;

  Table &table;
  int steps = 0;
  std::vector<Move> moves;
  std::vector<Conflict> conflicts;
  llvm::DenseSet<std::pair<mlir::Operation *, int>> inConflict;  // with the factor
  std::vector<llvm::SmallVector<Arrival, 2>> arrivals;           // by slot, in order
  std::vector<std::string> annotations;                          // by slot: how the program states it
};

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_EXPLAIN_H
