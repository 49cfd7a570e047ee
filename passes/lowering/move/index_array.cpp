// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of indices in SMEM: all of one, or the parts that were read last.
#include "passes/lowering/move/indices.h"

using namespace mlir;

namespace tpuc::lowering {

IndexArray::IndexArray(KernelContext &context, Code &c, Value indices, int64_t vectorDim, int64_t parts)
    : c_(c),
      from_(operandSide(context, indices)),
      vectorDim_(vectorDim),
      isUnsigned_(getElementTypeOrSelf(indices).isUnsignedInteger()),
      parts_(parts) {
  auto type = cast<RankedTensorType>(indices.getType());
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != vectorDim) dims_.push_back(d);
  int64_t bytes = 4 * type.getNumElements();
  if (parts_) {
    keepParts(context);
    return;
  }
  context.smemBytes = std::max(context.smemBytes, bytes);
  Side to{"smem", "", from_.array, true, {}};
  emitWait(c, emitBoxCopy(c, from_, to, boxOf(type.getShape())));
}

// Each part has one place, as many as there are: neighbours, and tiles of a row, do not take each other's.
void IndexArray::keepParts(KernelContext &context) {
  context.smemBytes = std::max(context.smemBytes, parts_ * (kPart + kPrefix));
  c_.loop(c_.i64(0), c_.i64(parts_), 1, {}, [&](Value i, ValueRange) {
    c_.inst("s.stw", {c_.i64(-1), c_.mul(i, 4)});
    return SmallVector<Value>();
  });
}

// `count` neighbours from byte `address` of the array on, in one part.
SmallVector<Value> IndexArray::fromPart(Value address, int64_t count) {
  // The last part ends where the array does.
  Value first = c_.min(c_.mul(c_.div(address, kPart), kPart), c_.i64(from_.array.hbmBytes() - kPart));
  Value place = c_.rem(c_.div(address, kPart), parts_), number = c_.div(first, isa::kWordBytes);
  Value to = c_.add(c_.mul(place, kPart), c_.i64(kPrefix * parts_)), tag = c_.mul(place, 4);
  c_.ifThen(c_.cmp(arith::CmpIPredicate::ne, c_.inst("s.ldw", {tag}), number), [&] {
    auto none = c_.b.getDenseI64ArrayAttr({});
    tpu::DmaStartOp::create(
        c_.b, c_.loc, c_.value(from_.base + Linear(first)), to, c_.i64(1), c_.b.getStringAttr("hbm"),
        c_.b.getStringAttr("smem"), FlatSymbolRefAttr::get(c_.b.getContext(), from_.symbol), FlatSymbolRefAttr(),
        c_.b.getI64IntegerAttr(0), c_.b.getI64IntegerAttr(0), c_.b.getI64IntegerAttr(kPart), none, none, none);
    c_.inst("dma.wait", {c_.i64(1)}, {{"count", 1}});
    c_.inst("s.stw", {number, tag});
  });
  Value at = c_.add(to, c_.b.createOrFold<arith::SubIOp>(c_.loc, address, first));
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i) words.push_back(c_.inst("s.ldw", {at}, {{"off", 4 * i}}));
  return words;
}

// Where it is: of the array as it lies, or dense in SMEM.
Linear IndexArray::byteOf(ArrayRef<Linear> batch, int64_t k) {
  Side held{"smem", "", from_.array, true, {}};
  Linear address;
  auto add = [&](int64_t dim, const Linear &i) {
    address = address + (parts_ ? from_.at(c_, dim, i) : held.at(c_, dim, i));
  };
  for (auto [dim, i] : llvm::zip(dims_, batch)) add(dim, i);
  if (vectorDim_ < from_.array.rank()) add(vectorDim_, Linear(k));
  return address;
}

Value IndexArray::at(ArrayRef<Linear> batch, int64_t k) {
  Linear address = byteOf(batch, k);
  if (parts_) return extended(fromPart(c_.value(address), 1)[0]);
  const int64_t offset = std::exchange(address.constant, 0);
  return extended(c_.inst("s.ldw", {c_.value(address)}, {{"off", offset}}));
}

SmallVector<Value> IndexArray::ofEach(ArrayRef<SmallVector<Linear>> points, int64_t k) {
  const bool areNeighbours = !dims_.empty() && from_.array.order.back() == dims_.back();
  if (!parts_ || !areNeighbours) return llvm::map_to_vector(points, [&](auto &point) { return at(point, k); });
  SmallVector<Value> words = fromPart(c_.value(byteOf(points[0], k)), static_cast<int64_t>(points.size()));
  return llvm::map_to_vector(words, [&](Value word) { return extended(word); });
}

// A word of SMEM comes as a signed number.
Value IndexArray::extended(Value word) {
  return isUnsigned_ ? c_.b.createOrFold<arith::AndIOp>(c_.loc, word, c_.i64(0xffffffff)) : word;
}

}  // namespace tpuc::lowering
