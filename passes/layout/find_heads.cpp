// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls whose result is split into heads: `[b, s, 768]` into `[b, s, 12, 64]`, of which a tile would hold 64 lanes.
//
//  1. From the reshape that splits back to the matmul, through elementwise ops, broadcasts of biases, slices that part
//     queries, keys and values, and other reshapes that split.
//  2. The matmul's operand is split instead: a weight of `[768, 12, 64]`. Its result has the heads as a dim of its own,
//     in whatever order the layout chooses.
//  3. Only where the result is larger than the weight, which is put in another order for it.
//  4. Likewise backwards: a matmul of what has just been joined of heads takes them as they were, where it can. Where
//  it
//     can't, joined rows are what has fewest bytes, and others may read them too.
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/stablehlo/traits.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_FINDHEADSPASS
#include "passes/layout/passes.h.inc"
namespace {

constexpr int64_t kMostWeight = 2;  // of a matmul's result, at least so many elements for one of the split operand

// For each dim of the one shape the sizes that the other one splits it into; nothing where the other does more than
// split.
using Parts = SmallVector<SmallVector<int64_t>>;
std::optional<Parts> partsOf(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  auto groups = getReassociationIndicesForCollapse(to, from);
  if (!groups || from.empty()) return std::nullopt;
  Parts parts;
  for (const ReassociationIndices &group : *groups)
    parts.push_back(llvm::map_to_vector(group, [&](int64_t d) { return to[d]; }));
  return parts;
}

SmallVector<int64_t> shapeOf(const Parts &parts) {
  SmallVector<int64_t> shape;
  for (const auto &own : parts) llvm::append_range(shape, own);
  return shape;
}

// Elements of one dim of an array, from `low` on.
struct Range {
  int64_t dim = 0, low = 0, size = 0;
};
std::optional<Range> rangeOf(stablehlo::SliceOp slice) {
  std::optional<Range> out;
  RankedTensorType type = typeOf(slice.getOperand());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (slice.getStrides()[d] != 1) return std::nullopt;
    if (typeOf(slice).getDimSize(d) == type.getDimSize(d)) continue;
    if (out) return std::nullopt;
    out = Range{d, slice.getStartIndices()[d], typeOf(slice).getDimSize(d)};
  }
  return out;
}

bool isElementwise(Operation *op) {
  return op->hasTrait<stablehlo::IsElementwise>() && op->getNumResults() == 1 && op->getNumRegions() == 0;
}

bool isPlain(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type && type.hasStaticShape() && !type.getEncoding() && type.getNumElements() > 0;
}

// A value in parts, of all of it or of a range of one dim, made of a matmul that is split or cut itself. Null where
// something else makes it: then nothing has been built.
class Splitter {
 public:
  explicit Splitter(OpBuilder &b) : b_(b) {}
  bool isMadeByMatmul(Value v, const Parts &parts, std::optional<Range> range, bool mayHaveUsers = false);
  Value made(Value v, const Parts &parts, std::optional<Range> range);

 private:
  bool mayCut(Value v) const;
  static bool maySplit(stablehlo::DotGeneralOp dot, const Parts &parts, std::optional<Range> range);
  Value madeDot(stablehlo::DotGeneralOp dot, const Parts &parts, std::optional<Range> range);
  Value madeBroadcast(stablehlo::BroadcastInDimOp spread, const Parts &parts, std::optional<Range> range);

  OpBuilder &b_;
};

// Whether heads of so many lanes would leave a tile's others empty.
bool splitsLanes(const Parts &parts) { return parts.back().size() > 1 && parts.back().back() % 128 != 0; }

