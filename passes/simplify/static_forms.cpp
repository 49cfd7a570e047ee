//===- static_forms.cpp - ops whose shape is a known value, and older forms of ops --------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

// The numbers of a constant vector of integers.
std::optional<SmallVector<int64_t>> knownNumbers(Value value) {
  DenseIntElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant))) return std::nullopt;
  bool isUnsigned = constant.getElementType().isUnsignedInteger();
  SmallVector<int64_t> numbers;
  for (const APInt &number : constant.getValues<APInt>())
    numbers.push_back(isUnsigned ? number.getZExtValue() : number.getSExtValue());
  return numbers;
}

bool allStatic(Operation *op) {
  auto known = [](Type type) { return !isa<RankedTensorType>(type) || isStatic(cast<RankedTensorType>(type)); };
  return llvm::all_of(op->getOperandTypes(), known) && llvm::all_of(op->getResultTypes(), known);
}

//===-----------------------------------------------------------------------------===//
// Known shapes
//===-----------------------------------------------------------------------------===//

// The result's type says all that the operands would.
LogicalResult staticIota(hlo::DynamicIotaOp op, PatternRewriter &rewriter) {
  if (!allStatic(op)) return failure();
  rewriter.replaceOpWithNewOp<hlo::IotaOp>(op, op.getType(), op.getIotaDimensionAttr());
  return success();
}
LogicalResult staticBroadcast(hlo::DynamicBroadcastInDimOp op, PatternRewriter &rewriter) {
  if (!allStatic(op)) return failure();
  rewriter.replaceOpWithNewOp<hlo::BroadcastInDimOp>(op, op.getType(), op.getOperand(), op.getBroadcastDimensions());
  return success();
}
LogicalResult staticReshape(hlo::DynamicReshapeOp op, PatternRewriter &rewriter) {
  if (!allStatic(op)) return failure();
  rewriter.replaceOpWithNewOp<hlo::ReshapeOp>(op, op.getType(), op.getOperand());
  return success();
}

LogicalResult staticPad(hlo::DynamicPadOp op, PatternRewriter &rewriter) {
  auto low = knownNumbers(op.getEdgePaddingLow()), high = knownNumbers(op.getEdgePaddingHigh()),
       interior = knownNumbers(op.getInteriorPadding());
  if (!allStatic(op) || !low || !high || !interior) return failure();
  rewriter.replaceOpWithNewOp<hlo::PadOp>(op, op.getType(), op.getOperand(), op.getPaddingValue(), *low, *high,
                                          *interior);
  return success();
}

LogicalResult staticSlice(hlo::RealDynamicSliceOp op, PatternRewriter &rewriter) {
  auto starts = knownNumbers(op.getStartIndices()), limits = knownNumbers(op.getLimitIndices()),
       strides = knownNumbers(op.getStrides());
  if (!allStatic(op) || !starts || !limits || !strides) return failure();
  rewriter.replaceOpWithNewOp<hlo::SliceOp>(op, op.getType(), op.getOperand(), *starts, *limits, *strides);
  return success();
}

LogicalResult staticGather(hlo::DynamicGatherOp op, PatternRewriter &rewriter) {
  auto sizes = knownNumbers(op.getSliceSizes());
  if (!allStatic(op) || !sizes) return failure();
  rewriter.replaceOpWithNewOp<hlo::GatherOp>(op, op.getType(), op.getOperand(), op.getStartIndices(),
                                             op.getDimensionNumbersAttr(), rewriter.getDenseI64ArrayAttr(*sizes),
                                             op.getIndicesAreSortedAttr());
  return success();
}

LogicalResult staticConvolution(hlo::DynamicConvOp op, PatternRewriter &rewriter) {
  auto padding = knownNumbers(op.getDPadding());
  if (!allStatic(op) || !padding) return failure();
  auto type =
      RankedTensorType::get(cast<RankedTensorType>(op.getDPadding().getType()).getShape(), rewriter.getI64Type());
  rewriter.replaceOpWithNewOp<hlo::ConvolutionOp>(
      op, op.getType(), op.getLhs(), op.getRhs(), op.getWindowStridesAttr(), DenseIntElementsAttr::get(type, *padding),
      op.getLhsDilationAttr(), op.getRhsDilationAttr(), op.getWindowReversalAttr(), op.getDimensionNumbersAttr(),
      op.getFeatureGroupCountAttr(), op.getBatchGroupCountAttr(), op.getPrecisionConfigAttr());
  return success();
}

LogicalResult staticSize(hlo::GetDimensionSizeOp op, PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getOperand().getType());
  if (type.isDynamicDim(op.getDimension())) return failure();
  rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), op.getType(), APInt(32, type.getDimSize(op.getDimension()))));
  return success();
}

//===-----------------------------------------------------------------------------===//
// Older forms
//===-----------------------------------------------------------------------------===//

