// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a block has the rows of its copy: known when compiling, or clamped to the block and masked.
#include "passes/lowering/conv/block_rows.h"

#include "passes/lowering/grid/transfers.h"

using namespace mlir;

namespace tpuc::lowering {

// Whether the rows inside of the array are the same in every block.
bool BlockRows::isStatic(size_t i) const {
  int64_t d = leadDims[i];
  return domain->steps(d) <= 1 || (lead[i].isTrivial() && !domain->hasTail(d));
}

// Static axes walk the rows that are there, from `first` on, others all rows of the copy.
SmallVector<int64_t> BlockRows::rowExtents(SmallVectorImpl<int64_t> &first) const {
  SmallVector<int64_t> extents;
  first.assign(lead.size(), 0);
  for (auto [i, x] : llvm::enumerate(lead)) {
    if (!isStatic(i)) {
      extents.push_back(held[i]);
      continue;
    }
    bool whole = domain->steps(leadDims[i]) <= 1;
    const Rows rows = rowsOf(i);
    int64_t from = whole ? llvm::divideCeil(std::max<int64_t>(-rows.low, 0), rows.dilation) : 0;
    int64_t end = whole ? std::min(x.in, held[i] - rows.low <= 0 ? 0 : (held[i] - rows.low - 1) / rows.dilation + 1)
                        : domain->block[leadDims[i]];
    first[i] = from;
    extents.push_back(std::max<int64_t>(end - from, 0));
  }
  return extents;
}

BlockRows::Row BlockRows::rowAt(ArrayRef<Linear> at, ArrayRef<int64_t> first) const {
  Row out{{}, block->base, Value()};
  for (auto [i, x] : llvm::enumerate(lead)) {
    const Rows rows = rowsOf(i);
    if (isStatic(i)) {
      Linear row = at[i] + Linear(first[i]);
      out.source = out.source + row * block->leadWords[i];
      out.lead.push_back(row * rows.dilation + Linear(rows.low));
      continue;
    }
    out.lead.push_back(at[i]);
    Linear position = index_[leadDims[i]] * rows.step + at[i] + Linear(-rows.low);
    Value p = c_.value(position);
    Value in =
        c_.b.createOrFold<arith::AndIOp>(c_.loc, c_.cmp(arith::CmpIPredicate::sge, p, c_.i64(0)),
                                         c_.cmp(arith::CmpIPredicate::slt, p, c_.i64((x.in - 1) * rows.dilation + 1)));
    Value row = c_.max(p, c_.i64(0));
    if (rows.dilation > 1) {
      in = c_.b.createOrFold<arith::AndIOp>(c_.loc, in,
                                            c_.cmp(arith::CmpIPredicate::eq, c_.rem(row, rows.dilation), c_.i64(0)));
      row = c_.div(row, rows.dilation);
    }
    row = c_.b.createOrFold<arith::SubIOp>(c_.loc, c_.min(row, c_.i64(x.in - 1)),
                                           c_.value(haloStart(c_, *block, i, index_[leadDims[i]])));
    row = c_.min(c_.max(row, c_.i64(0)), c_.i64(block->halos[i].held - 1));
    out.source = out.source + c_.linear(row) * block->leadWords[i];
    out.valid = out.valid ? c_.b.createOrFold<arith::AndIOp>(c_.loc, out.valid, in) : in;
  }
  return out;
}

Value BlockRows::presence(const Row &row) const {
  if (!row.valid) return {};
  return c_.inst("v.ne.i32", {c_.inst("v.splat", {c_.select(row.valid, c_.i64(1), c_.i64(0))}), c_.splatI(0)});
}

}  // namespace tpuc::lowering
