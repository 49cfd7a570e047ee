// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. spread(): a value's order decides that of everything that is computed dim by dim with it, breadth first.
// 2. apply(), in write_orders.cpp.
#include "passes/layout/array_orders.h"

#include "dialects/kernel/order.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/dot_roles.h"
#include "passes/analysis/scan.h"
#include "passes/builders/build.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
namespace {

constexpr int64_t kLanes = 128;  // of a tile

constexpr int64_t kSmall = int64_t{1} << 16;  // bytes that may be transposed where something else needs them
constexpr int64_t kMoved = 2;                 // a kernel of its own, next to values of which most never leave one

bool isLeaf(Value v) {
  return v.getDefiningOp<stablehlo::IotaOp>() || v.getDefiningOp<stablehlo::BroadcastInDimOp>() ||
         v.getDefiningOp<stablehlo::ConstantOp>();
}

// An order of `rank` dims in which `kept` of them come as `order` says, in the places that they have.
Order extended(ArrayRef<int64_t> order, ArrayRef<int64_t> kept, int64_t rank) {
  Order out = llvm::to_vector(llvm::seq<int64_t>(0, rank)), places(kept);
  llvm::sort(places);
  for (auto [i, place] : llvm::enumerate(places)) out[place] = kept[order[i]];
  return out;
}

Order rolesOf(DenseI64ArrayAttr dims) { return Order(dims.asArrayRef()); }

}  // namespace

bool takesOrders(RankedTensorType type) {
  Type element = type.getElementType();
  return type.getRank() >= 2 && type.hasStaticShape() && element.isIntOrFloat() &&
         llvm::is_contained({8u, 16u, 32u}, element.getIntOrFloatBitWidth());
}

Order unitsFirst(Order order, RankedTensorType type) {
  std::stable_partition(order.begin(), order.end(), [&](int64_t d) { return type.getDimSize(d) == 1; });
  return order;
}

Order induced(ArrayRef<int64_t> order, ArrayRef<int64_t> kept) {
  Order out;
  for (int64_t d : order)
    if (auto *it = llvm::find(kept, d); it != kept.end()) out.push_back(it - kept.begin());
  return out;
}

SmallVector<int64_t> longDims(Value v) {
  SmallVector<int64_t> out;
  for (auto [d, size] : llvm::enumerate(typeOf(v).getShape()))
    if (size != 1) out.push_back(d);
  return out;
}

bool onlyUnits(stablehlo::ReshapeOp op) {
  auto sizes = [](Value v) {
    return llvm::map_to_vector(longDims(v), [&](int64_t d) { return typeOf(v).getDimSize(d); });
  };
  return sizes(op.getOperand()) == sizes(op);
}

bool isIdentity(ArrayRef<int64_t> order) { return llvm::is_sorted(order); }

bool movesElements(RankedTensorType from, ArrayRef<int64_t> permutation) {
  int64_t last = -1;
  for (int64_t d : permutation) {
    if (from.getDimSize(d) == 1) continue;
    if (d < last) return true;
    last = d;
  }
  return false;
}

RankedTensorType permuted(RankedTensorType type, ArrayRef<int64_t> order) {
  return type.clone(inOrder(type.getShape(), order));
}

void ownLeaves(func::FuncOp main) {
  SmallVector<Operation *> shared;
  main.walk([&](Operation *op) {
    auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
    bool leaf = mlir::isa<stablehlo::ConstantOp, stablehlo::IotaOp>(op) ||
                (broadcast && typeOf(broadcast.getOperand()).getRank() < 2);
    if (leaf && typeOf(op->getResult(0)).getRank() > 1 && !op->getResult(0).hasOneUse()) shared.push_back(op);
  });
  for (Operation *op : shared) {
    OpBuilder b(op);
    for (OpOperand &use : llvm::make_early_inc_range(op->getResult(0).getUses())) use.set(b.clone(*op)->getResult(0));
    op->erase();
  }
}

SmallVector<Order> tileOrders(int64_t rank) {
  SmallVector<Order> out;
  for (int64_t lanes = rank - 1; lanes >= 0; --lanes)
    for (int64_t rows = rank - 1; rows >= 0; --rows) {
      if (rows == lanes) continue;
      Order &order = out.emplace_back();
      for (int64_t d = 0; d < rank; ++d)
        if (d != rows && d != lanes) order.push_back(d);
      order.append({rows, lanes});
    }
  return out;
}

