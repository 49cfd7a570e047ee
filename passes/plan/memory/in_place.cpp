// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels may write a result where an operand lies.
#include "passes/plan/memory/in_place.h"

#include "dialects/kernel/fetch.h"
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/pieces.h"
#include "passes/plan/kernels.h"
#include "passes/plan/memory/storage.h"

using namespace mlir;

namespace tpuc::plan {

Value rootOf(Value v) {
  for (;;)
    if (auto view = v.getDefiningOp<kernel::ViewOp>())
      v = view.getSource();
    else if (auto done = v.getDefiningOp<kernel::ExchangeDoneOp>())
      v = done.getStarted();
    else
      return v;
}

SmallVector<OpOperand *> readersOf(Value v) {
  SmallVector<OpOperand *> readers;
  for (OpOperand &use : v.getUses()) {
    readers.push_back(&use);
    auto done = dyn_cast<kernel::ExchangeDoneOp>(use.getOwner());
    const bool received = done && done.getStarted() == v;
    if (!received && !mlir::isa<kernel::ViewOp, kernel::SplitOp, kernel::JoinOp>(use.getOwner()) &&
        !kernel::isFetch(use.getOwner()))
      continue;
    for (Value part : use.getOwner()->getResults()) llvm::append_range(readers, readersOf(part));
  }
  return readers;
}

static Attribute orderOf(ArrayAttr orders, unsigned i) { return orders ? orders[i] : Attribute(); }

Value updatedInPlace(Value result) {
  auto fusion = result.getDefiningOp<kernel::FusionOp>();
  if (!fusion) return {};
  unsigned i = cast<OpResult>(result).getResultNumber();
  if (fusion.getNumResults() != 1 && !analysis::writtenInPlace(fusion, i)) return {};
  Operation *inner = fusion.getBlock().getTerminator()->getOperand(i).getDefiningOp();
  if (!inner || !mlir::isa<stablehlo::DynamicUpdateSliceOp, stablehlo::ScatterOp>(inner)) return {};
  auto arg = dyn_cast<BlockArgument>(inner->getOperand(0));
  if (!arg || !arg.hasOneUse()) return {};
  if (orderOf(fusion.getInputOrdersAttr(), arg.getArgNumber()) != orderOf(fusion.getResultOrdersAttr(), i)) return {};
  Value operand = fusion.getInputs()[arg.getArgNumber()];
  return llvm::count_if(fusion.getInputs(), [&](Value v) { return rootOf(v) == rootOf(operand); }) == 1 ? operand
                                                                                                        : Value();
}

bool readsBeforeWriting(Operation *op) {
  auto fusion = dyn_cast<kernel::FusionOp>(op);
  if (!fusion || fusion.getKind() != "loop") return false;
  // Before it writes a piece, the whole array may be copied to where it writes.
  for (unsigned i = 0; i < fusion.getNumResults(); ++i)
    if (analysis::writtenInPlace(fusion, i)) return false;
  int64_t bytes = 0, tiled = 0;
  for (Value v : llvm::concat<Value>(llvm::to_vector(fusion->getOperands()), llvm::to_vector(fusion->getResults()))) {
    auto type = cast<RankedTensorType>(v.getType());
    const auto planes = std::max<int64_t>(kernel::planesOf(type.getElementType()).size(), 1);
    bytes += bytesOf(v);
    tiled += Array(type).hbmBytes() * planes;
  }
  return bytes <= 1 << 16 && tiled <= 1 << 18;
}

// Whether an input goes, element by element, into results and nothing else. In the kernel of a matmul, a convolution, a
// window or a transpose a step reads of it what lies where it writes its block of a result, once and last of all.
static bool isReadByEpilogueAlone(kernel::FusionOp fusion, unsigned input, unsigned output) {
  if (orderOf(fusion.getInputOrdersAttr(), input) != orderOf(fusion.getResultOrdersAttr(), output)) return false;
  auto shape = cast<ShapedType>(fusion.getInputs()[input].getType()).getShape();
  SmallVector<Value> work{fusion.getBlock().getArgument(input)};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      if (mlir::isa<kernel::YieldOp>(user) || !seen.insert(user).second) continue;
      bool isAlike = user->hasTrait<stablehlo::IsElementwise>() && user->getNumResults() == 1 &&
                     cast<ShapedType>(user->getResult(0).getType()).getShape() == shape;
      if (!isAlike) return false;
      work.push_back(user->getResult(0));
    }
  return true;
}

// A transpose of lanes that has elementwise work around it.
static bool isTranspose(kernel::FusionOp fusion) {
  return fusion.getKind() == "copy" && !fusion.getBlock().getOps<stablehlo::TransposeOp>().empty();
}

