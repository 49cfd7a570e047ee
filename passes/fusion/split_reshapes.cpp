// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes that take more strided transfers than a kernel should hold go through one dim of 32-bit elements, whose
// bytes all follow each other: to and from it a few transfers do. Narrower elements share words by rows and are widened
// for the way.
#include "dialects/kernel/kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "mlir/IR/Builders.h"
#include "passes/analysis/strides.h"
#include "passes/fusion/group.h"
#include "passes/fusion/widen.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

constexpr int64_t kFewTransfers = 128;
// A run shorter than a DMA's granule costs the granule: more runs of one narrow element than this cost more than two
// kernels that convert.
constexpr int64_t kFewElements = 16384;

analysis::Tiles tilesOf(RankedTensorType type) { return {type, llvm::to_vector(llvm::seq<int64_t>(type.getRank()))}; }

// Whether every piece holds all elements of a lane, next to each other on both sides.
bool movesLanes(ArrayRef<analysis::Segment> pieces, const analysis::Tiles &tiles) {
  return llvm::all_of(pieces, [&](const analysis::Segment &piece) {
    return llvm::any_of(piece.dims, [&](const analysis::CopyDim &d) {
      return d.src == tiles.bytes && d.dst == tiles.bytes && d.count % tiles.pack == 0;
    });
  });
}

}  // namespace

bool takesFewTransfers(RankedTensorType from, RankedTensorType to) {
  if (from.getNumElements() == 0) return true;
  analysis::Tiles tiles = tilesOf(from);
  int64_t transfers = 1;
  bool lanes = tiles.pack == 1;
  for (const analysis::CopyGroup &group : analysis::reshapeGroups(tiles, tilesOf(to))) {
    auto pieces = analysis::compress(group);
    transfers *= pieces.size();
    if (transfers > kFewTransfers) return false;
    lanes |= movesLanes(pieces, tiles);
  }
  return lanes || from.getNumElements() <= kFewElements;
}

namespace {

void split(stablehlo::ReshapeOp reshape) {
  RankedTensorType to = reshape.getType();
  Value v = reshape.getOperand();
  OpBuilder b(reshape);
  Location loc = reshape.getLoc();
  Type wide = widened(to.getElementType());
  if (wide) v = widen(b, loc, v);
  auto from = cast<RankedTensorType>(v.getType()), target = to.clone(from.getElementType());
  if (!takesFewTransfers(from, target))
    v = stablehlo::ReshapeOp::create(b, loc, from.clone(ArrayRef<int64_t>{to.getNumElements()}), v);
  if (v.getType() != target) v = stablehlo::ReshapeOp::create(b, loc, target, v);
  reshape.replaceAllUsesWith(wide ? narrowed(b, loc, v, to) : v);
  reshape.erase();
}

}  // namespace

void splitReshapes(func::FuncOp func) {
  SmallVector<stablehlo::ReshapeOp> many;
  func.walk([&](stablehlo::ReshapeOp reshape) {
    auto from = cast<RankedTensorType>(reshape.getOperand().getType());
    if (!mlir::isa<kernel::FusionOp>(reshape->getParentOp()) && !isLoopOp(reshape) &&
        !kernel::haveSameBytes(from, reshape.getType()) && !takesFewTransfers(from, reshape.getType()))
      many.push_back(reshape);
  });
  for (stablehlo::ReshapeOp reshape : many) split(reshape);
}

}  // namespace tpuc::fusion
