// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Where each piece begins is fetched, all of them at once: a position along the dims outside of the tiles is so many
//    bytes.
// 2. A slice becomes an argument of the body, and a result what was to be put into its array. Arguments that nothing
//    else reads go: whole arrays and positions.
#include "passes/plan/memory/pieces.h"

#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/pieces.h"

using namespace mlir;

namespace tpuc::plan {
namespace {

struct Piece {
  Operation *op;  // a slice, or an update
  BlockArgument array;
  int64_t result = -1;  // of an update
};

SmallVector<Piece> piecesOf(kernel::FusionOp fusion) {
  SmallVector<Piece> out;
  for (auto slice : fusion.getBlock().getOps<stablehlo::DynamicSliceOp>())
    if (analysis::isReadInPlace(slice)) out.push_back({slice, cast<BlockArgument>(slice.getOperand())});
  for (unsigned i = 0; i < fusion.getNumResults(); ++i)
    if (auto update = analysis::writtenInPlace(fusion, i))
      out.push_back({update, cast<BlockArgument>(update.getOperand()), i});
  return out;
}

Window windowOf(Operation *op) {
  auto whole = cast<RankedTensorType>(op->getOperand(0).getType());
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
    return {slice.getStartIndices(), whole, slice.getSliceSizes()};
  auto update = cast<stablehlo::DynamicUpdateSliceOp>(op);
  return {update.getStartIndices(), whole, cast<RankedTensorType>(update.getUpdate().getType()).getShape()};
}

void eraseWithUnused(Operation *op) {
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value v : operands)
    if (Operation *def = v.getDefiningOp(); def && v.use_empty()) eraseWithUnused(def);
}

void eraseArguments(kernel::FusionOp fusion, const llvm::BitVector &gone, SmallVectorImpl<Origin> &origins) {
  SmallVector<Value> inputs;
  SmallVector<Origin> kept;
  for (unsigned i = 0; i < gone.size(); ++i) {
    if (gone[i]) continue;
    inputs.push_back(fusion.getInputs()[i]);
    kept.push_back(origins[i]);
  }
  fusion.getBlock().eraseArguments(gone);
  fusion.getInputsMutable().assign(inputs);
  origins.assign(kept);
}

}  // namespace

void takePieces(KernelContext &context, PieceOrigins originsOf) {
  if (piecesOf(context.op).empty()) return;
  OpBuilder b(context.op);
  auto fusion = cast<kernel::FusionOp>(b.clone(*context.op));
  context.op = fusion;
  SmallVector<Piece> pieces = piecesOf(fusion);
  SmallVector<Window> windows = llvm::map_to_vector(pieces, [](const Piece &p) { return windowOf(p.op); });
  SmallVector<Origin> wholes = llvm::map_to_vector(pieces, [&](const Piece &p) {
    Origin whole = context.inputs[p.array.getArgNumber()];
    if (p.result >= 0) whole.buffer = context.results[p.result].buffer;
    return whole;
  });
  SmallVector<Origin> origins = originsOf(windows, wholes);
  Block &body = fusion.getBlock();
  llvm::BitVector unused(body.getNumArguments());
  for (BlockArgument argument : body.getArguments()) unused[argument.getArgNumber()] = argument.use_empty();
  unsigned own = body.getNumArguments();
  for (auto [p, origin] : llvm::zip(pieces, origins)) {
    if (p.result >= 0) {
      context.results[p.result] = origin;
      Value made = analysis::computedPiece(cast<stablehlo::DynamicUpdateSliceOp>(p.op));
      body.getTerminator()->setOperand(p.result, made);
      fusion.getResult(p.result).setType(made.getType());
    } else {
      Value read = analysis::pieceAsRead(p.op);
      read.replaceAllUsesWith(body.addArgument(read.getType(), read.getLoc()));
      fusion.getInputsMutable().append(fusion.getInputs()[p.array.getArgNumber()]);
      context.inputs.push_back(origin);
      p.op = read.getDefiningOp();
    }
    if (p.op->use_empty()) eraseWithUnused(p.op);
  }
  // Positions and whole arrays of which pieces were all that was read.
  llvm::BitVector gone(body.getNumArguments());
  for (unsigned i = 0; i < own; ++i) gone[i] = body.getArgument(i).use_empty() && !unused[i];
  eraseArguments(fusion, gone, context.inputs);
}

}  // namespace tpuc::plan
