//===- propagator.h - runs steps of propagation until nothing changes ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_PROPAGATOR_H
#define TPUC_PASSES_SHARD_PROPAGATOR_H

#include "passes/shard/strategy.h"

namespace tpuc::shard {

struct PropagationOptions {
  bool keepRules = false;     // leave the rules that were made on their ops
  bool conservative = false;  // no parts of axes, no axes that do not divide
  bool noteEdges = false;     // sdy.propagation_edges: from which array of an op an axis came, in which step
  bool noteOrigins = false;   // sdy.sharding_origins: which annotation an axis came from
};

class Explainer;

class Propagator {
 public:
  Propagator(mlir::ModuleOp module, PropagationOptions options);
  ~Propagator();

  // Checks groups, then reads all shardings. Fails where the program is wrong.
  mlir::LogicalResult prepare();
  // To a fixed point, through ops that `direction` opens.
  using DirectionOf = llvm::function_ref<Direction(mlir::Operation *)>;
  void run(Strategy strategy, DirectionOf direction);
  // The priorities that the program states, in order; 0 is always one.
  llvm::SmallVector<int64_t> priorities();
  // Dimensions of this priority take part from now on, those of later ones not yet.
  void admit(int64_t priority);
  // Writes the shardings into the program, without priorities.
  void finish();

 private:
  // An op, or an edge of data flow, and the slots of its arrays, operands first.
  struct Item {
    mlir::Operation *op;
    llvm::SmallVector<int, 4> slots;
    const Rule *rule = nullptr;
    bool elementwise = false;
    bool isReturn = false;
    mlir::Value edgeTarget;  // of an edge whose op sees other axes on the two sides
    std::optional<Direction> allowed;
  };

  void collect();
  void addItem(Item item);
  void addOp(mlir::Operation *op);
  void addEdge(sdy::DataFlowEdgeOp edge);
  void addFunctionEdge(sdy::FuncDataFlowEdgeOp edge);
  void addReturn(mlir::func::ReturnOp op);
  const Rule *ruleOf(mlir::Operation *op);
  const Rule *identity(llvm::ArrayRef<int64_t> shape, int operands);
  const Mesh *commonMesh(const Item &item);
  // True where something changed.
  bool step(int number, Strategy strategy, Direction direction, llvm::SmallVectorImpl<int> &changed);
  std::optional<Sharding> seen(const Item &item, int array);
  bool store(const Item &item, int array, Sharding sharding);
  void push(int item);
  void pushUsersOf(int slot);

  mlir::ModuleOp module;
  PropagationOptions options;
  Table table;
  std::vector<Item> items;
  std::vector<llvm::SmallVector<int, 4>> itemsOf;  // of each slot
  std::vector<std::unique_ptr<Rule>> rules;
  llvm::DenseMap<mlir::Attribute, const Rule *> ruleCache;
  llvm::DenseMap<std::pair<mlir::Attribute, int>, const Rule *> identities;
  std::vector<std::pair<int, Sharding>> stated;  // shardings with priorities, as the program has them
  std::vector<int> worklist;
  std::vector<bool> queued;
  std::unique_ptr<Explainer> explainer;
};

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PROPAGATOR_H