// Whether all users of a value take their own parts of it, each of which would be split.
bool Splitter::mayCut(Value v) const {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  std::optional<int64_t> dim;
  for (Operation *user : v.getUsers()) {
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    auto range = slice ? rangeOf(slice) : std::nullopt;
    if (!range || (dim && *dim != range->dim) || !slice->hasOneUse()) return false;
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(*slice->user_begin());
    auto parts = reshape && slice->getBlock() == b_.getInsertionBlock()
                     ? partsOf(typeOf(slice).getShape(), typeOf(reshape.getResult()).getShape())
                     : std::nullopt;
    if (!parts || !splitsLanes(*parts)) return false;
    dim = range->dim;
    taken.push_back({range->low, range->low + range->size});
  }
  llvm::sort(taken);
  for (size_t i = 1; i < taken.size(); ++i)
    if (taken[i].first < taken[i - 1].second) return false;
  return true;
}

// Whether what is put in another order is small: the weight, the operand whose last dim the result's is.
bool Splitter::maySplit(stablehlo::DotGeneralOp dot, const Parts &parts, std::optional<Range> range) {
  auto numbers = dot.getDotDimensionNumbers();
  const auto batches = static_cast<int64_t>(numbers.getLhsBatchingDimensions().size()),
             contracted = static_cast<int64_t>(numbers.getLhsContractingDimensions().size()),
             rank = typeOf(dot).getRank(), ofLeft = typeOf(dot.getLhs()).getRank() - contracted;
  for (int64_t d = 0; d < batches; ++d)
    if (parts[d].size() != 1 || (range && range->dim == d)) return false;
  const bool isRight = rank > ofLeft;
  // Lanes of the other operand that are split would move.
  const bool hasLanes = !llvm::is_contained(numbers.getLhsContractingDimensions(), typeOf(dot.getLhs()).getRank() - 1);
  if (isRight && ofLeft > batches && hasLanes && parts[ofLeft - 1].size() > 1) return false;
  int64_t weight = typeOf(isRight ? dot.getRhs() : dot.getLhs()).getNumElements();
  if (range && range->dim + 1 == rank) weight = weight / typeOf(dot).getDimSize(range->dim) * range->size;
  return parts.back().size() > 1 && kMostWeight * weight <= llvm::product_of(shapeOf(parts));
}

bool Splitter::isMadeByMatmul(Value v, const Parts &parts, std::optional<Range> range, bool mayHaveUsers) {
  Operation *op = v.getDefiningOp();
  if (!op || !isPlain(v) || !llvm::all_of(op->getOperands(), isPlain)) return false;
  // What stands before a loop stays there.
  if ((!v.hasOneUse() && !mayHaveUsers) || op->getBlock() != b_.getInsertionBlock()) return false;
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) return maySplit(dot, parts, range);
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    auto own = rangeOf(slice);
    return !range && own && mayCut(slice.getOperand()) && isMadeByMatmul(slice.getOperand(), parts, own, true);
  }
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    auto both = range ? std::nullopt : partsOf(typeOf(reshape.getOperand()).getShape(), shapeOf(parts));
    return both && isMadeByMatmul(reshape.getOperand(), *both, {});
  }
  if (!isElementwise(op)) return false;
  // One operand is the matmul's; the others are small, or spread.
  int64_t dots = 0;
  for (Value operand : op->getOperands()) {
    if (typeOf(operand).getRank() == 0) continue;
    Operation *def = operand.getDefiningOp();
    if (def && mlir::isa<stablehlo::BroadcastInDimOp>(def)) continue;
    auto constant = def ? dyn_cast<stablehlo::ConstantOp>(def) : nullptr;
    if (constant && mlir::isa<SplatElementsAttr>(constant.getValue())) continue;
    if (!isMadeByMatmul(operand, parts, range, mayHaveUsers && llvm::hasSingleElement(operand.getUses()))) return false;
    ++dots;
  }
  return dots == 1;
}

