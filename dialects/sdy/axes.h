//===- axes.h - arithmetic of axes and their parts ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An axis of n devices can be split into parts from major to minor. (pre)size is the part of `size` devices that begins
// after parts of `pre` in all; the whole axis is (1)n.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_SDY_AXES_H
#define TPUC_DIALECTS_SDY_AXES_H

#include "dialects/sdy/sdy.h"

namespace tpuc::sdy {

struct Axis {
  int index = 0;  // in the mesh
  int64_t pre = 1, size = 1;

  int64_t next() const { return pre * size; }
  bool operator==(const Axis &other) const = default;
  // Order in the mesh.
  bool operator<(const Axis &other) const {
    return std::tie(index, pre, size) < std::tie(other.index, other.pre, other.size);
  }
};
using Axes = llvm::SmallVector<Axis, 2>;

bool overlap(Axis a, Axis b);
// Whether a mesh can be split so that both are parts.
bool canCoexist(Axis a, Axis b);
// Whether `minor` continues `major`: both together are one part.
bool continues(Axis major, Axis minor);
// The major part of `axis` that leaves `other` alone; nothing where there is none.
std::optional<Axis> prefixWithout(Axis axis, Axis other);

// Appends, and merges with the last one where it continues it.
void appendAxis(Axes &axes, Axis axis);
int64_t shardedSize(llvm::ArrayRef<Axis> axes);
// What the lists begin with, parts of an axis included.
Axes commonPrefix(llvm::ArrayRef<Axis> a, llvm::ArrayRef<Axis> b);
// Whether `a` is what `b` begins with, and `b` goes on.
bool isStrictPrefix(llvm::ArrayRef<Axis> a, llvm::ArrayRef<Axis> b);
// `axes` without `suffix` at its end; nothing where it does not end so.
std::optional<Axes> withoutSuffix(llvm::ArrayRef<Axis> axes, llvm::ArrayRef<Axis> suffix);

// The same axes in the mesh's order, those that continue each other as one.
Axes inOrder(llvm::ArrayRef<Axis> axes);
// The parts of `axes` that nothing in `taken` has, each axis from major to minor.
llvm::SmallVector<Axis> without(llvm::ArrayRef<Axis> axes, llvm::ArrayRef<Axis> taken);

// Between references and numbers. An axis that the mesh lacks has index -1.
Axis decode(MeshAttr mesh, AxisRefAttr axis);
Axes decode(MeshAttr mesh, llvm::ArrayRef<AxisRefAttr> axes);
AxisRefAttr encode(MeshAttr mesh, Axis axis);
llvm::SmallVector<AxisRefAttr> encode(MeshAttr mesh, llvm::ArrayRef<Axis> axes);

// A mesh without axes that names one device: all of an array lies there.
bool isMaximal(MeshAttr mesh);
// The mesh that a sharding is bound to; null where its symbol has none.
MeshAttr meshOf(mlir::Operation *op, mlir::Attribute meshOrRef);
// The sharding that `value` has by an attribute of its own; null where it has none.
TensorShardingAttr shardingOf(mlir::Value value);
// Rank 0 where the type has none.
TensorShardingAttr fullyOpen(mlir::Attribute meshOrRef, int64_t rank);

}  // namespace tpuc::sdy

#endif  // TPUC_DIALECTS_SDY_AXES_H
