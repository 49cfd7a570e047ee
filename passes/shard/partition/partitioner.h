//===- partitioner.h - one device's program, op by op -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each global value has versions: what it is on a device, in some layout. An op asks for its operands in the layouts
// that it computes in, and says in which layout its results are; nothing is moved before it is asked for. Each family
// of ops is a file of its own that enters its ops into a table.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_PARTITION_PARTITIONER_H
#define TPUC_PASSES_SHARD_PARTITION_PARTITIONER_H

#include "mlir/IR/IRMapping.h"
#include "passes/shard/partition/emit.h"
#include "passes/shard/partition/factors.h"
#include "passes/shard/partition/reshard.h"

namespace tpuc::shard {

class Partitioner;
using Handler = mlir::LogicalResult (*)(mlir::Operation *, Partitioner &);
using Handlers = llvm::StringMap<Handler>;

struct Version {
  Value value;
  Layout layout;
};

// What an op asks for while it is partitioned (remarks.cpp).
struct Moves {
  struct Gather {
    Value global;
    Layout from, to;
    int64_t bytes;
    bool otherMesh;  // by way of the whole array
  };
  std::vector<Gather> gathers;                  // a device gets more than its part
  std::vector<std::pair<Value, Layout>> asked;  // operands, in the layouts that the op computes in
  std::vector<std::pair<Value, Layout>> results;
  std::optional<Factors> factors;  // that the layouts were chosen by
};
// A remark of category `sharding` for each gather: the bytes, why, and the annotation that spares it.
void remarkGathers(mlir::Operation *op, const Moves &moves);

class Partitioner {
 public:
  // `partialSums`: what main takes and returns along unreduced axes are parts, rather than the whole sum.
  Partitioner(mlir::ModuleOp module, int64_t devices, bool partialSums);

  mlir::LogicalResult function(mlir::func::FuncOp function);
  mlir::LogicalResult block(mlir::Block &block);  // all but its terminator, at the emitter's place

  Emitter emit;
  Table table;
  const int64_t devices;

  // The value on this device, in this layout.
  Value get(Value global, const Layout &layout);
  Value whole(Value global);
  // The version of the value that costs least to use now. It is never unreduced where a reduced version exists.
  const Version &current(Value global);
  void set(Value global, Value local, Layout layout);
  void replace(Value global, Value local, Layout layout);  // instead of all versions so far
  // Whether all that there is of it so far are partial results.
  bool isPartial(Value global);
  int64_t bytesTo(Value global, const Layout &layout);
  // The annotated layout; of a result that no annotation reached, what its only user states.
  Layout askedFor(Value result);
  int64_t bytesFrom(Value result, const Layout &layout);
  // The annotated layout; whole where there is none. Its unreduced axes are those that the program states.
  Layout wanted(Value global);
  Layout decode(sdy::TensorShardingAttr sharding, Type type);

  // Steps that most families share.
  std::optional<Factors> factorsOf(mlir::Operation *op);
  Choice choose(mlir::Operation *op, const Factors &factors);
  // The op's copy with these operands and results of one device's types, without shardings.
  mlir::Operation *clone(mlir::Operation *op, ValueRange operands, mlir::TypeRange results);
  llvm::SmallVector<Value> operandsFor(mlir::Operation *op, const Factors &factors, const Choice &choice);
  void setResults(mlir::Operation *op, mlir::Operation *local, const Factors &factors, const Choice &choice,
                  Reducer reducer = Reducer::Sum);
  // Operands and results whole.
  mlir::LogicalResult replicate(mlir::Operation *op);
  // Along the factors that operands and results pass on.
  mlir::LogicalResult byFactors(mlir::Operation *op);
  mlir::LogicalResult byFactors(mlir::Operation *op, const Factors &factors);
  // Padding along the dimensions that lie along some of `axes` becomes `fill`, a scalar.
  Value maskPadding(Value local, const Layout &layout, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims,
                    Value fill);
  // Copies a region whose values are of one element each, or the same on each device.
  void cloneRegion(mlir::Region &from, mlir::Region &to);
  // Another place for a value where its op is computed again rather than moved.
  Value remade(Value global, const Layout &layout);
  // The op at hand has `global`, of which there is an array of `type`, in the layout `to`, and moves it there.
  void noteMove(Value global, RankedTensorType type, const Layout &from, const Layout &to);

 private:
  mlir::LogicalResult operation(mlir::Operation *op);
  mlir::LogicalResult onDevices(mlir::Operation *op);
  mlir::LogicalResult handle(mlir::Operation *op);
  std::optional<mlir::LogicalResult> onParts(mlir::Operation *op);
  mlir::LogicalResult handleParts(mlir::Operation *op, llvm::ArrayRef<unsigned> linear, const Layout &stated);
  Version partAlong(Value global, const Layout &stated);
  bool isPartOf(const Version &version, const Layout &stated);
  bool isOnMesh(mlir::Operation *op, const Mesh *mesh);
  Version madeWhole(Value global, Layout layout);
  Layout atBorder(mlir::func::FuncOp function, Layout layout);
  bool isVisible(Value local);
  bool sharesReduction(Value result, const Layout &layout);

  mlir::ModuleOp module;
  bool partialSums;
  bool areRemarked;  // gathers, by who compiles the program
  Handlers handlers;
  RouteCosts costs;
  llvm::DenseSet<Value> numbered;  // what depends on the device's number
  Moves moves;                     // of the op at hand
  llvm::DenseMap<Value, llvm::SmallVector<Version, 2>> versions;
};

// By family.
void addElementwise(Handlers &handlers);
void addShape(Handlers &handlers);
void addContraction(Handlers &handlers);
void addConvolution(Handlers &handlers);
void addReduction(Handlers &handlers);
void addWindows(Handlers &handlers);
void addGather(Handlers &handlers);
void addScatter(Handlers &handlers);
void addDynamicSlices(Handlers &handlers);
void addControl(Handlers &handlers);
void addSharding(Handlers &handlers);
void addLinalg(Handlers &handlers);
void addTopK(Handlers &handlers);
void addSort(Handlers &handlers);
void addFourier(Handlers &handlers);
void addRandom(Handlers &handlers);
// A custom call that is one of the host.
mlir::LogicalResult hostCall(mlir::Operation *op, Partitioner &p);
// An op whose results one device has alone, and that depends on which device that is.
bool isOnOneDevice(mlir::Operation *op);
mlir::LogicalResult onOneDevice(mlir::Operation *op, Partitioner &p);
// One that factorises matrices, along the dimensions that count them.
mlir::LogicalResult factorisation(mlir::Operation *op, Partitioner &p);

// What an op of a reduction's body does to its two arguments, if it is one of the known ones.
std::optional<Reducer> reducerOf(mlir::Region &region);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_PARTITIONER_H