// The matmul of operands that are split as its result is, or cut to a range of it.
Value Splitter::madeDot(stablehlo::DotGeneralOp dot, const Parts &parts, std::optional<Range> range) {
  Build build{b_, dot.getLoc()};
  auto numbers = dot.getDotDimensionNumbers();
  auto next = static_cast<int64_t>(numbers.getLhsBatchingDimensions().size());
  Value operands[2];
  SmallVector<int64_t> batching[2], contracting[2];
  for (bool right : {false, true}) {
    Value v = right ? dot.getRhs() : dot.getLhs();
    auto batch = right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions();
    auto contract = right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
    const int64_t rank = typeOf(v).getRank();
    SmallVector<int64_t> low(rank, 0), high(typeOf(v).getShape()), one(rank, 1), order;
    SmallVector<SmallVector<int64_t>> own(rank);  // parts of each dim
    bool movesLanes = false;
    for (int64_t d = 0; d < rank; ++d) {
      own[d] = {typeOf(v).getDimSize(d)};
      if (llvm::is_contained(batch, d) || llvm::is_contained(contract, d)) continue;
      if (range && range->dim == next) {
        low[d] = range->low;
        high[d] = range->low + range->size;
      }
      own[d] = parts[next++];
      movesLanes |= d + 1 == rank && own[d].size() > 1;
    }
    // Rows that are split stay where they are; lanes would move: what is contracted lies along them instead.
    for (bool last : {false, true})
      for (int64_t d = 0; d < rank; ++d)
        if ((movesLanes && llvm::is_contained(contract, d)) == last) order.push_back(d);
    SmallVector<int64_t> shape, places(rank);
    for (int64_t d : order) {
      places[d] = static_cast<int64_t>(shape.size());
      llvm::append_range(shape, own[d]);
    }
    v = build.slice(v, low, high, one);
    operands[right] = throughReshapes(build.reshape(llvm::is_sorted(order) ? v : build.transpose(v, order), shape));
    for (int64_t d : batch) batching[right].push_back(places[d]);
    for (int64_t d : contract) contracting[right].push_back(places[d]);
  }
  auto split = stablehlo::DotDimensionNumbersAttr::get(b_.getContext(), batching[0], batching[1], contracting[0],
                                                       contracting[1]);
  return stablehlo::DotGeneralOp::create(b_, dot.getLoc(), typeOf(dot).clone(shapeOf(parts)), operands[0], operands[1],
                                         split, dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
}

// The array that is spread is split, and cut to the range, before it is spread.
Value Splitter::madeBroadcast(stablehlo::BroadcastInDimOp spread, const Parts &parts, std::optional<Range> range) {
  Build build{b_, spread.getLoc()};
  Value v = spread.getOperand();
  SmallVector<int64_t> low(typeOf(v).getRank(), 0), high(typeOf(v).getShape()), one(low.size(), 1);
  for (auto [d, to] : llvm::enumerate(spread.getBroadcastDimensions())) {
    if (!range || to != range->dim || high[d] == 1) continue;
    low[d] = range->low;
    high[d] = range->low + range->size;
  }
  v = build.slice(v, low, high, one);
  SmallVector<int64_t> shape, dims, first;
  int64_t place = 0;
  for (const auto &own : parts) {
    first.push_back(place);
    place += static_cast<int64_t>(own.size());
  }
  for (auto [d, to] : llvm::enumerate(spread.getBroadcastDimensions())) {
    if (typeOf(spread.getOperand()).getDimSize(d) == 1) continue;  // spread along all of them
    for (auto [k, extent] : llvm::enumerate(parts[to])) {
      shape.push_back(extent);
      dims.push_back(first[to] + static_cast<int64_t>(k));
    }
  }
  return build.broadcast(build.reshape(v, shape), shapeOf(parts), dims);
}

Value Splitter::made(Value v, const Parts &parts, std::optional<Range> range) {
  Operation *op = v.getDefiningOp();
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) return madeDot(dot, parts, range);
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) return made(slice.getOperand(), parts, rangeOf(slice));
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return made(reshape.getOperand(), *partsOf(typeOf(reshape.getOperand()).getShape(), shapeOf(parts)), {});
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    if (typeOf(operand).getRank() == 0) {
      operands.push_back(operand);
    } else if (auto constant = dyn_cast_or_null<stablehlo::ConstantOp>(def)) {
      auto value = cast<SplatElementsAttr>(constant.getValue());
      operands.push_back(stablehlo::ConstantOp::create(b_, op->getLoc(), typeOf(operand).clone(shapeOf(parts)),
                                                       value.resizeSplat(typeOf(operand).clone(shapeOf(parts)))));
    } else if (auto spread = dyn_cast_or_null<stablehlo::BroadcastInDimOp>(def)) {
      operands.push_back(madeBroadcast(spread, parts, range));
    } else {
      operands.push_back(made(operand, parts, range));
    }
  }
  Operation *split = b_.clone(*op);
  split->setOperands(operands);
  split->getResult(0).setType(typeOf(op->getResult(0)).clone(shapeOf(parts)));
  return split->getResult(0);
}

