//===- collections.cpp - top_k and scan of chlo ------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/IRMapping.h"
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

//===-----------------------------------------------------------------------------===//
// top_k
//===-----------------------------------------------------------------------------===//

// The first k of the values in descending order, with the places that they come from. Floats are in total order.
struct LowerTopK : OpRewritePattern<chlo::TopKOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::TopKOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getOperand().getType());
    if (!type || !isStatic(type)) return failure();
    Location loc = op.getLoc();
    int64_t last = type.getRank() - 1;
    auto indexType = type.clone(rewriter.getI32Type());
    Value places = hlo::IotaOp::create(rewriter, loc, indexType, rewriter.getI64IntegerAttr(last));
    auto sort = hlo::SortOp::create(rewriter, loc, TypeRange{type, indexType}, ValueRange{op.getOperand(), places},
                                    rewriter.getI64IntegerAttr(last), rewriter.getBoolAttr(true));
    fillComparator(rewriter, sort, type.getElementType());
    SmallVector<int64_t> starts(type.getRank(), 0), strides(type.getRank(), 1), limits(type.getShape());
    limits.back() = op.getK();
    auto first = [&](unsigned i) -> Value {
      return hlo::SliceOp::create(rewriter, loc, op.getResultTypes()[i], sort.getResult(i),
                                  rewriter.getDenseI64ArrayAttr(starts), rewriter.getDenseI64ArrayAttr(limits),
                                  rewriter.getDenseI64ArrayAttr(strides));
    };
    Value values = first(0), indices = first(1);
    rewriter.replaceOp(op, {values, indices});
    return success();
  }

  static void fillComparator(PatternRewriter &rewriter, hlo::SortOp sort, Type element) {
    OpBuilder::InsertionGuard guard(rewriter);
    Location loc = sort.getLoc();
    auto scalar = RankedTensorType::get({}, element), place = RankedTensorType::get({}, rewriter.getI32Type());
    Block *body = rewriter.createBlock(&sort.getComparator(), {}, {scalar, scalar, place, place}, {loc, loc, loc, loc});
    auto order = isa<FloatType>(element)
                     ? hlo::ComparisonTypeAttr::get(rewriter.getContext(), hlo::ComparisonType::TOTALORDER)
                     : hlo::ComparisonTypeAttr();
    Value greater =
        hlo::CompareOp::create(rewriter, loc, RankedTensorType::get({}, rewriter.getI1Type()), body->getArgument(0),
                               body->getArgument(1), hlo::ComparisonDirection::GT, order);
    hlo::ReturnOp::create(rewriter, loc, greater);
  }
};

//===-----------------------------------------------------------------------------===//
// scan
//===-----------------------------------------------------------------------------===//

Value zeros(OpBuilder &b, Location loc, RankedTensorType type) {
  if (auto complex = dyn_cast<ComplexType>(type.getElementType())) {
    APFloat zero(cast<FloatType>(complex.getElementType()).getFloatSemantics());
    auto value = DenseElementsAttr::get(type, std::complex<APFloat>(zero, zero));
    return hlo::ConstantOp::create(b, loc, type, cast<ElementsAttr>(Attribute(value)));
  }
  if (auto element = dyn_cast<FloatType>(type.getElementType()))
    return makeSplat(b, loc, type, APFloat(element.getFloatSemantics()));
  return makeSplat(b, loc, type, APInt(type.getElementTypeBitWidth(), 0));
}

