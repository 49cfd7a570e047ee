// Operands of dot_general in forms that the matrix unit streams.
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_NORMALISEDOTSPASS
#include "passes/expand/passes.h.inc"
namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

Value transpose(OpBuilder &b, Location loc, Value v, ArrayRef<int64_t> permutation) {
  auto type = typeOf(v);
  SmallVector<int64_t> shape;
  for (int64_t d : permutation) shape.push_back(type.getDimSize(d));
  return stablehlo::TransposeOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()), v, permutation);
}

struct Numbers {
  SmallVector<int64_t> lb, rb, lc, rc;
};

SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract) {
  SmallVector<int64_t> out;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batch, d) && !llvm::is_contained(contract, d)) out.push_back(d);
  return out;
}

// The last dim of more than one element; -1 for one element.
int64_t lastDim(RankedTensorType t) { return t.getRank() - 1; }

struct NormaliseDots : impl::NormaliseDotsPassBase<NormaliseDots> {
  using NormaliseDotsPassBase::NormaliseDotsPassBase;

  // The streaming operand needs a contracted dim along lanes.
  static bool streams(RankedTensorType t, ArrayRef<int64_t> contract) { return t.getRank() && llvm::is_contained(contract, lastDim(t)); }

  // The weights' lanes are a free dim, or the contracted dim that the streaming operand has along its lanes.
  static bool holds(RankedTensorType t, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract, RankedTensorType streaming, ArrayRef<int64_t> streamingContract) {
    if (t.getRank() == 0) return true;
    int64_t last = lastDim(t);
    if (llvm::is_contained(batch, last)) return false;
    auto *it = llvm::find(contract, last);
    if (it == contract.end()) return true;
    return streamingContract[it - contract.begin()] == lastDim(streaming);
  }

  // Batch, free, contracted: the order that streams.
  static Value toStreamable(OpBuilder &b, Location loc, Value v, SmallVector<int64_t> &batch, SmallVector<int64_t> &contract) {
    int64_t rank = typeOf(v).getRank();
    SmallVector<int64_t> permutation(batch);
    llvm::append_range(permutation, freeDims(rank, batch, contract));
    llvm::append_range(permutation, contract);
    Value out = transpose(b, loc, v, permutation);
    for (auto *dims : {&batch, &contract})
      for (int64_t &d : *dims) d = llvm::find(permutation, d) - permutation.begin();
    return out;
  }

  // Batch, contracted, free.
  static Value toWeights(OpBuilder &b, Location loc, Value v, SmallVector<int64_t> &batch, SmallVector<int64_t> &contract) {
    int64_t rank = typeOf(v).getRank();
    SmallVector<int64_t> permutation(batch);
    llvm::append_range(permutation, contract);
    llvm::append_range(permutation, freeDims(rank, batch, contract));
    Value out = transpose(b, loc, v, permutation);
    for (auto *dims : {&batch, &contract})
      for (int64_t &d : *dims) d = llvm::find(permutation, d) - permutation.begin();
    return out;
  }

  void rewrite(stablehlo::DotGeneralOp dot) {
    auto numbers = dot.getDotDimensionNumbers();
    Numbers n{llvm::to_vector(numbers.getLhsBatchingDimensions()), llvm::to_vector(numbers.getRhsBatchingDimensions()),
              llvm::to_vector(numbers.getLhsContractingDimensions()), llvm::to_vector(numbers.getRhsContractingDimensions())};
    Value lhs = dot.getLhs(), rhs = dot.getRhs();
    OpBuilder b(dot);
    Location loc = dot.getLoc();
    bool swap = false;
    if (!streams(typeOf(lhs), n.lc)) {
      bool other = streams(typeOf(rhs), n.rc) && holds(typeOf(lhs), n.lb, n.lc, typeOf(rhs), n.rc);
      if (other) swap = true;
      else if (typeOf(lhs).getRank() && !n.lc.empty()) lhs = toStreamable(b, loc, lhs, n.lb, n.lc);
      else return;
    }
    if (!swap && !holds(typeOf(rhs), n.rb, n.rc, typeOf(lhs), n.lc)) rhs = toWeights(b, loc, rhs, n.rb, n.rc);
    if (!swap && lhs == dot.getLhs() && rhs == dot.getRhs()) return;
    int64_t nb = n.lb.size(), lf = typeOf(lhs).getRank() - nb - n.lc.size(), rf = typeOf(rhs).getRank() - nb - n.rc.size();
    auto type = typeOf(dot.getResult());
    SmallVector<int64_t> shape(type.getShape());
    if (swap) {
      std::rotate(shape.begin() + nb, shape.begin() + nb + lf, shape.end());
      std::swap(lhs, rhs);
      std::swap(n.lb, n.rb);
      std::swap(n.lc, n.rc);
    }
    auto attr = stablehlo::DotDimensionNumbersAttr::get(dot.getContext(), n.lb, n.rb, n.lc, n.rc);
    // Precisions go with their operands.
    auto precision = dot.getPrecisionConfigAttr();
    if (swap && precision && precision.size() == 2) precision = b.getArrayAttr({precision[1], precision[0]});
    Value out = stablehlo::DotGeneralOp::create(b, loc, RankedTensorType::get(shape, type.getElementType()), lhs, rhs, attr, precision, dot.getAlgorithmAttr());
    if (swap) {
      SmallVector<int64_t> permutation;
      for (int64_t d = 0; d < nb; ++d) permutation.push_back(d);
      for (int64_t d = 0; d < lf; ++d) permutation.push_back(nb + rf + d);
      for (int64_t d = 0; d < rf; ++d) permutation.push_back(nb + d);
      out = transpose(b, loc, out, permutation);
    }
    dot.replaceAllUsesWith(out);
    dot.erase();
  }

  void runOnOperation() override {
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    for (auto dot : dots) rewrite(dot);
  }
};

}  // namespace
}  // namespace tpuc::expand
