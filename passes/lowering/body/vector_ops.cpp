// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From elementwise StableHLO ops to instruction sequences. Those of floats alone are in elementary.cpp,
// reductions in reductions.cpp.
#include "passes/lowering/body/vector_ops.h"

#include <cmath>

#include "dialects/kernel/function.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "passes/lowering/body/jumps.h"
#include "passes/lowering/body/ranges.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

bool isFloat(Type t) { return mlir::isa<FloatType>(t); }
bool isPred(Type t) { return t.isInteger(1); }
bool isUnsigned(Type t) { return t.isUnsignedInteger() || isPred(t); }
Type elementOf(Value v) { return getElementTypeOrSelf(v.getType()); }

Value flipSign(Code &c, Value v) { return c.inst("v.xor", {v, c.splatBits(0x80000000)}); }
Value allSet(Code &c) { return c.inst("m.li", {}, {{"imm", 1}}); }

// Two-operand ops by class of element type: mnemonics, "" where the class has none.
struct Binary {
  StringRef f, s, u, pred;
  bool exact;  // the result needs no rounding or wrapping
};
const llvm::StringMap<Binary> &binaries() {
  static const llvm::StringMap<Binary> table = {
      {"stablehlo.add", {"v.add.f32", "v.add.i32", "v.add.i32", "m.or", false}},
      {"stablehlo.subtract", {"v.sub.f32", "v.sub.i32", "v.sub.i32", "", false}},
      {"stablehlo.multiply", {"v.mul.f32", "v.mul.i32", "v.mul.i32", "m.and", false}},
      {"stablehlo.maximum", {"v.max.f32", "v.max.i32", "v.max.u32", "m.or", true}},
      {"stablehlo.minimum", {"v.min.f32", "v.min.i32", "v.min.u32", "m.and", true}},
      {"stablehlo.and", {"", "v.and", "v.and", "m.and", true}},
      {"stablehlo.or", {"", "v.or", "v.or", "m.or", true}},
      {"stablehlo.xor", {"", "v.xor", "v.xor", "m.xor", true}},
      {"kernel.mulh", {"", "", "v.mulh.u32", "", true}},
  };
  return table;
}

Value emitBinary(Code &c, const Binary &b, Type t, ValueRange v) {
  StringRef m = isFloat(t) ? b.f : isPred(t) ? b.pred : isUnsigned(t) ? b.u : b.s;
  if (m.empty()) return {};
  Value r = c.inst(m, {v[0], v[1]});
  return b.exact || isPred(t) ? r : rounded(c, t, r);
}

Value emitCompare(Code &c, Operation *op, ValueRange v) {
  auto compare = cast<stablehlo::CompareOp>(op);
  Type t = elementOf(compare.getLhs());
  auto d = compare.getComparisonDirection();
  using D = stablehlo::ComparisonDirection;
  if (isPred(t)) {
    Value notA = c.inst("m.xor", {v[0], allSet(c)}), notB = c.inst("m.xor", {v[1], allSet(c)});
    switch (d) {
      case D::NE:
        return c.inst("m.xor", {v[0], v[1]});
      case D::EQ:
        return c.inst("m.xor", {v[0], notB});
      case D::LT:
        return c.inst("m.and", {notA, v[1]});
      case D::LE:
        return c.inst("m.or", {notA, v[1]});
      case D::GT:
        return c.inst("m.and", {v[0], notB});
      case D::GE:
        return c.inst("m.or", {v[0], notB});
    }
  }
  std::string type = isFloat(t) ? "f32" : isUnsigned(t) ? "u32" : "s32";
  std::string eqType = isFloat(t) ? "f32" : "i32";
  Value a = v[0], b = v[1];
  auto kind = compare.getCompareType();
  if (isFloat(t) && kind && *kind == stablehlo::ComparisonType::TOTALORDER) {
    // Total order of IEEE 754: as integers, negative values mirrored.
    auto key = [&](Value x) {
      Value s = c.inst("v.shr.s32", {x, c.splatI(31)});
      return c.inst("v.xor", {x, c.inst("v.and", {s, c.splatBits(0x7fffffff)})});
    };
    a = key(a);
    b = key(b);
    type = "s32";
    eqType = "i32";
  }
  switch (d) {
    case D::EQ:
      return c.inst("v.eq." + eqType, {a, b});
    case D::NE:
      return c.inst("v.ne." + eqType, {a, b});
    case D::LT:
      return c.inst("v.lt." + type, {a, b});
    case D::LE:
      return c.inst("v.le." + type, {a, b});
    case D::GT:
      return c.inst("v.lt." + type, {b, a});
    case D::GE:
      return c.inst("v.le." + type, {b, a});
  }
  return {};
}

