// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. A dim of one position, or with a known start, or along which both sides have one stride, or that begins with a
//    tile, stays a dim of the transfers: its start is added by the scalar unit.
// 2. Any other dim is a scalar loop around the transfers.
#include "passes/lowering/move/box_copy.h"

using namespace mlir;

namespace tpuc::lowering {

static int64_t physOf(const Array &a, int64_t dim) { return llvm::find(a.order, dim) - a.order.begin(); }

std::optional<int64_t> Side::stride(int64_t dim) const {
  if (dim < 0) return 0;
  if (dense) {
    int64_t stride = array.bytes;
    for (int64_t d = array.rank() - 1; d > dim; --d) stride *= array.type.getDimSize(d);
    return stride;
  }
  int64_t phys = physOf(array, dim), size = array.type.getDimSize(dim);
  if (!array.isVector() && phys < array.rank() - 2) return array.leadStrideBytes(phys);
  bool lanes = array.isVector() || phys == array.rank() - 1;
  if (lanes && size <= 128) return 4;
  if (!lanes && array.pack == 1 && size <= 8) return isa::kWordBytes;
  return std::nullopt;
}

int64_t Side::tile(int64_t dim) const {
  if (stride(dim)) return 1;
  if (array.isVector()) return 128 * array.pack;
  return physOf(array, dim) == array.rank() - 1 ? 128 : array.tileRows();
}

int64_t Side::at(int64_t dim, int64_t i) const {
  if (dim < 0) return 0;
  if (dense) return *stride(dim) * i;
  return byteOffset(array, physOf(array, dim), i);
}

Linear Side::at(Code &c, int64_t dim, const Linear &i) const {
  if (dim < 0) return 0;
  if (auto s = stride(dim)) return i * *s;
  if (i.isConstant()) return at(dim, i.constant);
  int64_t phys = physOf(array, dim);
  if (array.isVector()) {
    Linear row = c.divL(i, 128);
    return c.divL(row, array.pack) * isa::kWordBytes + c.remL(row, array.pack) * array.bytes + c.remL(i, 128) * 4;
  }
  if (phys == array.rank() - 1) return c.divL(i, 128) * isa::kVregBytes + c.remL(i, 128) * 4;
  int64_t tile = array.tileRows();
  Linear within = c.remL(i, tile);
  return c.divL(i, tile) * (array.colTiles() * isa::kVregBytes) + c.divL(within, array.pack) * isa::kWordBytes +
         c.remL(within, array.pack) * array.bytes;
}

static void startDma(Code &c, Memory src, Memory dst, const Transfer &t, Linear s, Linear d, ArrayRef<CopyDim> dims) {
  OpBuilder &b = c.b;
  SmallVector<int64_t> counts, ss, ds;
  for (const CopyDim &dim : dims) {
    counts.push_back(dim.count);
    ss.push_back(dim.src);
    ds.push_back(dim.dst);
  }
  int64_t sc = s.constant, dc = d.constant;
  s.constant = d.constant = 0;
  auto symbol = [&](StringRef name) {
    return name.empty() ? FlatSymbolRefAttr() : FlatSymbolRefAttr::get(b.getContext(), name);
  };
  tpu::DmaStartOp::create(b, c.loc, c.value(s), c.value(d), c.i64(0), b.getStringAttr(src.space),
                          b.getStringAttr(dst.space), symbol(src.symbol), symbol(dst.symbol), b.getI64IntegerAttr(sc),
                          b.getI64IntegerAttr(dc), b.getI64IntegerAttr(t.run), b.getDenseI64ArrayAttr(counts),
                          b.getDenseI64ArrayAttr(ss), b.getDenseI64ArrayAttr(ds));
}

int64_t emitTransfer(Code &c, Memory src, Memory dst, const Transfer &t, const Linear &srcAdd, const Linear &dstAdd) {
  SmallVector<CopyDim> inner(t.dims.begin(), t.dims.end()), outer;
  while (inner.size() > 4) {
    auto *shortest = llvm::min_element(inner, [](const CopyDim &a, const CopyDim &b) { return a.count < b.count; });
    outer.push_back(*shortest);
    inner.erase(shortest);
  }
  int64_t count = 1;
  for (const CopyDim &d : outer) count *= d.count;
  std::function<void(size_t, Linear, Linear)> go = [&](size_t i, Linear s, Linear d) {
    if (i == outer.size()) return startDma(c, src, dst, t, s, d, inner);
    c.loop(c.i64(0), c.i64(outer[i].count), 1, {}, [&](Value iv, ValueRange) {
      go(i + 1, s + Linear(iv) * outer[i].src, d + Linear(iv) * outer[i].dst);
      return SmallVector<Value>();
    });
  };
  go(0, srcAdd + Linear(t.src), dstAdd + Linear(t.dst));
  return count;
}

SmallVector<BoxDim> boxOf(ArrayRef<int64_t> extents) {
  SmallVector<BoxDim> box;
  for (auto [d, n] : llvm::enumerate(extents))
    box.push_back({static_cast<int64_t>(d), static_cast<int64_t>(d), n, {}, {}});
  return box;
}

int64_t emitBoxCopy(Code &c, const Side &src, const Side &dst, ArrayRef<BoxDim> box) {
  Linear srcAdd = src.base, dstAdd = dst.base;
  SmallVector<CopyGroup> groups;
  SmallVector<BoxDim> loops;
  for (const BoxDim &dim : box) {
    if (dim.count == 0) return 0;
    if (dim.count == 1) {
      srcAdd = srcAdd + src.at(c, dim.src, dim.srcStart);
      dstAdd = dstAdd + dst.at(c, dim.dst, dim.dstStart);
      continue;
    }
    auto stays = [](const Side &side, int64_t d, const Linear &start, int64_t multiple) {
      return start.isConstant() || multiple % side.tile(d) == 0;
    };
    if (!stays(src, dim.src, dim.srcStart, dim.srcMultiple) || !stays(dst, dim.dst, dim.dstStart, dim.dstMultiple)) {
      loops.push_back(dim);
      continue;
    }
    // The place of a start that is not known is added once.
    auto known = [&](const Side &side, int64_t d, const Linear &start, Linear &add) -> int64_t {
      if (start.isConstant()) return start.constant;
      add = add + side.at(c, d, start);
      return 0;
    };
    int64_t s0 = known(src, dim.src, dim.srcStart, srcAdd), d0 = known(dst, dim.dst, dim.dstStart, dstAdd);
    groups.push_back({dim.count, [&src, &dst, dim, s0, d0](int64_t i) {
                        return std::pair(src.at(dim.src, s0 + i), dst.at(dim.dst, d0 + i));
                      }});
  }
  int64_t bytes = dst.array.bytes, started = 1;
  for (const BoxDim &dim : loops) started *= dim.count;
  auto transfers = planCopy(groups, bytes, int64_t{1} << 20);
  int64_t each = 0;
  std::function<void(size_t, Linear, Linear)> go = [&](size_t i, Linear s, Linear d) {
    if (i == loops.size()) {
      each = 0;
      for (const Transfer &t : *transfers) each += emitTransfer(c, src.memory(), dst.memory(), t, s, d);
      return;
    }
    const BoxDim &dim = loops[i];
    c.loop(c.i64(0), c.i64(dim.count), 1, {}, [&](Value iv, ValueRange) {
      go(i + 1, s + src.at(c, dim.src, dim.srcStart + Linear(iv)), d + dst.at(c, dim.dst, dim.dstStart + Linear(iv)));
      return SmallVector<Value>();
    });
  };
  go(0, srcAdd, dstAdd);
  return started * each;
}

void emitWait(Code &c, int64_t transfers) {
  if (transfers) c.inst("dma.wait", {}, {{"imm", 0}, {"count", transfers}});
}

int64_t emitArrayCopy(Code &c, const Side &from, const Side &to) {
  const Array &array = from.array;
  Transfer t;
  t.run = array.hbmBytes();
  // Lanes that are padding stay where they are.
  if (int64_t words = t.run / isa::kWordBytes; words && !array.isVector() && array.cols() <= 64) {
    t.run = array.cols() * 4;
    t.dims.push_back({words, isa::kWordBytes, isa::kWordBytes});
  }
  return t.run ? emitTransfer(c, from.memory(), to.memory(), t, from.base, to.base) : 0;
}

}  // namespace tpuc::lowering
