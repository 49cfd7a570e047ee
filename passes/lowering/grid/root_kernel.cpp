// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of kernels around one op shares.
#include "passes/lowering/grid/root_kernel.h"

using namespace mlir;

namespace tpuc::lowering {

// Whether another dim than the root's last, which has one element, lies along a result's lanes.
static bool turnsLanes(const Space &space, const Domain &domain) {
  if (domain.dims[domain.c()] != 1) return false;
  return llvm::any_of(space.results, [&](const std::unique_ptr<ArrayBlock> &b) {
    int64_t last = b->array.rank() ? b->map[b->array.order.back()] : kUnit;
    return last != kUnit && last != domain.c();
  });
}

void storeRoot(Body &body, Space &space, Operation *root, ArrayRef<Value> groups, const Point &point) {
  // Each of its positions then writes a lane of its own, and the element is in the first.
  SmallVector<Value> spread(groups);
  if (turnsLanes(space, body.domain))
    for (Value &v : spread) v = body.code.inst("x.bcast.lane", {v}, {{"imm", 0}});
  storeThrough(body, space, root->getResult(0), spread, root->getBlock()->getTerminator()->getOperands(), point);
}

void pipelined(Code &c, ArrayRef<int64_t> extents, function_ref<void(const Position &)> ahead,
               function_ref<void(const Linear &, const Position &, const Position *)> body) {
  int64_t total = 1;
  for (int64_t e : extents) total *= e;
  auto at = [&](ValueRange counters) {
    Position position;
    for (auto [i, e] : llvm::enumerate(extents)) position.push_back(e == 1 ? Linear(0) : c.linear(counters[i]));
    return position;
  };
  SmallVector<Value> counters(extents.size(), c.i64(0));
  ahead(at(counters));
  counters = c.loop(c.i64(0), c.i64(total - 1), 1, counters, [&](Value iv, ValueRange now) {
    SmallVector<Value> next = c.advance(now, extents);
    Position position = at(next);
    body(c.linear(iv), at(now), &position);
    return next;
  });
  body(Linear(total - 1), at(counters), nullptr);
}

}  // namespace tpuc::lowering
