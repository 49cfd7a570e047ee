// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of one or two dims: the sorted dim stays last, or comes first, and all others become one. Lanes stay lanes.
#include "dialects/stablehlo/sorts.h"
#include "passes/analysis/sorts.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_NORMALISESORTSPASS
#include "passes/decompose/passes.h.inc"
namespace {

int64_t bitsOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? 2 * complex.getElementType().getIntOrFloatBitWidth() : element.getIntOrFloatBitWidth();
}

// `v`, sorted along the last or the first of two dims, for the users of `old`. Only what they keep moves back.
void restore(Build build, Value old, Value v, int64_t dim, bool last, SmallVector<int64_t> moved,
             ArrayRef<int64_t> inverse) {
  int64_t kept = analysis::keptFirst(old, dim);
  if (kept) {
    SmallVector<int64_t> limits(typeOf(v).getShape());
    limits[last] = kept;
    moved[inverse[dim]] = kept;
    v = build.slice(v, SmallVector<int64_t>(limits.size(), 0), limits, SmallVector<int64_t>(limits.size(), 1));
  }
  Value back = build.transpose(build.reshape(v, moved), inverse);
  if (!kept) return old.replaceAllUsesWith(back);
  for (Operation *user : llvm::make_early_inc_range(old.getUsers())) {
    user->getResult(0).replaceAllUsesWith(back);
    user->erase();
  }
}

void rewrite(stablehlo::SortOp op, int64_t vmemBytes) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  auto type = typeOf(op.getInputs()[0]);
  const int64_t rank = type.getRank(), dim = stablehlo::sortedDim(op);
  int64_t size = rank ? type.getDimSize(dim) : 1;
  if (size <= 1 || type.getNumElements() == 0) {
    op->replaceAllUsesWith(op.getInputs());
    op.erase();
    return;
  }
  int64_t others = type.getNumElements() / size;
  // A first dim is sorted with the others along lanes, 128 at least, all of it in VMEM.
  constexpr int64_t kFewLanes = 32;
  int64_t planes = 0;
  for (Value v : op.getInputs()) planes += llvm::divideCeil(bitsOf(typeOf(v).getElementType()), 32);
  int64_t bytes = 512 * (4 * planes * size + (planes + 2) * static_cast<int64_t>(llvm::PowerOf2Ceil(size)));
  bool last = dim == rank - 1 || others < kFewLanes || bytes > vmemBytes / 8 * 7;
  if (rank == 1 || (rank == 2 && last == (dim == 1))) {
    op.setDimension(dim);
    return;
  }
  SmallVector<int64_t> permutation, inverse(rank), moved;
  if (!last) permutation.push_back(dim);
  for (int64_t d = 0; d < rank; ++d)
    if (d != dim) permutation.push_back(d);
  if (last) permutation.push_back(dim);
  for (auto [i, d] : llvm::enumerate(permutation)) {
    inverse[d] = i;
    moved.push_back(type.getDimSize(d));
  }
  SmallVector<int64_t> flat{others, size};
  if (!last) std::swap(flat[0], flat[1]);
  if (others == 1) {
    flat = {size};
    last = false;
  }
  OperationState state(op.getLoc(), op->getName());
  for (Value v : op.getInputs()) {
    auto flatType = RankedTensorType::get(flat, typeOf(v).getElementType());
    bool positions = analysis::isPositions(v, dim);
    state.addOperands(positions
                          ? stablehlo::IotaOp::create(b, op.getLoc(), flatType, b.getI64IntegerAttr(last)).getResult()
                          : build.reshape(build.transpose(v, permutation), flat));
  }
  for (Value v : state.operands) state.addTypes(v.getType());
  state.addAttributes(op->getAttrs());
  state.addRegion()->takeBody(op.getComparator());
  Operation *made = b.create(state);
  cast<stablehlo::SortOp>(made).setDimension(last);
  for (auto [old, v] : llvm::zip(op.getResults(), made->getResults()))
    restore(build, old, v, dim, last, moved, inverse);
  op.erase();
}

struct NormaliseSorts : impl::NormaliseSortsPassBase<NormaliseSorts> {
  using NormaliseSortsPassBase::NormaliseSortsPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::SortOp> ops;
    getOperation().walk([&](stablehlo::SortOp op) { ops.push_back(op); });
    for (auto op : ops) rewrite(op, vmemBytes);
  }
};

}  // namespace
}  // namespace tpuc::decompose
