// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types are permuted, attributes that name dims renumbered; where an order ends, a transpose gives the dims back.
#include "dialects/kernel/order.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/dot_roles.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;

// An order of dims that have one already.
static Attribute after(Attribute before, ArrayRef<int64_t> order, MLIRContext *context) {
  auto first = llvm::dyn_cast_or_null<DenseI64ArrayAttr>(before);
  return DenseI64ArrayAttr::get(context, first ? inOrder(first.asArrayRef(), order) : Order(order));
}

void ArrayOrders::apply(llvm::DenseSet<Value> &done) {
  for (Operation *op : inside_) rewrite(op);
  for (auto &[v, order] : orders_) {
    done.insert(v);
    if (isIdentity(order)) continue;
    if (auto arg = dyn_cast<BlockArgument>(v))
      if (auto main = dyn_cast<func::FuncOp>(arg.getOwner()->getParentOp()))
        main.setArgAttr(arg.getArgNumber(), kernel::kOrderAttr,
                        after(main.getArgAttr(arg.getArgNumber(), kernel::kOrderAttr), order, v.getContext()));
    for (OpOperand &use : v.getUses())
      if (auto end = dyn_cast<func::ReturnOp>(use.getOwner())) {
        auto main = mlir::cast<func::FuncOp>(end->getParentOp());
        main.setResultAttr(
            use.getOperandNumber(), kernel::kOrderAttr,
            after(main.getResultAttr(use.getOperandNumber(), kernel::kOrderAttr), order, v.getContext()));
      }
    if (!ends_.contains(v.getDefiningOp())) v.setType(permuted(typeOf(v), order));
  }
  for (Operation *op : ends_) rewriteEnd(op);
  for (Operation *op : inside_)
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op); transpose && isIdentity(transpose.getPermutation())) {
      transpose.replaceAllUsesWith(transpose.getOperand());
      transpose.erase();
    }
}

// Orders a window's extents, strides, dilations and padding: one each for a dim.
static void orderWindow(stablehlo::ReduceWindowOp window, ArrayRef<int64_t> order) {
  window.setWindowDimensions(inOrder(window.getWindowDimensions(), order));
  if (auto v = window.getWindowStrides()) window.setWindowStrides(inOrder(*v, order));
  if (auto v = window.getBaseDilations()) window.setBaseDilations(inOrder(*v, order));
  if (auto v = window.getWindowDilations()) window.setWindowDilations(inOrder(*v, order));
  auto padding = window.getPadding();
  if (!padding) return;
  auto values = llvm::to_vector(padding->getValues<int64_t>());
  Order pairs;
  for (int64_t d : order) pairs.append({values[2 * d], values[2 * d + 1]});
  window.setPaddingAttr(
      DenseIntElementsAttr::get(mlir::cast<ShapedType>(padding->getType()), ArrayRef<int64_t>(pairs)));
}

// The operand's dims in the numbers of a scatter; `places`: where each of them comes to be.
static void orderScatter(stablehlo::ScatterOp scatter, ArrayRef<int64_t> places) {
  auto numbers = scatter.getScatterDimensionNumbers();
  auto moved = [&](ArrayRef<int64_t> dims) { return llvm::map_to_vector(dims, [&](int64_t d) { return places[d]; }); };
  Order inserted = moved(numbers.getInsertedWindowDims()), batch, ofIndices;
  llvm::sort(inserted);
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [d, of] : llvm::zip_equal(numbers.getInputBatchingDims(), numbers.getScatterIndicesBatchingDims()))
    pairs.push_back({places[d], of});
  llvm::sort(pairs);
  for (auto [d, of] : pairs) {
    batch.push_back(d);
    ofIndices.push_back(of);
  }
  scatter.setScatterDimensionNumbersAttr(stablehlo::ScatterDimensionNumbersAttr::get(
      scatter.getContext(), numbers.getUpdateWindowDims(), inserted, batch, ofIndices,
      moved(numbers.getScatterDimsToOperandDims()), numbers.getIndexVectorDim()));
}

// The dims of a gather's values in its numbers, from the orders that these get.
static void orderGather(stablehlo::GatherOp gather, ArrayRef<int64_t> operand, ArrayRef<int64_t> indices,
                        ArrayRef<int64_t> result) {
  auto numbers = gather.getDimensionNumbers();
  auto moved = [](ArrayRef<int64_t> dims, ArrayRef<int64_t> order) {
    return llvm::map_to_vector(dims, [&](int64_t d) { return llvm::find(order, d) - order.begin(); });
  };
  auto sorted = [&](ArrayRef<int64_t> dims, ArrayRef<int64_t> order) {
    Order out(moved(dims, order));
    llvm::sort(out);
    return out;
  };
  gather.setSliceSizes(inOrder(gather.getSliceSizes(), operand));
  // An operand with batching dims keeps its order.
  gather.setDimensionNumbersAttr(stablehlo::GatherDimensionNumbersAttr::get(
      gather.getContext(), sorted(numbers.getOffsetDims(), result), sorted(numbers.getCollapsedSliceDims(), operand),
      numbers.getOperandBatchingDims(), moved(numbers.getStartIndicesBatchingDims(), indices),
      moved(numbers.getStartIndexMap(), operand), numbers.getIndexVectorDim()));
  gather.setIndicesAreSorted(false);
}