// A loop over the dimension: the carries and the outputs so far go round, the inputs are read where they are.
struct LowerScan : OpRewritePattern<chlo::ScanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::ScanOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> all(op.getInputs());
    llvm::append_range(all, op->getResults());
    std::optional<int64_t> extent;
    if (op.getScanDimSize()) extent = *op.getScanDimSize();
    for (Value value : all) {
      auto type = cast<RankedTensorType>(value.getType());
      if (!isStatic(type) || isa<quant::QuantizedType>(type.getElementType())) return failure();
    }
    if (!op.getInputs().empty())
      extent = cast<RankedTensorType>(op.getInputs().front().getType()).getDimSize(op.getDimension());
    else if (!op.getOutputs().empty())
      extent = cast<RankedTensorType>(op.getOutputs().front().getType()).getDimSize(op.getDimension());
    if (!extent) return failure();
    Location loc = op.getLoc();
    auto scalar = RankedTensorType::get({}, rewriter.getI32Type());
    auto constant = [&](int64_t value) -> Value { return makeSplat(rewriter, loc, scalar, APInt(32, value)); };
    Value zero = constant(0), one = constant(1), end = constant(*extent), last = constant(*extent - 1);

    SmallVector<Value> starts{zero};
    llvm::append_range(starts, op.getInits());
    for (Value output : op.getOutputs())
      starts.push_back(zeros(rewriter, loc, cast<RankedTensorType>(output.getType())));
    SmallVector<Type> types(ValueRange(starts).getTypes());
    SmallVector<Location> locs(types.size(), loc);
    auto loop = hlo::WhileOp::create(rewriter, loc, types, starts);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      Block *cond = rewriter.createBlock(&loop.getCond(), {}, types, locs);
      Value more = hlo::CompareOp::create(rewriter, loc, cond->getArgument(0), end, hlo::ComparisonDirection::LT);
      hlo::ReturnOp::create(rewriter, loc, more);
      Block *body = rewriter.createBlock(&loop.getBody(), {}, types, locs);
      fillBody(rewriter, op, *body, {zero, one, last});
    }
    SmallVector<Value> results;
    unsigned carries = op.getInits().size();
    llvm::append_range(results, loop->getResults().drop_front(1 + carries));
    llvm::append_range(results, loop->getResults().drop_front(1).take_front(carries));
    rewriter.replaceOp(op, results);
    return success();
  }

  struct Constants {
    Value zero, one, last;
  };

  // One step: slices of the inputs at the counter, the op's body, the outputs' slices put in place.
  static void fillBody(PatternRewriter &rewriter, chlo::ScanOp op, Block &body, const Constants &c) {
    Location loc = op.getLoc();
    Value counter = body.getArgument(0), at = counter;
    if (op.getIsReverse()) at = hlo::SubtractOp::create(rewriter, loc, c.last, counter);
    unsigned carries = op.getInits().size();
    int64_t dimension = op.getDimension();
    auto startsOf = [&](RankedTensorType type) {
      SmallVector<Value> starts(type.getRank(), c.zero);
      starts[dimension] = at;
      return starts;
    };
    auto without = [&](RankedTensorType type) {
      SmallVector<int64_t> shape(type.getShape());
      shape.erase(shape.begin() + dimension);
      return type.clone(shape);
    };
    auto single = [&](RankedTensorType type) {
      SmallVector<int64_t> shape(type.getShape());
      shape[dimension] = 1;
      return type.clone(shape);
    };

    IRMapping map;
    Block &step = op.getBody().front();
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      auto type = cast<RankedTensorType>(input.getType());
      Value slice = hlo::DynamicSliceOp::create(rewriter, loc, single(type), input, startsOf(type),
                                                rewriter.getDenseI64ArrayAttr(single(type).getShape()));
      map.map(step.getArgument(i), hlo::ReshapeOp::create(rewriter, loc, without(type), slice));
    }
    for (unsigned i = 0; i < carries; ++i)
      map.map(step.getArgument(op.getInputs().size() + i), body.getArgument(1 + i));
    for (Operation &inner : step.without_terminator()) rewriter.clone(inner, map);

    SmallVector<Value> next{hlo::AddOp::create(rewriter, loc, counter, c.one)}, outputs;
    ValueRange yielded = step.getTerminator()->getOperands();
    unsigned numOutputs = op.getOutputs().size();
    for (auto [i, output] : llvm::enumerate(op.getOutputs())) {
      auto type = cast<RankedTensorType>(output.getType());
      Value slice = hlo::ReshapeOp::create(rewriter, loc, single(type), map.lookupOrDefault(yielded[i]));
      outputs.push_back(hlo::DynamicUpdateSliceOp::create(rewriter, loc, type, body.getArgument(1 + carries + i), slice,
                                                          startsOf(type)));
    }
    for (unsigned i = 0; i < carries; ++i) next.push_back(map.lookupOrDefault(yielded[numOutputs + i]));
    llvm::append_range(next, outputs);
    hlo::ReturnOp::create(rewriter, loc, next);
  }
};

}  // namespace

void populateCollections(RewritePatternSet &patterns) { patterns.add<LowerTopK, LowerScan>(patterns.getContext()); }

}  // namespace tpuc::simplify
