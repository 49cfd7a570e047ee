// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/blocked_dims.h"

using namespace mlir;

namespace tpuc::fusion {

int64_t BlockedDims::count() const {
  int64_t count = 1;
  for (int64_t d = 0; d < static_cast<int64_t>(extents_.size()); ++d) count *= countAlong(d);
  return count;
}

SmallVector<int64_t> BlockedDims::walked() const {
  SmallVector<int64_t> out(first_);
  llvm::erase_if(out, [&](int64_t d) { return !isWalked(d); });
  return out;
}

SmallVector<int64_t> BlockedDims::kept(RankedTensorType type, const CommonDims &dims) const {
  SmallVector<int64_t> out;
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i)
    if (extent(type, dims, i) != 1) out.push_back(i);
  return out;
}

RankedTensorType BlockedDims::blockType(RankedTensorType type, const CommonDims &dims) const {
  SmallVector<int64_t> shape;
  for (int64_t i : kept(type, dims)) shape.push_back(extent(type, dims, i));
  return type.clone(shape);
}

SmallVector<int64_t> BlockedDims::places(RankedTensorType type, const CommonDims &dims) const {
  SmallVector<int64_t> out(dims.size(), -1);
  for (auto [to, from] : llvm::enumerate(kept(type, dims))) out[from] = static_cast<int64_t>(to);
  return out;
}

SmallVector<int64_t> BlockedDims::orderBy(const CommonDims &dims, ArrayRef<int64_t> first) {
  SmallVector<int64_t> order;
  for (int64_t d : first)
    for (auto [i, is] : llvm::enumerate(dims))
      if (is == d) order.push_back(static_cast<int64_t>(i));
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i)
    if (!llvm::is_contained(order, i)) order.push_back(i);
  return order;
}

}  // namespace tpuc::fusion
