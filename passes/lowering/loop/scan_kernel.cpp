// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans, with an elementwise epilogue: each element of the array is read and written once.
//
//  1. Within a vreg by doubling (Hillis and Steele 1986): rotated by 1, 2, 4, ... lanes or sublanes, and combined where
//     the rotation has not wrapped. A vector of rows of 128 goes along lanes, then its rows' totals along sublanes.
//  2. What came before is in every lane of a carried vreg. A vreg's own total joins it beside the doubling of the next
//     one, not after it.
//  3. Between a sequence's grid steps carries are kept in VMEM, a vreg for each that other dims have.
#include "passes/lowering/loop/scan_kernel.h"

#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/loop/scan_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kCarryRegion = 1000;
constexpr int64_t kStraight = 4;  // vregs along the scan that need no loop

class ScanKernel : RootKernel<ScanPlan> {
 public:
  ScanKernel(KernelContext &context, Code &code, stablehlo::ReduceWindowOp op, const analysis::Scan &scan)
      : RootKernel(context, code, op, scan),
        reducer_(*reducerOf(&op.getBody().front().front())),
        type_(elementOf(op.getResult(0))) {}
  LogicalResult run(Value start, Value count);

 private:
  void emitStep(const Step &step);
  SmallVector<Value> walk(const Point &outer, ValueRange carries);
  SmallVector<Value> scanAt(const Point &p, ValueRange carries);
  std::pair<Value, Value> scanVreg(Value v);
  Value doubled(Value v, StringRef axis, int64_t extent);
  Value unless(Value wrapped, StringRef axis, int64_t step, int64_t extent);
  Value initial();
  Value combine(Value a, Value b) { return emitCombine(c_, reducer_, type_, a, b); }
  // How many groups of 8 rows a unit has. A single row lies in all sublanes alike, and is one group.
  int64_t groups() const { return domain_.dims[domain_.r()] == 1 && !domain_.linear ? 1 : domain_.pack; }
  int64_t carries() const { return dim_ == domain_.r() ? 1 : groups(); }
  Linear carryAddress(const Point &p, int64_t sub) const;

  Reducer reducer_;
  Type type_;
  std::unique_ptr<Body> in_;
};

Linear ScanKernel::carryAddress(const Point &p, int64_t sub) const {
  Linear index;
  for (int64_t k : others_)
    index = index * vregsOf(k) + (k == domain_.r() ? p.at[k] * domain_.pack + Linear(sub) : p.at[k]);
  return index * 8 + Linear(carryWord_);
}

Value ScanKernel::initial() {
  auto constant = op_.getInitValues()[0].getDefiningOp<stablehlo::ConstantOp>();
  return emitConstant(c_, type_, cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>());
}

// The identity in the lanes (or sublanes) that a rotation by `step` fills from the other end.
Value ScanKernel::unless(Value rotated, StringRef axis, int64_t step, int64_t extent) {
  Value id = c_.inst(axis == "lane" ? "v.laneid" : "v.subid", {});
  Value wrapped = scan_.reversed ? c_.inst("v.lt.s32", {c_.splatI(extent - 1 - step), id})
                                 : c_.inst("v.lt.s32", {id, c_.splatI(step)});
  return c_.inst("v.sel", {wrapped, emitIdentity(c_, reducer_, type_), rotated});
}

Value ScanKernel::doubled(Value v, StringRef axis, int64_t extent) {
  int64_t all = axis == "lane" ? 128 : 8;
  for (int64_t step = 1; step < std::min(extent, all); step *= 2) {
    Value rotated = c_.inst(("x.rot." + axis).str(), {v}, {{"imm", scan_.reversed ? all - step : step}});
    v = combine(unless(rotated, axis, step, all), v);
  }
  return v;
}

