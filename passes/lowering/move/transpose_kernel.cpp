// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes that put another dim along lanes: tiles of 128 x 128 through the cross-lane unit's transpose buffer, with
// elementwise work on what goes in and what comes out.
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/move/op_kernel.h"
#include "passes/plan/move/transpose_plan.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

class TransposeKernel : TransposePlan {
 public:
  TransposeKernel(KernelContext &context, Code &code, stablehlo::TransposeOp op)
      : TransposePlan(context, op), c_(code) {}
  LogicalResult run(Value start, Value count);

 private:
  void emitStep(const Step &step);
  void emitTile(const Point &lead, const Linear &rowTile, const Linear &laneTile, int64_t rows, int64_t groups);
  // Tiles of a block along a dim: the whole ones, and the extent of a shorter last one.
  Value tilesOf(int64_t d, ArrayRef<Linear> index);

  Code &c_;
  std::unique_ptr<Body> in_, out_;
};

Value TransposeKernel::tilesOf(int64_t d, ArrayRef<Linear> index) {
  const Domain &v = resultView_;
  int64_t full = llvm::divideCeil(v.block[d], kTile);
  if (v.steps(d) <= 1 || !v.hasTail(d)) return c_.i64(full);
  Value left =
      c_.b.createOrFold<arith::SubIOp>(c_.loc, c_.i64(llvm::divideCeil(v.dims[d], kTile)), c_.value(index[d] * full));
  return c_.min(left, c_.i64(full));
}

// `rows` groups of 8 of the result's rows, from `groups` of the source's.
void TransposeKernel::emitTile(const Point &lead, const Linear &rowTile, const Linear &laneTile, int64_t rows,
                               int64_t groups) {
  int64_t pack = resultView_.pack, units = 16 / pack;
  bool pred = getElementTypeOrSelf(op_.getType()).isInteger(1);
  Point at = lead;
  at.at[resultView_.r()] = rowTile;  // the source's lanes
  for (int64_t g = 0; g < groups; ++g) {
    at.at[resultView_.c()] = laneTile * units + Linear(g / pack);
    at.sub = g % pack;
    Value v = in_->evaluate(op_.getOperand(), sourceMap_, at);
    c_.inst("x.tr.push", {pred ? maskToInt(c_, v) : v}, {{"row", g}, {"buf", 0}});
    in_->nextPoint();
  }
  at.at[resultView_.c()] = laneTile;
  for (int64_t g = 0; g < rows; g += pack) {
    out_->providers[op_.getResult()] = [&](const Point &p) {
      Value v = c_.inst("x.tr.pop", {}, {{"row", std::min(g + p.sub, rows - 1)}, {"buf", 0}});
      return pred ? intToMask(c_, v) : v;
    };
    SmallVector<Value> values;
    at.at[resultView_.r()] = rowTile * units + Linear(g / pack);
    for (at.sub = 0; at.sub < pack; ++at.sub) values.push_back(out_->evaluate(result_, resultMap_, at));
    at.sub = 0;
    out_->store(*written_, values, at);
    out_->nextPoint();
  }
}

void TransposeKernel::emitStep(const Step &step) {
  const Domain &d = resultView_;
  in_->blockIndex = out_->blockIndex = step.index;
  SmallVector<int64_t> leads;
  for (int64_t k = 0; k < static_cast<int64_t>(d.dims.size()); ++k)
    if (k != d.r() && k != d.c()) leads.push_back(k);
  // A dim shorter than a tile fills part of the buffer.
  auto groupsOf = [&](int64_t k) {
    return std::min<int64_t>(16, llvm::alignTo(llvm::divideCeil(d.dims[k], 8), d.pack));
  };
  emitNest(
      c_, d, step.index, leads, 1, {},
      [&](const Point &lead, ValueRange) {
        c_.loop(c_.i64(0), tilesOf(d.r(), step.index), 1, {}, [&](Value row, ValueRange) {
          c_.loop(c_.i64(0), tilesOf(d.c(), step.index), 1, {}, [&](Value lane, ValueRange) {
            emitTile(lead, c_.linear(row), c_.linear(lane), groupsOf(d.r()), groupsOf(d.c()));
            return SmallVector<Value>();
          });
          return SmallVector<Value>();
        });
        return SmallVector<Value>();
      },
      nullptr, storesWholeWords(*written_, written_->map, d));
}

LogicalResult TransposeKernel::run(Value start, Value count) {
  if (failed(plan())) return failure();
  in_ = std::make_unique<Body>(c_, sourceView_);
  out_ = std::make_unique<Body>(c_, resultView_);
  for (const Read &read : before_) in_->blocks[read.argument] = read.block.get();
  for (const Read &read : behind_) out_->blocks[read.argument] = read.block.get();
  context_.gridSteps = grid_->parallelSteps();
  emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

}  // namespace

LogicalResult lowerTranspose(KernelContext &context, Code &code, stablehlo::TransposeOp op, Value start, Value count) {
  return TransposeKernel(context, code, op).run(start, count);
}

}  // namespace tpuc::lowering
