// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staging: an operand's block is converted, computed or transposed once, into scratch of the matrix mode's type and
// tiles.
#include "passes/lowering/dot/dot_kernel.h"

using namespace mlir;

namespace tpuc::lowering {

// Whether the grid moves along a dim of the operand that none of its blocks follows: a vector that is held whole,
// positions.
bool DotKernel::movesWithin(const Operand &o) const {
  return llvm::any_of(o.scratch->map, [&](int64_t d) {
    return d >= 0 && domain_.steps(d) > 1 &&
           llvm::none_of(o.blocks, [&](const auto &b) { return b->dependsOn(*b->view, d); });
  });
}

// Where a block is new, so is what was staged of it.
void DotKernel::emitStages(const Step &step) {
  size_t input = 0;
  for (Operand *o : {&rows_, &weights_}) {
    Value fresh;
    for (size_t i = 0; i < o->blocks.size(); ++i) {
      Value f = step.fresh[input++];
      fresh = fresh ? c_.b.createOrFold<arith::OrIOp>(c_.loc, fresh, f) : f;
    }
    if (!o->scratch) continue;
    auto stage = [&] { o->transposed ? stageTransposed(*o) : stageDirect(*o); };
    if (fresh && !movesWithin(*o))
      c_.ifThen(fresh, stage);
    else
      stage();
  }
}

// `groups`: the rows of one unit, 8 each.
void DotKernel::storeStaged(Operand &o, const Point &at, ArrayRef<Value> groups) {
  bodyOf(o).store(*o.scratch, groups, at);
}

static SmallVector<int64_t> leadsOf(const ArrayBlock &scratch) {
  SmallVector<int64_t> leads(scratch.map.begin(), scratch.map.end());
  leads.resize(leads.size() - 2);
  return leads;
}

void DotKernel::stageDirect(Operand &o) {
  SmallVector<int64_t> dims = leadsOf(*o.scratch);
  dims.append({o.view.c(), o.view.r()});
  SmallVector<Linear> whole(domain_.dims.size(), Linear(0));
  // Whole blocks, also where the last one is short: what lies past the extents is never pushed unmasked.
  Domain full = o.view;
  for (size_t d = 0; d < full.dims.size(); ++d) full.dims[d] = std::min(full.dims[d], full.block[d]);
  emitNest(c_, full, whole, dims, 2, {}, [&](const Point &at, ValueRange) {
    SmallVector<Value> groups;
    for (int64_t sub = 0; sub < o.view.pack; ++sub) {
      Point p = at;
      p.sub = sub;
      groups.push_back(toMode(o, bodyOf(o).evaluate(o.value, o.map, p)));
    }
    bodyOf(o).nextPoint();
    storeStaged(o, at, groups);
    return SmallVector<Value>();
  });
}

// A tile of 128 x 128: `groups` vregs of the source's rows go in, vregs of its columns come out.
void DotKernel::stageTile(Operand &o, const Point &at, const Linear &rowTile, const Linear &laneTile, int64_t groups) {
  int64_t pack = o.view.pack, r = o.view.r(), c = o.view.c();
  Point in = at;
  in.at[r] = rowTile;  // the source's lanes
  for (int64_t g = 0; g < groups; ++g) {
    in.at[c] = laneTile * (16 / pack) + Linear(g / pack);
    in.sub = g % pack;
    c_.inst("x.tr.push", {toMode(o, sourceBodyOf(o).evaluate(o.value, o.map, in))}, {{"row", g}, {"buf", 0}});
    sourceBodyOf(o).nextPoint();
  }
  int64_t rows = std::min<int64_t>(16, llvm::divideCeil(o.view.block[r], 8));
  Point out = at;
  out.at[c] = laneTile;
  for (int64_t g = 0; g < rows; g += pack) {
    SmallVector<Value> values;
    for (int64_t i = 0; i < pack; ++i)
      values.push_back(c_.inst("x.tr.pop", {}, {{"row", std::min(g + i, rows - 1)}, {"buf", 0}}));
    out.at[r] = rowTile * (16 / pack) + Linear(g / pack);
    storeStaged(o, out, values);
  }
}

void DotKernel::stageTransposed(Operand &o) {
  SmallVector<Linear> whole(domain_.dims.size(), Linear(0));
  Domain full = o.view;
  for (size_t d = 0; d < full.dims.size(); ++d) full.dims[d] = std::min(full.dims[d], full.block[d]);
  int64_t lanes = full.block[o.view.c()], whole128 = lanes / 128, rest = llvm::divideCeil(lanes % 128, 8);
  int64_t rowTiles = llvm::divideCeil(full.block[o.view.r()], 128);
  emitNest(c_, full, whole, leadsOf(*o.scratch), 1, {}, [&](const Point &lead, ValueRange) {
    c_.loop(c_.i64(0), c_.i64(rowTiles), 1, {}, [&](Value row, ValueRange) {
      c_.loop(c_.i64(0), c_.i64(whole128), 1, {}, [&](Value lane, ValueRange) {
        stageTile(o, lead, c_.linear(row), c_.linear(lane), 16);
        return SmallVector<Value>();
      });
      if (rest) stageTile(o, lead, c_.linear(row), Linear(whole128), rest);
      return SmallVector<Value>();
    });
    return SmallVector<Value>();
  });
}

}  // namespace tpuc::lowering
