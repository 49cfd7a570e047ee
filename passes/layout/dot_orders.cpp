// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots at the ends of arrays that take another order of their dims: whether the matrix unit takes them so.
#include "passes/analysis/dot_roles.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;

// The block of normalise_dots, for a systolic array of 128 columns; wider ones take more.
static constexpr int64_t kBlockBytes = int64_t{1} << 20;

bool ArrayOrders::dotsStream(int64_t mxuSide) const {
  return llvm::all_of(ends_, [&](Operation *op) {
    auto dot = dyn_cast<stablehlo::DotGeneralOp>(op);
    return !dot || dotStreams(dot, mxuSide);
  });
}

bool ArrayOrders::movesFreeDims(stablehlo::DotGeneralOp dot) const {
  return !forMoves_ && dot.getDotDimensionNumbers().getLhsBatchingDimensions().empty() && dot->hasOneUse() &&
         mlir::isa<stablehlo::TransposeOp>(*dot->user_begin()) && dot.getLhs() != dot.getRhs();
}

Order ArrayOrders::orderByOperands(stablehlo::DotGeneralOp dot) const {
  Order out;
  if (!movesFreeDims(dot)) return llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot).getRank()));
  for (OpOperand &use : dot->getOpOperands()) {
    const SmallVector<int64_t> free = analysis::freeDims(dot, use.getOperandNumber() == 1);
    const auto base = static_cast<int64_t>(out.size());
    ArrayRef<int64_t> order = orderOf(use.get());
    for (int64_t d : order.empty() ? llvm::to_vector(llvm::seq<int64_t>(0, free.size())) : induced(order, free))
      out.push_back(base + d);
  }
  return out;
}

// Asked of a copy of the dot with operands as they would lie. Batches stay outside of the tiles. Free dims, which are
// the result's, keep their order; or a transpose that follows takes another one with it.
bool ArrayOrders::dotStreams(stablehlo::DotGeneralOp dot, int64_t mxuSide) const {
  OpBuilder b(dot);
  SmallVector<Operation *> temporary;
  auto copy = mlir::cast<stablehlo::DotGeneralOp>(b.clone(*dot));
  bool refused = false;
  for (OpOperand &use : dot->getOpOperands()) {
    ArrayRef<int64_t> order = orderOf(use.get());
    if (order.empty()) continue;
    auto numbers = dot.getDotDimensionNumbers();
    for (int64_t d : order.take_back(2))
      refused |= llvm::is_contained(
          use.getOperandNumber() ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions(), d);
    refused |= !movesFreeDims(dot) && !isIdentity(induced(order, analysis::freeDims(dot, use.getOperandNumber() == 1)));
    auto cast = UnrealizedConversionCastOp::create(b, dot.getLoc(), permuted(typeOf(use.get()), order), use.get());
    temporary.push_back(cast);
    copy->moveAfter(cast);
    copy->setOperand(use.getOperandNumber(), cast.getResult(0));
    renumberDot(copy, use.getOperandNumber(), order);
  }
  ArrayRef<int64_t> known = orderOf(dot);
  const Order places = inverse(orderByOperands(dot));
  copy.getResult().setType(permuted(typeOf(dot), orderByOperands(dot)));
  Order out =
      llvm::map_to_vector(known.empty() ? wantedOrder(dot) : Order(known), [&](int64_t d) { return places[d]; });
  int64_t batches = dot.getDotDimensionNumbers().getLhsBatchingDimensions().size();
  for (int64_t d : ArrayRef(known).take_back(std::min<size_t>(2, known.size()))) refused |= d < batches;
  bool fits = !refused && streams(copy, out, mxuSide);
  copy.erase();
  for (Operation *op : temporary) op->erase();
  return fits;
}

void renumberDot(stablehlo::DotGeneralOp dot, unsigned operand, ArrayRef<int64_t> order) {
  auto n = dot.getDotDimensionNumbers();
  auto mapped = [&](ArrayRef<int64_t> dims, unsigned side) {
    return llvm::map_to_vector(dims, [&](int64_t d) {
      return side == operand ? static_cast<int64_t>(llvm::find(order, d) - order.begin()) : d;
    });
  };
  dot.setDotDimensionNumbersAttr(stablehlo::DotDimensionNumbersAttr::get(
      dot.getContext(), mapped(n.getLhsBatchingDimensions(), 0), mapped(n.getRhsBatchingDimensions(), 1),
      mapped(n.getLhsContractingDimensions(), 0), mapped(n.getRhsContractingDimensions(), 1)));
}

Order wantedOrder(stablehlo::DotGeneralOp dot) {
  if (dot->hasOneUse())
    if (auto transposed = dyn_cast<stablehlo::TransposeOp>(*dot->user_begin()))
      return Order(transposed.getPermutation());
  return llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot).getRank()));
}

bool streams(stablehlo::DotGeneralOp dot, ArrayRef<int64_t> order, int64_t mxuSide) {
  int64_t l = typeOf(dot.getLhs()).getRank() - 1, r = typeOf(dot.getRhs()).getRank() - 1;
  return analysis::dotRoles(dot, l, r, order) &&
         analysis::smallestDotBlock(dot, l, r, order, mxuSide) <= kBlockBytes * mxuSide / 128;
}

bool streams(stablehlo::DotGeneralOp dot) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot).getRank()));
  return analysis::dotRoles(dot, typeOf(dot.getLhs()).getRank() - 1, typeOf(dot.getRhs()).getRank() - 1, order)
      .has_value();
}

