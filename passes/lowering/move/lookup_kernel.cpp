// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers of single elements of a vector that VMEM holds: a permutation of lanes for each of its rows of 128. Likewise
// of the rows of an array, eight at a time, a permutation for each tile of 128 lanes.
//
//  1. The vector comes to VMEM once, rows of 128 as they lie; an array by blocks of whole rows.
//  2. For a vreg of indices each row is loaded into all sublanes, or a tile as it lies; every lane takes the one its
//  index
//     names (mod 128), and keeps that of the row or tile it names.
//  3. One of many rows is kept by one of several chains of selections, the others have zeros: no selection waits for
//     another.
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/lowering/move/indices.h"
#include "passes/lowering/move/op_kernel.h"
#include "passes/plan/move/lookup_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

constexpr int64_t kTableRegion = 1000;
constexpr int64_t kStraightRows = 8;  // without a loop
constexpr int64_t kChains = 8;        // of selects, side by side: each waits for the one before it in its chain

class LookupKernel : RootKernel<LookupPlan> {
 public:
  LookupKernel(KernelContext &context, Code &code, stablehlo::GatherOp op) : RootKernel(context, code, op) {}
  LogicalResult run(Value start, Value count);

 private:
  void fetchTable();
  Value lookUp(Value index, const Point &at);
  Value tile(const Linear &row, const Point &at);
  Value select(Value index, Value is, const Linear &row, const Point &at, Value found);
  Value lookUpInChains(Value index, Value wanted, const Point &at);
  void emitStep(const Step &step);

  std::unique_ptr<Body> in_;
};

void LookupKernel::fetchTable() {
  Side from = operandSide(context_, op_.getOperand()),
       to{"vmem", "", from.array, false, Linear(tableWord_ * isa::kWordBytes)};
  emitWait(c_, emitBoxCopy(c_, from, to, {BoxDim{0, 0, size_, {}, {}}}));
}

// Row `row` of the vector in all sublanes, or that tile of the point's rows.
Value LookupKernel::tile(const Linear &row, const Point &at) {
  if (!isOfRows()) return c_.load(Linear(tableWord_) + row, 0, kTableRegion);
  Linear word = table_->base + row * table_->rowsHeld;
  for (auto [d, stride] : llvm::enumerate(table_->leadWords)) word = word + at.at[d] * stride;
  return c_.load(word + at.at[domain_.r()] * 8, 1, table_->region);
}

// `found`, or, where `is` this row, what the indices name in it.
Value LookupKernel::select(Value index, Value is, const Linear &row, const Point &at, Value found) {
  return c_.inst("v.sel", {is, c_.inst("x.perm.lane", {tile(row, at), index}), found});
}

Value LookupKernel::lookUpInChains(Value index, Value wanted, const Point &at) {
  SmallVector<Value> chains(kChains, c_.splatI(0));
  const int64_t looped = rows_ / kChains * kChains;
  // A chain's number is what the row that it is at has to be behind the loop's: the same vreg in all iterations.
  auto step = [&](const Linear &first, int64_t chain, Value behind, Value found) {
    return select(index, c_.inst("v.eq.i32", {behind, c_.splatI(chain)}), first + Linear(chain), at, found);
  };
  auto behind = [&](const Linear &first) { return c_.inst("v.sub.i32", {wanted, c_.splat(first)}); };
  chains = c_.loop(c_.i64(0), c_.i64(looped), kChains, chains, [&](Value iv, ValueRange in) {
    SmallVector<Value> next;
    Value left = behind(Linear(iv));
    for (auto [i, v] : llvm::enumerate(in)) next.push_back(step(Linear(iv), static_cast<int64_t>(i), left, v));
    return next;
  });
  if (looped < rows_) {
    Value left = behind(Linear(looped));
    for (int64_t i = 0; i < rows_ - looped; ++i) chains[i] = step(Linear(looped), i, left, chains[i]);
  }
  // The chains are joined as bits: at most one of them has something in a lane.
  for (size_t n = kChains; n > 1; n /= 2)
    for (size_t i = 0; i < n / 2; ++i) chains[i] = c_.inst("v.or", {chains[i], chains[i + n / 2]});
  return chains[0];
}

Value LookupKernel::lookUp(Value index, const Point &at) {
  bool isUnsigned = elementOf(op_.getStartIndices()).isUnsignedInteger();
  if (!isUnsigned) index = c_.inst("v.max.i32", {index, c_.splatI(0)});
  index = c_.inst(isUnsigned ? "v.min.u32" : "v.min.i32", {index, c_.splatI(size_ - 1)});
  Value wanted = c_.inst("v.shr.s32", {index, c_.splatI(7)});
  if (rows_ > kStraightRows) return lookUpInChains(index, wanted, at);
  Value found = c_.inst("x.perm.lane", {tile(Linear(0), at), index});
  for (int64_t row = 1; row < rows_; ++row)
    found = select(index, c_.inst("v.eq.i32", {wanted, c_.splatI(row)}), Linear(row), at, found);
  return found;
}

void LookupKernel::emitStep(const Step &step) {
  in_->blockIndex = body_->blockIndex = step.index;
  emitNest(c_, domain_, step.index, walked_, 1, {}, [&](const Point &at, ValueRange) {
    Value index = in_->evaluate(op_.getStartIndices(), map_, at);
    in_->nextPoint();
    storeRoot({lookUp(index, at)}, at);
    return SmallVector<Value>();
  });
}

LogicalResult LookupKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  makeBody(0);
  in_ = std::make_unique<Body>(c_, domain_);
  in_->blocks[op_.getStartIndices()] = indices_.get();
  if (!isOfRows()) fetchTable();
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerLookup(KernelContext &context, Code &code, stablehlo::GatherOp op, Value start, Value count) {
  return LookupKernel(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
