//===- window.h - any range of a sharded dimension on each device -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each device needs of a dimension is a range of one length whose start depends on the device's index: with its
// neighbours' rims for a convolution, shifted for a slice, in other blocks, backwards. It comes from as few neighbours
// as hold it (collective_permute) or from all (all_gather), whichever moves fewer bytes.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_PARTITION_WINDOW_H
#define TPUC_PASSES_SHARD_PARTITION_WINDOW_H

#include "passes/shard/partition/emit.h"

namespace tpuc::shard {

struct Window {
  const Mesh *mesh = nullptr;
  Axes axes;  // that index the device
  std::function<int64_t(int64_t)> start;
  int64_t length = 0;

  int64_t parts() const { return sdy::shardedSize(axes); }
};

// Elements [start(i), start(i) + length) of dimension `dim`, of which [0, size) exist; what lies outside is undefined.
// The value lies in blocks along the window's axes, or whole (source.axes is empty).
Value window(Emitter &emit, Value value, int64_t dim, const DimLayout &source, int64_t size, const Window &wanted);

// Pairs of parts as pairs of positions on the mesh, in every group of devices along the axes.
Emitter::Pairs onMesh(const Mesh *mesh, llvm::ArrayRef<Axis> axes, const Emitter::Pairs &parts);

// How many elements of the dimension a device receives for it.
int64_t receivedBy(const DimLayout &source, int64_t size, const Window &wanted);

// The same after `dilation` - 1 elements were put between neighbours: element q * dilation is the q-th one. All that is
// none of the elements is `fill`, a scalar; without one it is undefined.
Value dilatedWindow(Emitter &emit, Value value, int64_t dim, const DimLayout &source, int64_t size, int64_t dilation,
                    const Window &wanted, Value fill);

// Other blocks along the same axes.
Value reblock(Emitter &emit, Value value, int64_t dim, const Mesh *mesh, DimLayout &layout, int64_t size,
              int64_t block);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_WINDOW_H
