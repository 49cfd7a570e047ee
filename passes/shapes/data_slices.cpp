// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/data_slices.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

Value sizesOfSlice(hlo::RealDynamicSliceOp op) {
  auto add = op.getLimitIndices().getDefiningOp<hlo::AddOp>();
  if (!add) return nullptr;
  if (add.getLhs() == op.getStartIndices()) return add.getRhs();
  return add.getRhs() == op.getStartIndices() ? add.getLhs() : Value();
}

SmallVector<Value> startsOfSlice(hlo::RealDynamicSliceOp op, OpBuilder &builder) {
  auto type = cast<RankedTensorType>(op.getStartIndices().getType());
  SmallVector<Value> starts;
  for (int64_t i = 0; i < type.getDimSize(0); ++i) {
    Value one = hlo::SliceOp::create(builder, op.getLoc(), type.clone({int64_t{1}}), op.getStartIndices(),
                                     builder.getDenseI64ArrayAttr({i}), builder.getDenseI64ArrayAttr({i + 1}),
                                     builder.getDenseI64ArrayAttr({1}));
    starts.push_back(
        hlo::ReshapeOp::create(builder, op.getLoc(), RankedTensorType::get({}, type.getElementType()), one));
  }
  return starts;
}

}  // namespace tpuc::shapes
