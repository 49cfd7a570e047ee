// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of a kernel's body at a vreg.
#include "passes/lowering/body/body.h"

#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/body/region.h"
#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {

static Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

// ---- indices ------------------------------------------------------------------------------------------------------

Linear Body::rowBase(const Point &p) const {
  return p.at[domain.r()] * domain.unitRows() + Linear(8 * p.sub) + blockIndex[domain.r()] * domain.block[domain.r()];
}

Value Body::indexVector(int64_t d, const Point &p) {
  Value lanes, rows;
  if (d == domain.c() || d == kLinear) {
    Linear ct = p.at[domain.c()] + blockIndex[domain.c()] * (domain.block[domain.c()] / 128);
    lanes = code.inst("v.laneid", {});
    if (d == domain.c()) {
      Linear base = ct * 128;
      if (base.isConstant() && base.constant == 0) return lanes;
      return code.inst("v.add.i32", {lanes, code.splat(base)});
    }
  }
  if (d == domain.r() || d == kLinear) {
    rows = code.inst("v.add.i32", {code.inst("v.subid", {}), code.splat(rowBase(p))});
    if (d == domain.r()) return rows;
    return code.inst("v.add.i32", {code.inst("v.shl", {rows, code.splatI(7)}), lanes});
  }
  return code.splat(p.at[d] + blockIndex[d] * domain.block[d]);
}

Value Body::boundsMask(const Point &p, bool rows, bool lanes) {
  if (domain.linear) {
    if (domain.linearSize % (128 * domain.unitRows()) == 0) return {};
    return code.inst("v.lt.s32", {indexVector(kLinear, p), code.splatI(domain.linearSize)});
  }
  Value mask;
  if (lanes && domain.dims[domain.c()] % 128)
    mask = code.inst("v.lt.s32", {indexVector(domain.c(), p), code.splatI(domain.dims[domain.c()])});
  if (rows && domain.dims[domain.r()] % domain.unitRows()) {
    Value m = code.inst("v.lt.s32", {indexVector(domain.r(), p), code.splatI(domain.dims[domain.r()])});
    mask = mask ? code.inst("m.and", {mask, m}) : m;
  }
  return mask;
}

// ---- loads --------------------------------------------------------------------------------------------------------

// The element index along a physical dim within the block held.
Linear Body::localIndex(const ArrayBlock &block, int64_t phys, const Point &p) const {
  int64_t d = block.map[block.array.order[phys]];
  if (d == kUnit) return 0;
  bool local = block.blockedDim(domain, phys) != kUnit;
  Linear index = d == domain.r()   ? p.at[d] * domain.unitRows() + Linear(8 * p.sub)
                 : d == domain.c() ? p.at[d] * 128
                                   : p.at[d];
  return local ? index : index + blockIndex[d] * domain.block[d];
}

// An 8-row group of a packed vreg, in lane form.
Value Body::unpack(const ArrayBlock &block, Value packed, int64_t part) {
  Type t = block.array.type.getElementType();
  if (block.array.pack == 1) return packed;
  bool sign = !t.isUnsignedInteger() && !t.isInteger(1);
  if (t.isBF16()) return code.inst("v.unpack.bf16", {packed}, {{"part", part}});
  if (block.array.pack > 4) return unpackBelowByte(block, packed, part);
  Value v = block.array.pack == 2 ? code.inst("v.unpack.b16", {packed}, {{"part", part}, {"sext", sign && !t.isF16()}})
                                  : code.inst("v.unpack.b8", {packed}, {{"part", part}, {"sext", sign}});
  return toLaneForm(block, v);
}

