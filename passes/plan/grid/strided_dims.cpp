// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a descriptor has to say of a block.
#include "passes/plan/grid/strided_dims.h"

using namespace mlir;

namespace tpuc::plan {

SmallVector<StridedDim> joinStrides(ArrayRef<StridedDim> dims, int64_t &run) {
  SmallVector<StridedDim> kept;
  for (StridedDim d : dims)
    if (d.count != 1) kept.push_back(d);
  while (!kept.empty() && kept.back().array == run && kept.back().block == run) {
    run *= kept.back().count;
    kept.pop_back();
  }
  for (int64_t i = static_cast<int64_t>(kept.size()) - 2; i >= 0; --i) {
    StridedDim &outer = kept[i], &inner = kept[i + 1];
    if (outer.array != inner.array * inner.count || outer.block != inner.block * inner.count) continue;
    inner.count *= outer.count;
    kept.erase(kept.begin() + i);
  }
  return kept;
}

int64_t stridedDims(const ArrayBlock &block) {
  const Array &a = block.array;
  if (a.isVector() || !block.isBrought()) return 0;
  const Resident *resident = block.resident;
  int64_t rank = a.rank(), run = isa::kVregBytes;
  SmallVector<StridedDim> dims;
  for (int64_t phys = 0; phys < rank - 2; ++phys)
    dims.push_back({block.extents[phys],
                    resident ? resident->leadWords[phys] * isa::kWordBytes : a.leadStrideBytes(phys),
                    block.leadWords[phys] * isa::kWordBytes});
  dims.push_back({static_cast<int64_t>(llvm::divideCeil(block.extents[rank - 1], 128)),
                  resident ? resident->colWords * isa::kWordBytes : isa::kVregBytes,
                  block.rowsHeld / a.pack * isa::kWordBytes});
  dims.push_back({static_cast<int64_t>(llvm::divideCeil(block.extents[rank - 2], a.tileRows())),
                  resident ? isa::kVregBytes : a.rowTileStrideBytes(), isa::kVregBytes});
  return joinStrides(dims, run).size();
}

}  // namespace tpuc::plan