// Shifts see the element's own width: an amount of at least it gives 0, or all sign bits.
Value emitShift(Code &c, StringRef name, Type t, ValueRange v) {
  unsigned width = t.getIntOrFloatBitWidth();
  Value amount = v[1];
  Value over = width < 32 ? c.inst("v.le.u32", {c.splatI(width), amount}) : Value();
  if (name == "stablehlo.shift_left") {
    Value r = normalise(c, t, c.inst("v.shl", {v[0], amount}));
    return over ? c.inst("v.sel", {over, c.splatI(0), r}) : r;
  }
  if (name == "stablehlo.shift_right_arithmetic") {
    Value x = isUnsigned(t) && width < 32 ? normalise(c, IntegerType::get(t.getContext(), width), v[0]) : v[0];
    return normalise(c, t, c.inst("v.shr.s32", {x, amount}));
  }
  Value x = v[0];
  if (width < 32) x = c.inst("v.and", {x, c.splatBits((1u << width) - 1)});
  return normalise(c, t, c.inst("v.shr.u32", {x, amount}));
}

// Unsigned 32-bit quotient by f32 reciprocal: an estimate that is at most a little low, corrected by its remainders.
Value emitDivideU32(Code &c, Value n, Value d) {
  // q1 = floor(n * (1/d)) with a reciprocal rounded down, twice on the remainder, then one correction.
  Value rcp = c.inst("e.rcp", {c.inst("v.cvt.u32.f32", {d})});
  rcp = c.inst("v.mul.f32", {rcp, c.splatF(0x1.fffff0p-1f)});
  Value q = c.splatI(0), r = n;
  for (int i = 0; i < 3; ++i) {
    Value e = c.inst("v.cvt.f32.u32", {c.inst("v.mul.f32", {c.inst("v.cvt.u32.f32", {r}), rcp})});
    // The estimate of a remainder close to 2^32 can round up past it; one below is always safe.
    Value product = c.inst("v.mul.i32", {e, d});
    Value tooBig = c.inst(
        "m.or", {c.inst("v.lt.u32", {r, product}), c.inst("v.ne.i32", {c.inst("v.mulh.u32", {e, d}), c.splatI(0)})});
    e = c.inst("v.sel", {tooBig, c.inst("v.sub.i32", {e, c.splatI(1)}), e});
    q = c.inst("v.add.i32", {q, e});
    r = c.inst("v.sub.i32", {r, c.inst("v.mul.i32", {e, d})});
  }
  for (int i = 0; i < 2; ++i) {
    Value more = c.inst("v.le.u32", {d, r});
    q = c.inst("v.sel", {more, c.inst("v.add.i32", {q, c.splatI(1)}), q});
    r = c.inst("v.sel", {more, c.inst("v.sub.i32", {r, d}), r});
  }
  // A division by zero gives all ones, as in XLA.
  return c.inst("v.sel", {c.inst("v.eq.i32", {d, c.splatI(0)}), c.splatI(-1), q});
}

Value absI(Code &c, Value v) {
  Value s = c.inst("v.shr.s32", {v, c.splatI(31)});
  return c.inst("v.sub.i32", {c.inst("v.xor", {v, s}), s});
}

