//===- indices.h - indices of a gather or scatter on one device ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_PARTITION_INDICES_H
#define TPUC_PASSES_SHARD_PARTITION_INDICES_H

#include "passes/shard/partition/emit.h"

namespace tpuc::shard {

// The numbers of one index vector, laid along dimension `vector` of arrays of indices.
class IndexVectors {
 public:
  // `vector` is the rank of the indices where they are single numbers.
  IndexVectors(Emitter &emit, Value indices, int64_t vector, int64_t components)
      : emit(emit), type(typeOf(indices)), vector(vector), components(components) {}

  // One scalar for each component, i32, as an array like the indices.
  Value spread(llvm::ArrayRef<Value> scalars) const {
    auto like = RankedTensorType::get(type.getShape(), emit.builder.getI32Type());
    if (vector == type.getRank()) return emit.broadcast(scalars.front(), like, {});
    llvm::SmallVector<Value> rows;
    for (Value scalar : scalars) rows.push_back(emit.reshape(scalar, {1}));
    return emit.broadcast(emit.concatenate(rows, 0), like, {vector});
  }
  Value spread(llvm::ArrayRef<int64_t> numbers) const {
    llvm::SmallVector<Value> scalars;
    for (int64_t number : numbers) scalars.push_back(emit.scalar(number));
    return spread(scalars);
  }
  // Indices as i32. Those that i32 cannot hold are none of any array: they stay outside of all.
  Value narrowed(Value indices) const {
    mlir::Type element = type.getElementType();
    unsigned width = element.getIntOrFloatBitWidth();
    if (width < 32 || (width == 32 && !element.isUnsignedInteger())) return emit.convert(indices, i32());
    constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
    auto fill = [&](int64_t number) { return emit.broadcast(emit.scalar(number, element), type, {}); };
    indices = emit.create<stablehlo::MinOp>(indices, fill(kMost));
    if (!element.isUnsignedInteger()) indices = emit.create<stablehlo::MaxOp>(indices, fill(-kMost));
    return emit.convert(indices, i32());
  }
  // Whether all components of each vector are set: an array without dimension `vector`.
  Value all(Value flags) const {
    if (vector == type.getRank()) return flags;
    llvm::SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + vector);
    Value result;
    for (int64_t i = 0; i < components; ++i) {
      Value one = emit.reshape(emit.slice(flags, vector, i, i + 1), shape);
      result = result ? emit.create<stablehlo::AndOp>(result, one).getResult() : one;
    }
    return result;
  }

 private:
  mlir::Type i32() const { return emit.builder.getI32Type(); }

  Emitter &emit;
  RankedTensorType type;
  int64_t vector, components;
};

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_INDICES_H
