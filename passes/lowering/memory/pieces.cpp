// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Where each piece begins is fetched, all of them at once: a position along the dims outside of the tiles is so many
//    bytes.
// 2. A slice becomes an argument of the body, and a result what was to be put into its array. Arguments that nothing
//    else reads go: whole arrays and positions.
#include "passes/lowering/memory/pieces.h"

#include "passes/analysis/pieces.h"
#include "passes/lowering/move/indices.h"

using namespace mlir;

namespace tpuc::lowering {
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

// The origin of a piece of an array.
Origin originOf(Code &code, const Origin &whole, RankedTensorType type, ArrayRef<Linear> starts) {
  Array array(type, llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  Origin origin = whole;
  if (type.getRank() == 2) {  // a row: a word in each of its tiles
    origin.offset = origin.offset + code.divL(starts[0], 8) * array.rowTileStrideBytes() +
                    code.remL(starts[0], 8) * isa::kWordBytes;
  }
  for (int64_t d = 0; d + 2 < type.getRank(); ++d) origin.offset = origin.offset + starts[d] * array.leadStrideBytes(d);
  return origin;
}

// A slice of the same bytes under another shape is the argument of that shape.
Value readAs(Operation *slice) {
  Value v = slice->getResult(0);
  auto reshape = v.hasOneUse() ? dyn_cast<stablehlo::ReshapeOp>(*v.user_begin()) : stablehlo::ReshapeOp();
  bool same = reshape && kernel::haveSameBytes(cast<RankedTensorType>(v.getType()),
                                               cast<RankedTensorType>(reshape.getResult().getType()));
  return same && llvm::none_of(reshape->getUsers(), llvm::IsaPred<kernel::YieldOp>) ? Value(reshape.getResult()) : v;
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

void takePieces(KernelContext &context, Code &code) {
  if (piecesOf(context.op).empty()) return;
  OpBuilder b(context.op);
  auto fusion = cast<kernel::FusionOp>(b.clone(*context.op));
  context.op = fusion;
  SmallVector<Piece> pieces = piecesOf(fusion);
  SmallVector<Window> windows = llvm::map_to_vector(pieces, [](const Piece &p) { return windowOf(p.op); });
  SmallVector<SmallVector<Linear>> starts = fetchStarts(context, code, windows);
  Block &body = fusion.getBlock();
  llvm::BitVector unused(body.getNumArguments());
  for (BlockArgument argument : body.getArguments()) unused[argument.getArgNumber()] = argument.use_empty();
  unsigned own = body.getNumArguments();
  for (auto [p, at] : llvm::zip(pieces, starts)) {
    auto whole = cast<RankedTensorType>(p.array.getType());
    Origin origin = originOf(code, context.inputs[p.array.getArgNumber()], whole, at);
    if (p.result >= 0) {
      origin.buffer = context.results[p.result].buffer;
      context.results[p.result] = origin;
      Value made = analysis::computedPiece(cast<stablehlo::DynamicUpdateSliceOp>(p.op));
      body.getTerminator()->setOperand(p.result, made);
      fusion.getResult(p.result).setType(made.getType());
    } else {
      Value read = readAs(p.op);
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

}  // namespace tpuc::lowering
