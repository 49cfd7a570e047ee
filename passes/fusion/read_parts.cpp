// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concatenations along lanes, and pads of what a kernel makes, as selects between arrays of the whole's shape: a loop
// reads each part where it lies, and what made it or uses it joins the kernel.
//
//  1. A part as the whole sees it: its own elements in their places, anything elsewhere. Elementwise ops and broadcasts
//     leave that to their operands; a slice becomes another view of its array, or all of it.
//  2. Which part an element is of: its position against the places where parts end.
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/elementary.h"
#include "passes/fusion/group.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Elements that an array grows by along each dim; less than 0: that it loses.
struct Edges {
  SmallVector<int64_t> low, high;

  explicit Edges(int64_t rank) : low(rank, 0), high(rank, 0) {}
  bool operator==(const Edges &) const = default;
  bool empty() const {
    return llvm::all_of(llvm::concat<const int64_t>(low, high), [](int64_t n) { return n == 0; });
  }
  bool shrink() const {
    return llvm::all_of(llvm::concat<const int64_t>(low, high), [](int64_t n) { return n <= 0; });
  }
  RankedTensorType grown(RankedTensorType type) const {
    SmallVector<int64_t> shape(type.getShape());
    for (auto [d, size] : llvm::enumerate(shape)) size += low[d] + high[d];
    return type.clone(shape);
  }
};

class Parts {
 public:
  explicit Parts(Operation *at) : b_(at), at_(at) {}
  // `v` grown, the new elements anything; null where a loop could not read it so.
  Value seen(Value v, const Edges &edges);
  // What was made is not wanted.
  void erase() {
    for (Operation *op : llvm::reverse(made_)) op->erase();
    made_.clear();
  }
  template <typename Op, typename... Args>
  Op make(Args &&...args) {
    auto op = Op::create(b_, at_->getLoc(), std::forward<Args>(args)...);
    made_.push_back(op);
    return op;
  }
  // Whether each element's position along `d` is less than `end`.
  Value isBefore(RankedTensorType type, int64_t d, int64_t end);
  Value splat(RankedTensorType type, Attribute value) {
    return make<stablehlo::ConstantOp>(cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, value))));
  }

 private:
  Value grown(Value v, const Edges &edges);
  Value view(Value v, const Edges &edges);
  Value ofOperands(Operation *op, const Edges &edges);
  Value positions(stablehlo::IotaOp iota, const Edges &edges);

  OpBuilder b_;
  Operation *at_;
  SmallVector<Operation *> made_;
  SmallVector<std::tuple<Value, Edges, Value>> known_;
};

Value Parts::isBefore(RankedTensorType type, int64_t d, int64_t end) {
  RankedTensorType numbers = type.clone(b_.getI32Type());
  Value position = make<stablehlo::IotaOp>(numbers, d);
  return make<stablehlo::CompareOp>(position, splat(numbers, b_.getI32IntegerAttr(end)),
                                    stablehlo::ComparisonDirection::LT);
}

Value Parts::seen(Value v, const Edges &edges) {
  if (edges.empty()) return v;
  for (auto &[of, by, is] : known_)
    if (of == v && by == edges) return is;
  Value out = grown(v, edges);
  if (out) known_.push_back({v, edges, out});
  return out;
}

// An array where it lies.
Value Parts::view(Value v, const Edges &edges) {
  RankedTensorType type = typeOf(v);
  SmallVector<int64_t> limits(type.getShape()), starts(edges.low), none(type.getRank(), 0), ones(type.getRank(), 1);
  Operation *op;
  if (edges.shrink()) {
    for (auto [d, limit] : llvm::enumerate(limits)) limit += edges.high[d], starts[d] = -starts[d];
    op = make<stablehlo::SliceOp>(edges.grown(type), v, starts, limits, ones);
  } else {
    Value zero = splat(RankedTensorType::get({}, type.getElementType()), b_.getZeroAttr(type.getElementType()));
    op = make<stablehlo::PadOp>(edges.grown(type), v, zero, edges.low, edges.high, none);
  }
  return analysis::isTileView(op) ? op->getResult(0) : Value();
}