Value emitIntDivide(Code &c, Type t, Value a, Value b) {
  if (isUnsigned(t)) return normalise(c, t, emitDivideU32(c, a, b));
  Value q = emitDivideU32(c, absI(c, a), absI(c, b));
  Value s = c.inst("v.shr.s32", {c.inst("v.xor", {a, b}), c.splatI(31)});
  q = c.inst("v.sub.i32", {c.inst("v.xor", {q, s}), s});
  q = c.inst("v.sel", {c.inst("v.eq.i32", {b, c.splatI(0)}), c.splatI(-1), q});
  return normalise(c, t, q);
}

Value emitIntRemainder(Code &c, Type t, Value a, Value b) {
  Value q = emitIntDivide(c, t, a, b);
  Value r = c.inst("v.sub.i32", {a, c.inst("v.mul.i32", {q, b})});
  return normalise(c, t, c.inst("v.sel", {c.inst("v.eq.i32", {b, c.splatI(0)}), a, r}));
}

// r mod d, exact, by steps of 11 bits of the quotient and more; r / d is below 2^128.
static Value reduceBy(Code &c, Value r, Value d, int steps) {
  Value reciprocal = c.inst("e.rcp", {d});
  for (int i = 0; i < steps; ++i) {
    Value ratio = c.inst("v.mul.f32", {r, reciprocal});
    // A step no larger than 2^12 times the divisor's scale keeps q d exact in the fma.
    Value e = c.inst("v.and", {ratio, c.splatBits(0x7f800000)});
    Value low = c.inst("v.max.f32", {c.inst("v.mul.f32", {e, c.splatF(0x1p-11f)}), c.splatF(1.0f)});
    Value digit = c.inst("v.mul.f32", {ratio, c.inst("e.rcp", {low})});
    Value q = c.inst("v.mul.f32", {c.inst("v.round.f32", {digit}, {{"mode", 3}}), low});
    q = c.inst("v.max.f32", {q, c.splatF(1.0f)});  // the reciprocal of a divisor near the largest number has lost bits
    Value next = c.inst("v.fma.f32", {flipSign(c, q), d, r});
    Value negative = c.inst("v.lt.f32", {next, c.splatF(0.0f)});
    next = c.inst("v.sel", {negative, c.inst("v.fma.f32", {low, d, next}), next});
    r = c.inst("v.sel", {c.inst("v.le.f32", {d, r}), next, r});
  }
  return r;
}

// a - trunc(a / b) b, exact. No quotient may overflow: a modulo b's significand first where b is below 1, then modulo
// 2^75 b, then all times 2^75.
Value emitFloatRemainder(Code &c, Value a, Value b) {
  Value nan = c.splatBits(0x7fc00000), one = c.splatF(1.0f);
  Value ua = c.inst("v.and", {a, c.splatBits(0x7fffffff)}), ub = c.inst("v.and", {b, c.splatBits(0x7fffffff)});
  Value below = c.inst("v.lt.f32", {ub, one});
  Value scale = c.inst("v.sel", {below, c.splatF(0x1p75f), one});
  Value scaled = c.inst("v.mul.f32", {ub, scale});
  Value significand = c.inst("v.or", {c.inst("v.and", {scaled, c.splatBits(0x007fffff)}), c.splatBits(0x3f800000)});
  Value r = reduceBy(c, ua, c.inst("v.sel", {below, significand, ub}), 12);
  r = reduceBy(c, r, scaled, 7);
  r = reduceBy(c, c.inst("v.mul.f32", {r, scale}), scaled, 7);
  r = c.inst("v.mul.f32", {r, c.inst("v.sel", {below, c.splatF(0x1p-75f), one})});
  Value result = c.inst("v.or", {r, c.inst("v.and", {a, c.splatBits(0x80000000)})});
  // Smaller ones are their own remainder.
  result = c.inst("v.sel", {c.inst("v.lt.f32", {ua, ub}), a, result});
  Value badA = c.inst("v.eq.f32", {ua, c.splatF(INFINITY)}), badB = c.inst("v.eq.f32", {b, c.splatF(0.0f)});
  Value unordered = c.inst("m.or", {c.inst("v.ne.f32", {a, a}), c.inst("v.ne.f32", {b, b})});
  return c.inst("v.sel", {c.inst("m.or", {unordered, c.inst("m.or", {badA, badB})}), nan, result});
}