ArrayRef<int64_t> ArrayOrders::orderOf(Value v) const {
  auto it = orders_.find(v);
  return it == orders_.end() ? ArrayRef<int64_t>() : ArrayRef<int64_t>(it->second);
}

void ArrayOrders::count(Value v, ArrayRef<int64_t> order) {
  if (isLeaf(v)) return;
  if (isIdentity(order)) {
    kept_ += analysis::paddedBytes(typeOf(v));
    return;
  }
  before_ += analysis::paddedBytes(typeOf(v));
  after_ += analysis::paddedBytes(permuted(typeOf(v), order));
}

bool ArrayOrders::set(Value v, ArrayRef<int64_t> order) {
  if (rankOf(v) < 2) return true;
  if (auto known = orderOf(v); !known.empty()) return known == order;
  Type element = typeOf(v).getElementType();
  if (!typeOf(v).hasStaticShape() || !element.isIntOrFloat() ||
      !llvm::is_contained({1u, 8u, 16u, 32u}, element.getIntOrFloatBitWidth()))
    return false;
  count(v, order);  // first: `order` may lie in the map, which may grow
  orders_.insert({v, Order(order)});
  work_.push_back(v);
  return true;
}

bool ArrayOrders::spread(Value from, ArrayRef<int64_t> order) { return set(from, order) && finish(); }

bool ArrayOrders::finish() {
  // An operand that is spread over more dims says little of their order, nor does a result with fewer where it has to
  // wait: all others go first.
  for (size_t next = 0; !work_.empty() || next < later_.size();) {
    last_ = work_.empty();
    Operation *op = last_ ? later_[next++] : nullptr;
    bool agrees = !op ? visit(work_.pop_back_val()) : byLane_ ? spreadsLane(op) : relateLast(op);
    if (!agrees) return false;
  }
  return true;
}

bool ArrayOrders::relateLast(Operation *op) {
  if (!mlir::isa<stablehlo::ReduceOp>(op)) return relateBroadcast(op);
  return relateReduce(op, *llvm::find_if(op->getResults(), [&](Value v) { return !orderOf(v).empty(); }));
}

bool ArrayOrders::setLike(Value v, Value other) {
  return byLane_ ? setLane(v, lanes_.lookup(other)) : set(v, orderOf(other));
}

bool ArrayOrders::visit(Value v) {
  if (Operation *op = v.getDefiningOp()) {
    if (!relate(op, v)) return false;
  } else {
    Operation *parent = v.getParentBlock()->getParentOp();
    auto main = dyn_cast<func::FuncOp>(parent);
    if (main && !takesOrder(v)) return false;
    if (main &&
        (main.getName() != "main" || main.getArgAttr(mlir::cast<BlockArgument>(v).getArgNumber(), kernel::kOrderAttr)))
      return false;
    if (!main && !relateRegions(parent, v)) return false;
  }
  return llvm::all_of(v.getUsers(), [&](Operation *user) { return relate(user, v); });
}

// Where the dims go back to their places by a transpose.
bool ArrayOrders::end(Value v) {
  if (isIdentity(orderOf(v)) || analysis::paddedBytes(typeOf(v)) <= kSmall) return true;
  if (forMoves_)
    after_ += kMoved * (analysis::paddedBytes(typeOf(v)) + analysis::paddedBytes(permuted(typeOf(v), orderOf(v))));
  return forMoves_;
}

// What the program is given and gives isn't blown up for the sake of a transpose.
bool ArrayOrders::takesOrder(Value v) const {
  return !forMoves_ ||
         2 * analysis::paddedBytes(permuted(typeOf(v), orderOf(v))) <= 3 * analysis::paddedBytes(typeOf(v));
}

// The transposes' bytes: a dot takes and gives its dims in any order.
int64_t ArrayOrders::moved(bool after) const {
  int64_t bytes = 0;
  for (Operation *op : inside_) {
    auto transpose = dyn_cast<stablehlo::TransposeOp>(op);
    auto dot = transpose ? transpose.getOperand().getDefiningOp<stablehlo::DotGeneralOp>() : stablehlo::DotGeneralOp();
    if (!transpose || (dot && dot->hasOneUse()) ||
        llvm::all_of(transpose->getUsers(), [](Operation *user) { return mlir::isa<stablehlo::DotGeneralOp>(user); }))
      continue;
    auto typeAt = [&](Value v) { return after && !orderOf(v).empty() ? permuted(typeOf(v), orderOf(v)) : typeOf(v); };
    RankedTensorType from = typeAt(transpose.getOperand());
    if (movesElements(from, after ? permutationAfter(transpose) : Order(transpose.getPermutation())))
      bytes += kMoved * (analysis::paddedBytes(from) + analysis::paddedBytes(typeAt(transpose)));
  }
  return bytes;
}

