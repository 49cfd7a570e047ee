// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Each array that another order of its dims would make a third smaller in memory, and what is computed with it, dim
//    by dim (array_orders.h).
// 2. The first order, by bytes, that all of them can take and that the dots among them stream.
// 3. The same once more of those that cannot, with updates and gathers that leave more open.
// 4. Of those that cannot so either: a dim that goes to the lanes, where that saves far more than what has to be
//    transposed for it.
// 5. Of an argument that reshapes alone read, and that none of this moved: dims of one element first.
#include "dialects/kernel/order.h"
#include "passes/analysis/domain.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_ORDERARRAYSPASS
#include "passes/layout/passes.h.inc"
namespace {

// The orders that differ in the dims under the tile, those of fewest bytes first; of equal ones that which leaves the
// lanes.
SmallVector<Order> candidates(RankedTensorType type) {
  SmallVector<Order> out;
  if (type.getRank() < 2 || !type.hasStaticShape() || !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() > 32)
    return out;
  for (Order &order : tileOrders(type.getRank()))
    if (isGain(analysis::paddedBytes(type), analysis::paddedBytes(permuted(type, order)))) out.push_back(order);
  llvm::stable_sort(out, [&](const Order &x, const Order &y) {
    return analysis::paddedBytes(permuted(type, x)) < analysis::paddedBytes(permuted(type, y));
  });
  return out;
}

// Orders that were tried on a value. All values whose orders follow from one another are noted: a try that begins with
// another of them would end in the same orders.
using Refused = llvm::DenseMap<Value, SmallVector<Order, 2>>;

// Whether the arrays whose orders change gain enough together: some may even lose. Arrays that stay as they are count
// too (long stacks of which a step reads a part), unless the others gain far more. They do not count for a column, the
// result of a reduction with one number a row.
bool gains(const ArrayOrders &orders, int64_t halves, int64_t mxuSide, bool isColumn = false) {
  constexpr int64_t kFar = 4, kSome = 16;
  int64_t before = orders.bytesBefore(), after = orders.bytesAfter(), kept = orders.bytesKept();
  const bool enough = 2 * (before + kept) >= halves * (after + kept) ||
                      (!isColumn && before >= kFar * halves / 2 * after && kSome * (before - after) >= kept);
  return enough && before - after >= kLeastSaved && orders.dotsStream(mxuSide) && orders.rowsStay();
}

// The orders of all that is computed with `seed` where it has one, if they gain. Where sums ask for two orders of what
// they are of, others may decide it.
std::optional<ArrayOrders> ordersFrom(Value seed, ArrayRef<int64_t> order, bool partsWait, Refused &refused,
                                      int64_t mxuSide) {
  if (llvm::is_contained(refused[seed], order)) return std::nullopt;
  for (bool sumsWait : {false, true}) {
    ArrayOrders orders(/*forMoves=*/false, sumsWait, partsWait);
    const bool agrees = orders.spread(seed, order);
    if (agrees && gains(orders, 3, mxuSide, typeOf(seed).getShape().back() == 1)) return orders;
    llvm::DenseSet<Value> values;
    orders.values(values);
    for (Value v : values) refused[v].emplace_back(orders.orderOf(v));
    if (agrees) break;
  }
  return std::nullopt;
}

// The first of a seed's orders that gains, but for `known`; where it sums much within tiles, one of few bytes more that
// costs less. What is summed there costs as much again.
std::optional<ArrayOrders> firstFrom(Value seed, ArrayRef<int64_t> known, bool partsWait, Refused &refused,
                                     int64_t mxuSide) {
  auto cost = [](const ArrayOrders &orders) { return orders.bytesAfter() + orders.bytesSummedInTiles(); };
  std::optional<ArrayOrders> best;
  int64_t bytes = 0;
  for (const Order &order : candidates(typeOf(seed))) {
    const int64_t its = analysis::paddedBytes(permuted(typeOf(seed), order));
    if (ArrayRef(order) == known) continue;
    if (best && (its > bytes + bytes / 4 || best->bytesSummedInTiles() < kLeastSaved)) break;
    auto orders = ordersFrom(seed, order, partsWait, refused, mxuSide);
    if (!orders || (best && cost(*orders) >= cost(*best))) continue;
    if (best && its == bytes && orders->bytesAfter() > best->bytesAfter()) continue;
    if (!best) bytes = its;
    best = std::move(orders);
  }
  return best;
}

// Orders that save most: those of the seed, or those that others which have an order by them ask for. A few are asked,
// of different types, those that waste most.
void order(Value seed, ArrayRef<Value> seeds, bool partsWait, llvm::DenseSet<Value> &done, Refused &refused,
           int64_t mxuSide) {
  constexpr size_t kAsked = 8;
  std::optional<ArrayOrders> best = firstFrom(seed, {}, partsWait, refused, mxuSide);
  if (!best) return;
  auto waste = [](Value v) {
    return analysis::paddedBytes(typeOf(v)) - analysis::paddedBytes(permuted(typeOf(v), candidates(typeOf(v)).front()));
  };
  llvm::MapVector<Type, Value> others;
  for (Value v : seeds)
    if (v.getType() != seed.getType() && !best->orderOf(v).empty()) others.insert({v.getType(), v});
  auto asked = llvm::to_vector(llvm::make_second_range(others));
  llvm::stable_sort(asked, [&](Value x, Value y) { return waste(x) > waste(y); });
  auto saved = [](const ArrayOrders &orders) { return orders.bytesBefore() - orders.bytesAfter(); };
  auto isBetter = [&](const ArrayOrders &other) {  // by a sixteenth, or as good with fewer gaps to be copied
    const int64_t gain = 16 * (saved(other) - saved(*best));
    return gain > (other.gapsCopied() < best->gapsCopied() ? -saved(*best) : saved(*best));
  };
  for (Value v : ArrayRef(asked).take_front(kAsked))
    if (auto orders = firstFrom(v, best->orderOf(v), partsWait, refused, mxuSide); orders && isBetter(*orders))
      best = std::move(orders);
  best->apply(done);
}

// The longest dim, if it isn't there yet.
void orderByLane(Value seed, llvm::DenseSet<Value> &done, llvm::DenseSet<Value> &refused, int64_t mxuSide) {
  ArrayRef<int64_t> shape = typeOf(seed).getShape();
  int64_t lane = std::max_element(shape.begin(), shape.end()) - shape.begin();
  if (lane + 1 == static_cast<int64_t>(shape.size())) return;
  ArrayOrders orders(/*forMoves=*/true);
  if (orders.spreadLane(seed, lane) && gains(orders, 8, mxuSide)) return orders.apply(done);
  orders.values(refused);
}

// Where reshapes alone read an argument, and take dims of one element off: these dims move, as the reshapes find the
// same elements.
void moveUnits(func::FuncOp main, BlockArgument arg) {
  auto type = dyn_cast<RankedTensorType>(arg.getType());
  auto isFree = [](Operation *user) {
    auto reshape = dyn_cast<stablehlo::ReshapeOp>(user);
    return reshape && onlyUnits(reshape);
  };
  if (!type || !takesOrders(type) || arg.use_empty() || main.getArgAttr(arg.getArgNumber(), kernel::kOrderAttr) ||
      !llvm::all_of(arg.getUsers(), isFree))
    return;
  const Order order = unitsFirst(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())), type);
  if (!isGain(analysis::paddedBytes(type), analysis::paddedBytes(permuted(type, order)))) return;
  arg.setType(permuted(type, order));
  main.setArgAttr(arg.getArgNumber(), kernel::kOrderAttr, DenseI64ArrayAttr::get(main.getContext(), order));
}

