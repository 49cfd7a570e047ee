// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by a two-operand op: of two vregs, and of a vreg's lanes or sublanes.
#include <cmath>

#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

bool isFloat(Type t) { return mlir::isa<FloatType>(t); }
bool isPred(Type t) { return t.isInteger(1); }
bool isUnsigned(Type t) { return t.isUnsignedInteger() || isPred(t); }

// On booleans add is or, multiply is and; as 0/1 integers: maximum and minimum.
Reducer forType(Reducer r, Type t) {
  if (!isPred(t)) return r;
  if (r == Reducer::Add || r == Reducer::Or) return Reducer::Max;
  if (r == Reducer::Mul || r == Reducer::And) return Reducer::Min;
  return r;
}

}  // namespace

Value emitIdentity(Code &c, Reducer r, Type t) {
  bool f = isFloat(t);
  unsigned width = t.getIntOrFloatBitWidth();
  int64_t high = isUnsigned(t) ? (int64_t{1} << width) - 1 : (int64_t{1} << (width - 1)) - 1;
  int64_t low = isUnsigned(t) ? 0 : -high - 1;
  switch (forType(r, t)) {
    case Reducer::Add:
      return f ? c.splatF(-0.0f) : c.splatI(0);
    case Reducer::Mul:
      return f ? c.splatF(1.0f) : c.splatI(1);
    case Reducer::Min:
      return f ? c.splatF(INFINITY) : c.splatI(high);
    case Reducer::Max:
      return f ? c.splatF(-INFINITY) : c.splatI(low);
    case Reducer::And:
      return c.splatI(isUnsigned(t) ? high : -1);
    case Reducer::Or:
    case Reducer::Xor:
      return c.splatI(0);
  }
  return {};
}

Value emitCombine(Code &c, Reducer reducer, Type t, Value a, Value b) {
  Reducer r = forType(reducer, t);
  bool f = isFloat(t), u = isUnsigned(t);
  switch (r) {
    // Narrow floats accumulate in f32 and are rounded once, at the end.
    case Reducer::Add:
      return f ? c.inst("v.add.f32", {a, b}) : normalise(c, t, c.inst("v.add.i32", {a, b}));
    case Reducer::Mul:
      return f ? c.inst("v.mul.f32", {a, b}) : normalise(c, t, c.inst("v.mul.i32", {a, b}));
    case Reducer::Min:
      return c.inst(f ? "v.min.f32" : u ? "v.min.u32" : "v.min.i32", {a, b});
    case Reducer::Max:
      return c.inst(f ? "v.max.f32" : u ? "v.max.u32" : "v.max.i32", {a, b});
    case Reducer::And:
      return c.inst("v.and", {a, b});
    case Reducer::Or:
      return c.inst("v.or", {a, b});
    case Reducer::Xor:
      return c.inst("v.xor", {a, b});
  }
  return {};
}

// The XLU's own reductions where it has one, else halving by rotation.
static Value reduceBy(Code &c, Reducer reducer, Type t, Value v, StringRef axis, int64_t extent) {
  Reducer r = forType(reducer, t);
  bool wide = isFloat(t) || !isUnsigned(t) || isPred(t);
  if (wide && (r == Reducer::Add || r == Reducer::Min || r == Reducer::Max)) {
    StringRef op = r == Reducer::Add ? "sum" : r == Reducer::Min ? "min" : "max";
    StringRef type = isFloat(t) ? "f32" : r == Reducer::Add ? "i32" : "s32";
    Value result = isa::lookup(("x." + op + "." + axis + "." + type).str())
                       ? c.inst(("x." + op + "." + axis + "." + type).str(), {v})
                       : Value();
    if (result) return isFloat(t) ? result : normalise(c, t, result);
  }
  for (int64_t step = extent / 2; step >= 1; step /= 2)
    v = emitCombine(c, reducer, t, v, c.inst(("x.rot." + axis).str(), {v}, {{"imm", step}}));
  return v;
}

Value emitReduceLanes(Code &c, Reducer r, Type t, Value v) { return reduceBy(c, r, t, v, "lane", 128); }
Value emitReduceSublanes(Code &c, Reducer r, Type t, Value v) { return reduceBy(c, r, t, v, "sub", 8); }

}  // namespace tpuc::lowering