Value emitSign(Code &c, Type t, Value x) {
  if (isFloat(t)) {
    Value one = c.inst("v.or", {c.splatF(1.0f), c.inst("v.and", {x, c.splatBits(0x80000000)})});
    Value special = c.inst("m.or", {c.inst("v.eq.f32", {x, c.splatF(0.0f)}), c.inst("v.ne.f32", {x, x})});
    return c.inst("v.sel", {special, x, one});
  }
  if (isUnsigned(t)) return c.inst("v.min.u32", {x, c.splatI(1)});
  return c.inst("v.max.i32", {c.inst("v.min.i32", {x, c.splatI(1)}), c.splatI(-1)});
}

Value emitIsFinite(Code &c, Value x) {
  Value a = c.inst("v.and", {x, c.splatBits(0x7fffffff)});
  return c.inst("v.lt.s32", {a, c.splatBits(0x7f800000)});
}

Value emitCountBits(Code &c, StringRef name, Type t, Value x) {
  unsigned width = t.getIntOrFloatBitWidth();
  if (width < 32) x = c.inst("v.and", {x, c.splatBits((1u << width) - 1)});
  if (name == "stablehlo.popcnt") return c.inst("v.popcnt", {x});
  Value r = c.inst("v.clz", {x});
  return width < 32 ? c.inst("v.sub.i32", {r, c.splatI(32 - width)}) : r;
}

Value emitUnary(Code &c, Operation *op, Type t, Value x) {
  StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.abs") {
    if (isFloat(t)) return c.inst("v.and", {x, c.splatBits(0x7fffffff)});
    return isUnsigned(t) ? x : normalise(c, t, absI(c, x));
  }
  if (name == "stablehlo.negate")
    return isFloat(t) ? flipSign(c, x) : normalise(c, t, c.inst("v.sub.i32", {c.splatI(0), x}));
  if (name == "stablehlo.sign") return isPred(t) ? Value() : emitSign(c, t, x);
  if (name == "stablehlo.not")
    return isPred(t) ? c.inst("m.xor", {x, allSet(c)}) : normalise(c, t, c.inst("v.xor", {x, c.splatI(-1)}));
  if (name == "stablehlo.is_finite") return emitIsFinite(c, x);
  if (name == "stablehlo.reduce_precision") return normalise(c, t, x);
  if (name == "stablehlo.popcnt" || name == "stablehlo.count_leading_zeros") return emitCountBits(c, name, t, x);
  return {};
}

Value emitClamp(Code &c, Type t, Value low, Value x, Value high) {
  if (isPred(t)) return c.inst("m.and", {c.inst("m.or", {low, x}), high});
  StringRef lo = isFloat(t) ? "v.max.f32" : isUnsigned(t) ? "v.max.u32" : "v.max.i32";
  StringRef hi = isFloat(t) ? "v.min.f32" : isUnsigned(t) ? "v.min.u32" : "v.min.i32";
  return c.inst(hi, {c.inst(lo, {low, x}), high});
}

}  // namespace

Value normalise(Code &c, Type t, Value v) {
  if (t.isBF16()) return c.inst("v.shl", {c.inst("v.cvt.f32.bf16", {v}), c.splatI(16)});
  if (t.isF16()) return c.inst("v.cvt.f16.f32", {c.inst("v.cvt.f32.f16", {v})});
  auto i = dyn_cast<IntegerType>(t);
  if (!i || i.getWidth() >= 32 || i.getWidth() == 1) return v;
  unsigned width = i.getWidth();
  if (i.isUnsigned()) return c.inst("v.and", {v, c.splatBits((1u << width) - 1)});
  Value shift = c.splatI(32 - width);
  return c.inst("v.shr.s32", {c.inst("v.shl", {v, shift}), shift});
}

Value rounded(Code &c, Type t, Value v) { return t.isBF16() ? v : normalise(c, t, v); }

Value maskToInt(Code &c, Value mask) { return c.inst("v.sel", {mask, c.splatI(1), c.splatI(0)}); }
Value intToMask(Code &c, Value v) { return c.inst("v.ne.i32", {v, c.splatI(0)}); }

