// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short loops within others, joined.
#include "passes/lowering/grid/flat_nest.h"

#include "passes/lowering/kernels.h"

using namespace mlir;

namespace tpuc::lowering {

bool emitFlatNest(Code &c, const Domain &domain, ArrayRef<Linear> index, ArrayRef<int64_t> dims, int64_t unroll,
                  function_ref<void(const Point &)> body, const Stretch *stretch) {
  constexpr int64_t kShort = 64;  // iterations that fill and drain a pipelined loop for a tenth of their time and more
  SmallVector<int64_t> extents;
  auto isCut = [&](int64_t d) { return stretch && stretch->dim == d; };
  for (int64_t d : dims) {
    if (isCut(d)) {
      extents.push_back(stretch->end - stretch->begin);
      continue;
    }
    APInt trip;
    if (!matchPattern(blockTrip(c, domain, index, d), m_ConstantInt(&trip))) return false;
    extents.push_back(trip.getSExtValue());
  }
  int64_t all = 1, loops = 0;
  for (int64_t extent : extents) {
    all *= extent;
    loops += extent > 1;
  }
  int64_t innermost = 1, straight = unroll;  // iterations of the last loop that remains beside the straight code
  for (size_t i = extents.size(); i-- > 0 && innermost == 1;
       straight = std::max<int64_t>(straight / std::max<int64_t>(extents[i], 1), 1))
    innermost = extents[i] / std::clamp<int64_t>(straight, 1, std::max<int64_t>(extents[i], 1));
  if (all == 0 || loops < 2 || innermost > kShort || innermost == all) return false;
  c.flatLoop(extents, unroll, [&](ArrayRef<Linear> at, const Linear &) {
    Point p;
    p.at.assign(domain.dims.size(), Linear(0));
    for (auto [i, d] : llvm::enumerate(dims)) p.at[d] = at[i] + Linear(isCut(d) ? stretch->begin : 0);
    body(p);
  });
  return true;
}

}  // namespace tpuc::lowering