// Before types change.
void ArrayOrders::rewrite(Operation *op) {
  MLIRContext *context = op->getContext();
  auto dims = [&](ArrayRef<int64_t> values) { return DenseI64ArrayAttr::get(context, values); };
  auto at = [&](Value v) {
    ArrayRef<int64_t> order = orderOf(v);
    return order.empty() ? llvm::to_vector(llvm::seq<int64_t>(0, rankOf(v))) : Order(order);
  };
  Order order = at(op->getResult(0)), places = inverse(order);
  auto starts = [&](MutableOperandRange range) {
    SmallVector<Value> values = llvm::map_to_vector(range, [](OpOperand &o) { return o.get(); });
    range.assign(inOrder<Value>(values, order));
  };
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
    constant->setAttr(
        "value",
        mlir::cast<DenseElementsAttr>(constant.getValue()).resizeSplat(permuted(typeOf(op->getResult(0)), order)));
  } else if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) {
    iota.setIotaDimension(places[iota.getIotaDimension()]);
  } else if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    transpose.setPermutation(permutationAfter(transpose));
  } else if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    broadcast.setBroadcastDimensions(llvm::map_to_vector(
        at(broadcast.getOperand()), [&](int64_t d) { return places[broadcast.getBroadcastDimensions()[d]]; }));
  } else if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) {
    Order from = inverse(at(reduce->getOperand(0))),
          out = llvm::map_to_vector(reduce.getDimensions(), [&](int64_t d) { return from[d]; });
    llvm::sort(out);
    reduce.setDimensions(out);
  } else if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    orderWindow(window, order);
  } else if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    slice.setStartIndices(inOrder(slice.getStartIndices(), order));
    slice.setLimitIndices(inOrder(slice.getLimitIndices(), order));
    slice.setStrides(inOrder(slice.getStrides(), order));
  } else if (auto pad = dyn_cast<stablehlo::PadOp>(op)) {
    pad.setEdgePaddingLow(inOrder(pad.getEdgePaddingLow(), order));
    pad.setEdgePaddingHigh(inOrder(pad.getEdgePaddingHigh(), order));
    pad.setInteriorPadding(inOrder(pad.getInteriorPadding(), order));
  } else if (auto concatenate = dyn_cast<stablehlo::ConcatenateOp>(op)) {
    concatenate.setDimension(places[concatenate.getDimension()]);
  } else if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) {
    Order out = llvm::map_to_vector(reverse.getDimensions(), [&](int64_t d) { return places[d]; });
    llvm::sort(out);
    reverse->setAttr("dimensions", dims(out));
  } else if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) {
    slice.setSliceSizes(inOrder(slice.getSliceSizes(), order));
    starts(slice.getStartIndicesMutable());
  } else if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op)) {
    starts(update.getStartIndicesMutable());
    if (Value part = update.getUpdate(); at(part) != order) {  // but for dims of one element they are the same
      OpBuilder b(op);
      update.setOperand(1, stablehlo::ReshapeOp::create(b, op->getLoc(), permuted(typeOf(part), order), part));
    }
  } else if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    orderScatter(scatter, places);
  } else if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
    const Order operand = at(gather.getOperand());
    if (!isIdentity(order) || !isIdentity(operand)) orderGather(gather, operand, at(gather.getStartIndices()), order);
  }
}

// Whether the free dims, which are the result's, come in the same order as before wherever `v` is an operand.
bool ArrayOrders::keepsFreeDims(stablehlo::DotGeneralOp dot, Value v) const {
  return llvm::all_of(dot->getOpOperands().take_front(2), [&](OpOperand &use) {
    return use.get() != v || isIdentity(induced(orderOf(v), analysis::freeDims(dot, use.getOperandNumber() == 1)));
  });
}

// After types have changed: a dot takes other operands by other numbers; what it makes, and what other ops take or
// make, is transposed.
void ArrayOrders::rewriteEnd(Operation *op) {
  OpBuilder b(op);
  auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
  const bool movesFree = dot && movesFreeDims(dot);
  const Order byOperands = movesFree ? orderByOperands(dot) : Order();
  for (OpOperand &use : op->getOpOperands()) {
    ArrayRef<int64_t> order = orderOf(use.get());
    if (order.empty() || isIdentity(order) || ends_.contains(use.get().getDefiningOp())) continue;
    if (dot && (movesFree || keepsFreeDims(dot, use.get())))
      renumberDot(dot, use.getOperandNumber(), order);
    else if (use.getOperandNumber() == 0 && turned_.contains(op))
      analysis::turnInput(cast<stablehlo::ConvolutionOp>(op), order);
    else
      use.set(Build{b, op->getLoc()}.transpose(use.get(), inverse(order)));
  }
  b.setInsertionPointAfter(op);
  for (Value result : op->getResults()) {
    ArrayRef<int64_t> order = orderOf(result);
    if (order.empty() || isIdentity(order)) continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : result.getUses()) {
      auto reader = dyn_cast<stablehlo::DotGeneralOp>(use.getOwner());
      const bool takes = reader && (movesFreeDims(reader) || keepsFreeDims(reader, result));
      if (!ends_.contains(use.getOwner()) || takes) uses.push_back(&use);
    }
    Value stored = Build{b, op->getLoc()}.transpose(result, order);
    for (OpOperand *use : uses) {
      if (auto reader = dyn_cast<stablehlo::DotGeneralOp>(use->getOwner()))
        renumberDot(reader, use->getOperandNumber(), order);
      use->set(stored);
    }
  }
  if (isIdentity(byOperands)) return;
  b.setInsertionPointAfter(op);
  auto back = stablehlo::TransposeOp::create(b, op->getLoc(), dot.getType(), dot, inverse(byOperands));
  dot.getResult().replaceAllUsesExcept(back, back);
  dot.getResult().setType(permuted(typeOf(dot), byOperands));
}

}  // namespace tpuc::layout
