// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map and select_and_scatter as elementwise ops on whole arrays.
#include "dialects/diagnostics/diagnose.h"
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/passes.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_EXPANDREGIONSPASS
#include "passes/decompose/passes.h.inc"
namespace {

// For each window, which of its positions holds the selected element: the positions one after the other, each against
// the one selected so far. Then, position by position, the sources whose window selected it, combined into the result.
class SelectAndScatter {
 public:
  SelectAndScatter(stablehlo::SelectAndScatterOp op, OpBuilder &b) : op_(op), b_(b), build_{b, op.getLoc()} {}

  void run() {
    readWindow();
    auto type = typeOf(op_.getOperand()), source = typeOf(op_.getSource());
    Value zero = build_.zero(type.getElementType()), no = build_.zero(b_.getI1Type());
    Value padded = build_.pad(op_.getOperand(), zero, low_, high_, interior_);
    Value real = build_.pad(splat(type.getShape(), true), no, low_, high_, interior_);
    Value best, chosen, any;
    SmallVector<SmallVector<int64_t>> positions = windowPositions();
    for (auto [i, at] : llvm::enumerate(positions)) {
      Value candidate = windowAt(padded, at), valid = windowAt(real, at), index = number(source.getShape(), i);
      if (!best) {
        best = candidate;
        chosen = index;
        any = valid;
        continue;
      }
      Block &compare = op_.getSelect().front();
      Value stays = inlineElementwise(b_, compare, {best, candidate},
                                      hasLoop(compare) ? logic<stablehlo::AndOp>(valid, any) : Value())[0];
      Value takes = logic<stablehlo::AndOp>(valid, logic<stablehlo::OrOp>(invert(any), invert(stays)));
      best = select(takes, candidate, best);
      chosen = select(takes, index, chosen);
      any = logic<stablehlo::OrOp>(any, valid);
    }
    Value result = build_.broadcast(op_.getInitValue(), type.getShape(), {});
    // The last position first: an element meets its sources in their own order.
    for (size_t i = positions.size(); i-- > 0;) {
      ArrayRef<int64_t> at = positions[i];
      Value hit = logic<stablehlo::AndOp>(
          any, stablehlo::CompareOp::create(b_, build_.loc, chosen, number(source.getShape(), i),
                                            stablehlo::ComparisonDirection::EQ));
      Value here = back(hit, no, at), value = back(op_.getSource(), zero, at);
      result = select(here, inlineElementwise(b_, op_.getScatter().front(), {result, value}, here)[0], result);
    }
    op_.replaceAllUsesWith(result);
    op_.erase();
  }

 private:
  template <typename Op>
  Value logic(Value x, Value y) {
    return Op::create(b_, build_.loc, x.getType(), x, y);
  }
  Value invert(Value x) { return stablehlo::NotOp::create(b_, build_.loc, x.getType(), x); }
  Value select(Value p, Value x, Value y) { return stablehlo::SelectOp::create(b_, build_.loc, x.getType(), p, x, y); }
  Value splat(ArrayRef<int64_t> shape, bool value) {
    auto type = RankedTensorType::get(shape, b_.getI1Type());
    return stablehlo::ConstantOp::create(b_, build_.loc, type,
                                         cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, value))));
  }
  Value number(ArrayRef<int64_t> shape, int32_t value) {
    auto type = RankedTensorType::get(shape, b_.getI32Type());
    return stablehlo::ConstantOp::create(b_, build_.loc, type,
                                         cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, value))));
  }

  void readWindow() {
    int64_t rank = typeOf(op_.getOperand()).getRank();
    window_ = op_.getWindowDimensions() ? llvm::to_vector(*op_.getWindowDimensions()) : SmallVector<int64_t>(rank, 1);
    stride_ = op_.getWindowStrides() ? llvm::to_vector(*op_.getWindowStrides()) : SmallVector<int64_t>(rank, 1);
    low_.assign(rank, 0);
    high_.assign(rank, 0);
    interior_.assign(rank, 0);
    if (auto padding = op_.getPadding())
      for (auto [i, value] : llvm::enumerate(padding->getValues<int64_t>())) (i % 2 ? high_ : low_)[i / 2] = value;
  }

  SmallVector<SmallVector<int64_t>> windowPositions() {
    SmallVector<SmallVector<int64_t>> out;
    SmallVector<int64_t> at(window_.size(), 0);
    while (true) {
      out.push_back(at);
      int64_t d = static_cast<int64_t>(at.size()) - 1;
      while (d >= 0 && ++at[d] == window_[d]) at[d--] = 0;
      if (d < 0) return out;
    }
  }

  // The element at one window position of every window.
  Value windowAt(Value v, ArrayRef<int64_t> at) {
    SmallVector<int64_t> limit;
    for (auto [d, n] : llvm::enumerate(typeOf(op_.getSource()).getShape()))
      limit.push_back(at[d] + (n - 1) * stride_[d] + 1);
    return build_.slice(v, at, limit, stride_);
  }

  // One element a window, at a window position of the operand.
  Value back(Value v, Value fill, ArrayRef<int64_t> at) {
    SmallVector<int64_t> low, high, interior;
    for (auto [d, n] : llvm::enumerate(typeOf(op_.getSource()).getShape())) {
      low.push_back(at[d] - low_[d]);
      high.push_back(typeOf(op_.getOperand()).getDimSize(d) - low.back() - ((n - 1) * stride_[d] + 1));
      interior.push_back(stride_[d] - 1);
    }
    return build_.pad(v, fill, low, high, interior);
  }

  stablehlo::SelectAndScatterOp op_;
  OpBuilder &b_;
  Build build_;
  SmallVector<int64_t> window_, stride_, low_, high_, interior_;
};

struct ExpandRegions : impl::ExpandRegionsPassBase<ExpandRegions> {
  using ExpandRegionsPassBase::ExpandRegionsPassBase;

  LogicalResult expand(Operation *op) {
    for (Region &region : op->getRegions())
      if (!isElementwiseRegion(region.front()))
        return diagnose(op, codes::kRegionOfArrays) << "expects a computation on single elements in '" << op->getName()
                                                    << "', but got one on arrays; write it elementwise";
    OpBuilder b(op);
    auto type = typeOf(op->getResult(0));
    auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op);
    if (select && typeOf(select.getSource()).getNumElements() == 0) {
      op->getResult(0).replaceAllUsesWith(Build{b, op->getLoc()}.broadcast(select.getInitValue(), type.getShape(), {}));
      op->erase();
    } else if (select) {
      SelectAndScatter(select, b).run();
    } else {
      op->replaceAllUsesWith(inlineElementwise(b, op->getRegion(0).front(), op->getOperands()));
      op->erase();
    }
    return success();
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const plan::Question question(machine);
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (mlir::isa<stablehlo::MapOp, stablehlo::SelectAndScatterOp>(op)) ops.push_back(op);
    });
    for (Operation *op : ops)
      if (auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op); select && question.hasKernel(select))
        continue;
      else if (failed(expand(op)))
        return signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::decompose
