// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of dot_general in forms that the matrix unit streams.
#include "passes/analysis/dot_roles.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/dot_forms.h"
#include "passes/layout/dot_sums.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_NORMALISEDOTSPASS
#include "passes/layout/passes.h.inc"
namespace {

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

struct NormaliseDots : impl::NormaliseDotsPassBase<NormaliseDots> {
  using NormaliseDotsPassBase::NormaliseDotsPassBase;

  // Batch, free, contracted: the order that streams.
  static Value toStreamable(OpBuilder &b, Location loc, Value v, SmallVector<int64_t> &batch,
                            SmallVector<int64_t> &contract) {
    int64_t rank = typeOf(v).getRank();
    SmallVector<int64_t> permutation(batch);
    llvm::append_range(permutation, freeDims(rank, batch, contract));
    llvm::append_range(permutation, contract);
    Value out = transpose(b, loc, v, permutation);
    for (auto *dims : {&batch, &contract})
      for (int64_t &d : *dims) d = llvm::find(permutation, d) - permutation.begin();
    return out;
  }

  // `v` with its dims in the order of weights: batch dims, contracted dims, free dims. `batch` and `contract` follow.
  static Value toWeights(OpBuilder &b, Location loc, Value v, SmallVector<int64_t> &batch,
                         SmallVector<int64_t> &contract) {
    int64_t rank = typeOf(v).getRank();
    SmallVector<int64_t> permutation(batch);
    llvm::append_range(permutation, contract);
    llvm::append_range(permutation, freeDims(rank, batch, contract));
    Value out = transpose(b, loc, v, permutation);
    for (auto *dims : {&batch, &contract})
      for (int64_t &d : *dims) d = llvm::find(permutation, d) - permutation.begin();
    return out;
  }

  // A dot that sums nothing becomes a product of two broadcasts.
  static void toProduct(stablehlo::DotGeneralOp dot) {
    OpBuilder b(dot);
    Build build{b, dot.getLoc()};
    auto numbers = dot.getDotDimensionNumbers();
    int64_t batch = numbers.getLhsBatchingDimensions().size();
    auto operand = [&](bool right) {
      Value v = right ? dot.getRhs() : dot.getLhs();
      int64_t next = batch + (right ? analysis::freeDims(dot, false).size() : 0);
      SmallVector<int64_t> dims(typeOf(v).getRank());
      for (auto [i, d] :
           llvm::enumerate(right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions()))
        dims[d] = i;
      for (int64_t d : analysis::freeDims(dot, right)) dims[d] = next++;
      if (typeOf(v).getElementType() != typeOf(dot).getElementType())
        v = stablehlo::ConvertOp::create(b, dot.getLoc(), typeOf(v).clone(typeOf(dot).getElementType()), v);
      return build.broadcast(v, typeOf(dot).getShape(), dims);
    };
    Value l = operand(false), r = operand(true);
    dot.replaceAllUsesWith(stablehlo::MulOp::create(b, dot.getLoc(), l, r).getResult());
    dot.erase();
  }

  static int64_t lanes(Value v) { return typeOf(v).getRank() - 1; }