Value Parts::grown(Value v, const Edges &edges) {
  Operation *op = v.getDefiningOp();
  if (!op || op->getBlock() != at_->getBlock()) return view(v, edges);
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    if (llvm::any_of(slice.getStrides(), [](int64_t s) { return s != 1; })) return {};
    Edges wider(edges);
    for (auto [d, start, limit] : llvm::enumerate(slice.getStartIndices(), slice.getLimitIndices())) {
      wider.low[d] -= start;
      wider.high[d] -= typeOf(slice.getOperand()).getDimSize(d) - limit;
    }
    return seen(slice.getOperand(), wider);
  }
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op); constant && constant.getValue().isSplat())
    return splat(edges.grown(typeOf(v)), cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>());
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) return positions(iota, edges);
  const bool isAlone = op->hasOneUse() || isCheap(op);
  if (mlir::isa<stablehlo::BroadcastInDimOp>(op) || (mlir::isa<stablehlo::ReshapeOp>(op) && analysis::walksDims(op)) ||
      (isAlone && isPointwise(op) && !analysis::elementaryCost(op)))
    return ofOperands(op, edges);
  return view(v, edges);
}

// Which dim of the result each of an operand's is; -1: none.
SmallVector<int64_t> dimsIn(Operation *op, Value operand) {
  RankedTensorType type = typeOf(operand);
  SmallVector<int64_t> to = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op))
    for (auto [d, in] : llvm::enumerate(broadcast.getBroadcastDimensions())) to[d] = type.getDimSize(d) == 1 ? -1 : in;
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) {
    to.assign(type.getRank(), -1);
    auto ties = analysis::unitReshapeTies(type, reshape.getType());  // outlives the loop
    for (auto [d, in] : *ties) to[d] = in;
  }
  return to;
}

Value Parts::ofOperands(Operation *op, const Edges &edges) {
  if (op->getNumResults() != 1 || op->getNumRegions()) return {};
  SmallVector<Value> operands;
  for (Value v : op->getOperands()) {
    Edges own(typeOf(v).getRank()), rest(edges);
    for (auto [d, to] : llvm::enumerate(dimsIn(op, v))) {
      if (to < 0) continue;
      own.low[d] = std::exchange(rest.low[to], 0);
      own.high[d] = std::exchange(rest.high[to], 0);
    }
    if (mlir::isa<stablehlo::ReshapeOp>(op) && !rest.empty()) return {};
    operands.push_back(seen(v, own));
    if (!operands.back()) return {};
  }
  Operation *out = b_.clone(*op);
  made_.push_back(out);
  out->setOperands(operands);
  out->getResult(0).setType(edges.grown(typeOf(op->getResult(0))));
  return out->getResult(0);
}

// Positions, of which the first is the array's.
Value Parts::positions(stablehlo::IotaOp iota, const Edges &edges) {
  const auto d = static_cast<int64_t>(iota.getIotaDimension());
  RankedTensorType type = edges.grown(iota.getType());
  if (!edges.low[d]) return make<stablehlo::IotaOp>(type, d);
  if (!type.getElementType().isInteger(32)) return {};
  return make<stablehlo::SubtractOp>(make<stablehlo::IotaOp>(type, d),
                                     splat(type, b_.getIntegerAttr(type.getElementType(), edges.low[d])));
}

// What nothing uses any more, with what only it used.
void eraseUnused(Operation *op) {
  SmallVector<Operation *> work{op};
  while (!work.empty()) {
    Operation *dead = work.pop_back_val();
    if (!dead->use_empty() || !isMemoryEffectFree(dead)) continue;
    llvm::SetVector<Operation *> operands;
    for (Value v : dead->getOperands())
      if (v.getDefiningOp()) operands.insert(v.getDefiningOp());
    llvm::erase(work, dead);
    dead->erase();
    work.append(operands.begin(), operands.end());
  }
}

void replace(Operation *op, Value by) {
  op->replaceAllUsesWith(ValueRange(by));
  eraseUnused(op);
}

// Positions along the dim of which whole tiles move by themselves.
int64_t tileOf(RankedTensorType type, int64_t d) {
  const int64_t rank = type.getRank(), pack = analysis::packingOf(type.getElementType());
  return d == rank - 1 ? 128 : d == rank - 2 && pack > 1 ? 8 * pack : 1;
}