// Rows of less than a byte: the group's eight rows are parts of one word, a part a sublane.
Value Body::unpackBelowByte(const ArrayBlock &block, Value packed, int64_t group) {
  int64_t pack = block.array.pack, bits = 32 / pack;
  Value word = code.inst("x.bcast.sub", {packed}, {{"imm", group * 8 / pack}});
  Value up = code.inst("v.sub.i32", {code.splatI(32 - bits - group * 8 % pack * bits),
                                     code.inst("v.mul.i32", {code.inst("v.subid", {}), code.splatI(bits)})});
  bool sign = !block.array.type.getElementType().isUnsignedInteger();
  return code.inst(sign ? "v.shr.s32" : "v.shr.u32", {code.inst("v.shl", {word, up}), code.splatI(32 - bits)});
}

Value Body::packBelowByte(const ArrayBlock &block, ArrayRef<Value> g) {
  int64_t pack = block.array.pack, bits = 32 / pack, groups = pack / 8;  // groups of rows that share a word
  Value sub = code.inst("v.subid", {}), low = code.splatBits((1u << bits) - 1), result;
  for (int64_t word = 0; word < 8; ++word) {
    Value parts;
    for (int64_t i = 0; i < groups; ++i) {
      Value up = code.inst("v.mul.i32", {code.inst("v.add.i32", {sub, code.splatI(8 * i)}), code.splatI(bits)});
      Value part = code.inst("v.shl", {code.inst("v.and", {g[word * groups + i], low}), up});
      parts = parts ? code.inst("v.or", {parts, part}) : part;
    }
    // Or, not the unit's sum: a row of padding may hold anything, and must not touch its neighbours' bits.
    Value all = parts;
    for (int64_t step : {4, 2, 1}) all = code.inst("v.or", {all, code.inst("x.rot.sub", {all}, {{"imm", step}})});
    result = result ? code.inst("v.sel", {code.inst("v.eq.i32", {sub, code.splatI(word)}), all, result}) : all;
  }
  return result;
}

// What remains after the bits are in place: f16 widens, i1 becomes a mask.
Value Body::toLaneForm(const ArrayBlock &block, Value v) {
  Type t = block.array.type.getElementType();
  if (t.isF16()) return code.inst("v.cvt.f16.f32", {v});
  if (t.isInteger(1)) return intToMask(code, v);
  return v;
}

// Part `part` of every word: the element of one row in each lane.
Value Body::extractPart(const ArrayBlock &block, Value word, const Linear &part) {
  int64_t pack = block.array.pack;
  if (pack == 1) return toLaneForm(block, word);
  int64_t bits = 32 / pack;
  // To the top of the lane, then down again.
  Linear up = part * -bits + Linear(32 - bits);
  return extractTop(block, up.isConstant() && up.constant == 0 ? word : code.inst("v.shl", {word, code.splat(up)}));
}

// The element in the highest bits of each lane.
Value Body::extractTop(const ArrayBlock &block, Value top) {
  Type t = block.array.type.getElementType();
  int64_t bits = 32 / block.array.pack;
  if (t.isBF16()) return code.inst("v.and", {top, code.splatBits(0xffff0000)});
  bool sign = !t.isUnsignedInteger() && !t.isInteger(1) && !t.isF16();
  return toLaneForm(block, code.inst(sign ? "v.shr.s32" : "v.shr.u32", {top, code.splatI(32 - bits)}));
}

// Lane `index` mod 128 of each sublane's row, in every lane; `index` is along a domain dim or constant.
static Value broadcastLane(Code &c, Value v, const Linear &lane) {
  if (lane.isConstant()) return c.inst("x.bcast.lane", {v}, {{"imm", lane.constant}});
  return c.inst("x.bcast.lane", {v, c.value(lane)});
}

// Rows of words are the same in all sublanes; lane = sublane's row along r.
static Value lanesToRows(Code &c, Value v, const Linear &firstLane) {
  Value index = c.inst("v.subid", {});
  if (!firstLane.isConstant() || firstLane.constant) index = c.inst("v.add.i32", {index, c.splat(firstLane)});
  return c.inst("x.perm.lane", {v, index});
}