Value emitConvert(Code &c, Type from, Type to, Value v) {
  if (from == to) return v;
  if (isPred(to)) {
    if (isFloat(from)) return c.inst("v.ne.f32", {v, c.splatF(0.0f)});
    return intToMask(c, v);
  }
  if (isPred(from)) return isFloat(to) ? c.inst("v.sel", {v, c.splatF(1.0f), c.splatF(0.0f)}) : maskToInt(c, v);
  if (isFloat(from) && isFloat(to)) return to.isF32() ? v : normalise(c, to, v);
  if (isFloat(to)) return normalise(c, to, c.inst(isUnsigned(from) ? "v.cvt.u32.f32" : "v.cvt.s32.f32", {v}));
  if (!isFloat(from)) return normalise(c, to, v);
  // Float to integer saturates at the integer's own range.
  if (isUnsigned(to)) {
    Value r = c.inst("v.cvt.f32.u32", {v});
    unsigned width = to.getIntOrFloatBitWidth();
    return width < 32 ? c.inst("v.min.u32", {r, c.splatBits((1u << width) - 1)}) : r;
  }
  Value r = c.inst("v.cvt.f32.s32", {v});
  unsigned width = to.getIntOrFloatBitWidth();
  if (width == 32) return r;
  int64_t high = (int64_t{1} << (width - 1)) - 1;
  return c.inst("v.max.i32", {c.inst("v.min.i32", {r, c.splatI(high)}), c.splatI(-high - 1)});
}

// The bits of an element as another type of its width.
Value emitBitcast(Code &c, Type from, Type to, Value v) {
  if (from == to || isPred(from) || from.getIntOrFloatBitWidth() == 32) return v;
  if (from.isBF16()) v = c.inst("v.cvt.f32.bf16", {v});
  if (from.isF16()) v = c.inst("v.cvt.f32.f16", {v});
  if (to.isBF16()) return c.inst("v.shl", {v, c.splatI(16)});
  if (to.isF16()) return c.inst("v.cvt.f16.f32", {c.inst("v.and", {v, c.splatBits(0xffff)})});
  return normalise(c, to, v);
}

Value emitConstant(Code &c, Type t, Attribute scalar) {
  if (auto f = dyn_cast<FloatAttr>(scalar)) {
    APFloat value = f.getValue();
    bool lost;
    value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    return c.splatBits(value.bitcastToAPInt().getZExtValue());
  }
  auto i = cast<IntegerAttr>(scalar).getValue();
  if (isPred(t)) return c.inst("m.li", {}, {{"imm", i.getBoolValue()}});
  return c.splatI(isUnsigned(t) ? static_cast<int64_t>(i.getZExtValue()) : i.getSExtValue());
}

// Whether nothing sees more of the op's result than a bf16 holds.
static bool becomesBf16(Operation *op) {
  if (elementOf(op->getResult(0)).isBF16()) return true;
  return llvm::all_of(op->getUsers(), [](Operation *user) {
    return mlir::isa<stablehlo::ConvertOp>(user) && elementOf(user->getResult(0)).isBF16();
  });
}

