// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls whose result is split into heads: `[b, s, 768]` into `[b, s, 12, 64]`, of which a tile would hold 64 lanes.
//
//  1. From the reshape that splits back to the matmul, through elementwise ops, broadcasts of biases, slices that part
//     queries, keys and values, and other reshapes that split.
//  2. The matmul's operand is split instead: a weight of `[768, 12, 64]`. Its result has the heads as a dim of its own,
//     in whatever order the layout chooses.
//  3. Only where the result is larger than the weight, which is put in another order for it.
#include "dialects/stablehlo/stablehlo.h"
#include "dialects/stablehlo/traits.h"
#include "passes/builders/build.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_FINDHEADSPASS
#include "passes/layout/passes.h.inc"
namespace {

constexpr int64_t kMostWeight = 2;  // of a matmul's result, at least so many elements for one of the split operand

// By dim of the one shape the sizes that the other one splits it into; nothing where it does more.
using Parts = SmallVector<SmallVector<int64_t>>;
std::optional<Parts> partsOf(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  Parts parts;
  size_t next = 0;
  for (int64_t extent : from) {
    SmallVector<int64_t> own;
    if (extent == 1 && next < to.size() && to[next] == 1) own.push_back(to[next++]);
    for (int64_t product = 1; product < extent;) {
      if (next == to.size()) return std::nullopt;
      own.push_back(to[next]);
      product *= to[next++];
      if (product > extent) return std::nullopt;
    }
    if (llvm::product_of(own) != extent) return std::nullopt;
    parts.push_back(own);
  }
  return next == to.size() ? std::optional(parts) : std::nullopt;
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
  bool leadsToDot(Value v, const Parts &parts, std::optional<Range> range, bool mayHaveUsers = false);
  Value made(Value v, const Parts &parts, std::optional<Range> range);

 private:
  bool mayCut(Value v) const;
  Value madeDot(stablehlo::DotGeneralOp dot, const Parts &parts, std::optional<Range> range);
  Value madeBroadcast(stablehlo::BroadcastInDimOp spread, const Parts &parts);

  OpBuilder &b_;
};

// Whether all users of a value take their own parts of it, which are split.
bool Splitter::mayCut(Value v) const {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  std::optional<int64_t> dim;
  for (Operation *user : v.getUsers()) {
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    auto range = slice ? rangeOf(slice) : std::nullopt;
    if (!range || (dim && *dim != range->dim) || !slice->hasOneUse()) return false;
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(*slice->user_begin());
    if (!reshape || !partsOf(typeOf(slice).getShape(), typeOf(reshape.getResult()).getShape())) return false;
    dim = range->dim;
    taken.push_back({range->low, range->low + range->size});
  }
  llvm::sort(taken);
  for (size_t i = 1; i < taken.size(); ++i)
    if (taken[i].first < taken[i - 1].second) return false;
  return true;
}

bool Splitter::leadsToDot(Value v, const Parts &parts, std::optional<Range> range, bool mayHaveUsers) {
  Operation *op = v.getDefiningOp();
  if (!op || !isPlain(v) || !llvm::all_of(op->getOperands(), isPlain)) return false;
  if (!v.hasOneUse() && !mayHaveUsers) return false;
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    const auto batches = static_cast<int64_t>(dot.getDotDimensionNumbers().getLhsBatchingDimensions().size());
    for (int64_t d = 0; d < batches; ++d)
      if (parts[d].size() != 1 || (range && range->dim == d)) return false;
    // The weight is the operand whose last free dim is split.
    RankedTensorType right = typeOf(dot.getRhs());
    return parts.back().size() > 1 && kMostWeight * right.getNumElements() <= llvm::product_of(shapeOf(parts));
  }
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    auto own = rangeOf(slice);
    return !range && own && mayCut(slice.getOperand()) && leadsToDot(slice.getOperand(), parts, own, true);
  }
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    auto both = range ? std::nullopt : partsOf(typeOf(reshape.getOperand()).getShape(), shapeOf(parts));
    return both && leadsToDot(reshape.getOperand(), *both, {});
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
    if (!leadsToDot(operand, parts, range, mayHaveUsers && llvm::hasSingleElement(operand.getUses()))) return false;
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
    bool splitsLanes = false;
    for (int64_t d = 0; d < rank; ++d) {
      own[d] = {typeOf(v).getDimSize(d)};
      if (llvm::is_contained(batch, d) || llvm::is_contained(contract, d)) continue;
      if (range && range->dim == next) {
        low[d] = range->low;
        high[d] = range->low + range->size;
      }
      own[d] = parts[next++];
      splitsLanes |= d + 1 == rank && own[d].size() > 1;
    }
    // Rows that are split stay where they are; lanes would move: what is contracted lies along them instead.
    for (bool last : {false, true})
      for (int64_t d = 0; d < rank; ++d)
        if ((splitsLanes && llvm::is_contained(contract, d)) == last) order.push_back(d);
    SmallVector<int64_t> shape, places(rank);
    for (int64_t d : order) {
      places[d] = static_cast<int64_t>(shape.size());
      llvm::append_range(shape, own[d]);
    }
    v = build.slice(v, low, high, one);
    operands[right] = build.reshape(llvm::is_sorted(order) ? v : build.transpose(v, order), shape);
    for (int64_t d : batch) batching[right].push_back(places[d]);
    for (int64_t d : contract) contracting[right].push_back(places[d]);
  }
  auto split = stablehlo::DotDimensionNumbersAttr::get(b_.getContext(), batching[0], batching[1], contracting[0],
                                                       contracting[1]);
  return stablehlo::DotGeneralOp::create(b_, dot.getLoc(), typeOf(dot).clone(shapeOf(parts)), operands[0], operands[1],
                                         split, dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
}