// An operand that has just been joined of heads, which lie apart: by dim what it was joined of.
std::optional<Parts> headsOf(Value operand) {
  auto reshape = operand.getDefiningOp<stablehlo::ReshapeOp>();
  if (!reshape || !isPlain(operand) || !isPlain(reshape.getOperand()) ||
      !reshape.getOperand().getDefiningOp<stablehlo::TransposeOp>())
    return std::nullopt;
  auto parts = partsOf(typeOf(operand).getShape(), typeOf(reshape.getOperand()).getShape());
  const bool splits = parts && llvm::any_of(*parts, [](const auto &own) { return own.size() > 1; });
  return splits ? parts : std::nullopt;
}

// A result whose last dim is in parts, put together: rows are joined where they lie, lanes would move.
Value joinedLanes(Build &build, Value v, RankedTensorType type, int64_t parts) {
  const int64_t rank = typeOf(v).getRank(), first = rank - parts;
  SmallVector<int64_t> order, shape{type.getShape().back()}, back;
  for (int64_t d = first; d < rank; ++d) order.push_back(d);
  for (int64_t d = 0; d < first; ++d) order.push_back(d);
  for (int64_t d = 0; d < first; ++d) shape.push_back(typeOf(v).getDimSize(d));
  for (int64_t d = 1; d <= first; ++d) back.push_back(d);
  back.push_back(0);
  return build.reshape(build.transpose(build.reshape(build.transpose(v, order), shape), back), type.getShape());
}

// Whether the matrix unit takes heads from where they lie, before they are put side by side. `own`: the order in which
// the result is wanted, `last`: what its last dim is in.
bool takesAsTheyLie(stablehlo::DotGeneralOp dot, bool right, Order own, int64_t last, int64_t mxuSide) {
  OpBuilder b(dot);
  auto folded = cast<stablehlo::DotGeneralOp>(b.clone(*dot));
  foldTranspose(folded, right, mxuSide);
  Order turned = own;
  if (last > 1) std::rotate(turned.begin(), turned.end() - last, turned.end());
  const bool takes = streams(folded, turned, mxuSide) || streams(folded, own, mxuSide);
  folded.erase();
  return takes;
}

