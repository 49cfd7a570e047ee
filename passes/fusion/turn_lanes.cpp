// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reversals, strided slices and interior padding along lanes: a transfer an element. On the transposed array they move
// rows. A broadcast that takes an array's lanes elsewhere is one of the array transposed.
#include "mlir/IR/Builders.h"
#include "passes/analysis/domain.h"
#include "passes/fusion/group.h"
#include "passes/fusion/widen.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

SmallVector<int64_t> swapped(ArrayRef<int64_t> perDim) {
  SmallVector<int64_t> out(perDim);
  std::swap(out[out.size() - 2], out[out.size() - 1]);
  return out;
}

bool movesSingleLanes(Operation *op) {
  int64_t last = typeOf(op->getOperand(0)).getRank() - 1;
  if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) return llvm::is_contained(reverse.getDimensions(), last);
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) return slice.getStrides()[last] != 1;
  if (auto pad = dyn_cast<stablehlo::PadOp>(op)) return pad.getInteriorPadding()[last] != 0;
  return false;
}

// Both arrays are read and written as they are, and both once more with dims swapped.
bool pays(Operation *op) {
  int64_t bytes = 0;
  for (RankedTensorType type : {typeOf(op->getOperand(0)), typeOf(op->getResult(0))})
    bytes += analysis::paddedBytes(type) + 3 * analysis::paddedBytes(type.clone(swapped(type.getShape())));
  int64_t elements = std::min(typeOf(op->getOperand(0)).getNumElements(), typeOf(op->getResult(0)).getNumElements());
  return elements * kGranules > 2 * bytes + kStart;
}

Value transposed(OpBuilder &b, Location loc, Value v) {
  RankedTensorType type = typeOf(v);
  SmallVector<int64_t> order = swapped(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  return stablehlo::TransposeOp::create(b, loc, type.clone(swapped(type.getShape())), v, order);
}

void turn(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  RankedTensorType type = typeOf(op->getResult(0));
  op->setOperand(0, transposed(b, loc, op->getOperand(0)));
  op->getResult(0).setType(type.clone(swapped(type.getShape())));
  if (auto reverse = dyn_cast<stablehlo::ReverseOp>(op)) {
    SmallVector<int64_t> dims(reverse.getDimensions()),
        order = swapped(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
    for (int64_t &d : dims) d = order[d];
    reverse.setDimensions(dims);
  } else if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    slice.setStartIndices(swapped(slice.getStartIndices()));
    slice.setLimitIndices(swapped(slice.getLimitIndices()));
    slice.setStrides(swapped(slice.getStrides()));
  } else {
    auto pad = cast<stablehlo::PadOp>(op);
    pad.setEdgePaddingLow(swapped(pad.getEdgePaddingLow()));
    pad.setEdgePaddingHigh(swapped(pad.getEdgePaddingHigh()));
    pad.setInteriorPadding(swapped(pad.getInteriorPadding()));
  }
  b.setInsertionPointAfter(op);
  Value back = transposed(b, loc, op->getResult(0));
  op->getResult(0).replaceUsesWithIf(back, [&](OpOperand &use) { return use.getOwner() != back.getDefiningOp(); });
}

// Whether the operand's lanes are not the last of its dims in the result. Dims of one element lie anywhere.
bool takesLanesElsewhere(stablehlo::BroadcastInDimOp op) {
  RankedTensorType from = op.getOperand().getType();
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  int64_t lanes = -1, last = -1;
  for (auto [d, to] : llvm::enumerate(dims)) {
    if (from.getDimSize(d) == 1) continue;
    lanes = to;
    last = std::max(last, to);
  }
  return lanes != last;
}

// A loop reads a broadcast where its operand lies, but for its lanes.
void turnOperand(stablehlo::BroadcastInDimOp op) {
  OpBuilder b(op);
  RankedTensorType from = op.getOperand().getType();
  SmallVector<int64_t> dims(op.getBroadcastDimensions()), order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  llvm::sort(order, [&](int64_t x, int64_t y) { return dims[x] < dims[y]; });
  SmallVector<int64_t> shape = llvm::map_to_vector(order, [&](int64_t d) { return from.getDimSize(d); });
  Value turned = stablehlo::TransposeOp::create(b, op.getLoc(), from.clone(shape), op.getOperand(), order);
  llvm::sort(dims);
  op.getOperandMutable().assign(turned);
  op.setBroadcastDimensions(dims);
}

}  // namespace

void turnLanes(func::FuncOp func) {
  SmallVector<Operation *> many;
  func.walk([&](Operation *op) {
    if (mlir::isa<kernel::FusionOp>(op->getParentOp())) return;
    if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op); broadcast && takesLanesElsewhere(broadcast))
      return turnOperand(broadcast);
    if (!mlir::isa<stablehlo::ReverseOp, stablehlo::SliceOp, stablehlo::PadOp>(op) || !isCopyOp(op) || isLoopOp(op))
      return;
    if (typeOf(op->getResult(0)).getRank() >= 2 && !analysis::isShuffledView(op) && movesSingleLanes(op) && pays(op))
      many.push_back(op);
  });
  for (Operation *op : many) turn(op);
}

}  // namespace tpuc::fusion
