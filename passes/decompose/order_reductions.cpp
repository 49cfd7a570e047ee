// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions whose computation depends on the order of its sides. Kernels combine elements in the order that suits
// tiles; the specification wants them in order, grouped in any way.
//
//  1. A computation that commutes stays. One that chooses an extreme and its index (jnp.argmax), and commutes but for
//     two NaNs, is made to take the smaller index of two NaNs: the first one's, as the index counts along the reduced
//     dim.
//  2. Any other, and what no kernel has (loops, values from outside), is a tree: the reduced dims as one leading dim,
//     of which neighbours are combined until one row is left.
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/commutes.h"
#include "passes/decompose/passes.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
#define GEN_PASS_DEF_ORDERREDUCTIONSPASS
#include "passes/decompose/passes.h.inc"
namespace {

// Whether the elements of `v` grow along dim `dim`.
bool growsAlong(Value v, int64_t dim) {
  if (auto iota = v.getDefiningOp<stablehlo::IotaOp>()) return static_cast<int64_t>(iota.getIotaDimension()) == dim;
  auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>();
  if (!broadcast) return false;
  for (auto [from, to] : llvm::enumerate(broadcast.getBroadcastDimensions()))
    if (to == dim)
      return typeOf(broadcast.getOperand()).getDimSize(from) == typeOf(v).getDimSize(dim) &&
             growsAlong(broadcast.getOperand(), from);
  return false;
}

bool takesFirstNan(stablehlo::ReduceOp op) {
  if (op.getDimensions().size() != 1) return false;
  for (auto [i, v] : llvm::enumerate(op.getInputs()))
    if (growsAlong(v, op.getDimensions()[0]) && breakNanTies(op.getBody().front(), i)) return true;
  return false;
}

SmallVector<Value> combine(OpBuilder &b, stablehlo::ReduceOp op, ArrayRef<Value> x, ArrayRef<Value> y) {
  SmallVector<Value> arguments(x);
  llvm::append_range(arguments, y);
  return inlineElementwise(b, op.getBody().front(), arguments);
}

// The reduced dims first, as one.
Value reducedFirst(Build &build, Value v, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> order(dims), shape{1};
  llvm::sort(order);
  for (int64_t d : order) shape[0] *= typeOf(v).getDimSize(d);
  for (int64_t d = 0; d < typeOf(v).getRank(); ++d) {
    if (llvm::is_contained(dims, d)) continue;
    order.push_back(d);
    shape.push_back(typeOf(v).getDimSize(d));
  }
  return build.reshape(build.transpose(v, order), shape);
}

void expandInOrder(stablehlo::ReduceOp op) {
  OpBuilder b(op);
  Build build{b, op.getLoc()};
  SmallVector<Value> v =
      llvm::map_to_vector(op.getInputs(), [&](Value x) { return reducedFirst(build, x, op.getDimensions()); });
  auto rows = [&](int64_t from, int64_t to, int64_t step) {
    return llvm::map_to_vector(v, [&](Value x) {
      SmallVector<int64_t> start(typeOf(x).getRank(), 0), limit(typeOf(x).getShape()), stride(start.size(), 1);
      start[0] = from;
      limit[0] = to;
      stride[0] = step;
      return build.slice(x, start, limit, stride);
    });
  };
  for (int64_t n = typeOf(v[0]).getDimSize(0); n > 1; n = typeOf(v[0]).getDimSize(0)) {
    int64_t even = n / 2 * 2;
    SmallVector<Value> firsts = rows(0, even, 2), seconds = rows(1, even, 2), next = combine(b, op, firsts, seconds);
    if (even != n)
      for (auto [joined, last] : llvm::zip(next, rows(even, n, 1))) joined = build.concatenate({joined, last}, 0);
    v = next;
  }
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getResult(0).getType()).getShape();
  for (Value &x : v) x = build.reshape(x, shape);
  v = combine(b, op,
              llvm::map_to_vector(op.getInitValues(),
                                  [&](Value init) { return shape.empty() ? init : build.broadcast(init, shape, {}); }),
              v);
  op->replaceAllUsesWith(v);
  op.erase();
}

struct OrderReductions : impl::OrderReductionsPassBase<OrderReductions> {
  using OrderReductionsPassBase::OrderReductionsPassBase;
  void runOnOperation() override {
    SmallVector<stablehlo::ReduceOp> ops;
    getOperation().walk([&](stablehlo::ReduceOp op) { ops.push_back(op); });
    for (auto op : ops) {
      Block &body = op.getBody().front();
      // Regions on arrays are refused where kernels are lowered.
      if (typeOf(op.getInputs()[0]).getNumElements() == 0 || !isElementwiseRegion(body)) continue;
      if (hasLoop(body) || !capturesOf(body).empty() || (!commutes(body) && !takesFirstNan(op))) expandInOrder(op);
    }
  }
};

}  // namespace
}  // namespace tpuc::decompose
