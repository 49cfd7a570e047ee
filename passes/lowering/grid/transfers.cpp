// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where blocks lie at a grid position, and their DMA descriptors.
#include "passes/lowering/grid/transfers.h"

#include "passes/plan/grid/strided_dims.h"

using namespace mlir;

namespace tpuc::lowering {

Linear haloStart(Code &c, const ArrayBlock &block, int64_t phys, const Linear &index) {
  const Halo &halo = block.halos.find(phys)->second;
  Value start = c.value(index * halo.step + Linear(-halo.low));
  start = c.div(c.b.createOrFold<arith::MaxSIOp>(c.loc, start, c.i64(0)), halo.dilation * halo.tile);
  int64_t tiles = llvm::divideCeil(block.array.held(phys), halo.tile);
  return c.linear(c.min(start, c.i64(std::max<int64_t>(tiles - halo.held / halo.tile, 0)))) * halo.tile;
}

Linear baseInPlace(Code &c, const ArrayBlock &block, ArrayRef<Linear> index) {
  const Array &array = block.array;
  const Resident *resident = block.resident;
  const Domain &domain = *block.view;
  Linear at(resident->word);
  if (array.isVector()) {
    int64_t d = array.rank() ? block.blockedDim(domain, 0) : kUnit;
    return d == kUnit ? at : at + index[d] * (block.blockElements(domain) / (128 * array.pack));
  }
  int64_t rank = array.rank();
  for (int64_t phys = 0; phys < rank - 2; ++phys) {
    int64_t d = block.blockedDim(domain, phys);
    if (block.halos.contains(phys))
      at = at + haloStart(c, block, phys, index[d]) * resident->leadWords[phys];
    else if (d != kUnit)
      at = at + index[d] * (domain.block[d] * resident->leadWords[phys]);
  }
  if (int64_t d = block.blockedDim(domain, rank - 2); d != kUnit) at = at + index[d] * (domain.block[d] / array.pack);
  if (int64_t d = block.blockedDim(domain, rank - 1); d != kUnit)
    at = at + index[d] * (domain.block[d] / 128 * resident->colWords);
  return at;
}

namespace {

// A DMA of nested dims, outermost first.
void emitDma(Code &c, const ArrayBlock &block, ArrayRef<StridedDim> dims, int64_t run, Linear hbm, Linear vmem,
             Value semaphore) {
  SmallVector<StridedDim> kept = joinStrides(dims, run);
  assert(kept.size() <= kMostStridedDims && "a block has at most four strided dims");
  SmallVector<int64_t> counts, hbmStrides, vmemStrides;
  for (StridedDim d : kept) {
    counts.push_back(d.count);
    hbmStrides.push_back(d.array);
    vmemStrides.push_back(d.block);
  }
  Linear hbmAdd = hbm, vmemAdd = vmem;
  hbmAdd.constant = vmemAdd.constant = 0;
  Value hbmValue = c.value(hbmAdd), vmemValue = c.value(vmemAdd);
  OpBuilder &b = c.b;
  auto none = FlatSymbolRefAttr();
  auto symbol = block.resident ? none : FlatSymbolRefAttr::get(b.getContext(), block.origin.buffer);
  auto space = b.getStringAttr(block.resident ? "vmem" : "hbm");
  if (block.isResult)
    tpu::DmaStartOp::create(b, c.loc, vmemValue, hbmValue, semaphore, b.getStringAttr("vmem"), space, none, symbol,
                            b.getI64IntegerAttr(vmem.constant), b.getI64IntegerAttr(hbm.constant),
                            b.getI64IntegerAttr(run), b.getDenseI64ArrayAttr(counts),
                            b.getDenseI64ArrayAttr(vmemStrides), b.getDenseI64ArrayAttr(hbmStrides));
  else
    tpu::DmaStartOp::create(b, c.loc, hbmValue, vmemValue, semaphore, space, b.getStringAttr("vmem"), symbol, none,
                            b.getI64IntegerAttr(hbm.constant), b.getI64IntegerAttr(vmem.constant),
                            b.getI64IntegerAttr(run), b.getDenseI64ArrayAttr(counts),
                            b.getDenseI64ArrayAttr(hbmStrides), b.getDenseI64ArrayAttr(vmemStrides));
}

// `extent(phys)`: how much of each physical dim this block has.
void emitExtents(Code &c, const Domain &domain, const ArrayBlock &block, ArrayRef<int64_t> extent,
                 ArrayRef<Linear> index, const Linear &word, Value semaphore) {
  const Array &a = block.array;
  const Resident *resident = block.resident;
  Linear whole = resident ? Linear(resident->word * isa::kWordBytes) : block.origin.offset;
  Linear vmem = word * isa::kWordBytes;
  SmallVector<StridedDim> dims;
  if (a.isVector()) {
    if (a.rank()) whole = whole + Linear(a.first[0] / (128 * a.pack) * isa::kWordBytes);
    int64_t words = a.rank() ? llvm::divideCeil(extent[0], 128 * a.pack) : 1;
    int64_t d = a.rank() ? block.blockedDim(domain, 0) : kUnit;
    if (d != kUnit) whole = whole + index[d] * (block.blockElements(domain) / (128 * a.pack) * isa::kWordBytes);
    emitDma(c, block, dims, words * isa::kWordBytes, whole, vmem, semaphore);
    return;
  }
  int64_t rank = a.rank();
  auto leadStride = [&](int64_t phys) {
    return resident ? resident->leadWords[phys] * isa::kWordBytes : a.leadStrideBytes(phys);
  };
  for (int64_t phys = 0; phys < rank - 2; ++phys) {
    dims.push_back({extent[phys], leadStride(phys) * a.step[phys], block.leadWords[phys] * isa::kWordBytes});
    int64_t d = block.blockedDim(domain, phys);
    if (block.halos.contains(phys))
      whole = whole + haloStart(c, block, phys, index[d]) * leadStride(phys);
    else if (d != kUnit)
      whole = whole + index[d] * (domain.block[d] * leadStride(phys) * a.step[phys]);
    whole = whole + Linear(a.first[phys] * leadStride(phys));
  }
  int64_t rowTileStride = resident ? isa::kVregBytes : a.rowTileStrideBytes();
  int64_t colTileStride = resident ? resident->colWords * isa::kWordBytes : isa::kVregBytes;
  whole = whole + Linear(a.first[rank - 2] / a.tileRows() * rowTileStride + a.first[rank - 1] / 128 * colTileStride);
  for (auto [phys, tile, stride] :
       {std::tuple(rank - 2, a.tileRows(), rowTileStride), std::tuple(rank - 1, int64_t{128}, colTileStride)})
    if (int64_t d = block.blockedDim(domain, phys); block.halos.contains(phys))
      whole = whole + c.divL(haloStart(c, block, phys, index[d]), tile) * stride;
    else if (d != kUnit)
      whole = whole + index[d] * (domain.block[d] / tile * stride);
  int64_t rt = llvm::divideCeil(extent[rank - 2], a.tileRows()), ct = llvm::divideCeil(extent[rank - 1], 128);
  int64_t colStride = block.rowsHeld / a.pack * isa::kWordBytes;
  // Where the array has one row, or the block is a slice of one, the transfer has its words alone: beside it the tile
  // may hold other rows.
  if (a.stored.getDimSize(a.order[rank - 2]) == 1 && a.pack == 1 && !resident) {
    dims.push_back({ct, colTileStride, colStride});
    emitDma(c, block, dims, isa::kWordBytes, whole, vmem, semaphore);
    return;
  }
  // The longer dim innermost: longer runs of the engine over one stride.
  dims.push_back({ct, colTileStride, colStride});
  dims.push_back({rt, rowTileStride, isa::kVregBytes});
  emitDma(c, block, dims, isa::kVregBytes, whole, vmem, semaphore);
}

}  // namespace

void emitBlockDma(Code &c, const Domain &domain, const ArrayBlock &block, ArrayRef<Linear> index, const Linear &word,
                  Value semaphore) {
  const Array &a = block.array;
  SmallVector<int64_t> extent(a.rank());
  SmallVector<std::pair<int64_t, int64_t>> tails;  // physical dim, domain dim
  for (int64_t phys = 0; phys < a.rank(); ++phys) {
    int64_t d = block.blockedDim(domain, phys);
    extent[phys] = a.held(phys);
    if (auto halo = block.halos.find(phys); halo != block.halos.end()) {
      extent[phys] = halo->second.held;
      continue;
    }
    if (d == kUnit) continue;
    bool linear = block.map[a.order[phys]] == kLinear;
    extent[phys] = linear ? std::min(domain.block[d] * 128, static_cast<int64_t>(llvm::alignTo(a.extent(phys), 128)))
                          : std::min(domain.block[d], a.extent(phys));
    if (domain.hasTail(d) && domain.steps(d) > 1) tails.push_back({phys, d});
  }
  // One descriptor for each combination of full and last blocks.
  std::function<void(size_t)> go = [&](size_t i) {
    if (i == tails.size()) return emitExtents(c, domain, block, extent, index, word, semaphore);
    auto [phys, d] = tails[i];
    Value last = c.cmp(arith::CmpIPredicate::eq, c.value(index[d]), c.i64(domain.steps(d) - 1));
    int64_t full = extent[phys];
    c.ifThen(
        last,
        [&, phys = phys, d = d] {
          int64_t rest = domain.dims[d] % domain.block[d];
          extent[phys] = block.map[a.order[phys]] == kLinear ? rest * 128 : rest;
          go(i + 1);
        },
        [&, phys = phys] {
          extent[phys] = full;
          go(i + 1);
        });
    extent[phys] = full;
  };
  go(0);
}

}  // namespace tpuc::lowering
