// Sorts along the last of two dims: the sorted dim moves to the end, all others become one.
#include "passes/expand/build.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_NORMALISESORTSPASS
#include "passes/expand/passes.h.inc"
namespace {

void rewrite(stablehlo::SortOp op) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  auto type = typeOf(op.getInputs()[0]);
  int64_t rank = type.getRank(), dim = static_cast<int64_t>(op.getDimension());
  if (dim < 0) dim += rank;
  int64_t size = rank ? type.getDimSize(dim) : 1;
  if (size <= 1 || type.getNumElements() == 0) {
    op->replaceAllUsesWith(op.getInputs());
    op.erase();
    return;
  }
  if (rank == 2 && dim == 1) return;
  SmallVector<int64_t> permutation, inverse(rank), moved;
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim) permutation.push_back(d);
  permutation.push_back(dim);
  for (auto [i, d] : llvm::enumerate(permutation)) {
    inverse[d] = i;
    moved.push_back(type.getDimSize(d));
  }
  OperationState state(op.getLoc(), op->getName());
  for (Value v : op.getInputs()) state.addOperands(build.reshape(build.transpose(v, permutation), {type.getNumElements() / size, size}));
  for (Value v : state.operands) state.addTypes(v.getType());
  state.addAttributes(op->getAttrs());
  state.addRegion()->takeBody(op.getComparator());
  Operation *made = b.create(state);
  cast<stablehlo::SortOp>(made).setDimension(1);
  for (auto [old, v] : llvm::zip(op.getResults(), made->getResults())) old.replaceAllUsesWith(build.transpose(build.reshape(v, moved), inverse));
  op.erase();
}

struct NormaliseSorts : impl::NormaliseSortsPassBase<NormaliseSorts> {
  using NormaliseSortsPassBase::NormaliseSortsPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::SortOp> ops;
    getOperation().walk([&](stablehlo::SortOp op) { ops.push_back(op); });
    for (auto op : ops) rewrite(op);
  }
};

}  // namespace
}  // namespace tpuc::expand