// A vreg's elements scanned on their own, and what all of them make, in every lane that the scan goes along.
std::pair<Value, Value> ScanKernel::scanVreg(Value v) {
  const Domain &d = domain_;
  if (dim_ < d.r()) return {v, v};
  auto lastOf = [&](Value x, StringRef axis) {
    return c_.inst(("x.bcast." + axis).str(), {x}, {{"imm", scan_.reversed ? 0 : axis == "lane" ? 127 : 7}});
  };
  if (!d.linear) {
    StringRef axis = dim_ == d.c() ? "lane" : "sub";
    Value scanned = doubled(v, axis, d.dims[dim_]);
    return {scanned, lastOf(scanned, axis)};
  }
  Value lanes = doubled(v, "lane", d.linearSize);
  Value rows = doubled(lastOf(lanes, "lane"), "sub", d.dims[d.r()]);
  Value before = unless(c_.inst("x.rot.sub", {rows}, {{"imm", scan_.reversed ? 7 : 1}}), "sub", 1, 8);
  return {combine(before, lanes), lastOf(rows, "sub")};
}

// One unit of rows: the results are stored, the carries of the next one returned.
SmallVector<Value> ScanKernel::scanAt(const Point &at, ValueRange carries) {
  const Domain &d = domain_;
  SmallVector<Value> next(carries), values(groups());
  for (int64_t i = 0; i < groups(); ++i) {
    Point p = at;
    p.sub = scan_.reversed ? groups() - 1 - i : i;
    Value v = in_->evaluate(op_.getInputs()[0], map_, p);
    // From the end on, what lies behind it comes first.
    Value inside = scan_.reversed && dim_ >= d.r() ? in_->boundsMask(p, dim_ == d.r(), dim_ == d.c()) : Value();
    if (inside) v = c_.inst("v.sel", {inside, v, emitIdentity(c_, reducer_, type_)});
    auto [scanned, total] = scanVreg(v);
    Value &carry = next[next.size() == 1 ? 0 : p.sub];
    values[p.sub] = combine(carry, scanned);
    carry = combine(carry, total);
  }
  in_->nextPoint();
  storeRoot(values, at);
  return next;
}

SmallVector<Value> ScanKernel::walk(const Point &outer, ValueRange carries) {
  Value trip = blockTrip(c_, domain_, body_->blockIndex, dim_);
  auto position = [&](const Linear &i) {
    Point p = outer;
    p.at[dim_] = scan_.reversed ? c_.linear(trip) + i * -1 + Linear(-1) : i;
    return p;
  };
  APInt known;
  if (matchPattern(trip, m_ConstantInt(&known)) && known.sle(kStraight)) {
    SmallVector<Value> values(carries);
    for (int64_t i = 0; i < known.getSExtValue(); ++i) values = scanAt(position(Linear(i)), values);
    return values;
  }
  return c_.loop(
      c_.i64(0), trip, 1, carries, [&](Value iv, ValueRange in) { return scanAt(position(c_.linear(iv)), in); }, true);
}

void ScanKernel::emitStep(const Step &step) {
  in_->blockIndex = body_->blockIndex = step.index;
  bool kept = grid_->sequentialSteps() > 1;
  Value first = kept
                    ? c_.inst("v.ne.i32", {c_.splat(Linear(c_.select(step.first, c_.i64(1), c_.i64(0)))), c_.splatI(0)})
                    : Value();
  bool independent = llvm::all_of(space_.results, [&](auto &b) { return storesWholeWords(*b, b->map, domain_); });
  emitNest(
      c_, domain_, step.index, others_, 1, {},
      [&](const Point &outer, ValueRange) {
        SmallVector<Value> last(carries(), initial());
        for (auto [sub, carry] : llvm::enumerate(last))
          if (kept) carry = c_.inst("v.sel", {first, carry, c_.load(carryAddress(outer, sub), 1, kCarryRegion)});
        last = walk(outer, last);
        for (auto [sub, carry] : llvm::enumerate(last))
          if (kept) c_.store(carry, carryAddress(outer, sub), 1, kCarryRegion);
        return SmallVector<Value>();
      },
      nullptr, independent);
}

LogicalResult ScanKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(positions());
  in_ = std::make_unique<Body>(c_, domain_);
  in_->blocks[op_.getInputs()[0]] = input_.get();
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerScanKernel(KernelContext &context, Code &code, stablehlo::ReduceWindowOp op,
                              const analysis::Scan &scan, Value start, Value count) {
  return ScanKernel(context, code, op, scan).run(start, count);
}

}  // namespace tpuc::lowering
