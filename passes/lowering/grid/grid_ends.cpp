// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids that end where the program's true sizes do: of a dim along which nobody asks for a result's elements behind a
// size, as many steps are taken as have elements before it. What the others would write stays as it was.
#include "passes/lowering/grid/grid_ends.h"

using namespace mlir;

namespace tpuc::lowering {

// Where all results end along parallel dim `d`: in blocks that follow it. Nothing where one does not, or elsewhere.
static std::optional<SizeEnd> endAlong(const Domain &domain, ArrayRef<ArrayBlock *> results, int64_t d) {
  std::optional<SizeEnd> common;
  for (const ArrayBlock *block : results) {
    bool follows = false;
    if (!block->halos.empty() || block->ends.size() != block->map.size()) return std::nullopt;
    for (auto [to, end] : llvm::zip_equal(block->map, block->ends)) {
      if (to != d && !(to == kLinear && d == domain.r())) continue;
      if (!end || (common && *common != *end)) return std::nullopt;
      common = end;
      follows = true;
    }
    if (!follows) return std::nullopt;
  }
  return common;
}

// The elements before the end.
static Linear extentOf(Code &c, const SizeEnd &end) {
  return Linear(c.inst("s.ldw", {c.i64(end.word)})) * end.scale + Linear(end.offset);
}

Value elementsBefore(Code &c, const SizeEnd &end, int64_t extent) {
  return c.min(c.max(c.value(extentOf(c, end)), c.i64(0)), c.i64(extent));
}

Value unitsBefore(const Grid &grid, Code &c, ArrayRef<Linear> index, int64_t d, int64_t elements) {
  const Domain &domain = grid.domain();
  auto end = endAlong(domain, grid.results(), d);
  const int64_t most = llvm::divideCeil(domain.block[d], elements);
  if (!end || most == 1) return nullptr;
  const Linear extent(c.min(c.value(extentOf(c, *end)), c.i64(domain.dims[d])));
  const Linear left = extent + index[d] * -domain.block[d] + Linear(elements - 1);
  return c.min(c.div(c.max(c.value(left), c.i64(elements)), elements), c.i64(most));
}

GridEnds::GridEnds(const Grid &grid) : grid_(grid) {
  for (int64_t d : grid.parallel)
    if (grid.domain().steps(d) > 1 && d != grid.backwards)
      if (auto end = endAlong(grid.domain(), grid.results(), d)) ends_[d] = *end;
}

void GridEnds::add(int64_t d, const SizeEnd &end) {
  if (grid_.domain().steps(d) > 1) ends_[d] = end;
}

// A sequence has one step at least: it may be what writes zeros.
void GridEnds::countSteps(Code &c) {
  const Domain &domain = grid_.domain();
  for (const auto &[d, end] : ends_) {
    const int64_t elements = domain.block[d] * (domain.linear && d == domain.r() ? 128 : 1);
    Value steps = c.div(c.max(c.value(extentOf(c, end) + Linear(elements - 1)), c.i64(0)), elements);
    const int64_t least = llvm::is_contained(grid_.sequential, d) ? 1 : 0;
    counts_[d] = c.min(c.max(steps, c.i64(least)), c.i64(domain.steps(d)));
  }
}

Value GridEnds::stepsOf(Code &c, ArrayRef<int64_t> dims) const {
  int64_t known = 1;
  Value steps;
  for (int64_t d : dims) {
    Value count = countOf(d);
    if (!count)
      known *= grid_.domain().steps(d);
    else
      steps = steps ? c.mul(steps, count) : count;
  }
  return steps ? c.mul(steps, known) : c.i64(known);
}

Value GridEnds::firstOf(Code &c, Value step) const {
  const bool all = llvm::none_of(grid_.parallel, [&](int64_t d) { return counts_.contains(d); });
  Value share = all ? step : c.div(c.mul(step, stepsOf(c, grid_.parallel)), grid_.parallelSteps());
  return c.mul(share, stepsOf(c, grid_.sequential));
}

}  // namespace tpuc::lowering
