//===- explain.h - which annotation reached which value, by which op ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_EXPLAIN_H
#define TPUC_PASSES_SHARD_EXPLAIN_H

#include <map>

#include "passes/shard/strategy.h"

namespace tpuc::shard {

class Explainer {
 public:
  explicit Explainer(Table &table);
  // After a step: the arrays whose slots changed, and the strategy's decisions.
  void note(mlir::Operation *op, llvm::ArrayRef<int> slots, int operands,
            llvm::ArrayRef<std::optional<Sharding>> before, llvm::ArrayRef<int> changed,
            llvm::ArrayRef<Decision> decisions, const Rule &rule);
  // As attributes: sdy.propagation_edges on ops, sdy.sharding_origins on all that holds a sharding.
  void write(bool edges, bool origins);

 private:
  struct Move {
    mlir::Operation *op;
    int step;
    Axis axis;
    const Mesh *mesh;
    int source, operands;
    llvm::SmallVector<int> targets;  // arrays
  };
  void writeEdges();
  void writeOrigins();

  Table &table;
  int steps = 0;
  std::vector<Move> moves;
  // Of each axis of a slot the annotation that it came from.
  std::map<std::pair<int, Axis>, std::string> origins;
};

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_EXPLAIN_H
