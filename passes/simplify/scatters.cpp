// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of one window to a known place, JAX's a.at[1:-1, 1:-1].set(b): updates of a slice.
#include "passes/analysis/known_elements.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// An elementwise op on the old element and the update, or the update itself (no op); nullopt for other computations.
std::optional<Operation *> combinerOf(ScatterOp op) {
  Block &body = op.getUpdateComputation().front();
  Operation *end = body.getTerminator();
  if (end->getNumOperands() != 1) return std::nullopt;
  if (end->getOperand(0) == body.getArgument(1)) return nullptr;
  Operation *combine = end->getOperand(0).getDefiningOp();
  if (!combine || combine->getBlock() != &body || !combine->hasTrait<IsElementwise>() ||
      combine->getNumOperands() != 2 || combine->getNumResults() != 1 ||
      !llvm::all_of(combine->getOperands(),
                    [&](Value v) { return v.getParentBlock() == &body && isa<BlockArgument>(v); }))
    return std::nullopt;
  return combine;
}

// Where the window lies, of as many dims as the array; nullopt where it is more than one, not known, or not inside.
std::optional<SmallVector<int64_t>> knownWindow(ScatterOp op, SmallVectorImpl<int64_t> &sizes) {
  ScatterDimensionNumbersAttr numbers = op.getScatterDimensionNumbers();
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType()),
       update = cast<RankedTensorType>(op.getUpdates()[0].getType());
  if (!numbers.getInputBatchingDims().empty()) return std::nullopt;
  const size_t indexed = numbers.getScatterDimsToOperandDims().size();
  auto indices = analysis::knownIntegers(op.getScatterIndices(), static_cast<int64_t>(indexed));
  if (!indices || indices->size() != indexed) return std::nullopt;
  sizes.assign(type.getRank(), 1);
  ArrayRef<int64_t> windowDims = numbers.getUpdateWindowDims();
  for (int64_t dim = 0, window = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(numbers.getInsertedWindowDims(), dim)) sizes[dim] = update.getDimSize(windowDims[window++]);
  SmallVector<int64_t> starts(type.getRank(), 0);
  for (auto [dim, start] : llvm::zip_equal(numbers.getScatterDimsToOperandDims(), *indices)) starts[dim] = start;
  for (auto [start, size, extent] : llvm::zip_equal(starts, sizes, type.getShape()))
    if (start < 0 || size > extent || start > extent - size) return std::nullopt;
  return starts;
}

struct ScatterOfOneWindow : OpRewritePattern<ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1) return failure();
    Value old = op.getInputs()[0], update = op.getUpdates()[0];
    auto type = cast<RankedTensorType>(old.getType()), updateType = cast<RankedTensorType>(update.getType());
    if (!isStatic(type) || !isStatic(updateType) || op->getResult(0).getType() != type ||
        updateType.getElementType() != type.getElementType() || updateType.getNumElements() == 0)
      return failure();
    std::optional<Operation *> combine = combinerOf(op);
    SmallVector<int64_t> sizes;
    auto starts = knownWindow(op, sizes);
    if (!combine || !starts) return failure();
    Location loc = op.getLoc();
    RankedTensorType windowType = type.clone(sizes);
    // What lies along lanes is not made a column first.
    if (!sizes.empty() && sizes.back() == 1 && type.getShape().back() > 1 && updateType.getRank() > 0 &&
        updateType.getShape().back() > 1)
      return failure();
    if (updateType != windowType) update = ReshapeOp::create(rewriter, loc, windowType, update);
    if (*combine && isa<AddOp>(*combine) && 2 * updateType.getNumElements() >= type.getNumElements())
      if (Value all = paddedBy(rewriter, loc, type, update, *starts)) {
        rewriter.replaceOpWithNewOp<AddOp>(op, old, all);
        return success();
      }
    if (*combine) update = combined(rewriter, op, *combine, update, *starts);
    SmallVector<Value> places;
    auto index = RankedTensorType::get({}, rewriter.getI64Type());
    for (int64_t start : *starts) places.push_back(makeSplat(rewriter, loc, index, APInt(64, start)));
    rewriter.replaceOpWithNewOp<DynamicUpdateSliceOp>(op, type, old, update, places);
    return success();
  }

 private:
  // What is added to all of an array, in one pass over it: -0 changes no float. Null for other numbers.
  static Value paddedBy(PatternRewriter &rewriter, Location loc, RankedTensorType type, Value update,
                        ArrayRef<int64_t> starts) {
    const Type element = type.getElementType();
    auto scalar = RankedTensorType::get({}, element);
    Value nothing;
    if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(element))
      nothing = makeSplat(rewriter, loc, scalar,
                          APFloat::getZero(cast<FloatType>(element).getFloatSemantics(), /*Negative=*/true));
    else if (auto integers = dyn_cast<IntegerType>(element))
      nothing = makeSplat(rewriter, loc, scalar, APInt(integers.getWidth(), 0));
    else
      return {};
    SmallVector<int64_t> high, interior(starts.size(), 0);
    for (auto [start, size, extent] :
         llvm::zip_equal(starts, cast<RankedTensorType>(update.getType()).getShape(), type.getShape()))
      high.push_back(extent - size - start);
    return PadOp::create(rewriter, loc, type, update, nothing, starts, high, interior);
  }

  static Value combined(PatternRewriter &rewriter, ScatterOp op, Operation *combine, Value update,
                        ArrayRef<int64_t> starts) {
    auto type = cast<RankedTensorType>(update.getType());
    SmallVector<int64_t> limits, strides(starts.size(), 1);
    for (auto [start, size] : llvm::zip_equal(starts, type.getShape())) limits.push_back(start + size);
    Value slice = SliceOp::create(rewriter, op.getLoc(), type, op.getInputs()[0], starts, limits, strides);
    IRMapping map;
    map.map(op.getUpdateComputation().getArgument(0), slice);
    map.map(op.getUpdateComputation().getArgument(1), update);
    Operation *made = rewriter.clone(*combine, map);
    made->getResult(0).setType(type);
    return made->getResult(0);
  }
};

}  // namespace

void populateScatters(RewritePatternSet &patterns) { patterns.add<ScatterOfOneWindow>(patterns.getContext()); }

}  // namespace tpuc::simplify