// Whether an op of the body only says where a piece lies, or gives it another shape there: pieces are arrays.
static bool isOfPieces(kernel::FusionOp fusion, Operation *inner) {
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(inner)) return analysis::isReadInPlace(slice);
  auto isWritten = [&](Operation *update) {
    return llvm::any_of(llvm::seq<unsigned>(0, fusion.getNumResults()),
                        [&](unsigned i) { return analysis::writtenInPlace(fusion, i) == update; });
  };
  if (mlir::isa<stablehlo::DynamicUpdateSliceOp>(inner)) return isWritten(inner);
  auto reshape = dyn_cast<stablehlo::ReshapeOp>(inner);
  if (!reshape) return false;
  if (auto slice = reshape.getOperand().getDefiningOp<stablehlo::DynamicSliceOp>())
    return analysis::isReadInPlace(slice) && analysis::pieceAsRead(slice) == reshape.getResult();
  auto update = reshape->hasOneUse() ? dyn_cast<stablehlo::DynamicUpdateSliceOp>(*reshape->user_begin()) : nullptr;
  return update && isWritten(update) && analysis::computedPiece(update) == reshape.getOperand();
}

// Arrays, or pieces of them, whose blocks a kernel reads.
static SmallVector<Value> blocksReadBy(kernel::FusionOp fusion) {
  SmallVector<Value> out;
  auto isPiece = [&](Operation *user) { return isOfPieces(fusion, user); };
  for (const Source &source : sourcesOf(fusion))
    if (source.value.use_empty() || !llvm::all_of(source.value.getUsers(), isPiece)) out.push_back(source.value);
  for (auto slice : fusion.getBlock().getOps<stablehlo::DynamicSliceOp>())
    if (isPiece(slice)) out.push_back(analysis::pieceAsRead(slice));
  return out;
}

// Likewise, by result, those that it writes.
static SmallVector<Value> blocksMadeBy(kernel::FusionOp fusion) {
  SmallVector<Value> out(fusion.getBlock().getTerminator()->getOperands());
  for (auto [i, v] : llvm::enumerate(out))
    if (auto update = analysis::writtenInPlace(fusion, i)) v = analysis::computedPiece(update);
  return out;
}

bool replacesEachBlock(Operation *op, unsigned input, unsigned output) {
  auto fusion = dyn_cast<kernel::FusionOp>(op);
  if (!fusion) return false;
  const StringRef kind = fusion.getKind();
  const bool hasEpilogue = kind == "dot" || kind == "conv" || kind == "window" || isTranspose(fusion);
  if (kind != "loop" && !hasEpilogue) return false;
  if (cast<ShapedType>(fusion.getInputs()[input].getType()).getShape() !=
      cast<ShapedType>(fusion.getOutputs()[output].getType()).getShape())
    return false;
  Value root = rootOf(fusion.getInputs()[input]);
  if (llvm::count_if(fusion.getInputs(), [&](Value v) { return rootOf(v) == root; }) != 1) return false;
  if (hasEpilogue) return isReadByEpilogueAlone(fusion, input, output);
  // A slice of it may be another step's.
  if (llvm::any_of(fusion.getBlock().getArgument(input).getUsers(), analysis::isTileView)) return false;
  analysis::DimClasses classes;
  const SmallVector<Value> sources = blocksReadBy(fusion), made = blocksMadeBy(fusion);
  SmallVector<Value> values(sources);
  for (Operation &inner : fusion.getBlock().without_terminator()) {
    if (isOfPieces(fusion, &inner)) continue;
    if (!classes.add(&inner)) return false;
    llvm::append_range(values, inner.getResults());
  }
  SmallVector<int64_t> read = classes.classesOf(fusion.getBlock().getArgument(input));
  SmallVector<int64_t> written = classes.classesOf(made[output]);
  if (!classes.isConsistent() || read != written) return false;
  // Whatever gives the index space its order has the result's: then both are cut alike.
  int64_t rank = written.size();
  for (Value v : llvm::concat<const Value>(sources, made)) {
    SmallVector<int64_t> other = classes.classesOf(v);
    bool spans = llvm::count_if(other, [](int64_t c) { return c >= 0; }) ==
                 llvm::count_if(written, [](int64_t c) { return c >= 0; });
    if (rank <= 1 ? other.size() > 1 : spans && other.size() > 1 && other != written) return false;
  }
  // A step for each block of the result: nothing walks a dim that the result does not have.
  return llvm::all_of(values, [&](Value v) {
    return llvm::all_of(classes.classesOf(v), [&](int64_t c) { return c < 0 || llvm::is_contained(written, c); });
  });
}

bool replacesEachVreg(Operation *op, unsigned input, unsigned output) {
  auto fusion = dyn_cast<kernel::FusionOp>(op);
  return fusion && fusion.getKind() == "loop" && fusion.getBlock().getOps<stablehlo::ReduceOp>().empty() &&
         isReadByEpilogueAlone(fusion, input, output) && replacesEachBlock(op, input, output);
}

}  // namespace tpuc::plan
