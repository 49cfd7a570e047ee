//===- emit_collectives.cpp - ops between devices, as XLA reads them ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups name partitions. Channels are numbered when the module is whole; until then all have one number.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/emit.h"

using namespace mlir;

namespace tpuc::shard {

namespace hlo = tpuc::stablehlo;

hlo::ChannelHandleAttr Emitter::channel() {
  return hlo::ChannelHandleAttr::get(builder.getContext(), /*handle=*/1, /*type=*/1);
}

static DenseIntElementsAttr tableOf(OpBuilder &builder, ArrayRef<int64_t> values, int64_t rows, int64_t columns) {
  auto type = RankedTensorType::get({rows, columns}, builder.getI64Type());
  return cast<DenseIntElementsAttr>(DenseElementsAttr::get(type, values));
}

DenseIntElementsAttr Emitter::groups(const Mesh *mesh, ArrayRef<Axis> axes) {
  auto groups = Places(mesh->attr).groups(axes);
  SmallVector<int64_t> flat;
  for (auto &group : groups) llvm::append_range(flat, group);
  return tableOf(builder, flat, groups.size(), groups.front().size());
}

void Emitter::reducerRegion(Region &region, Reducer reducer, Type element) {
  auto type = RankedTensorType::get({}, element);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region, {}, {type, type}, {location, location});
  Value result = combine(reducer, block->getArgument(0), block->getArgument(1));
  create<hlo::ReturnOp>(result);
}

static Type resizedType(Value value, int64_t dim, int64_t size) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[dim] = size;
  return typeOf(value).clone(shape);
}

Value Emitter::allGather(Value value, int64_t dim, const Mesh *mesh, ArrayRef<Axis> axes) {
  Type type = resizedType(value, dim, typeOf(value).getDimSize(dim) * sdy::shardedSize(axes));
  return create<hlo::AllGatherOp>(TypeRange(type), ValueRange(value), dim, groups(mesh, axes), channel(), true)
      ->getResult(0);
}

// Only arithmetic that fits: a sum of booleans is whether any is set.
static Reducer fitting(Reducer reducer, Type element) {
  if (!element.isInteger(1)) return reducer;
  if (reducer == Reducer::Sum || reducer == Reducer::Max) return Reducer::Or;
  return reducer == Reducer::Product || reducer == Reducer::Min ? Reducer::And : reducer;
}

Value Emitter::allReduce(Value value, Reducer reducer, const Mesh *mesh, ArrayRef<Axis> axes) {
  Type element = typeOf(value).getElementType();
  auto op =
      create<hlo::AllReduceOp>(TypeRange(value.getType()), ValueRange(value), groups(mesh, axes), channel(), true);
  reducerRegion(op.getComputation(), fitting(reducer, element), element);
  return op->getResult(0);
}

Value Emitter::reduceScatter(Value value, int64_t dim, Reducer reducer, const Mesh *mesh, ArrayRef<Axis> axes) {
  Type element = typeOf(value).getElementType();
  Type type = resizedType(value, dim, typeOf(value).getDimSize(dim) / sdy::shardedSize(axes));
  auto op = create<hlo::ReduceScatterOp>(type, value, dim, groups(mesh, axes), channel(), true);
  reducerRegion(op.getComputation(), fitting(reducer, element), element);
  return op.getResult();
}

Value Emitter::allToAll(Value value, int64_t split, int64_t concat, const Mesh *mesh, ArrayRef<Axis> axes) {
  int64_t count = sdy::shardedSize(axes);
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[split] /= count;
  shape[concat] *= count;
  Type type = typeOf(value).clone(shape);
  return create<hlo::AllToAllOp>(TypeRange(type), ValueRange(value), split, concat, count, groups(mesh, axes),
                                 channel())
      ->getResult(0);
}

Value Emitter::broadcastFrom(Value value, int64_t device, int64_t devices) {
  SmallVector<int64_t> group{device};
  for (int64_t id = 0; id < devices; ++id)
    if (id != device) group.push_back(id);
  return create<hlo::CollectiveBroadcastOp>(TypeRange(value.getType()), ValueRange(value),
                                            tableOf(builder, group, 1, devices), channel(), false)
      ->getResult(0);
}

Value Emitter::permute(Value value, const Mesh *mesh, const Pairs &pairs) {
  Places places(mesh->attr);
  SmallVector<int64_t> flat;
  for (auto [source, target] : pairs) {
    flat.push_back(places.id(source));
    flat.push_back(places.id(target));
  }
  return create<hlo::CollectivePermuteOp>(value.getType(), value, tableOf(builder, flat, pairs.size(), 2), channel());
}

}  // namespace tpuc::shard