// The new dimensions are in front.
LogicalResult plainBroadcast(hlo::BroadcastOp op, PatternRewriter &rewriter) {
  if (!allStatic(op)) return failure();
  int64_t added = op.getBroadcastSizes().size(), rank = op.getType().getRank();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(added, rank));
  rewriter.replaceOpWithNewOp<hlo::BroadcastInDimOp>(op, op.getType(), op.getOperand(), dims);
  return success();
}

// The last dimension of the left side and the first of the right one.
LogicalResult plainDot(hlo::DotOp op, PatternRewriter &rewriter) {
  if (!allStatic(op)) return failure();
  int64_t last = cast<RankedTensorType>(op.getLhs().getType()).getRank() - 1;
  auto dims = hlo::DotDimensionNumbersAttr::get(rewriter.getContext(), {}, {}, last, int64_t(0));
  rewriter.replaceOpWithNewOp<hlo::DotGeneralOp>(op, op.getType(), op.getLhs(), op.getRhs(), dims,
                                                 op.getPrecisionConfigAttr(), hlo::DotAlgorithmAttr());
  return success();
}

// Checks an assertion about shapes, which are known by now. One that does not hold stays, and is refused.
LogicalResult shapeAssertion(hlo::CustomCallOp op, PatternRewriter &rewriter) {
  if (op.getCallTargetName() != "shape_assertion" || op.getInputs().empty() || !op->use_empty()) return failure();
  auto holds = splatScalar(op.getInputs()[0]);
  if (!holds || isZero(*holds)) return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult plainToken(hlo::CreateTokenOp op, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<hlo::AfterAllOp>(op, op.getType(), ValueRange());
  return success();
}

// Along `dim` the positions that `index` names; leading dimensions that both have in common go together.
LogicalResult plainIndexSelect(hlo::TorchIndexSelectOp op, PatternRewriter &rewriter) {
  if (!allStatic(op)) return failure();
  auto operand = cast<RankedTensorType>(op.getOperand().getType()),
       index = cast<RankedTensorType>(op.getIndex().getType());
  int64_t dim = op.getDim(), batch = op.getBatchDims(), chosen = index.getRank() - batch;
  if (batch < 0 || chosen < 0 || dim < batch || dim >= operand.getRank()) return failure();
  SmallVector<int64_t> shared = llvm::to_vector(llvm::seq<int64_t>(0, batch)), offsets, sizes(operand.getShape());
  for (int64_t d = batch; d < operand.getRank(); ++d)
    if (d != dim) offsets.push_back(d < dim ? d : d + chosen - 1);
  std::fill(sizes.begin(), sizes.begin() + batch, 1);
  sizes[dim] = 1;
  auto numbers =
      hlo::GatherDimensionNumbersAttr::get(rewriter.getContext(), offsets, dim, shared, shared, dim, index.getRank());
  rewriter.replaceOpWithNewOp<hlo::GatherOp>(op, op.getType(), op.getOperand(), op.getIndex(), numbers,
                                             rewriter.getDenseI64ArrayAttr(sizes), rewriter.getBoolAttr(false));
  return success();
}

// A map of elementwise ops is those ops on whole arrays.
LogicalResult inlineMap(hlo::MapOp op, PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op.getType());
  Block &body = op.getComputation().front();
  if (!allStatic(op)) return failure();
  Value result = body.getTerminator()->getOperand(0);
  for (Operation &inner : body.without_terminator())
    if (!inner.hasTrait<hlo::IsElementwise>() || inner.getNumResults() != 1) return failure();
  IRMapping map;
  map.map(body.getArguments(), op.getInputs());
  // Scalars from outside, constants among them, are the same for all elements.
  auto spread = [&](Value value) {
    if (map.contains(value)) return;
    auto whole = cast<RankedTensorType>(value.getType()).clone(type.getShape());
    map.map(value, hlo::BroadcastInDimOp::create(rewriter, op.getLoc(), whole, value, ArrayRef<int64_t>()));
  };
  for (Operation &inner : body.without_terminator()) {
    llvm::for_each(inner.getOperands(), spread);
    Operation *copy = rewriter.clone(inner, map);
    copy->getResult(0).setType(cast<RankedTensorType>(copy->getResult(0).getType()).clone(type.getShape()));
  }
  spread(result);
  rewriter.replaceOp(op, map.lookup(result));
  return success();
}

}  // namespace

void populateStaticForms(RewritePatternSet &patterns) {
  patterns.add(staticIota).add(staticBroadcast).add(staticReshape).add(staticPad).add(staticSlice);
  patterns.add(staticGather).add(staticConvolution).add(staticSize);
  patterns.add(plainBroadcast).add(plainDot).add(plainIndexSelect).add(plainToken).add(shapeAssertion).add(inlineMap);
}

}  // namespace tpuc::simplify