struct OrderArrays : impl::OrderArraysPassBase<OrderArrays> {
  using OrderArraysPassBase::OrderArraysPassBase;

  void runOnOperation() override {
    func::FuncOp main = getOperation();
    if (main.getName() != "main" || main.isExternal()) return;
    SmallVector<Value> seeds;
    auto consider = [&](Value v) {
      if (mlir::isa_and_nonnull<stablehlo::ConstantOp, stablehlo::IotaOp, stablehlo::BroadcastInDimOp>(
              v.getDefiningOp()))
        return;
      if (auto type = dyn_cast<RankedTensorType>(v.getType()); type && !candidates(type).empty()) seeds.push_back(v);
    };
    for (Value arg : main.getArguments()) consider(arg);
    main.walk([&](Operation *op) { llvm::for_each(op->getResults(), consider); });
    // Matrices are broadcast into arrays of more dims, which say where their dims are wanted.
    std::stable_partition(seeds.begin(), seeds.end(), [](Value v) { return typeOf(v).getRank() > 2; });
    if (!seeds.empty()) orderAll(main, seeds);
    for (BlockArgument arg : main.getArguments()) moveUnits(main, arg);
    Operation *end = main.getBody().front().getTerminator();
    main.setFunctionType(FunctionType::get(&getContext(), main.getBody().getArgumentTypes(), end->getOperandTypes()));
  }

 private:
  void orderAll(func::FuncOp main, ArrayRef<Value> seeds) {
    ownLeaves(main);
    llvm::DenseSet<Value> done, refusedLanes;
    for (bool partsWait : {false, true}) {
      Refused refused;
      for (Value seed : seeds)
        if (!done.contains(seed)) order(seed, seeds, partsWait, done, refused, mxuSide);
    }
    for (Value seed : seeds)
      if (!done.contains(seed) && !refusedLanes.contains(seed)) orderByLane(seed, done, refusedLanes, mxuSide);
  }
};

}  // namespace
}  // namespace tpuc::layout