Value Splitter::madeBroadcast(stablehlo::BroadcastInDimOp spread, const Parts &parts) {
  Build build{b_, spread.getLoc()};
  Value v = spread.getOperand();
  SmallVector<int64_t> shape, dims, first;
  int64_t place = 0;
  for (const auto &own : parts) {
    first.push_back(place);
    place += static_cast<int64_t>(own.size());
  }
  for (auto [d, to] : llvm::enumerate(spread.getBroadcastDimensions())) {
    if (typeOf(v).getDimSize(d) == 1) continue;  // spread along all of them
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
  Build build{b_, op->getLoc()};
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
      Value cut = spread;
      if (range) {
        SmallVector<int64_t> low(typeOf(cut).getRank(), 0), high(typeOf(cut).getShape()), one(low.size(), 1);
        low[range->dim] = range->low;
        high[range->dim] = range->low + range->size;
        operands.push_back(build.reshape(build.slice(cut, low, high, one), shapeOf(parts)));
      } else {
        operands.push_back(madeBroadcast(spread, parts));
      }
    } else {
      operands.push_back(made(operand, parts, range));
    }
  }
  Operation *split = b_.clone(*op);
  split->setOperands(operands);
  split->getResult(0).setType(typeOf(op->getResult(0)).clone(shapeOf(parts)));
  return split->getResult(0);
}

// Where an operand's contracted dim has just been joined of heads, which lie apart: contracts them as they were. The
// other operand's rows are split, where they stay.
void contractHeads(stablehlo::DotGeneralOp dot, bool right) {
  Value joined = right ? dot.getRhs() : dot.getLhs(), other = right ? dot.getLhs() : dot.getRhs();
  auto reshape = joined.getDefiningOp<stablehlo::ReshapeOp>();
  auto numbers = dot.getDotDimensionNumbers();
  auto contract = right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  auto otherContract = right ? numbers.getLhsContractingDimensions() : numbers.getRhsContractingDimensions();
  if (!reshape || !isPlain(reshape.getOperand()) || !isPlain(other) || contract.size() != 1) return;
  auto heads = reshape.getOperand().getDefiningOp<stablehlo::TransposeOp>();
  auto parts = partsOf(typeOf(joined).getShape(), typeOf(reshape.getOperand()).getShape());
  const int64_t k = contract[0], otherK = otherContract[0];
  if (!heads || !parts || (*parts)[k].size() < 2 || otherK + 1 == typeOf(other).getRank()) return;
  for (auto [d, own] : llvm::enumerate(*parts))
    if (static_cast<int64_t>(d) != k && own.size() != 1) return;
  OpBuilder b(dot);
  Build build{b, dot.getLoc()};
  const auto more = static_cast<int64_t>((*parts)[k].size()) - 1;
  SmallVector<int64_t> shape(typeOf(other).getShape());
  shape.erase(shape.begin() + otherK);
  shape.insert(shape.begin() + otherK, (*parts)[k].begin(), (*parts)[k].end());
  auto moved = [&](ArrayRef<int64_t> dims, int64_t behind) {
    return llvm::map_to_vector(dims, [&](int64_t d) { return d > behind ? d + more : d; });
  };
  auto counted = [&](int64_t first) { return llvm::to_vector(llvm::seq<int64_t>(first, first + more + 1)); };
  const int64_t lhsK = right ? otherK : k, rhsK = right ? k : otherK;
  auto split = stablehlo::DotDimensionNumbersAttr::get(b.getContext(), moved(numbers.getLhsBatchingDimensions(), lhsK),
                                                       moved(numbers.getRhsBatchingDimensions(), rhsK), counted(lhsK),
                                                       counted(rhsK));
  Value rows = build.reshape(other, shape), whole = reshape.getOperand();
  Value made =
      stablehlo::DotGeneralOp::create(b, dot.getLoc(), dot.getType(), right ? rows : whole, right ? whole : rows, split,
                                      dot.getPrecisionConfigAttr(), dot.getAlgorithmAttr());
  dot.replaceAllUsesWith(made);
  dot.erase();
}

struct FindHeads : impl::FindHeadsPassBase<FindHeads> {
  void runOnOperation() override {
    SmallVector<stablehlo::ReshapeOp> reshapes;
    getOperation().walk([&](stablehlo::ReshapeOp reshape) { reshapes.push_back(reshape); });
    for (stablehlo::ReshapeOp reshape : reshapes) {
      if (!isPlain(reshape.getOperand())) continue;
      auto parts = partsOf(typeOf(reshape.getOperand()).getShape(), typeOf(reshape.getResult()).getShape());
      if (!parts || parts->empty() || parts->back().size() < 2 || parts->back().back() % 128 == 0) continue;
      OpBuilder b(reshape);
      Splitter splitter(b);
      if (!splitter.leadsToDot(reshape.getOperand(), *parts, {})) continue;
      reshape.replaceAllUsesWith(splitter.made(reshape.getOperand(), *parts, {}));
    }
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    for (stablehlo::DotGeneralOp dot : dots) contractHeads(dot, /*right=*/false);
  }
};

}  // namespace
}  // namespace tpuc::layout