  // In the order that the result's one transpose asks for, or its own.
  int64_t smallestBlock(stablehlo::DotGeneralOp dot) const {
    int64_t l = lanes(dot.getLhs()), r = lanes(dot.getRhs());
    SmallVector<int64_t> own = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot).getRank()));
    auto transposed =
        dot->hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*dot->user_begin()) : stablehlo::TransposeOp();
    if (transposed && analysis::dotRoles(dot, l, r, transposed.getPermutation()))
      if (int64_t bytes = analysis::smallestDotBlock(dot, l, r, transposed.getPermutation(), mxuSide);
          bytes <= kBlockBytes)
        return bytes;
    return analysis::smallestDotBlock(dot, l, r, own, mxuSide);
  }

  static bool isInOrder(ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
    SmallVector<int64_t> all(first);
    llvm::append_range(all, second);
    return llvm::is_sorted(all);
  }

  // One free and one contracted dim a side: [batch.., m, k] x [batch.., k, n]. What lies the other way round and has no
  // batch stays so: all of it would be transposed.
  static stablehlo::DotGeneralOp toMatrices(stablehlo::DotGeneralOp dot) {
    OpBuilder b(dot);
    Build build{b, dot.getLoc()};
    auto numbers = dot.getDotDimensionNumbers();
    SmallVector<int64_t> batchShape;
    for (int64_t d : numbers.getLhsBatchingDimensions()) batchShape.push_back(typeOf(dot.getLhs()).getDimSize(d));
    const auto n = static_cast<int64_t>(batchShape.size());
    auto size = [](RankedTensorType t, ArrayRef<int64_t> dims) {
      int64_t product = 1;
      for (int64_t d : dims) product *= t.getDimSize(d);
      return product;
    };
    // The operand, and which of its dims is contracted.
    auto operand = [&](bool right) -> std::pair<Value, int64_t> {
      Value v = right ? dot.getRhs() : dot.getLhs();
      RankedTensorType t = typeOf(v);
      ArrayRef<int64_t> batch = right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions(),
                        contract =
                            right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
      SmallVector<int64_t> free = analysis::freeDims(dot, right), permutation(batch), shape(batchShape);
      // Where dims move either way, what lies along lanes stays there.
      const int64_t lanes = t.getRank() - 1;
      const bool isMoved = !isInOrder(free, contract) && !isInOrder(contract, free),
                 liesOtherwise =
                     batch.empty() && (isMoved ? llvm::is_contained(right ? contract : ArrayRef(free), lanes)
                                       : right ? isInOrder(free, contract)
                                               : isInOrder(contract, free)),
                 isFreeFirst = right == liesOtherwise;
      SmallVector<int64_t> first(isFreeFirst ? ArrayRef<int64_t>(free) : contract),
          second(isFreeFirst ? contract : ArrayRef<int64_t>(free));
      llvm::append_range(permutation, first);
      llvm::append_range(permutation, second);
      for (ArrayRef<int64_t> dims : {ArrayRef<int64_t>(first), ArrayRef<int64_t>(second)})
        if (!dims.empty()) shape.push_back(size(t, dims));
      v = build.reshape(llvm::is_sorted(permutation) ? v : build.transpose(v, permutation), shape);
      return {v, isFreeFirst && !free.empty() ? n + 1 : n};
    };
    auto [l, lhsContract] = operand(false);
    auto [r, rhsContract] = operand(true);
    SmallVector<int64_t> batch = llvm::to_vector(llvm::seq<int64_t>(0, n)), shape(batchShape), lhsContracts,
                         rhsContracts;
    auto addFree = [&](Value v, int64_t contract, bool right) {
      if (!analysis::freeDims(dot, right).empty()) shape.push_back(typeOf(v).getDimSize(contract == n ? n + 1 : n));
    };
    if (!numbers.getLhsContractingDimensions().empty()) {
      lhsContracts.push_back(lhsContract);
      rhsContracts.push_back(rhsContract);
      addFree(l, lhsContract, false);
      addFree(r, rhsContract, true);
    } else {
      for (auto [v, right] : {std::pair(l, false), std::pair(r, true)})
        if (!analysis::freeDims(dot, right).empty()) shape.push_back(typeOf(v).getDimSize(n));
    }
    auto attr = stablehlo::DotDimensionNumbersAttr::get(dot.getContext(), batch, batch, lhsContracts, rhsContracts);
    auto out = stablehlo::DotGeneralOp::create(b, dot.getLoc(), typeOf(dot).clone(shape), l, r, attr,
                                               dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
    dot.replaceAllUsesWith(build.reshape(out, typeOf(dot).getShape()));
    dot.erase();
    return out;
  }

  // Several contracted dims as one, where batches would each have parts of vregs: [b, m, 6, 16] x [b, n, 6, 16] as [b,
  // m, 96] x [b, n, 96].
  static stablehlo::DotGeneralOp joinContracted(stablehlo::DotGeneralOp dot) {
    constexpr int64_t kLanes = 128;
    auto numbers = dot.getDotDimensionNumbers();
    auto isLast = [](Value v, ArrayRef<int64_t> dims) {
      for (auto [i, d] : llvm::enumerate(dims))
        if (d != typeOf(v).getRank() - static_cast<int64_t>(dims.size() - i)) return false;
      return dims.size() > 1 && typeOf(v).getShape().back() < kLanes;
    };
    auto inOrder = [](ArrayRef<int64_t> dims, ArrayRef<int64_t> by) {
      SmallVector<size_t> places = llvm::to_vector(llvm::seq<size_t>(0, dims.size()));
      llvm::sort(places, [&](size_t a, size_t b) { return by[a] < by[b]; });
      return llvm::map_to_vector(places, [&](size_t i) { return dims[i]; });
    };
    SmallVector<int64_t> l = inOrder(numbers.getLhsContractingDimensions(), numbers.getLhsContractingDimensions());
    SmallVector<int64_t> r = inOrder(numbers.getRhsContractingDimensions(), numbers.getLhsContractingDimensions());
    if (numbers.getLhsBatchingDimensions().empty() || !isLast(dot.getLhs(), l) || !isLast(dot.getRhs(), r)) return dot;
    OpBuilder b(dot);
    auto joined = [&](Value v) {
      SmallVector<int64_t> shape(typeOf(v).getShape().drop_back(l.size()));
      shape.push_back(llvm::product_of(typeOf(v).getShape().take_back(l.size())));
      return Build{b, dot.getLoc()}.reshape(v, shape);
    };
    auto attr = stablehlo::DotDimensionNumbersAttr::get(dot.getContext(), numbers.getLhsBatchingDimensions(),
                                                        numbers.getRhsBatchingDimensions(), l.front(), r.front());
    auto out =
        stablehlo::DotGeneralOp::create(b, dot.getLoc(), dot.getType(), joined(dot.getLhs()), joined(dot.getRhs()),
                                        attr, dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
    dot.replaceAllUsesWith(out.getResult());
    dot.erase();
    return out;
  }

  // How many of the batch's last dim a kernel's share of VMEM holds, in whole tiles.
  int64_t batchesHeld(stablehlo::DotGeneralOp dot, int64_t count) const {
    unsigned bits = 32;
    for (Value v : {dot.getLhs(), dot.getRhs(), dot.getResult()})
      bits = std::min(bits, typeOf(v).getElementTypeBitWidth());
    int64_t tile = 8 * (32 / bits), each = llvm::divideCeil(smallestBlock(dot), count),
            most = std::max(tile, vmemBytes / 8 / each / tile * tile);
    for (int64_t held = most; held > most / 2; held -= tile)
      if (count % held == 0) return held;
    return llvm::alignTo(llvm::divideCeil(count, llvm::divideCeil(count, most)), tile);
  }

  // Where VMEM does not hold two such blocks of each array: [.., b, k] x [.., b, k, n] as [.., b / held, held, k] x
  // [.., b / held, held, k, n].
  void splitBatch(stablehlo::DotGeneralOp dot) const {
    auto numbers = dot.getDotDimensionNumbers();
    int64_t at = static_cast<int64_t>(numbers.getLhsBatchingDimensions().size()) - 1;
    if (at < 0 || smallestBlock(dot) <= vmemBytes / 6) return;
    OpBuilder b(dot);
    Build build{b, dot.getLoc()};
    int64_t count = typeOf(dot).getDimSize(at), held = batchesHeld(dot, count), steps = llvm::divideCeil(count, held);
    auto operand = [&](Value v) {
      SmallVector<int64_t> none(typeOf(v).getRank()), more(none), shape(typeOf(v).getShape());
      more[at] = steps * held - count;
      if (more[at]) v = build.pad(v, build.zero(typeOf(v).getElementType()), none, more, none);
      shape[at] = held;
      shape.insert(shape.begin() + at, steps);
      return build.reshape(v, shape);
    };
    Value l = operand(dot.getLhs()), r = operand(dot.getRhs());
    auto moved = [](ArrayRef<int64_t> dims) { return llvm::map_to_vector(dims, [](int64_t d) { return d + 1; }); };
    SmallVector<int64_t> batch = llvm::to_vector(llvm::seq<int64_t>(0, at + 2)), shape(typeOf(dot).getShape()),
                         none(shape.size()), one(shape.size(), 1);
    auto attr = stablehlo::DotDimensionNumbersAttr::get(dot.getContext(), batch, batch,
                                                        moved(numbers.getLhsContractingDimensions()),
                                                        moved(numbers.getRhsContractingDimensions()));
    SmallVector<int64_t> split(shape), joined(shape);
    joined[at] = steps * held;
    split[at] = held;
    split.insert(split.begin() + at, steps);
    Value out = stablehlo::DotGeneralOp::create(b, dot.getLoc(), typeOf(dot).clone(split), l, r, attr,
                                                dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
    out = build.reshape(out, joined);
    if (joined != shape) out = build.slice(out, none, shape, one);
    dot.replaceAllUsesWith(out);
    dot.erase();
  }

  static constexpr int64_t kBlockBytes = int64_t{1} << 20;  // two slots each of three arrays fit the smallest VMEM

  void rewrite(stablehlo::DotGeneralOp dot, bool asSums) const {
    if (dot.getDotDimensionNumbers().getLhsContractingDimensions().empty() && !typeOf(dot).getElementType().isInteger())
      return toProduct(dot);
    if (isRaggedRows(dot) || asSums) return toSums(dot);
    toMatrixUnit(dot);
  }

  // The left operand streams, the right one is the weights, as the result's order asks.
  void toMatrixUnit(stablehlo::DotGeneralOp dot) const {
    dot = joinContracted(dot);
    for (bool right : {false, true}) foldTranspose(dot, right, mxuSide);
    if (streams(dot) && smallestBlock(dot) > kBlockBytes) return splitBatch(toMatrices(dot));
    if (streams(dot)) return;
    if (analysis::freeDims(dot, false).empty() && analysis::freeDims(dot, true).empty()) return toSums(dot);
    auto numbers = dot.getDotDimensionNumbers();
    Numbers n{llvm::to_vector(numbers.getLhsBatchingDimensions()), llvm::to_vector(numbers.getRhsBatchingDimensions()),
              llvm::to_vector(numbers.getLhsContractingDimensions()),
              llvm::to_vector(numbers.getRhsContractingDimensions())};
    OpBuilder b(dot);
    auto set = [&](bool right) {
      Value v = right ? dot.getRhs() : dot.getLhs();
      v = right ? toWeights(b, dot.getLoc(), v, n.rb, n.rc) : toStreamable(b, dot.getLoc(), v, n.lb, n.lc);
      dot.setOperand(right, v);
      dot.setDotDimensionNumbersAttr(stablehlo::DotDimensionNumbersAttr::get(dot.getContext(), n.lb, n.rb, n.lc, n.rc));
    };
    for (bool right : {true, false})
      if (!streams(dot) && typeOf(right ? dot.getRhs() : dot.getLhs()).getRank()) set(right);
    if (!streams(dot) || smallestBlock(dot) > kBlockBytes) splitBatch(toMatrices(dot));
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(analysis::loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    const llvm::DenseSet<Operation *> sums =
        DotForms(machine).chooseSums(dots, [&](stablehlo::DotGeneralOp form) { toMatrixUnit(form); });
    for (auto dot : dots) rewrite(dot, sums.contains(dot));
  }
};

}  // namespace
}  // namespace tpuc::layout
