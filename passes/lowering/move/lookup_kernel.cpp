// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of single elements of a vector that VMEM holds: a permutation of lanes for each of its rows of 128.
//
//  1. The vector comes to VMEM once, rows of 128 as they lie.
//  2. For a vreg of indices each row is loaded into all sublanes; every lane takes the one its index names (mod 128),
//     and keeps that of the row it names. A transfer of one element takes about a microsecond, a row of 1024 lookups a
//     few cycles.
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/lowering/move/indices.h"
#include "passes/plan/move/lookup_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kTableRegion = 1000;
constexpr int64_t kStraightRows = 4;  // without a loop, and unrolled in one

class LookupKernel : RootKernel<LookupPlan> {
 public:
  LookupKernel(KernelContext &context, Code &code, stablehlo::GatherOp op) : RootKernel(context, code, op) {}
  LogicalResult run(Value start, Value count);

 private:
  void fetchTable();
  Value lookUp(Value index);
  void emitStep(const Step &step);

  std::unique_ptr<Body> in_;
};

void LookupKernel::fetchTable() {
  Side from = operandSide(context_, op_.getOperand()),
       to{"vmem", "", from.array, false, Linear(tableWord_ * isa::kWordBytes)};
  emitWait(c_, emitBoxCopy(c_, from, to, {BoxDim{0, 0, size_, {}, {}}}));
}

Value LookupKernel::lookUp(Value index) {
  bool isUnsigned = elementOf(op_.getStartIndices()).isUnsignedInteger();
  if (!isUnsigned) index = c_.inst("v.max.i32", {index, c_.splatI(0)});
  index = c_.inst(isUnsigned ? "v.min.u32" : "v.min.i32", {index, c_.splatI(size_ - 1)});
  Value wanted = c_.inst("v.shr.s32", {index, c_.splatI(7)});
  auto take = [&](const Linear &row, Value found) {
    Value taken = c_.inst("x.perm.lane", {c_.load(Linear(tableWord_) + row, 0, kTableRegion), index});
    return found ? c_.inst("v.sel", {c_.inst("v.eq.i32", {wanted, c_.splat(row)}), taken, found}) : taken;
  };
  Value found = take(Linear(0), Value());
  int64_t next = 1, looped = (rows_ - 1) / kStraightRows * kStraightRows;
  if (rows_ > 2 * kStraightRows) {
    found = c_.loop(c_.i64(0), c_.i64(looped), kStraightRows, {found}, [&](Value iv, ValueRange in) {
      Value v = in[0];
      for (int64_t i = 0; i < kStraightRows; ++i) v = take(Linear(iv) + Linear(1 + i), v);
      return SmallVector<Value>{v};
    })[0];
    next += looped;
  }
  for (; next < rows_; ++next) found = take(Linear(next), found);
  return found;
}

void LookupKernel::emitStep(const Step &step) {
  in_->blockIndex = body_->blockIndex = step.index;
  emitNest(c_, domain_, step.index, walked_, 1, {}, [&](const Point &at, ValueRange) {
    Value index = in_->evaluate(op_.getStartIndices(), map_, at);
    in_->nextPoint();
    storeRoot({lookUp(index)}, at);
    return SmallVector<Value>();
  });
}

LogicalResult LookupKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(0);
  in_ = std::make_unique<Body>(c_, domain_);
  in_->blocks[op_.getStartIndices()] = indices_.get();
  fetchTable();
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerLookup(KernelContext &context, Code &code, stablehlo::GatherOp op, Value start, Value count) {
  return LookupKernel(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
