// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padded copies of input blocks.
#include "passes/lowering/conv/window.h"

#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/grid/transfers.h"

using namespace mlir;

namespace tpuc::lowering {

SmallVector<Axis> axesOf(stablehlo::ConvolutionOp op) {
  auto numbers = op.getDimensionNumbers();
  auto lhs = cast<RankedTensorType>(op.getLhs().getType()), rhs = cast<RankedTensorType>(op.getRhs().getType()),
       out = cast<RankedTensorType>(op.getType());
  SmallVector<Axis> axes(numbers.getInputSpatialDimensions().size());
  auto at = [](std::optional<ArrayRef<int64_t>> values, size_t i) { return values ? (*values)[i] : 1; };
  for (auto [i, a] : llvm::enumerate(axes)) {
    a.in = lhs.getDimSize(numbers.getInputSpatialDimensions()[i]);
    a.out = out.getDimSize(numbers.getOutputSpatialDimensions()[i]);
    a.window = rhs.getDimSize(numbers.getKernelSpatialDimensions()[i]);
    a.stride = at(op.getWindowStrides(), i);
    a.baseDilation = at(op.getLhsDilation(), i);
    a.dilation = at(op.getRhsDilation(), i);
    if (auto padding = op.getPadding()) a.low = padding->getValues<int64_t>()[2 * i];
    if (auto reversal = op.getWindowReversal()) a.reversed = (*reversal)[i];
  }
  return axes;
}

Value unpackGroup(Code &c, Type t, Value packed, int64_t group) {
  unsigned bits = t.isInteger(1) ? 8 : t.getIntOrFloatBitWidth();
  if (bits == 32) return packed;
  if (t.isBF16()) return c.inst("v.unpack.bf16", {packed}, {{"part", group}});
  bool sign = !t.isUnsignedInteger() && !t.isInteger(1) && !t.isF16();
  Value v = c.inst(bits == 16 ? "v.unpack.b16" : "v.unpack.b8", {packed}, {{"part", group}, {"sext", sign}});
  return t.isF16() ? c.inst("v.cvt.f16.f32", {v}) : v;
}

// Whether the rows inside of the array are the same in every block.
bool PaddedInput::isStatic(size_t i) const {
  int64_t d = leadDims[i];
  return domain->steps(d) <= 1 || (lead[i].isTrivial() && !domain->hasTail(d));
}

void PaddedInput::setHalos() {
  for (auto [i, a] : llvm::enumerate(lead)) {
    int64_t d = leadDims[i], span = a.span(domain->block[d]);
    Halo halo{domain->block[d] * a.stride, a.low, a.baseDilation, 0};
    halo.held =
        domain->steps(d) <= 1 ? a.in : std::min(a.in, a.baseDilation == 1 ? span : (span - 1) / a.baseDilation + 2);
    block->halos[i] = halo;
  }
}

void PaddedInput::layOut() {
  held.clear();
  leadWords.assign(lead.size(), 0);
  int64_t unit = 8 * block->array.pack, slack = 64 * last.stride;
  int64_t left = std::max<int64_t>(last.low, 0), right = std::min<int64_t>(last.low, 0);
  pitch = std::max(left + (static_cast<int64_t>(llvm::alignTo(last.in, unit)) - 1) * last.baseDilation + 1,
                   static_cast<int64_t>(last.span(std::max(reach, last.out)) - right));
  tiles = llvm::alignTo(llvm::divideCeil(domain->block[lanesDim], 128), tilesMultiple);
  tileWords = pitch;
  int64_t rows = tileWords * tiles;
  for (size_t i = 0; i < lead.size(); ++i) held.push_back(lead[i].span(domain->block[leadDims[i]]));
  for (size_t i = lead.size(); i-- > 0;) {
    leadWords[i] = rows;
    rows *= held[i];
  }
  words = llvm::alignTo(rows + slack + last.span(1), 8);
}

Linear PaddedInput::wordOf(ArrayRef<Linear> rows, const Linear &tile, const Linear &x) const {
  Linear at = Linear(word - std::min<int64_t>(last.low, 0)) + tile * tileWords + x;
  for (auto [i, row] : llvm::enumerate(rows)) at = at + row * leadWords[i];
  return at;
}

void PaddedInput::emitFill(Code &c) const {
  Value v = c.splatBits(fill);
  int64_t vregs = words / 8, unrolled = vregs / 4 * 4;
  auto at = [&](Linear i) { c.store(v, Linear(word) + i * 8, 1, region); };
  c.loop(
      c.i64(0), c.i64(unrolled), 4, {},
      [&](Value iv, ValueRange) {
        for (int64_t k = 0; k < 4; ++k) at(c.linear(iv) + Linear(k));
        return SmallVector<Value>();
      },
      true);
  for (int64_t k = unrolled; k < vregs; ++k) at(Linear(k));
}

DimMap PaddedInput::mapOf(ArrayRef<int64_t> leading, int64_t laneDim) const {
  DimMap map(leading.begin(), leading.end());
  if (isTurned)
    map.append({laneDim, kUnit});
  else
    map.append({kUnit, laneDim});
  return map;
}

void PaddedInput::setView(Domain &view, int64_t laneDim, int64_t other) const {
  view.cDim = isTurned ? other : laneDim;
  if (isTurned) view.rDim = laneDim;
}

// Static axes walk the rows that are there, from `first` on, others all rows of the copy.
SmallVector<int64_t> PaddedInput::rowExtents(SmallVectorImpl<int64_t> &first) const {
  SmallVector<int64_t> extents;
  first.assign(lead.size(), 0);
  for (auto [i, x] : llvm::enumerate(lead)) {
    if (!isStatic(i)) {
      extents.push_back(held[i]);
      continue;
    }
    bool whole = domain->steps(leadDims[i]) <= 1;
    int64_t from = whole ? std::max<int64_t>(0, llvm::divideCeil(std::max<int64_t>(-x.low, 0), x.baseDilation)) : 0;
    int64_t end = whole ? std::min(x.in, held[i] - x.low <= 0 ? 0 : (held[i] - x.low - 1) / x.baseDilation + 1)
                        : domain->block[leadDims[i]];
    first[i] = from;
    extents.push_back(std::max<int64_t>(end - from, 0));
  }
  return extents;
}

PaddedInput::Row PaddedInput::rowAt(Code &c, ArrayRef<Linear> at, ArrayRef<int64_t> first,
                                    ArrayRef<Linear> index) const {
  Row out{{}, block->base, Value()};
  for (auto [i, x] : llvm::enumerate(lead)) {
    if (isStatic(i)) {
      Linear row = at[i] + Linear(first[i]);
      out.source = out.source + row * block->leadWords[i];
      out.lead.push_back(row * x.baseDilation + Linear(x.low));
      continue;
    }
    out.lead.push_back(at[i]);
    Linear position = index[leadDims[i]] * (domain->block[leadDims[i]] * x.stride) + at[i] + Linear(-x.low);
    Value p = c.value(position);
    Value in =
        c.b.createOrFold<arith::AndIOp>(c.loc, c.cmp(arith::CmpIPredicate::sge, p, c.i64(0)),
                                        c.cmp(arith::CmpIPredicate::slt, p, c.i64((x.in - 1) * x.baseDilation + 1)));
    Value row = c.max(p, c.i64(0));
    if (x.baseDilation > 1) {
      in = c.b.createOrFold<arith::AndIOp>(c.loc, in,
                                           c.cmp(arith::CmpIPredicate::eq, c.rem(row, x.baseDilation), c.i64(0)));
      row = c.div(row, x.baseDilation);
    }
    row = c.b.createOrFold<arith::SubIOp>(c.loc, c.min(row, c.i64(x.in - 1)),
                                          c.value(haloStart(c, *block, i, index[leadDims[i]])));
    row = c.min(c.max(row, c.i64(0)), c.i64(block->halos[i].held - 1));
    out.source = out.source + c.linear(row) * block->leadWords[i];
    out.valid = out.valid ? c.b.createOrFold<arith::AndIOp>(c.loc, out.valid, in) : in;
  }
  return out;
}

Value PaddedInput::presence(Code &c, const Row &row) const {
  if (!row.valid) return {};
  return c.inst("v.ne.i32", {c.inst("v.splat", {c.select(row.valid, c.i64(1), c.i64(0))}), c.splatI(0)});
}

Value PaddedInput::laneMask(Code &c, const Linear &tile, ArrayRef<Linear> index) const {
  if (lanes % 128 == 0 && (domain->steps(lanesDim) <= 1 || !domain->hasTail(lanesDim))) return {};
  Linear lane = tile * 128 + index[lanesDim] * domain->block[lanesDim];
  return c.inst("v.lt.s32", {c.inst("v.add.i32", {c.inst("v.laneid", {}), c.splat(lane)}), c.splatI(lanes)});
}

static Value both(Code &c, Value a, Value b) { return !a ? b : !b ? a : c.inst("m.and", {a, b}); }

// 8 positions from `position` on, which stays below a multiple of `unit`: those behind the last are padding.
Value PaddedInput::keepInside(Code &c, Value v, Value keep, const Linear &position, int64_t unit) const {
  const bool inside = last.in % unit == 0 || (position.isConstant() && position.constant + 8 <= last.in);
  if (!inside) {
    Value row = c.inst("v.add.i32", {c.inst("v.subid", {}), c.splat(position)});
    keep = both(c, keep, c.inst("v.lt.s32", {row, c.splatI(last.in)}));
  }
  return keep ? c.inst("v.sel", {keep, v, c.splatBits(fill)}) : v;
}

void PaddedInput::emitStage(Code &c, ArrayRef<Linear> index) {
  if (isTurned) return emitTurned(c, index);
  const Array &a = block->array;
  const int64_t unit = 8 * a.pack, n = lead.size();
  SmallVector<int64_t> first, extents = rowExtents(first);
  extents.push_back(llvm::divideCeil(std::min(domain->block[lanesDim], lanes), 128));
  extents.push_back(llvm::divideCeil(last.in, unit));
  if (llvm::is_contained(extents, 0)) return;
  c.flatLoop(extents, 16 / a.pack, [&](ArrayRef<Linear> at, const Linear &) {
    const Row row = rowAt(c, at, first, index);
    Value packed = c.load(row.source + at[n] * (block->rowsHeld / a.pack) + at[n + 1] * 8, 1, block->region);
    Value keep = both(c, presence(c, row), laneMask(c, at[n], index));
    for (int64_t g = 0; g < a.pack; ++g) {
      Value v = unpackGroup(c, a.type.getElementType(), packed, g);
      if (intToFloat) v = c.inst("v.cvt.s32.f32", {v});
      const Linear position = at[n + 1] * unit + Linear(8 * g);
      v = keepInside(c, v, keep, position, unit);
      c.store(v, wordOf(row.lead, at[n], position * last.baseDilation + Linear(last.low)), last.baseDilation, region);
    }
  });
}

// A vreg has 128 positions of all features: through the transpose buffer, it is 16 of 8 positions.
void PaddedInput::emitTurned(Code &c, ArrayRef<Linear> index) {
  const Array &a = block->array;
  SmallVector<int64_t> first, extents = rowExtents(first);
  if (llvm::is_contained(extents, 0)) return;
  // Two rows in turn, where one is a tile: one is pushed while the other leaves.
  int64_t buffer = 0;
  c.flatLoop(extents, last.in <= 128 ? 2 : 1, [&](ArrayRef<Linear> at, const Linear &) {
    const Row row = rowAt(c, at, first, index);
    Value keep = both(c, presence(c, row), laneMask(c, Linear(0), index));
    for (int64_t tile = 0; tile * 128 < last.in; ++tile, buffer = 1 - buffer) {
      const int64_t end = std::min<int64_t>(last.in, (tile + 1) * 128);
      Value packed = c.load(row.source + Linear(tile * (block->rowsHeld / a.pack)), 1, block->region);
      Value v = unpackGroup(c, a.type.getElementType(), packed, 0);
      if (intToFloat) v = c.inst("v.cvt.s32.f32", {v});
      c.inst("x.tr.push", {v}, {{"row", 0}, {"buf", buffer}});
      for (int64_t position = tile * 128; position < end; position += 8) {
        Value turned = c.inst("x.tr.pop", {}, {{"row", position % 128 / 8}, {"buf", buffer}});
        turned = keepInside(c, turned, keep, Linear(position), 8);
        c.store(turned, wordOf(row.lead, Linear(0), Linear(position * last.baseDilation + last.low)), last.baseDilation,
                region);
      }
    }
  });
}

}  // namespace tpuc::lowering