// What the parts take, where a copy moves each element once. A kernel walks few parts one after the other, at most two
// of them at a vreg (lowering/grid/stretches.h); of many it evaluates all at every vreg.
bool pays(stablehlo::ConcatenateOp concat, const plan::Question &question) {
  constexpr int64_t kPart = 3;  // cycles of a vreg: two permutations, a select, where they are
  constexpr int64_t kFew = 5;
  const auto inputs = static_cast<int64_t>(concat.getInputs().size()), evaluated = inputs <= kFew ? 2 : inputs;
  RankedTensorType type = concat.getType();
  int64_t vregs = 1;
  for (auto [d, size] : llvm::enumerate(type.getShape())) {
    const int64_t left = type.getRank() - static_cast<int64_t>(d);
    vregs *= left == 1 ? llvm::divideCeil(size, 128) : left == 2 ? llvm::divideCeil(size, 8) : size;
  }
  const auto work = static_cast<double>(vregs * kPart * evaluated);
  return work <= 4 * question.cyclesToWrite(type);
}

void join(stablehlo::ConcatenateOp concat, const plan::Question &question) {
  RankedTensorType type = concat.getType();
  const int64_t rank = type.getRank(), dim = static_cast<int64_t>(concat.getDimension());
  if (rank < 2 || dim + 1 < rank || concat.getInputs().size() < 2 || !pays(concat, question)) return;
  int64_t at = 0;
  bool apart = false;  // parts begin within tiles
  for (Value v : concat.getInputs()) {
    apart |= at % tileOf(type, dim) != 0;
    at += typeOf(v).getDimSize(dim);
  }
  if (!apart) return;
  Parts parts(concat);
  Value out;
  for (Value v : llvm::reverse(concat.getInputs())) {
    const int64_t end = at;
    at -= typeOf(v).getDimSize(dim);
    if (end == at) continue;
    Edges edges(rank);
    edges.low[dim] = at;
    edges.high[dim] = type.getDimSize(dim) - end;
    Value part = parts.seen(v, edges);
    if (!part) return parts.erase();
    out = out ? parts.make<stablehlo::SelectOp>(parts.isBefore(type, dim, end), part, out) : part;
  }
  if (out) replace(concat, out);
}

// A pad that reads a slice, or what its kernel could make.
void spread(stablehlo::PadOp pad) {
  RankedTensorType type = pad.getType(), from = typeOf(pad.getOperand());
  Attribute value;
  if (!analysis::isShuffledView(pad) || !matchPattern(pad.getPaddingValue(), m_Constant(&value)) ||
      llvm::any_of(pad.getInteriorPadding(), [](int64_t n) { return n != 0; }))
    return;
  Edges edges(type.getRank());
  edges.low.assign(pad.getEdgePaddingLow().begin(), pad.getEdgePaddingLow().end());
  edges.high.assign(pad.getEdgePaddingHigh().begin(), pad.getEdgePaddingHigh().end());
  if (edges.shrink()) return;
  Parts parts(pad);
  Value out = parts.seen(pad.getOperand(), edges);
  if (auto same = out ? out.getDefiningOp<stablehlo::PadOp>() : nullptr;
      !out || (same && same.getOperand() == pad.getOperand()))
    return parts.erase();
  Value padding = parts.splat(type, cast<DenseElementsAttr>(value).getSplatValue<Attribute>());
  for (int64_t d = 0; d < type.getRank(); ++d) {
    const int64_t low = edges.low[d], end = low + from.getDimSize(d);
    if (low > 0) out = parts.make<stablehlo::SelectOp>(parts.isBefore(type, d, low), padding, out);
    if (end < type.getDimSize(d)) out = parts.make<stablehlo::SelectOp>(parts.isBefore(type, d, end), out, padding);
  }
  replace(pad, out);
}

}  // namespace

void readParts(func::FuncOp func, const plan::Question &question) {
  SmallVector<Operation *> moves;
  func.walk([&](Operation *op) {
    if (mlir::isa<stablehlo::ConcatenateOp, stablehlo::PadOp>(op) && isCopyOp(op)) moves.push_back(op);
  });
  for (Operation *op : moves)
    if (auto concat = dyn_cast<stablehlo::ConcatenateOp>(op))
      join(concat, question);
    else
      spread(cast<stablehlo::PadOp>(op));
}

}  // namespace tpuc::fusion