Order ArrayOrders::permutationAfter(stablehlo::TransposeOp op) const {
  auto at = [&](Value v) {
    ArrayRef<int64_t> order = orderOf(v);
    return order.empty() ? llvm::to_vector(llvm::seq<int64_t>(0, rankOf(v))) : Order(order);
  };
  Order from = inverse(at(op.getOperand()));
  return llvm::map_to_vector(at(op), [&](int64_t d) { return from[op.getPermutation()[d]]; });
}

bool reachesAlong(stablehlo::ReduceWindowOp window, int64_t d) {
  auto isOne = [&](std::optional<ArrayRef<int64_t>> values) { return !values || (*values)[d] == 1; };
  auto padding = window.getPadding();
  bool pads = padding && (padding->getValues<int64_t>()[2 * d] != 0 || padding->getValues<int64_t>()[2 * d + 1] != 0);
  return pads || window.getWindowDimensions()[d] != 1 || !isOne(window.getWindowStrides()) ||
         !isOne(window.getBaseDilations());
}

// What `v`'s order asks of the op's other values.
bool ArrayOrders::relate(Operation *op, Value v) {
  if (byLane_) return relateLane(op, v);
  Order order(orderOf(v));
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    ends_.insert(op);
    return !forMoves_ || (v == dot.getResult() || keepsFreeDims(dot, v)) || end(v);
  }
  if (turnsInput(op, v)) {
    ends_.insert(op);
    turned_.insert(op);
    return true;
  }
  if (mlir::isa<func::ReturnOp>(op)) return takesOrder(v);
  if (mlir::isa<stablehlo::ReturnOp>(op)) return relateRegions(op->getParentOp(), v);
  if (mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) return relateRegions(op, v);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op);
      (constant && constant.getValue().isSplat() && v.hasOneUse()) || mlir::isa<stablehlo::IotaOp>(op)) {
    inside_.insert(op);
    return true;
  }
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op); reshape && onlyUnits(reshape)) {
    inside_.insert(op);
    return v == reshape.getOperand() ? relateReshape(v, reshape) : relateReshape(v, reshape.getOperand());
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    inside_.insert(op);
    Order dims = rolesOf(transpose.getPermutationAttr());
    if (v == transpose.getResult()) return set(transpose.getOperand(), inOrder<int64_t>(dims, order));
    return set(transpose, inOrder<int64_t>(inverse(dims), order));
  }
  if (mlir::isa<stablehlo::BroadcastInDimOp>(op)) return relateBroadcast(op);
  if (mlir::isa<stablehlo::ReduceOp>(op)) return relateReduce(op, v);
  if (mlir::isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op)) return relateUpdate(op, v);
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op); scatter && v != scatter.getScatterIndices())
    if (std::optional<bool> agrees = relateScatter(scatter, v)) return *agrees;
  if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
    if (std::optional<bool> agrees = relateGather(gather, v)) return *agrees;
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    // Its kernel takes no windows along lanes.
    if (!analysis::scanOf(window) && reachesAlong(window, order.back())) return false;
    inside_.insert(op);
    return llvm::all_of(window.getInputs(), [&](Value x) { return set(x, order); }) &&
           llvm::all_of(op->getResults(), [&](Value x) { return set(x, order); });
  }
  if (op->hasTrait<stablehlo::IsElementwise>() ||
      mlir::isa<stablehlo::SliceOp, stablehlo::PadOp, stablehlo::ConcatenateOp, stablehlo::ReverseOp>(op)) {
    inside_.insert(op);
    return llvm::all_of(op->getOperands(), [&](Value x) { return rankOf(x) == 0 || set(x, order); }) &&
           llvm::all_of(op->getResults(), [&](Value x) { return set(x, order); });
  }
  ends_.insert(op);
  return end(v);
}