// Multiplies the heads as they were. What they are contracted with has its rows split, which stay where they are; where
// they are free, as in a weight's gradient, the result is put together: if it is smaller.
void takeHeads(stablehlo::DotGeneralOp dot, bool right, int64_t mxuSide) {
  Value joined = right ? dot.getRhs() : dot.getLhs(), other = right ? dot.getLhs() : dot.getRhs();
  auto parts = headsOf(joined);
  if (!parts || !isPlain(other)) return;
  auto numbers = dot.getDotDimensionNumbers();
  auto batchOf = [&](bool r) { return r ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions(); };
  auto contractOf = [&](bool r) {
    return r ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  };
  // For each dim of each operand, and of the result, what it is split into.
  Parts otherParts, resultParts;
  bool isContracted = false;
  for (int64_t n : typeOf(other).getShape()) otherParts.push_back({n});
  for (int64_t n : typeOf(dot).getShape()) resultParts.push_back({n});
  for (auto [d, of] : llvm::zip_equal(contractOf(right), contractOf(!right))) {
    otherParts[of] = (*parts)[d];
    isContracted |= (*parts)[d].size() > 1;
    if ((*parts)[d].size() > 1 && of + 1 == typeOf(other).getRank()) return;
  }
  auto next = static_cast<int64_t>(batchOf(right).size());
  if (right) next = typeOf(dot.getLhs()).getRank() - static_cast<int64_t>(contractOf(false).size());
  bool isFree = false;
  for (int64_t d = 0; d < typeOf(joined).getRank(); ++d) {
    if (llvm::is_contained(batchOf(right), d) && (*parts)[d].size() > 1) return;
    if (llvm::is_contained(batchOf(right), d) || llvm::is_contained(contractOf(right), d)) continue;
    isFree |= (*parts)[d].size() > 1;
    resultParts[next++] = (*parts)[d];
  }
  if (isFree && !isContracted && kMostWeight * typeOf(dot).getNumElements() > typeOf(joined).getNumElements()) return;
  OpBuilder b(dot);
  Build build{b, dot.getLoc()};
  auto moved = [&](ArrayRef<int64_t> dims, const Parts &of) {
    SmallVector<int64_t> out;
    for (int64_t d : dims) {
      int64_t first = 0;
      for (int64_t k = 0; k < d; ++k) first += static_cast<int64_t>(of[k].size());
      for (int64_t k = 0; k < static_cast<int64_t>(of[d].size()); ++k) out.push_back(first + k);
    }
    return out;
  };
  const Parts &lhs = right ? otherParts : *parts, &rhs = right ? *parts : otherParts;
  auto split =
      stablehlo::DotDimensionNumbersAttr::get(b.getContext(), moved(batchOf(false), lhs), moved(batchOf(true), rhs),
                                              moved(contractOf(false), lhs), moved(contractOf(true), rhs));
  Value whole = joined.getDefiningOp<stablehlo::ReshapeOp>().getOperand(),
        rows = build.reshape(other, shapeOf(otherParts));
  auto made = stablehlo::DotGeneralOp::create(b, dot.getLoc(), typeOf(dot).clone(shapeOf(resultParts)),
                                              right ? rows : whole, right ? whole : rows, split,
                                              dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
  const auto last = static_cast<int64_t>(resultParts.back().size());
  Order own = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(made).getRank()));
  // Heads that fill their lanes lie side by side as well.
  const bool fills = parts->back().back() % 128 == 0;
  if (auto other = fills ? std::nullopt : untransposed(made, right)) {
    made.erase();
    made = other->dot;
    own = other->back;
  }
  if (!takesAsTheyLie(made, right, own, last, mxuSide)) return made.erase();
  Value result = build.transpose(made, own);
  dot.replaceAllUsesWith(last > 1 ? joinedLanes(build, result, typeOf(dot), last)
                                  : build.reshape(result, typeOf(dot).getShape()));
  dot.erase();
}

struct FindHeads : impl::FindHeadsPassBase<FindHeads> {
  using FindHeadsPassBase::FindHeadsPassBase;

  void runOnOperation() override {
    SmallVector<stablehlo::ReshapeOp> reshapes;
    getOperation().walk([&](stablehlo::ReshapeOp reshape) { reshapes.push_back(reshape); });
    for (stablehlo::ReshapeOp reshape : reshapes) {
      if (!isPlain(reshape.getOperand())) continue;
      auto parts = partsOf(typeOf(reshape.getOperand()).getShape(), typeOf(reshape.getResult()).getShape());
      if (!parts || !splitsLanes(*parts)) continue;
      OpBuilder b(reshape);
      b.setInsertionPointAfterValue(reshape.getOperand());
      Splitter splitter(b);
      if (!splitter.isMadeByMatmul(reshape.getOperand(), *parts, {})) continue;
      reshape.replaceAllUsesWith(splitter.made(reshape.getOperand(), *parts, {}));
    }
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    for (stablehlo::DotGeneralOp dot : dots) takeHeads(dot, /*right=*/!headsOf(dot.getLhs()), mxuSide);
  }
};

}  // namespace
}  // namespace tpuc::layout
