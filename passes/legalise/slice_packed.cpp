// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. An array of integers below a byte that is widened to bytes, of which nothing but pieces is read: by a loop that
//    hands it on unchanged, a layer of weights in each iteration, or beside one.
// 2. The pieces are of the packed array, and widened where they are read: nobody writes all of the bytes first, and a
//    piece is fetched in fewer.
#include "passes/analysis/pieces.h"
#include "passes/builders/build.h"
#include "passes/legalise/passes.h"

using namespace mlir;

namespace tpuc::legalise {
using namespace builders;
#define GEN_PASS_DEF_SLICEPACKEDPASS
#include "passes/legalise/passes.h.inc"
namespace {

bool widens(stablehlo::ConvertOp op) {
  auto width = [](Value v) {
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(v.getType()));
    return type ? type.getWidth() : 0;
  };
  return width(op.getOperand()) > 1 && width(op.getOperand()) < 8 && width(op) == 8;
}

bool isOfPiece(Operation *user) {
  auto slice = dyn_cast<stablehlo::DynamicSliceOp>(user);
  return slice && analysis::isPiece(typeOf(slice.getOperand()), slice.getSliceSizes());
}

// Whether the loop hands on its operand `i`, and nothing else of it is read than pieces.
bool readsPieces(stablehlo::WhileOp loop, unsigned i) {
  BlockArgument inside = loop.getBody().getArgument(i);
  Operation *end = loop.getBody().front().getTerminator();
  return end->getOperand(i) == inside && loop->getResult(i).use_empty() && loop.getCond().getArgument(i).use_empty() &&
         llvm::all_of(inside.getUsers(), [&](Operation *user) { return user == end || isOfPiece(user); }) &&
         llvm::count(end->getOperands(), inside) == 1;
}

void widenPiece(stablehlo::DynamicSliceOp slice, Value packed) {
  OpBuilder b(slice);
  auto type = typeOf(slice).clone(getElementTypeOrSelf(packed.getType()));
  Value piece = stablehlo::DynamicSliceOp::create(b, slice.getLoc(), type, packed, slice.getStartIndices(),
                                                  slice.getSliceSizesAttr());
  slice.replaceAllUsesWith(stablehlo::ConvertOp::create(b, slice.getLoc(), slice.getType(), piece).getResult());
  slice.erase();
}

void carryPacked(stablehlo::WhileOp loop, unsigned i, Value packed) {
  loop->setOperand(i, packed);
  for (Region *region : {&loop.getCond(), &loop.getBody()}) region->getArgument(i).setType(packed.getType());
  loop->getResult(i).setType(packed.getType());
  BlockArgument inside = loop.getBody().getArgument(i);
  for (Operation *user : llvm::make_early_inc_range(inside.getUsers()))
    if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(user)) widenPiece(slice, inside);
}

struct SlicePacked : impl::SlicePackedPassBase<SlicePacked> {
  void runOnOperation() override {
    SmallVector<stablehlo::ConvertOp> converts;
    getOperation().walk([&](stablehlo::ConvertOp op) {
      if (widens(op)) converts.push_back(op);
    });
    for (stablehlo::ConvertOp op : converts) {
      auto takesPacked = [](OpOperand &use) {
        auto loop = dyn_cast<stablehlo::WhileOp>(use.getOwner());
        return loop ? readsPieces(loop, use.getOperandNumber()) : isOfPiece(use.getOwner());
      };
      // One that reads all of it has the bytes made anyway.
      if (!llvm::all_of(op->getUses(), takesPacked)) continue;
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
        if (auto loop = dyn_cast<stablehlo::WhileOp>(use.getOwner()))
          carryPacked(loop, use.getOperandNumber(), op.getOperand());
        else
          widenPiece(cast<stablehlo::DynamicSliceOp>(use.getOwner()), op.getOperand());
      op.erase();
    }
  }
};

}  // namespace
}  // namespace tpuc::legalise