// Vregs that the arrays take of a dot that has roles: tiles of weights, or rows for each where these are more.
static int64_t vregsTaken(stablehlo::DotGeneralOp dot, int64_t mxuSide) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot).getRank()));
  const analysis::DotRoles roles =
      *analysis::dotRoles(dot, typeOf(dot.getLhs()).getRank() - 1, typeOf(dot.getRhs()).getRank() - 1, order);
  auto numbers = dot.getDotDimensionNumbers();
  int64_t tiles = 1, rows = 1, columns = 1, batches = 1;
  for (auto [i, d] : llvm::enumerate(numbers.getLhsContractingDimensions())) {
    const int64_t extent = typeOf(dot.getLhs()).getDimSize(d);
    tiles *= static_cast<int64_t>(i) == roles.k ? llvm::divideCeil(extent, mxuSide) : extent;
  }
  for (int64_t d : numbers.getLhsBatchingDimensions()) batches *= typeOf(dot.getLhs()).getDimSize(d);
  for (int64_t d : analysis::freeDims(dot, roles.swapped))
    rows *= typeOf(roles.swapped ? dot.getRhs() : dot.getLhs()).getDimSize(d);
  for (int64_t d : analysis::freeDims(dot, !roles.swapped))
    columns *= typeOf(roles.swapped ? dot.getLhs() : dot.getRhs()).getDimSize(d);
  return batches * tiles * llvm::divideCeil(columns, mxuSide) * std::max<int64_t>(rows, mxuSide) / 8;
}

// Whether the arrays take no more of a dot than they did, or not so much more that a transpose would cost less: one
// that leaves few elements along the lanes of a contraction of several dims has tiles of few rows.
static bool isNoDearer(int64_t before, int64_t now, RankedTensorType transposed) {
  constexpr int64_t kVreg = 1024, kTurn = 8;  // vregs handled to transpose one
  return now <= before + kTurn * static_cast<int64_t>(llvm::divideCeil(transposed.getNumElements(), kVreg));
}

void foldTranspose(stablehlo::DotGeneralOp dot, bool right, int64_t mxuSide) {
  auto transposed = (right ? dot.getRhs() : dot.getLhs()).getDefiningOp<stablehlo::TransposeOp>();
  if (!transposed) return;
  ArrayRef<int64_t> from = transposed.getPermutation();
  SmallVector<int64_t> free = analysis::freeDims(dot, right);
  if (!llvm::is_sorted(free, [&](int64_t a, int64_t b) { return from[a] < from[b]; })) return;
  auto numbers = dot.getDotDimensionNumbers();
  auto mapped = [&](ArrayRef<int64_t> dims) { return llvm::map_to_vector(dims, [&](int64_t d) { return from[d]; }); };
  auto attr =
      right ? stablehlo::DotDimensionNumbersAttr::get(
                  dot.getContext(), numbers.getLhsBatchingDimensions(), mapped(numbers.getRhsBatchingDimensions()),
                  numbers.getLhsContractingDimensions(), mapped(numbers.getRhsContractingDimensions()))
            : stablehlo::DotDimensionNumbersAttr::get(
                  dot.getContext(), mapped(numbers.getLhsBatchingDimensions()), numbers.getRhsBatchingDimensions(),
                  mapped(numbers.getLhsContractingDimensions()), numbers.getRhsContractingDimensions());
  const int64_t before = streams(dot) ? vregsTaken(dot, mxuSide) : -1;
  dot.setOperand(right, transposed.getOperand());
  dot.setDotDimensionNumbersAttr(attr);
  if (streams(dot) && (before < 0 || isNoDearer(before, vregsTaken(dot, mxuSide), typeOf(transposed)))) return;
  dot.setOperand(right, transposed.getResult());
  dot.setDotDimensionNumbersAttr(numbers);
}

Value throughReshapes(Value v) {
  Value out = v;
  for (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>(); reshape;
       reshape = reshape.getOperand().getDefiningOp<stablehlo::ReshapeOp>())
    if (reshape.getOperand().getType() == v.getType()) out = reshape.getOperand();
  return out;
}

std::optional<Untransposed> untransposed(stablehlo::DotGeneralOp dot, bool right) {
  auto n = dot.getDotDimensionNumbers();
  auto transpose = throughReshapes(dot->getOperand(right)).getDefiningOp<stablehlo::TransposeOp>();
  if (!transpose || !n.getLhsBatchingDimensions().empty()) return std::nullopt;
  ArrayRef<int64_t> from = transpose.getPermutation();
  auto mapped = [&](ArrayRef<int64_t> dims, bool side) {
    return llvm::map_to_vector(dims, [&](int64_t d) { return side == right ? from[d] : d; });
  };
  const SmallVector<int64_t> free = mapped(analysis::freeDims(dot, right), right);
  const bool isLast = right || analysis::freeDims(dot, true).empty();  // in the result
  if (llvm::is_sorted(free) || (isLast && *llvm::max_element(free) != free.back())) return std::nullopt;
  OpBuilder b(dot);
  auto numbers =
      stablehlo::DotDimensionNumbersAttr::get(b.getContext(), {}, {}, mapped(n.getLhsContractingDimensions(), false),
                                              mapped(n.getRhsContractingDimensions(), true));
  const auto first = right ? static_cast<int64_t>(analysis::freeDims(dot, false).size()) : 0;
  SmallVector<int64_t> sorted(free);
  llvm::sort(sorted);
  Order order = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(dot).getRank()));
  for (auto [i, d] : llvm::enumerate(sorted)) order[first + i] = first + (llvm::find(free, d) - free.begin());
  Value operands[] = {dot.getLhs(), dot.getRhs()};
  operands[right] = transpose.getOperand();
  auto made = stablehlo::DotGeneralOp::create(b, dot.getLoc(), permuted(typeOf(dot), order), operands[0], operands[1],
                                              numbers, dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
  return Untransposed{made, inverse(order)};
}

}  // namespace tpuc::layout
