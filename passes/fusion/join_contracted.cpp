// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contracted dims of a matmul that lie next to one another become one: heads of 64 would each fill half of a systolic
// array.
//
//  1. Two contracted dims are joined where both operands have them in that order, side by side, and the same bytes
//     with one dim in their place.
//  2. The reshape goes in front of what a kernel reads an operand through: conversions, one slice of a stack.
#include "dialects/kernel/kernel.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/fusion/group.h"
#include "passes/fusion/passes.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
#define GEN_PASS_DEF_JOINCONTRACTEDPASS
#include "passes/fusion/passes.h.inc"
namespace {

// The type with dims `at` and `at + 1` as one.
RankedTensorType joined(RankedTensorType type, int64_t at) {
  SmallVector<int64_t> shape(type.getShape());
  shape[at] *= shape[at + 1];
  shape.erase(shape.begin() + at + 1);
  return type.clone(shape);
}

// A slice's operand, of which it takes one along its first dim; the reshape that drops this dim.
stablehlo::DynamicSliceOp stackOf(Value v) {
  auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>();
  auto slice = reshape ? reshape.getOperand().getDefiningOp<stablehlo::DynamicSliceOp>() : stablehlo::DynamicSliceOp();
  if (!slice || !slice->hasOneUse() || typeOf(slice).getShape().drop_front() != typeOf(v).getShape() ||
      typeOf(slice).getDimSize(0) != 1 ||
      typeOf(slice.getOperand()).getShape().drop_front() != typeOf(slice).getShape().drop_front())
    return {};
  return slice;
}

// Whether an operand can be made with both dims as one, at no cost.
bool mayJoin(Value v, int64_t at) {
  if (!kernel::haveSameBytes(typeOf(v), joined(typeOf(v), at))) return false;
  Operation *def = v.getDefiningOp();
  if (!def) return true;
  if (auto convert = dyn_cast<stablehlo::ConvertOp>(def)) return mayJoin(convert.getOperand(), at);
  if (auto slice = stackOf(v)) return mayJoin(slice.getOperand(), at + 1);
  // What else a kernel would compute with the matmul would be an array of its own.
  return !isCheap(def) && makersOf(v).empty() && maskOn(v).empty();
}

Value join(OpBuilder &b, Value v, int64_t at) {
  Build build{b, v.getLoc()};
  if (auto convert = v.getDefiningOp<stablehlo::ConvertOp>())
    return build.convert(join(b, convert.getOperand(), at), typeOf(v).getElementType());
  if (auto slice = stackOf(v)) {
    Value stack = join(b, slice.getOperand(), at + 1);
    SmallVector<Value> starts(slice.getStartIndices());
    starts.erase(starts.begin() + at + 2);
    SmallVector<int64_t> sizes(typeOf(stack).getShape());
    sizes[0] = 1;
    Value part = stablehlo::DynamicSliceOp::create(b, v.getLoc(), typeOf(stack).clone(sizes), stack, starts,
                                                   b.getDenseI64ArrayAttr(sizes));
    return build.reshape(part, ArrayRef(sizes).drop_front());
  }
  return build.reshape(v, joined(typeOf(v), at).getShape());
}

struct JoinContracted : impl::JoinContractedPassBase<JoinContracted> {
  using JoinContractedPassBase::JoinContractedPassBase;

  // Joins two contracted dims of which the minor leaves rows of an array empty. False: there are none.
  static bool joinOne(stablehlo::DotGeneralOp dot, int64_t mxuSide) {
    auto numbers = dot.getDotDimensionNumbers();
    ArrayRef<int64_t> lc = numbers.getLhsContractingDimensions(), rc = numbers.getRhsContractingDimensions();
    for (size_t major = 0; major < lc.size(); ++major)
      for (size_t minor = 0; minor < lc.size(); ++minor) {
        if (lc[minor] != lc[major] + 1 || rc[minor] != rc[major] + 1 ||
            typeOf(dot.getLhs()).getDimSize(lc[minor]) % mxuSide == 0 || !mayJoin(dot.getLhs(), lc[major]) ||
            !mayJoin(dot.getRhs(), rc[major]))
          continue;
        join(dot, major, minor);
        return true;
      }
    return false;
  }

  static void join(stablehlo::DotGeneralOp dot, size_t major, size_t minor) {
    auto numbers = dot.getDotDimensionNumbers();
    const int64_t left = numbers.getLhsContractingDimensions()[major],
                  right = numbers.getRhsContractingDimensions()[major];
    auto after = [&](ArrayRef<int64_t> dims, int64_t at, bool contracts) {
      SmallVector<int64_t> out;
      for (auto [i, d] : llvm::enumerate(dims))
        if (!contracts || i != minor) out.push_back(d > at ? d - 1 : d);
      return out;
    };
    OpBuilder b(dot);
    dot.setOperand(0, fusion::join(b, dot.getLhs(), left));
    dot.setOperand(1, fusion::join(b, dot.getRhs(), right));
    dot.setDotDimensionNumbersAttr(stablehlo::DotDimensionNumbersAttr::get(
        dot.getContext(), after(numbers.getLhsBatchingDimensions(), left, false),
        after(numbers.getRhsBatchingDimensions(), right, false),
        after(numbers.getLhsContractingDimensions(), left, true),
        after(numbers.getRhsContractingDimensions(), right, true)));
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const int64_t side = roomOn(machine).mxuSide;
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    for (stablehlo::DotGeneralOp dot : dots)
      while (joinOne(dot, side)) continue;
  }
};

}  // namespace
}  // namespace tpuc::fusion
