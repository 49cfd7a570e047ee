// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/move/row_transfers.h"

using namespace mlir;

namespace tpuc::lowering {

void startTransfer(Code &c, TransferEnd from, TransferEnd to, int64_t run, ArrayRef<int64_t> counts, Value semaphore) {
  OpBuilder &b = c.b;
  const int64_t fromAt = std::exchange(from.at.constant, 0), toAt = std::exchange(to.at.constant, 0);
  auto symbol = [&](StringRef name) {
    return name.empty() ? FlatSymbolRefAttr() : FlatSymbolRefAttr::get(b.getContext(), name);
  };
  auto strides = [&](int64_t stride) { return b.getDenseI64ArrayAttr(SmallVector<int64_t>(counts.size(), stride)); };
  tpu::DmaStartOp::create(b, c.loc, c.value(from.at), c.value(to.at), semaphore, b.getStringAttr(from.memory),
                          b.getStringAttr(to.memory), symbol(from.buffer), symbol(to.buffer),
                          b.getI64IntegerAttr(fromAt), b.getI64IntegerAttr(toAt), b.getI64IntegerAttr(run),
                          b.getDenseI64ArrayAttr(counts), strides(from.stride), strides(to.stride));
}

Value byteOfRow(Code &c, const Rows &rows, Value q) {
  const Array &array = rows.array;
  const Linear &first = rows.origin.offset;
  if (array.rank() == 1) return c.value(first + Linear(q) * 4);
  if (array.rank() > 2) return c.value(first + Linear(q) * array.leadStrideBytes(0));
  if (array.rowTileStrideBytes() == isa::kVregBytes) return c.value(first + Linear(q) * isa::kWordBytes);
  return c.value(first + Linear(c.div(q, 8)) * array.rowTileStrideBytes() + Linear(c.rem(q, 8)) * isa::kWordBytes);
}

}  // namespace tpuc::lowering
