//===- emit.h - writes one device's ops ---------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_PARTITION_EMIT_H
#define TPUC_PASSES_SHARD_PARTITION_EMIT_H

#include "dialects/stablehlo/stablehlo.h"
#include "mlir/IR/Builders.h"
#include "passes/shard/partition/layout.h"

namespace tpuc::shard {

using mlir::Location;
using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

inline RankedTensorType typeOf(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

class Emitter {
 public:
  explicit Emitter(mlir::MLIRContext *context) : builder(context), location(mlir::UnknownLoc::get(context)) {}

  // Numbers that are the same on each device, and those that differ by its place.
  Value scalar(int64_t number, Type element = {});  // i32 where none is given
  Value splat(RankedTensorType type, mlir::Attribute element);
  Value zeros(RankedTensorType type);
  // What leaves another value alone under the reducer; for sums of floats -0.
  Value neutral(Reducer reducer, Type element);
  Value index(const Mesh *mesh, llvm::ArrayRef<Axis> axes);
  // A scalar that differs between devices: the device of index i along the axes has of(i).
  Value perIndex(const Mesh *mesh, llvm::ArrayRef<Axis> axes, llvm::function_ref<int64_t(int64_t)> of);

  // Moves within one device.
  Value broadcast(Value value, RankedTensorType type, llvm::ArrayRef<int64_t> dims);
  Value reshape(Value value, llvm::ArrayRef<int64_t> shape);
  Value slice(Value value, int64_t dim, int64_t start, int64_t limit, int64_t stride = 1);
  Value dynamicSlice(Value value, int64_t dim, Value start, int64_t size);
  // `fill` is a scalar; zero without one.
  Value pad(Value value, int64_t dim, int64_t low, int64_t high, int64_t interior = 0, Value fill = {});
  Value concatenate(llvm::ArrayRef<Value> values, int64_t dim);
  Value reverse(Value value, int64_t dim);
  // `value` where low <= offset + its index in `dim` < high, else `fill`, which is a scalar.
  Value keepRange(Value value, int64_t dim, Value offset, int64_t low, int64_t high, Value fill);
  Value select(Value predicate, Value yes, Value no);
  Value compare(Value a, Value b, stablehlo::ComparisonDirection direction);
  Value combine(Reducer reducer, Value a, Value b);
  Value convert(Value value, Type element);

  // Between devices.
  Value allGather(Value value, int64_t dim, const Mesh *mesh, llvm::ArrayRef<Axis> axes);
  Value allReduce(Value value, Reducer reducer, const Mesh *mesh, llvm::ArrayRef<Axis> axes);
  Value reduceScatter(Value value, int64_t dim, Reducer reducer, const Mesh *mesh, llvm::ArrayRef<Axis> axes);
  Value allToAll(Value value, int64_t split, int64_t concat, const Mesh *mesh, llvm::ArrayRef<Axis> axes);
  // From a position to a position of the mesh. Who is no target gets zeros.
  // What the device of this id has, on all.
  Value broadcastFrom(Value value, int64_t device, int64_t devices);
  using Pairs = llvm::SmallVector<std::pair<int64_t, int64_t>>;
  Value permute(Value value, const Mesh *mesh, const Pairs &pairs);

  template <typename OpT, typename... Args>
  OpT create(Args &&...args) {
    return OpT::create(builder, location, std::forward<Args>(args)...);
  }
  // The region of a reduction of scalars.
  void reducerRegion(mlir::Region &region, Reducer reducer, Type element);
  stablehlo::ChannelHandleAttr channel();

  mlir::OpBuilder builder;
  Location location;
  // Axes along which devices compute apart, by index: no layout lies along them, and values may differ all the same.
  llvm::SmallVector<int> manual;

 private:
  Value position(const Mesh *mesh);
  mlir::DenseIntElementsAttr groups(const Mesh *mesh, llvm::ArrayRef<Axis> axes);
};

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_EMIT_H
