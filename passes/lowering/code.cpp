// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine-code builder.
#include "passes/lowering/code.h"

#include <cstring>

using namespace mlir;

namespace tpuc::lowering {

Value Code::inst(StringRef mnemonic, ValueRange operands, Fields fields, int64_t region) {
  std::optional<isa::Op> op = isa::lookup(mnemonic);
  assert(op && "unknown mnemonic");
  Type result;
  switch (isa::info(*op).result) {
    case isa::RegKind::S:
      result = b.getI64Type();
      break;
    case isa::RegKind::V:
      result = tpu::VregType::get(b.getContext());
      break;
    case isa::RegKind::M:
      result = tpu::MaskType::get(b.getContext());
      break;
    case isa::RegKind::None:
      break;
  }
  NamedAttrList named;
  for (auto [name, value] : fields)
    if (value) named.append(name, b.getI64IntegerAttr(value));
  auto made = tpu::InstOp::create(b, loc, result, b.getStringAttr(mnemonic), operands,
                                  named.empty() ? DictionaryAttr() : named.getDictionary(b.getContext()),
                                  region < 0 ? IntegerAttr() : b.getI64IntegerAttr(region));
  return result ? made.getResult() : Value();
}

Value Code::i64(int64_t value) { return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value); }

static std::optional<int64_t> constantOf(Value v) {
  APInt value;
  if (matchPattern(v, m_ConstantInt(&value))) return value.getSExtValue();
  return std::nullopt;
}

Value Code::add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(loc, x, y); }
Value Code::mul(Value x, int64_t y) { return y == 1 ? x : b.createOrFold<arith::MulIOp>(loc, x, i64(y)); }

Value Code::div(Value x, int64_t y) {
  if (y == 1) return x;
  if (llvm::isPowerOf2_64(y)) return b.createOrFold<arith::ShRUIOp>(loc, x, i64(llvm::Log2_64(y)));
  return b.createOrFold<arith::DivSIOp>(loc, x, i64(y));
}

Value Code::rem(Value x, int64_t y) {
  if (llvm::isPowerOf2_64(y)) return b.createOrFold<arith::AndIOp>(loc, x, i64(y - 1));
  return b.createOrFold<arith::RemSIOp>(loc, x, i64(y));
}

Value Code::div(Value x, Value y) {
  if (auto known = constantOf(y)) return div(x, *known);
  return b.createOrFold<arith::DivSIOp>(loc, x, y);
}

Value Code::rem(Value x, Value y) {
  if (auto known = constantOf(y)) return rem(x, *known);
  return b.createOrFold<arith::RemSIOp>(loc, x, y);
}

Value Code::mul(Value x, Value y) {
  if (auto known = constantOf(y)) return mul(x, *known);
  return b.createOrFold<arith::MulIOp>(loc, x, y);
}

Value Code::min(Value x, Value y) { return b.createOrFold<arith::MinSIOp>(loc, x, y); }
Value Code::max(Value x, Value y) { return b.createOrFold<arith::MaxSIOp>(loc, x, y); }
Value Code::cmp(arith::CmpIPredicate p, Value x, Value y) { return b.createOrFold<arith::CmpIOp>(loc, p, x, y); }
Value Code::select(Value c, Value x, Value y) { return b.createOrFold<arith::SelectOp>(loc, c, x, y); }

Value Code::value(const Linear &l) {
  Value sum;
  for (auto [v, c] : l.terms) {
    Value term = mul(v, c);
    sum = sum ? add(sum, term) : term;
  }
  if (!sum) return i64(l.constant);
  return l.constant ? add(sum, i64(l.constant)) : sum;
}

Linear Code::divL(const Linear &l, int64_t d) {
  bool exact = llvm::all_of(l.terms, [&](auto &t) { return t.second % d == 0; });
  if (!exact) {
    Value v = div(value(l), d);
    if (auto c = constantOf(v)) return Linear(*c);
    return Linear(v);
  }
  Linear r;
  r.constant = l.constant / d;
  for (auto [v, c] : l.terms) r.terms.push_back({v, c / d});
  return r;
}

Linear Code::remL(const Linear &l, int64_t d) {
  if (llvm::all_of(l.terms, [&](auto &t) { return t.second % d == 0; })) return Linear(l.constant % d);
  Value v = rem(value(l), d);
  if (auto c = constantOf(v)) return Linear(*c);
  return Linear(v);
}

Linear Code::linear(Value v) {
  auto known = constantOf(v);
  return known ? Linear(*known) : Linear(v);
}

