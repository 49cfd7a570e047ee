// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/data_slices.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

// Computed alike: exports say some values twice.
bool isSame(Value a, Value b, int depth = 0) {
  constexpr int kMostDepth = 16;
  if (a == b) return true;
  Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
  if (!left || !right || depth == kMostDepth || left->getNumRegions() || !isMemoryEffectFree(left)) return false;
  if (cast<OpResult>(a).getResultNumber() != cast<OpResult>(b).getResultNumber()) return false;
  return OperationEquivalence::isEquivalentTo(
      left, right, [&](Value x, Value y) { return success(isSame(x, y, depth + 1)); }, nullptr,
      OperationEquivalence::IgnoreLocations);
}

}  // namespace

Value sizesOfSlice(hlo::RealDynamicSliceOp op) {
  auto add = op.getLimitIndices().getDefiningOp<hlo::AddOp>();
  if (!add) return nullptr;
  if (isSame(add.getLhs(), op.getStartIndices())) return add.getRhs();
  return isSame(add.getRhs(), op.getStartIndices()) ? add.getLhs() : Value();
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
