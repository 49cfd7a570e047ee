// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. spread(): a value's order decides that of everything that is computed dim by dim with it, breadth first.
// 2. What an op asks of its other values is in relate_orders.cpp.
// 3. apply(), in write_orders.cpp.
#include "passes/layout/array_orders.h"

#include "dialects/kernel/order.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/analysis/domain.h"
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
  if (mlir::isa<stablehlo::DynamicUpdateSliceOp>(op)) return relateUpdate(op, op->getOperand(1));
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) return *relateScatter(scatter, scatter.getUpdates()[0]);
  if (mlir::isa<stablehlo::ReshapeOp>(op))
    return relate(op, orderOf(op->getOperand(0)).empty() ? op->getResult(0) : op->getOperand(0));
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

int64_t ArrayOrders::bytesSummedInTiles() const {
  int64_t bytes = 0;
  for (Operation *op : inside_)
    if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
      if (ArrayRef<int64_t> order = orderOf(reduce.getInputs()[0]); order.size() > 1)
        if (llvm::any_of(order.take_back(2), [&](int64_t d) { return llvm::is_contained(reduce.getDimensions(), d); }))
          bytes += analysis::paddedBytes(permuted(typeOf(reduce.getInputs()[0]), order));
  return bytes;
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