// A rank-1 or rank-0 array: rows of 128 elements, `pack` rows a word.
Value Body::loadVector(ArrayBlock &block, int64_t dim, const Point &p) {
  int64_t pack = block.array.pack;
  if (dim == kLinear) {
    Linear row = p.at[domain.r()] * domain.unitRows() + Linear(8 * p.sub);
    int64_t within = 8 * p.sub % (8 * pack);
    Value packed =
        code.load(block.base + p.at[domain.r()] * (domain.unitRows() / pack) + Linear((8 * p.sub - within) / pack), 1,
                  block.region);
    return unpack(block, packed, within / 8);
  }
  Linear element = (dim == kUnit ? Linear(0) : localIndex(block, 0, p)) + Linear(block.array.laneShift);
  if (dim == domain.c()) {  // a row of 128 lanes, the same in every sublane
    Linear row = code.divL(element, 128);
    Value word = code.load(block.base + code.divL(row, pack), 0, block.region);
    return extractPart(block, word, code.remL(row, pack));
  }
  Linear row = code.divL(element, 128);
  Value word = code.load(block.base + code.divL(row, pack), 0, block.region);
  Linear part = code.remL(row, pack), lane = code.remL(element, 128);
  bool isPred = block.array.type.getElementType().isInteger(1);
  // Masks do not move across lanes: spread the words first, then take the part.
  (void)isPred;
  Value spread = dim == domain.r() ? lanesToRows(code, word, lane) : broadcastLane(code, word, lane);
  return extractPart(block, spread, part);
}

Value Body::load(ArrayBlock &block, const DimMap &map, const Point &p) {
  block.map = map;
  const Array &a = block.array;
  if (a.isVector()) return loadVector(block, a.rank() ? map[0] : kUnit, p);
  if (a.isShuffled()) return loadShuffled(block, map, p);
  int64_t rank = a.rank(), pack = a.pack;
  Linear address = block.base;
  int64_t stride = 0;
  for (int64_t phys = 0; phys < rank - 2; ++phys) {
    int64_t d = map[a.order[phys]];
    if (d == kUnit) continue;
    if (d == domain.r()) stride = block.leadWords[phys];
    address = address + localIndex(block, phys, p) * block.leadWords[phys];
  }
  int64_t dr = map[a.order[rank - 2]], dc = map[a.order[rank - 1]];
  Linear column = (dc == kUnit ? Linear(0) : localIndex(block, rank - 1, p)) + Linear(a.laneShift);
  address = address + code.divL(column, 128) * (block.rowsHeld / pack);
  auto toLanes = [&](Value v) {  // a slice's first lane becomes the first
    return a.laneShift && dc == domain.c() ? code.inst("x.rot.lane", {v}, {{"imm", 128 - a.laneShift}}) : v;
  };
  Value v;
  Linear part(0);
  if (dr == domain.r()) {
    int64_t within = 8 * p.sub % (8 * pack);
    address = address + p.at[dr] * (domain.unitRows() / pack) + Linear((8 * p.sub - within) / pack);
    Value packed = toLanes(code.load(address, 1, block.region));
    if (dc == domain.c()) return unpack(block, packed, within / 8);
    Value spread = broadcastLane(code, packed, code.remL(column, 128));
    return unpack(block, spread, within / 8);
  }
  if (dr != kUnit || a.rowShift) {
    Linear row = (dr == kUnit ? Linear(0) : localIndex(block, rank - 2, p)) + Linear(a.rowShift);
    address = address + code.divL(row, pack);
    part = code.remL(row, pack);
  }
  v = toLanes(code.load(address, stride, block.region));
  if (dc == domain.r())
    v = lanesToRows(code, v, code.remL(column, 128));
  else if (dc != domain.c())
    v = broadcastLane(code, v, code.remL(column, 128));
  return extractPart(block, v, part);
}

// `point.sub` counts groups of 8 rows and must start a packed vreg.
Value Body::loadPacked(ArrayBlock &block, const DimMap &map, const Point &p) {
  block.map = map;
  const Array &a = block.array;
  int64_t rank = a.rank();
  Linear address = block.base + p.at[domain.c()] * (block.rowsHeld / a.pack) +
                   p.at[domain.r()] * (domain.unitRows() / a.pack) + Linear(8 * p.sub / a.pack);
  for (int64_t phys = 0; phys < rank - 2; ++phys)
    if (map[a.order[phys]] != kUnit) address = address + localIndex(block, phys, p) * block.leadWords[phys];
  return code.load(address, 1, block.region);
}

