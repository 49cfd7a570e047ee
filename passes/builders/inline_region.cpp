// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/builders/inline_region.h"

#include "dialects/stablehlo/traits.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/builders/build.h"

using namespace mlir;

namespace tpuc::builders {
namespace {

bool movesNothing(Operation *op) {
  return mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp, stablehlo::TransposeOp>(op);
}
bool isControlFlow(Operation *op) { return mlir::isa<stablehlo::IfOp, stablehlo::CaseOp, stablehlo::WhileOp>(op); }

bool isScalar(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 1;
}

bool isElementwise(Operation *op) {
  if (!llvm::all_of(op->getResults(), isScalar) || !llvm::all_of(op->getOperands(), isScalar)) return false;
  if (isControlFlow(op))
    return llvm::all_of(op->getRegions(), [](Region &region) { return isElementwiseRegion(region.front()); });
  return op->hasTrait<stablehlo::IsElementwise>() || movesNothing(op) ||
         mlir::isa<stablehlo::ConstantOp, stablehlo::BitcastConvertOp, stablehlo::OptimizationBarrierOp>(op);
}

class Inliner {
 public:
  Inliner(OpBuilder &b, ArrayRef<int64_t> shape) : b_(b), shape_(shape) {}

  // `runs`: the elements for which the block is run at all, a mask; null for all.
  SmallVector<Value> run(Block &block, ValueRange arguments, Value runs) {
    for (auto [arg, v] : llvm::zip(block.getArguments(), arguments)) map_.map(arg, v);
    for (Operation &op : block.without_terminator()) {
      if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
        Attribute scalar = *cast<DenseElementsAttr>(constant.getValue()).getValues<Attribute>().begin();
        map_.map(constant.getResult(), splat(op.getLoc(), typeOf(constant.getResult()).getElementType(), scalar));
      } else if (movesNothing(&op)) {
        map_.map(op.getResult(0), operand(op.getOperand(0)));
      } else if (auto branch = dyn_cast<stablehlo::IfOp>(op)) {
        map_.map(op.getResults(), branches(&op, {operand(branch.getPred())}, runs));
      } else if (auto choice = dyn_cast<stablehlo::CaseOp>(op)) {
        map_.map(op.getResults(), branches(&op, equalTo(operand(choice.getIndex()), op.getNumRegions() - 1), runs));
      } else if (auto loop = dyn_cast<stablehlo::WhileOp>(op)) {
        map_.map(op.getResults(), whileAny(loop, runs));
      } else {
        map_.map(op.getResults(), elementwise(op)->getResults());
      }
    }
    return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value v) { return operand(v); });
  }

 private:
  // Constants, and values from outside, are spread over the shape.
  Value operand(Value v) {
    if (map_.contains(v)) return map_.lookup(v);
    Value scalar = v;
    if (typeOf(v).getRank())
      scalar = stablehlo::ReshapeOp::create(b_, v.getLoc(), typeOf(v).clone(ArrayRef<int64_t>{}), v);
    Value spread = shape_.empty() ? scalar
                                  : Value(stablehlo::BroadcastInDimOp::create(b_, v.getLoc(), typeOf(v).clone(shape_),
                                                                              scalar, ArrayRef<int64_t>{}));
    map_.map(v, spread);
    return spread;
  }
  Value splat(Location loc, Type element, Attribute scalar) {
    auto type = RankedTensorType::get(shape_, element);
    return stablehlo::ConstantOp::create(b_, loc, type,
                                         cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, scalar))));
  }
  Operation *elementwise(Operation &op) {
    OperationState state(op.getLoc(), op.getName());
    for (Value v : op.getOperands()) state.addOperands(operand(v));
    for (Value v : op.getResults()) state.addTypes(typeOf(v).clone(shape_));
    state.addAttributes(op.getAttrs());
    return b_.create(state);
  }
  Value both(Value x, Value y) { return x ? Value(stablehlo::AndOp::create(b_, y.getLoc(), y.getType(), x, y)) : y; }
  SmallVector<Value> select(Value p, ArrayRef<Value> x, ArrayRef<Value> y) {
    SmallVector<Value> out;
    for (auto [a, c] : llvm::zip(x, y))
      out.push_back(stablehlo::SelectOp::create(b_, p.getLoc(), a.getType(), p, a, c));
    return out;
  }

  // index == 0, index == 1, ...: an index out of range takes the last branch.
  SmallVector<Value> equalTo(Value index, int64_t count) {
    SmallVector<Value> out;
    for (int64_t k = 0; k < count; ++k)
      out.push_back(stablehlo::CompareOp::create(b_, index.getLoc(), index,
                                                 splat(index.getLoc(), b_.getI32Type(), b_.getI32IntegerAttr(k)),
                                                 stablehlo::ComparisonDirection::EQ));
    return out;
  }

  // Each branch but the last has its predicate; no two of them hold.
  SmallVector<Value> branches(Operation *op, ArrayRef<Value> predicates, Value runs) {
    SmallVector<SmallVector<Value>> results;
    Value rest = runs;
    for (auto [region, p] : llvm::zip(op->getRegions(), predicates)) {
      results.push_back(run(region.front(), {}, both(runs, p)));
      rest = both(rest, stablehlo::NotOp::create(b_, p.getLoc(), p.getType(), p));
    }
    SmallVector<Value> out = run(op->getRegions().back().front(), {}, rest);
    for (auto [p, values] : llvm::reverse(llvm::zip(predicates, results))) out = select(p, values, out);
    return out;
  }

  // The loop's values and the mask of elements that go on.
  SmallVector<Value> whileAny(stablehlo::WhileOp loop, Value runs) {
    SmallVector<Value> start = llvm::map_to_vector(loop.getOperand(), [&](Value v) { return operand(v); });
    start.push_back(both(runs, run(loop.getCond().front(), start, runs)[0]));
    auto made = stablehlo::WhileOp::create(b_, loop.getLoc(), TypeRange(ValueRange(start)), start);
    OpBuilder::InsertionGuard guard(b_);
    SmallVector<Location> locations(start.size(), loop.getLoc());
    Block *condition = b_.createBlock(&made.getCond(), {}, TypeRange(ValueRange(start)), locations);
    stablehlo::ReturnOp::create(b_, loop.getLoc(), Build{b_, loop.getLoc()}.any(condition->getArguments().back()));
    Block *body = b_.createBlock(&made.getBody(), {}, TypeRange(ValueRange(start)), locations);
    IRMapping outside = map_;  // what is spread within is not seen outside
    Value on = body->getArguments().back();
    SmallVector<Value> old(body->getArguments().drop_back());
    SmallVector<Value> next = select(on, run(loop.getBody().front(), old, on), old);
    next.push_back(both(on, run(loop.getCond().front(), next, on)[0]));
    stablehlo::ReturnOp::create(b_, loop.getLoc(), next);
    map_ = outside;
    return SmallVector<Value>(made.getResults().drop_back());
  }

  OpBuilder &b_;
  SmallVector<int64_t> shape_;
  IRMapping map_;
};

}  // namespace

bool isElementwiseRegion(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) { return isElementwise(&op); }) &&
         llvm::all_of(block.getArguments(), isScalar);
}

SmallVector<Value> inlineElementwise(OpBuilder &b, Block &block, ValueRange arguments, Value runs) {
  return Inliner(b, typeOf(arguments[0]).getShape()).run(block, arguments, runs);
}

bool hasLoop(Block &block) {
  return block.walk([](stablehlo::WhileOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

SmallVector<Value> capturesOf(Block &block) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(*block.getParent(), captured);
  return llvm::filter_to_vector(captured, [](Value v) { return !v.getDefiningOp<stablehlo::ConstantOp>(); });
}

}  // namespace tpuc::builders