// Whether `v` is the input of a convolution whose kernel turns it from the order that it takes here.
bool ArrayOrders::turnsInput(Operation *op, Value v) const {
  auto conv = dyn_cast<stablehlo::ConvolutionOp>(op);
  return conv && v == conv.getLhs() && v != conv.getRhs() && analysis::mayTurnInput(conv, orderOf(v));
}

bool ArrayOrders::relateReshape(Value from, Value to) {
  Order dims = induced(orderOf(from), longDims(from)), out;
  SmallVector<int64_t> its = longDims(to);
  if (ArrayRef<int64_t> known = orderOf(to); !known.empty()) return induced(known, its) == dims;
  for (int64_t d = 0; d < rankOf(to); ++d)
    if (!llvm::is_contained(its, d)) out.push_back(d);
  for (int64_t d : dims) out.push_back(its[d]);
  return set(to, out);
}

bool ArrayOrders::relateBroadcast(Operation *op) {
  auto broadcast = mlir::cast<stablehlo::BroadcastInDimOp>(op);
  inside_.insert(op);
  Order dims = rolesOf(broadcast.getBroadcastDimensionsAttr());
  if (ArrayRef<int64_t> known = orderOf(broadcast); !known.empty())
    return set(broadcast.getOperand(), induced(known, dims));
  if (!last_) {
    later_.push_back(op);
    return true;
  }
  Order best = unitsFirst(extended(orderOf(broadcast.getOperand()), dims, rankOf(broadcast)), typeOf(broadcast));
  for (Order &order : tileOrders(rankOf(broadcast)))
    if (induced(order, dims) == orderOf(broadcast.getOperand()) &&
        analysis::paddedBytes(permuted(typeOf(broadcast), order)) <
            analysis::paddedBytes(permuted(typeOf(broadcast), best)))
      best = order;
  return set(broadcast, best);
}

bool ArrayOrders::relateReduce(Operation *op, Value v) {
  auto reduce = mlir::cast<stablehlo::ReduceOp>(op);
  inside_.insert(op);
  int64_t rank = rankOf(reduce->getOperand(0));
  Order kept, order(orderOf(v));
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(reduce.getDimensions(), d)) kept.push_back(d);
  if (ArrayRef<int64_t> known = orderOf(op->getOperand(0)); !known.empty()) {
    order = Order(known);
  } else if (v.getDefiningOp() == op) {
    if (sumsWait_ && !last_) {
      later_.push_back(op);
      return true;
    }
    order = extended(order, kept, rank);
  }
  unsigned count = op->getNumResults();
  return llvm::all_of(op->getOperands().take_front(count), [&](Value x) { return set(x, order); }) &&
         llvm::all_of(op->getResults(), [&](Value x) { return set(x, induced(order, kept)); });
}

bool takesPart(Operation *op, ArrayRef<int64_t> order) {
  Value part = mlir::isa<stablehlo::DynamicSliceOp>(op) ? op->getResult(0) : op->getOperand(1),
        whole = op->getOperand(0);
  int64_t lanes = order.back(), rows = order[order.size() - 2];
  auto moves = [&](int64_t d) { return typeOf(part).getDimSize(d) != typeOf(whole).getDimSize(d); };
  return !moves(lanes) && !(moves(rows) && mlir::isa<stablehlo::DynamicSliceOp>(op));
}

bool ArrayOrders::relateUpdate(Operation *op, Value v) {
  inside_.insert(op);
  Order order(orderOf(v));
  Value part = mlir::isa<stablehlo::DynamicSliceOp>(op) ? op->getResult(0) : op->getOperand(1),
        whole = op->getOperand(0);
  if (!takesPart(op, order)) return false;
  return set(part, order) && set(whole, order) && set(op->getResult(0), order);
}

// The operand's dims that windows have.
static SmallVector<int64_t> windowDims(stablehlo::ScatterOp op) {
  SmallVector<int64_t> out;
  for (int64_t d = 0; d < rankOf(op.getInputs()[0]); ++d)
    if (auto numbers = op.getScatterDimensionNumbers(); !llvm::is_contained(numbers.getInsertedWindowDims(), d) &&
                                                        !llvm::is_contained(numbers.getInputBatchingDims(), d))
      out.push_back(d);
  return out;
}