// ---- ops ----------------------------------------------------------------------------------------------------------

Value Body::evaluate(Value v, const DimMap &map, const Point &p) {
  for (auto &[at, value] : memo_[v])
    if (at.sub == p.sub && at.map == map) return value;
  Value result;
  auto provider = providers.find(v);
  if (provider != providers.end()) {
    result = provider->second(p);
  } else if (auto it = blocks.find(v); it != blocks.end()) {
    result = load(*it->second, map, p);
  } else if (auto constant = v.getDefiningOp<stablehlo::ConstantOp>()) {
    result = emitConstant(code, elementOf(v), cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>());
  } else if (auto iota = v.getDefiningOp<stablehlo::IotaOp>()) {
    int64_t d = map[iota.getIotaDimension()];
    Value index = d == kUnit ? code.splatI(0) : indexVector(d, p);
    result = emitConvert(code, code.b.getI32Type(), elementOf(v), index);
  } else if (auto side = knownSide(v, map, p)) {
    result = evaluate(v.getDefiningOp()->getOperand(*side), *operandMap(v.getDefiningOp(), *side, map), p);
  } else {
    Operation *op = v.getDefiningOp();
    SmallVector<Value> operands;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      operands.push_back(evaluate(op->getOperand(i), *operandMap(op, i, map), p));
    Code::InNameOf named(code, op->getLoc());
    if (auto apply = dyn_cast<kernel::ApplyOp>(op)) {
      SmallVector<Value> made = emitFunction(code, apply, operands);
      for (auto [i, output] : llvm::enumerate(apply.getOutputs())) memo_[output].push_back({{map, p.sub}, made[i]});
      return made[cast<OpResult>(v).getResultNumber()];
    }
    bool moves = mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::TransposeOp, stablehlo::ReshapeOp>(op);
    result = moves ? operands[0] : emitElementwise(code, op, operands);
    assert(result && "the fusion stage admits only ops with a lowering");
  }
  memo_[v].push_back({{map, p.sub}, result});
  return result;
}

// ---- stores -------------------------------------------------------------------------------------------------------

// Packs a unit's groups of 8 rows into vregs of the array's packing: one result for each `pack` groups.
Value Body::pack(const ArrayBlock &block, ArrayRef<Value> g) {
  Type t = block.array.type.getElementType();
  if (block.array.pack == 1) return g[0];
  if (t.isBF16()) return code.inst("v.pack.bf16", {g[0], g[1]});
  if (block.array.pack > 4) return packBelowByte(block, g);
  SmallVector<Value> bits;
  for (Value v : g) {
    if (t.isF16()) v = code.inst("v.cvt.f32.f16", {v});
    if (t.isInteger(1)) v = maskToInt(code, v);
    bits.push_back(v);
  }
  if (block.array.pack == 2) return code.inst("v.pack.b16", {bits[0], bits[1]});
  return code.inst("v.pack.b8",
                   {code.inst("v.pack.b16", {bits[0], bits[1]}), code.inst("v.pack.b16", {bits[2], bits[3]})});
}

// Writes lanes of `mask` (null: all) of v into part `part` of words at `word` + sublane * stride.
void Body::storePart(ArrayBlock &block, Value v, const Linear &word, const Linear &part, int64_t stride, Value mask) {
  Type t = block.array.type.getElementType();
  int64_t pack = block.array.pack;
  if (t.isInteger(1)) v = maskToInt(code, v);
  if (t.isBF16()) v = code.inst("v.cvt.f32.bf16", {v});
  if (t.isF16()) v = code.inst("v.cvt.f32.f16", {v});
  if (pack == 1) return code.store(v, word, stride, block.region, mask);
  int64_t bits = 32 / pack;
  Value amount = code.splat(part * bits);
  Value field = code.inst("v.shl", {code.splatBits((1u << bits) - 1), amount});
  Value old = code.load(word, stride, block.region);
  Value keep = code.inst("v.and", {old, code.inst("v.xor", {field, code.splatI(-1)})});
  Value put = code.inst("v.and", {code.inst("v.shl", {v, amount}), field});
  code.store(code.inst("v.or", {keep, put}), word, stride, block.region, mask);
}

