// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots as products and sums.
#include "passes/layout/dot_sums.h"

#include "passes/analysis/dot_roles.h"
#include "passes/layout/array_orders.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;

DotDims::DotDims(stablehlo::DotGeneralOp dot) {
  auto numbers = dot.getDotDimensionNumbers();
  batches = static_cast<int64_t>(numbers.getLhsBatchingDimensions().size());
  contracted = static_cast<int64_t>(numbers.getLhsContractingDimensions().size());
  auto number = [&](Value operand, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract, ArrayRef<int64_t> free) {
    SmallVector<int64_t> of(typeOf(operand).getRank());
    int64_t next = 0;
    for (int64_t d : llvm::concat<const int64_t>(batch, contract)) of[d] = next++;
    next = std::max<int64_t>(next, sizes.size());
    for (int64_t d : free) of[d] = next++;
    sizes.resize(next);
    for (auto [d, k] : llvm::enumerate(of)) sizes[k] = typeOf(operand).getDimSize(d);
    return of;
  };
  left = number(dot.getLhs(), numbers.getLhsBatchingDimensions(), numbers.getLhsContractingDimensions(),
                analysis::freeDims(dot, false));
  leftEnd = static_cast<int64_t>(sizes.size());
  right = number(dot.getRhs(), numbers.getRhsBatchingDimensions(), numbers.getRhsContractingDimensions(),
                 analysis::freeDims(dot, true));
}

SmallVector<int64_t> DotDims::summedLast() const {
  SmallVector<int64_t> space;
  for (int64_t k = 0; k < all(); ++k)
    if (!isContracted(k)) space.push_back(k);
  llvm::append_range(space, llvm::seq(batches, batches + contracted));
  return space;
}

Value sumsOf(Build build, const DotDims &dims, Value left, Value right, ArrayRef<int64_t> space, Type element) {
  Type sum = element.isF16() || element.isBF16() ? Type(build.b.getF32Type()) : element;
  const SmallVector<int64_t> shape = llvm::map_to_vector(space, [&](int64_t k) { return dims.sizes[k]; });
  auto spread = [&](Value v, ArrayRef<int64_t> numbers) {
    auto places =
        llvm::map_to_vector(numbers, [&](int64_t k) -> int64_t { return llvm::find(space, k) - space.begin(); });
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, places.size()));
    llvm::sort(order, [&](int64_t x, int64_t y) { return places[x] < places[y]; });
    llvm::sort(places);
    if (!isIdentity(order)) v = build.transpose(v, order);
    v = build.convert(v, sum);
    return typeOf(v).getShape() == ArrayRef(shape) ? v : build.broadcast(v, shape, places);
  };
  Value product = stablehlo::MulOp::create(build.b, build.loc, spread(left, dims.left), spread(right, dims.right));
  SmallVector<int64_t> summed;
  for (auto [place, k] : llvm::enumerate(space))
    if (dims.isContracted(k)) summed.push_back(static_cast<int64_t>(place));
  return build.convert(build.sum(product, summed), element);
}

bool isRaggedRows(stablehlo::DotGeneralOp dot) {
  auto numbers = dot.getDotDimensionNumbers();
  const bool right = !analysis::freeDims(dot, true).empty();
  if (!analysis::freeDims(dot, !right).empty() || !numbers.getLhsBatchingDimensions().empty() || dot.getAlgorithm())
    return false;
  RankedTensorType matrix = typeOf(right ? dot.getRhs() : dot.getLhs());
  auto contract = right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  if (!matrix.getElementType().isIntOrFloat()) return false;
  const int64_t rank = matrix.getRank(), pack = std::max<int64_t>(32 / matrix.getElementTypeBitWidth(), 1);
  return rank > 2 && contract.size() == 1 && contract[0] == rank - 1 && matrix.getDimSize(rank - 2) % (8 * pack) != 0;
}

// In the space of the matrix as it lies, if the other operand is a vector; or with what is summed last.
void toSums(stablehlo::DotGeneralOp dot) {
  OpBuilder b(dot);
  const DotDims dims(dot);
  SmallVector<int64_t> space = dims.summedLast();
  for (const SmallVector<int64_t> *operand : {&dims.left, &dims.right})
    if (dims.hasOneMatrix() && static_cast<int64_t>(operand->size()) == dims.all()) space = *operand;
  Build build{b, dot.getLoc()};
  Value sums = sumsOf(build, dims, dot.getLhs(), dot.getRhs(), space, typeOf(dot).getElementType());
  llvm::erase_if(space, [&](int64_t k) { return dims.isContracted(k); });
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, space.size()));
  llvm::sort(order, [&](int64_t x, int64_t y) { return space[x] < space[y]; });
  dot.replaceAllUsesWith(isIdentity(order) ? sums : build.transpose(sums, order));
  dot.erase();
}

}  // namespace tpuc::layout
