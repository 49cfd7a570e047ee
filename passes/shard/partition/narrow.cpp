//===- narrow.cpp - element types that hold what was widened ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a value back to conversions that lose nothing: through moves, choices and the largest or smallest of elements.
// Constants on the way, as the neutral values that stand for padding, have to fit the narrow type too.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/narrow.h"

#include "mlir/IR/Matchers.h"
#include "passes/shard/partition/partitioner.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

constexpr int kMostSteps = 8;  // back from a value

// Whether each value of `from` is one of `to`, infinities and NaNs included.
bool holdsAll(Type from, Type to) {
  if (auto real = dyn_cast<FloatType>(from)) {
    if (!to.isF16() && !to.isBF16() && !to.isF32() && !to.isF64()) return false;
    return APFloat::isRepresentableBy(real.getFloatSemantics(), cast<FloatType>(to).getFloatSemantics());
  }
  auto number = dyn_cast<IntegerType>(from);
  if (!number) return false;
  const bool isUnsigned = number.isUnsigned() || number.getWidth() == 1;
  const unsigned bits = number.getWidth() - (isUnsigned ? 0 : 1);  // of the magnitude
  if (auto wide = dyn_cast<FloatType>(to)) return bits <= wide.getFPMantissaWidth();
  auto wide = dyn_cast<IntegerType>(to);
  if (!wide || wide.getWidth() == 1) return false;
  return wide.isUnsigned() ? isUnsigned && bits <= wide.getWidth() : bits < wide.getWidth();
}

bool fits(DenseElementsAttr constant, Type narrow) {
  if (!narrow.isF16() && !narrow.isBF16() && !narrow.isF32()) return false;  // others lack infinities
  if (!constant.isSplat() || !isa<FloatType>(constant.getElementType())) return false;
  APFloat number = constant.getSplatValue<APFloat>();
  bool loses = true;
  number.convert(cast<FloatType>(narrow).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return !loses;
}

Type narrowElement(Value value, int steps);

// The one type of several values, constants aside, which have to fit it.
Type narrowOf(ValueRange values, int steps) {
  Type narrow;
  SmallVector<DenseElementsAttr> constants;
  for (Value value : values) {
    while (auto repeated = value.getDefiningOp<hlo::BroadcastInDimOp>()) value = repeated.getOperand();
    DenseElementsAttr constant;
    if (matchPattern(value, m_Constant(&constant))) {
      constants.push_back(constant);
      continue;
    }
    Type own = narrowElement(value, steps);
    if (!own || (narrow && narrow != own)) return {};
    narrow = own;
  }
  return narrow && llvm::all_of(constants, [&](auto constant) { return fits(constant, narrow); }) ? narrow : Type();
}

Type narrowElement(Value value, int steps) {
  Operation *op = value.getDefiningOp();
  if (!op || steps == 0 || !isa<RankedTensorType>(value.getType())) return {};
  if (auto convert = dyn_cast<hlo::ConvertOp>(op)) {
    Type from = typeOf(convert.getOperand()).getElementType(), to = typeOf(value).getElementType();
    return bytesOf(from) < bytesOf(to) && holdsAll(from, to) ? from : Type();
  }
  if (isa<hlo::BroadcastInDimOp, hlo::ReshapeOp, hlo::TransposeOp, hlo::SliceOp, hlo::ReverseOp>(op))
    return narrowElement(op->getOperand(0), steps - 1);
  if (isa<hlo::SelectOp>(op)) return narrowOf(op->getOperands().drop_front(), steps - 1);
  if (isa<hlo::PadOp>(op)) return narrowOf(op->getOperands(), steps - 1);
  auto reduce = dyn_cast<hlo::ReduceOp>(op);
  if (!reduce || reduce.getInputs().size() != 1) return {};
  std::optional<Reducer> reducer = reducerOf(reduce.getBody());
  if (reducer != Reducer::Max && reducer != Reducer::Min) return {};
  return narrowOf(op->getOperands(), steps - 1);
}

}  // namespace

Type narrowElement(Value value) { return narrowElement(value, kMostSteps); }

}  // namespace tpuc::shard