// What of vregs lies in a result's block of one tile. Of other arrays, as staged operands, the padding is read too.
Code::Extent Body::extentOf(const ArrayBlock &block) {
  const Array &a = block.array;
  Code::Extent out;
  if (!block.isResult || a.isSlice() || a.rank() == 0) return out;
  const int64_t lanes = a.extent(a.rank() - 1);
  if (lanes < 128) out.lanes = lanes;
  if (a.isVector()) {
    if (a.pack == 1 && lanes < 1024) out.sublanes = llvm::divideCeil(lanes, 128);
    return out;
  }
  out.sublanes = std::min<int64_t>(8, llvm::divideCeil(a.extent(a.rank() - 2), a.pack));
  return out;
}

void Body::store(ArrayBlock &block, ArrayRef<Value> values, const Point &point) {
  const Array &a = block.array;
  int64_t rank = a.rank(), packing = a.pack, r = domain.r();
  Point p = point;
  if (a.isVector() && rank == 1 && block.map[0] == kLinear) {
    for (int64_t i = 0; i < static_cast<int64_t>(values.size()); i += packing)
      code.store(pack(block, values.slice(i, packing)),
                 block.base + p.at[r] * (domain.unitRows() / packing) + Linear(8 * i / packing), 1, block.region, {},
                 extentOf(block));
    return;
  }
  bool direct = rank >= 2 && block.map[a.order[rank - 2]] == r;
  for (int64_t i = 0; i < static_cast<int64_t>(values.size()); i += direct ? packing : 1) {
    p.sub = i;
    Linear address = block.base;
    int64_t stride = 0;
    for (int64_t phys = 0; phys < rank - 2; ++phys) {
      if (block.map[a.order[phys]] == r) stride = block.leadWords[phys];
      address = address + localIndex(block, phys, p) * block.leadWords[phys];
    }
    Linear column = rank ? localIndex(block, rank - 1, p) : Linear(0);
    int64_t dc = rank ? block.map[a.order[rank - 1]] : kUnit;
    // A leading dim along lanes: each of its positions writes its own.
    auto ownLane = [&] {
      return code.inst("v.eq.i32", {code.inst("v.laneid", {}), code.splat(code.remL(column, 128))});
    };
    bool oneLane = dc != domain.c() && dc != r && dc != kUnit;
    if (direct) {
      address = address + code.divL(column, 128) * (block.rowsHeld / packing) +
                p.at[r] * (domain.unitRows() / packing) + Linear(8 * i / packing);
      code.store(pack(block, values.slice(i, packing)), address, 1, block.region, oneLane ? ownLane() : Value(),
                 extentOf(block));
      continue;
    }
    // Rows are one at a time: a part of a word.
    Linear row = a.isVector() ? code.divL(column, 128) : localIndex(block, rank - 2, p);
    address = address + code.divL(row, packing);
    if (!a.isVector()) address = address + code.divL(column, 128) * (block.rowsHeld / packing);
    Value mask;
    if (dc == r) {  // lane = row: every sublane writes its own lane of the same word
      Value lane = code.inst("v.add.i32", {code.inst("v.subid", {}), code.splat(code.remL(column, 128))});
      mask = code.inst("v.eq.i32", {code.inst("v.laneid", {}), lane});
    } else if (oneLane) {
      mask = ownLane();
    }
    storePart(block, values[i], address, code.remL(row, packing), stride, mask);
  }
}

}  // namespace tpuc::lowering
