//===- layout.h - which part of an array each device has ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dimension of n elements along axes of P parts lies in blocks: part i holds [i * block, (i + 1) * block). What lies
// past n is padding, whose values nobody may rely on. The block of a whole dimension is n.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_PARTITION_LAYOUT_H
#define TPUC_PASSES_SHARD_PARTITION_LAYOUT_H

#include "passes/shard/table.h"

namespace tpuc::shard {

// How partial results become the result.
enum class Reducer { Sum, Product, Max, Min, And, Or, Xor };

struct DimLayout {
  Axes axes;
  int64_t block = 0;
  int64_t parts() const { return sdy::shardedSize(axes); }
  bool operator==(const DimLayout &) const = default;
};

struct Layout {
  const Mesh *mesh = nullptr;  // null where the array lies whole on every device
  llvm::SmallVector<DimLayout, 4> dims;
  Axes unreduced;  // each device along these has a part of the result
  Reducer reducer = Reducer::Sum;

  static Layout whole(llvm::ArrayRef<int64_t> shape);
  llvm::SmallVector<int64_t> localShape() const;
  bool isWhole() const;
  // Nothing is sharded; it may still be unreduced.
  bool isUnsharded() const;
  bool operator==(const Layout &other) const;
};

inline int64_t divideUp(int64_t a, int64_t b) { return b == 0 ? 0 : (a + b - 1) / b; }

// The axes of each dimension that `sharding` states, without those that `dropped` names, and without those under which
// a device gets only padding.
Layout layoutOf(const Sharding &sharding, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int> dropped = {});
mlir::RankedTensorType localType(mlir::Type global, const Layout &layout);

// Places on a mesh. A position counts from the first axis, major, to the last; `id` is the device that stands there.
class Places {
 public:
  explicit Places(sdy::MeshAttr mesh) : mesh(mesh) {}

  int64_t count() const;
  int64_t id(int64_t position) const;
  bool inOrder() const;  // each device's id is its position
  // How many positions one step along the axis is.
  int64_t stride(Axis axis) const;
  int64_t index(int64_t position, llvm::ArrayRef<Axis> axes) const;
  // Devices that differ along `axes` only, in the order of their index there.
  llvm::SmallVector<llvm::SmallVector<int64_t>> groups(llvm::ArrayRef<Axis> axes) const;

 private:
  sdy::MeshAttr mesh;
};

// The layout as HLO writes it: {devices=[4,1,2]<=[8] last_tile_dim_replicate}.
std::string hloSharding(const Layout &layout);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_LAYOUT_H