SmallVector<Value> Code::loop(Value lower, Value upper, int64_t step, ValueRange init,
                              function_ref<SmallVector<Value>(Value, ValueRange)> body, bool independent) {
  auto lo = constantOf(lower), hi = constantOf(upper);
  if (lo && hi && *hi <= *lo) return SmallVector<Value>(init);
  if (lo && hi && *hi - *lo <= step) return body(lower, init);  // one iteration
  auto loop = scf::ForOp::create(b, loc, lower, upper, i64(step), init);
  if (independent) loop->setAttr("independent", b.getUnitAttr());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  // The builder leaves an implicit terminator only for loops without carried values.
  if (loop.getBody()->mightHaveTerminator() && !loop.getBody()->empty() &&
      mlir::isa<scf::YieldOp>(loop.getBody()->back()))
    return SmallVector<Value>(loop.getResults());
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, loc, next);
  return SmallVector<Value>(loop.getResults());
}

void Code::flatLoop(ArrayRef<int64_t> extents, int64_t unroll,
                    function_ref<void(ArrayRef<Linear>, const Linear &)> body, bool independent) {
  // The innermost positions, up to `unroll` of them, are straight code; a dim may be cut in two for it.
  SmallVector<int64_t> outer(extents), inner(extents.size(), 1);
  int64_t straight = 1;
  for (size_t i = extents.size(); i-- > 0;) {
    int64_t factor = std::min(unroll / straight, extents[i]);
    while (extents[i] % factor) --factor;
    inner[i] = factor;
    outer[i] = extents[i] / factor;
    straight *= factor;
    if (outer[i] > 1) break;
  }
  int64_t total = 1;
  SmallVector<size_t> walked;
  for (auto [i, extent] : llvm::enumerate(outer)) {
    total *= extent;
    if (extent > 1) walked.push_back(i);
  }
  SmallVector<Linear> at(extents.size(), Linear(0));
  SmallVector<Value> init(walked.size() > 1 ? walked.size() : 0, i64(0));
  loop(
      i64(0), i64(total), 1, init,
      [&](Value iv, ValueRange carried) {
        if (walked.size() == 1) at[walked[0]] = linear(iv);
        for (auto [k, value] : llvm::enumerate(carried)) at[walked[k]] = linear(value);
        for (int64_t k = 0; k < straight; ++k) {
          SmallVector<Linear> position(at);
          int64_t rest = k;
          for (size_t i = extents.size(); i-- > 0; rest /= inner[i])
            position[i] = at[i] * inner[i] + Linear(rest % inner[i]);
          body(position, linear(iv) * straight + Linear(k));
        }
        SmallVector<int64_t> trips;
        for (size_t i = 0; i < carried.size(); ++i) trips.push_back(outer[walked[i]]);
        return advance(carried, trips);
      },
      independent);
}

SmallVector<Value> Code::advance(ValueRange counters, ArrayRef<int64_t> extents) {
  SmallVector<Value> next(counters);
  size_t outermost = 0;
  while (outermost < extents.size() && extents[outermost] == 1) ++outermost;
  Value carry = i64(1);
  for (size_t i = extents.size(); i-- > outermost;) {
    if (extents[i] == 1) continue;
    next[i] = add(counters[i], carry);
    if (i == outermost) break;  // where it wraps, the walk is over
    Value wraps = cmp(arith::CmpIPredicate::eq, next[i], i64(extents[i]));
    carry = select(wraps, i64(1), i64(0));
    next[i] = select(wraps, i64(0), next[i]);
  }
  return next;
}

void Code::ifThen(Value cond, function_ref<void()> then, function_ref<void()> otherwise) {
  if (auto c = constantOf(cond)) {
    if (*c)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  auto op = scf::IfOp::create(b, loc, cond, /*withElseRegion=*/static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.thenBlock());
  then();
  if (!otherwise) return;
  b.setInsertionPointToStart(op.elseBlock());
  otherwise();
}

Value Code::splatF(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return splatBits(bits);
}

Value Code::splat(const Linear &l) {
  if (l.isConstant()) return splatI(l.constant);
  return inst("v.splat", {value(l)});
}

Value Code::load(const Linear &address, int64_t stride, int64_t region, int64_t lanes) {
  Linear dynamic = address;
  dynamic.constant = 0;
  // The field 0 is all.
  return inst("v.ld", {value(dynamic)}, {{"off", address.constant}, {"stride", stride}, {"lanes", lanes % 128}},
              region);
}

void Code::store(Value v, const Linear &address, int64_t stride, int64_t region, Value mask, Extent extent) {
  Linear dynamic = address;
  dynamic.constant = 0;
  SmallVector<Value> operands{v, value(dynamic)};
  if (mask) operands.push_back(mask);
  inst(
      "v.st", operands,
      {{"off", address.constant}, {"stride", stride}, {"lanes", extent.lanes % 128}, {"sublanes", extent.sublanes % 8}},
      region);
}

}  // namespace tpuc::lowering
