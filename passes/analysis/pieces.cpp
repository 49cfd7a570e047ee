// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices that lie in one piece.
#include "passes/analysis/pieces.h"

using namespace mlir;

namespace tpuc::analysis {

static RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

bool isRow(RankedTensorType whole, ArrayRef<int64_t> sizes) {
  Type element = whole.getElementType();
  return whole.getRank() == 2 && sizes[0] == 1 && whole.getDimSize(0) > 1 && sizes[1] == whole.getDimSize(1) &&
         sizes[1] > 0 && element.isIntOrFloat() && element.getIntOrFloatBitWidth() == 32;
}

bool isPiece(RankedTensorType whole, ArrayRef<int64_t> sizes) {
  if (isRow(whole, sizes)) return true;
  int64_t rank = whole.getRank(), last = -1;
  for (int64_t d = 0; d < rank; ++d)
    if (sizes[d] != whole.getDimSize(d)) last = d;
  if (rank < 3 || last >= rank - 2 || whole.getNumElements() == 0 || llvm::is_contained(sizes, 0)) return false;
  if (!whole.getElementType().isIntOrFloat() || !kernel::planesOf(whole.getElementType()).empty()) return false;
  return llvm::all_of(sizes.take_front(std::max<int64_t>(last, 0)), [](int64_t n) { return n == 1; });
}

// A row's words are apart: what moves whole arrays cannot take one for an array.
static bool takesRows(kernel::FusionOp fusion) { return fusion.getKind() == "loop" || fusion.getKind() == "dot"; }

static bool areKnown(ValueRange starts) {
  return llvm::all_of(starts, [](Value v) {
    return mlir::isa<BlockArgument>(v) || mlir::isa_and_nonnull<stablehlo::ConstantOp>(v.getDefiningOp());
  });
}

bool isReadInPlace(stablehlo::DynamicSliceOp op) {
  auto fusion = dyn_cast<kernel::FusionOp>(op->getParentOp());
  return fusion && mlir::isa<BlockArgument>(op.getOperand()) &&
         (takesRows(fusion) || !isRow(typeOf(op.getOperand()), op.getSliceSizes())) &&
         isPiece(typeOf(op.getOperand()), op.getSliceSizes()) && areKnown(op.getStartIndices()) &&
         llvm::none_of(op->getUsers(), llvm::IsaPred<kernel::YieldOp>);
}

Value pieceAsRead(Operation *slice) {
  Value v = slice->getResult(0);
  auto reshape = v.hasOneUse() ? dyn_cast<stablehlo::ReshapeOp>(*v.user_begin()) : stablehlo::ReshapeOp();
  const bool same = reshape && kernel::haveSameBytes(typeOf(v), typeOf(reshape.getResult()));
  return same && llvm::none_of(reshape->getUsers(), llvm::IsaPred<kernel::YieldOp>) ? Value(reshape.getResult()) : v;
}

Value computedPiece(stablehlo::DynamicUpdateSliceOp op) {
  Value v = op.getUpdate();
  auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>();
  return reshape && kernel::haveSameBytes(typeOf(reshape.getOperand()), typeOf(v)) ? Value(reshape.getOperand()) : v;
}

stablehlo::DynamicUpdateSliceOp writtenInPlace(kernel::FusionOp fusion, unsigned result) {
  auto update = fusion.getBlock().getTerminator()->getOperand(result).getDefiningOp<stablehlo::DynamicUpdateSliceOp>();
  if (!update || !mlir::isa<BlockArgument>(update.getOperand()) || !areKnown(update.getStartIndices()) ||
      !isPiece(typeOf(update.getOperand()), typeOf(update.getUpdate()).getShape()) ||
      (isRow(typeOf(update.getOperand()), typeOf(update.getUpdate()).getShape()) && !takesRows(fusion)))
    return {};
  Operation *made = computedPiece(update).getDefiningOp();
  auto slice = dyn_cast_or_null<stablehlo::DynamicSliceOp>(made);
  return made && !(slice && isReadInPlace(slice)) ? update : nullptr;
}

bool hasPiecesOf(kernel::FusionOp fusion, unsigned i) {
  for (unsigned r = 0; r < fusion.getNumResults(); ++r)
    if (auto update = writtenInPlace(fusion, r);
        update && llvm::is_contained(update->getOperands(), fusion.getBlock().getArgument(i)))
      return true;
  return llvm::any_of(fusion.getBlock().getArgument(i).getUsers(), [](Operation *user) {
    auto slice = dyn_cast<stablehlo::DynamicSliceOp>(user);
    return slice && isReadInPlace(slice);
  });
}

}  // namespace tpuc::analysis