// Of windows that take the place of what was there, all of the lanes: transfers put them in any order of dims. Nothing
// for others, which have kernels of their own.
std::optional<bool> ArrayOrders::relateScatter(stablehlo::ScatterOp op, Value v) {
  auto numbers = op.getScatterDimensionNumbers();
  Block &body = op.getUpdateComputation().front();
  if (op.getInputs().size() != 1 || body.getTerminator()->getOperand(0) != body.getArgument(1)) return std::nullopt;
  Value whole = op.getInputs()[0], updates = op.getUpdates()[0];
  const SmallVector<int64_t> own = windowDims(op);
  ArrayRef<int64_t> theirs = numbers.getUpdateWindowDims();
  if (own.size() < 2) return std::nullopt;
  inside_.insert(op);
  ArrayRef<int64_t> known = v == updates ? orderOf(whole) : orderOf(v);
  Order order = known.empty() ? extended(induced(orderOf(v), theirs), own, rankOf(whole)) : Order(known),
        part = extended(induced(order, own), theirs, rankOf(updates));
  auto *lanes = llvm::find(own, order.back());
  if (lanes == own.end() ||
      typeOf(updates).getDimSize(theirs[lanes - own.begin()]) != typeOf(whole).getDimSize(order.back()))
    return false;
  return set(updates, part) && set(whole, order) && set(op.getResult(0), order);
}

// Of windows that have the lanes: they go anywhere, so the other dims come in any order, which is the indices'. Nothing
// for others.
std::optional<bool> ArrayOrders::relateGather(stablehlo::GatherOp op, Value v) {
  auto numbers = op.getDimensionNumbers();
  Value indices = op.getStartIndices(), result = op.getResult();
  ArrayRef<int64_t> windows = numbers.getOffsetDims();
  if (windows.empty() || windows.back() != rankOf(result) - 1 || numbers.getIndexVectorDim() != rankOf(indices) ||
      ends_.contains(op))
    return std::nullopt;
  if (v == op.getOperand() && isIdentity(orderOf(v))) return true;  // it asks nothing of the others
  if (v == op.getOperand()) return inside_.contains(op) ? std::optional(false) : std::nullopt;
  SmallVector<int64_t> theirs;
  for (int64_t d = 0; d < rankOf(result); ++d)
    if (!llvm::is_contained(windows, d)) theirs.push_back(d);
  ArrayRef<int64_t> known = orderOf(result);
  const Order order = known.empty() ? extended(orderOf(indices), theirs, rankOf(result)) : Order(known);
  if (!isIdentity(induced(order, windows)) || order.back() != windows.back()) return std::nullopt;
  inside_.insert(op);
  return set(result, order) && set(indices, induced(order, theirs));
}

bool ArrayOrders::relateRegions(Operation *op, Value v) {
  auto setAll = [&](int64_t i) {
    for (Region &region : op->getRegions()) {
      Block &block = region.front();
      if (mlir::isa<stablehlo::WhileOp>(op) && !setLike(block.getArgument(i), v)) return false;
      if (&region != &op->getRegion(0) || !mlir::isa<stablehlo::WhileOp>(op))
        if (!setLike(block.getTerminator()->getOperand(i), v)) return false;
    }
    return (!mlir::isa<stablehlo::WhileOp>(op) || setLike(op->getOperand(i), v)) && setLike(op->getResult(i), v);
  };
  if (!mlir::isa<stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp>(op)) return false;
  for (int64_t i = 0; i < op->getNumResults(); ++i) {
    bool is = op->getResult(i) == v || (mlir::isa<stablehlo::WhileOp>(op) && op->getOperand(i) == v);
    for (Region &region : op->getRegions()) {
      Block &block = region.front();
      is |= (i < block.getNumArguments() && block.getArgument(i) == v) ||
            (i < block.getTerminator()->getNumOperands() && block.getTerminator()->getOperand(i) == v);
    }
    if (is && !setAll(i)) return false;
  }
  return true;
}

bool ArrayOrders::rowsStay() const {
  return llvm::all_of(inside_, [&](Operation *op) {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    if (!reduce) return true;
    return llvm::all_of(reduce.getInputs(), [&](Value v) {
      ArrayRef<int64_t> order = orderOf(v);
      if (order.empty() || typeOf(v).getShape().back() < kLanes)
        return true;  // lanes that are mostly padding are no row
      if (!llvm::is_contained(reduce.getDimensions(), static_cast<int64_t>(order.size()) - 1)) return true;
      return llvm::is_contained(reduce.getDimensions(), order.back());
    });
  });
}

}  // namespace tpuc::layout
