// 1. Each array that another order of its dims would halve in memory, and what is computed with it, dim by dim (array_orders).
// 2. The first order, by bytes, that all of them can take and that the dots among them stream.
#include "passes/expand/array_orders.h"
#include "passes/expand/build.h"
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {
#define GEN_PASS_DEF_ORDERARRAYSPASS
#include "passes/expand/passes.h.inc"
namespace {

constexpr int64_t kLeastSaved = int64_t{1} << 18;  // below, a transfer's bytes are not its time

bool isGain(int64_t before, int64_t after) { return before >= 2 * after && before - after >= kLeastSaved; }

// The orders that differ in the dims under the tile, those of fewest bytes first; of equal ones that which leaves the lanes.
SmallVector<Order> candidates(RankedTensorType type) {
  SmallVector<Order> out;
  if (type.getRank() < 3 || !type.hasStaticShape() || !type.getElementType().isIntOrFloat() || type.getElementTypeBitWidth() > 32) return out;
  for (Order &order : tileOrders(type.getRank()))
    if (isGain(paddedBytes(type), paddedBytes(permuted(type, order)))) out.push_back(order);
  llvm::stable_sort(out, [&](const Order &x, const Order &y) { return paddedBytes(permuted(type, x)) < paddedBytes(permuted(type, y)); });
  return out;
}

struct OrderArrays : impl::OrderArraysPassBase<OrderArrays> {
  void runOnOperation() override {
    func::FuncOp main = getOperation();
    if (main.getName() != "main" || main.isExternal()) return;
    SmallVector<Value> seeds;
    auto consider = [&](Value v) {
      if (mlir::isa_and_nonnull<stablehlo::ConstantOp, stablehlo::IotaOp, stablehlo::BroadcastInDimOp>(v.getDefiningOp())) return;
      if (auto type = dyn_cast<RankedTensorType>(v.getType()); type && !candidates(type).empty()) seeds.push_back(v);
    };
    for (Value arg : main.getArguments()) consider(arg);
    main.walk([&](Operation *op) { llvm::for_each(op->getResults(), consider); });
    if (seeds.empty()) return;
    ownLeaves(main);
    llvm::DenseSet<Value> done;
    for (Value seed : seeds) {
      if (done.contains(seed)) continue;
      for (const Order &order : candidates(typeOf(seed))) {
        ArrayOrders orders;
        // The whole gains less: a part of it may even lose.
        if (!orders.spread(seed, order) || 2 * orders.bytesBefore() < 3 * orders.bytesAfter() || orders.bytesBefore() - orders.bytesAfter() < kLeastSaved || !orders.dotsStream() || !orders.rowsStay()) continue;
        orders.apply(done);
        break;
      }
    }
    Operation *end = main.getBody().front().getTerminator();
    main.setFunctionType(FunctionType::get(&getContext(), main.getBody().getArgumentTypes(), end->getOperandTypes()));
  }
};

}  // namespace
}  // namespace tpuc::expand
