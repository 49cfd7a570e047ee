// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of the matrix unit's operands.
#include "passes/lowering/dot/mxu_mode.h"

using namespace mlir;

namespace tpuc::lowering {

Value packForMxu(Code &c, const MxuMode &mode, ArrayRef<Value> groups, bool low) {
  SmallVector<Value> g(groups);
  if (low)
    for (Value &v : g) v = c.inst("v.sub.f32", {v, c.inst("v.shl", {c.inst("v.cvt.f32.bf16", {v}), c.splatI(16)})});
  if (mode.suffix == "f32") return g[0];
  if (mode.suffix == "bf16") return c.inst("v.pack.bf16", {g[0], g[1]});
  return c.inst("v.pack.b8", {c.inst("v.pack.b16", {g[0], g[1]}), c.inst("v.pack.b16", {g[2], g[3]})});
}

Value keepLanes(Code &c, Value v, const Linear &lanes) {
  if (lanes.isConstant() && lanes.constant >= 128) return v;
  return c.inst("v.sel", {c.inst("v.lt.s32", {c.inst("v.laneid", {}), c.splat(lanes)}), v, c.splatI(0)});
}

Value keepRows(Code &c, const MxuMode &mode, Value v, const Linear &rows) {
  int64_t pack = mode.pack, bits = 32 / pack;
  if (rows.isConstant() && rows.constant >= 8 * pack) return v;
  // Row of part p in sublane s is s * pack + p.
  Value first = c.inst("v.mul.i32", {c.inst("v.subid", {}), c.splatI(pack)}), limit = c.splat(rows), keep = c.splatI(0);
  for (int64_t part = 0; part < pack; ++part) {
    uint32_t field = pack == 1 ? 0xffffffffu : ((1u << bits) - 1) << (part * bits);
    Value in = c.inst("v.lt.s32", {c.inst("v.add.i32", {first, c.splatI(part)}), limit});
    keep = c.inst("v.or", {keep, c.inst("v.sel", {in, c.splatBits(field), c.splatI(0)})});
  }
  return c.inst("v.and", {v, keep});
}

// An accumulator group is a field where it is known, else an operand.
static Value emitWithSums(Code &c, StringRef mnemonic, SmallVector<Value> operands,
                          SmallVector<std::pair<StringRef, int64_t>> fields, const Linear &sums, int64_t part) {
  if (sums.isConstant())
    fields.push_back({"imm", sums.constant});
  else
    operands.push_back(c.value(sums));
  return c.inst(mnemonic, operands, fields, part);
}

void emitPush(Code &c, const MxuMode &mode, int64_t array, ArrayRef<Value> rows, const Linear &sums, int64_t part) {
  emitWithSums(c, ("mxu.push." + mode.suffix).str(), SmallVector<Value>(rows), {{"mxu", array}}, sums, part);
}

Value emitPop(Code &c, const MxuMode &mode, int64_t array, int64_t column, const Linear &sums, int64_t part) {
  Value v = emitWithSums(c, "mxu.pop", {}, {{"mxu", array}, {"col", column}, {"clear", 1}}, sums, part);
  return mode.intFromBf16 ? c.inst("v.cvt.f32.s32", {v}) : v;
}

}  // namespace tpuc::lowering