Value emitElementwise(Code &c, Operation *op, ValueRange lanes) {
  StringRef name = op->getName().getStringRef();
  if (op->getNumResults() != 1) return {};
  Type t = elementOf(op->getResult(0));
  for (Type type : op->getOperandTypes())
    if (!isLaneType(getElementTypeOrSelf(type))) return {};
  if (!isLaneType(t)) return {};
  SmallVector<Value> v(lanes);
  if (wantsRounded(op))
    for (auto [operand, lane] : llvm::zip_equal(op->getOperands(), v)) lane = asRounded(c, operand, lane);
  auto binary = binaries().find(name);
  if (binary != binaries().end()) return emitBinary(c, binary->second, t, v);
  if (mlir::isa<stablehlo::ExpOp>(op) && isFloat(t) && isAtMostZero(op->getOperand(0)))
    return rounded(c, t, emitExp(c, v[0], /*atMostZero=*/true));
  if (const FloatFunction *function = floatFunction(name))
    return isFloat(t) ? rounded(c, t, (*function)(c, v)) : Value();
  if (name == "stablehlo.compare") return emitCompare(c, op, v);
  if (name == "stablehlo.select") {
    if (!isPred(t)) return c.inst("v.sel", {v[0], v[1], v[2]});
    Value notP = c.inst("m.xor", {v[0], allSet(c)});
    return c.inst("m.or", {c.inst("m.and", {v[0], v[1]}), c.inst("m.and", {notP, v[2]})});
  }
  if (name == "stablehlo.clamp") return emitClamp(c, t, v[0], v[1], v[2]);
  if (name == "stablehlo.convert") {
    // A store rounds by itself.
    bool stored = llvm::all_of(op->getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); });
    Type from = elementOf(op->getOperand(0));
    return stored && from.isF32() && t.isBF16() ? v[0] : emitConvert(c, from, t, v[0]);
  }
  if (name == "kernel.fma") return c.inst("v.fma.f32", {v[0], v[1], v[2]});
  if (name == "stablehlo.bitcast_convert") return emitBitcast(c, elementOf(op->getOperand(0)), t, v[0]);
  if (name == "stablehlo.divide" && matchPattern(op->getOperand(0), m_OneFloat()))
    return rounded(c, t, c.inst("e.rcp", {v[1]}));  // which is rounded correctly
  if (name == "stablehlo.divide")
    return isFloat(t) ? rounded(c, t, emitDivide(c, v[0], v[1], {becomesBf16(op), isSumFromOne(op->getOperand(1))}))
                      : emitIntDivide(c, t, v[0], v[1]);
  if (name == "stablehlo.remainder")
    return isFloat(t) ? rounded(c, t, emitFloatRemainder(c, v[0], v[1])) : emitIntRemainder(c, t, v[0], v[1]);
  if (name.starts_with("stablehlo.shift_")) return emitShift(c, name, t, v);
  return op->getNumOperands() == 1 ? emitUnary(c, op, elementOf(op->getOperand(0)), v[0]) : Value();
}

bool hasInstructions(Operation *op) {
  auto isLanes = [](Type type) { return isLaneType(getElementTypeOrSelf(type)); };
  if (mlir::isa<kernel::ApplyOp>(op))
    return llvm::all_of(op->getOperandTypes(), isLanes) && llvm::all_of(op->getResultTypes(), isLanes);
  if (op->getNumResults() != 1 || op->getNumRegions() != 0) return false;
  StringRef name = op->getName().getStringRef();
  Type t = elementOf(op->getResult(0));
  if (!isLaneType(t)) return false;
  for (Type type : op->getOperandTypes())
    if (!isLaneType(getElementTypeOrSelf(type))) return false;
  Type in = op->getNumOperands() ? elementOf(op->getOperand(0)) : t;
  auto binary = binaries().find(name);
  if (binary != binaries().end()) {
    const Binary &b = binary->second;
    return !(isFloat(t) ? b.f : isPred(t) ? b.pred : isUnsigned(t) ? b.u : b.s).empty();
  }
  if (floatFunction(name)) return isFloat(t);
  if (name == "kernel.fma") return t.isF32();
  if (name == "stablehlo.bitcast_convert") return in.getIntOrFloatBitWidth() == t.getIntOrFloatBitWidth();
  if (name == "stablehlo.reduce_precision") return t.isBF16();
  if (name == "stablehlo.sign" || name == "stablehlo.abs" || name == "stablehlo.negate") return !isPred(t);
  static const llvm::StringSet<> others = {"stablehlo.compare",
                                           "stablehlo.select",
                                           "stablehlo.clamp",
                                           "stablehlo.convert",
                                           "stablehlo.divide",
                                           "stablehlo.remainder",
                                           "stablehlo.not",
                                           "stablehlo.is_finite",
                                           "stablehlo.popcnt",
                                           "stablehlo.count_leading_zeros",
                                           "stablehlo.shift_left",
                                           "stablehlo.shift_right_arithmetic",
                                           "stablehlo.shift_right_logical"};
  return others.contains(name);
}

}  // namespace tpuc::lowering
