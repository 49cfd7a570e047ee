// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes stand right before and behind products, whose kernels take and store arrays in other orders.
//
//  1. A transpose of lanes that no product makes and that is scaled before a product stands behind the scale, where the
//     product takes it.
//  2. What a batch of products reads has its batch first where the product that makes it has no blocks that fit in its
//     own order and has them in that one.
//  3. A transpose of elementwise work on a product and what is spread: the work is on the transposed product, on the
//     same condition.
//  4. One that exchanges free dims of a matmul's operand, which are the result's: the result is transposed instead,
//     where a transpose follows.
#include "dialects/stablehlo/traits.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_TRANSPOSEPRODUCTSPASS
#include "passes/layout/passes.h.inc"
namespace {

// A transpose of elementwise work on a product.
class Lift {
 public:
  explicit Lift(stablehlo::TransposeOp op) : op_(op) {}

  bool pays(int64_t mxuSide) {
    Value v = op_.getOperand();
    // Where the last dim fills tiles of lanes, its parts are read as they lie: no transpose is wanted.
    if (typeOf(v).getRank() == 0 || typeOf(v).getShape().back() % 128 == 0 || !find(v) || !dot_) return false;
    auto own = llvm::to_vector(llvm::seq<int64_t>(0, typeOf(v).getRank()));
    return !streams(dot_, own, mxuSide) && streams(dot_, op_.getPermutation(), mxuSide);
  }

  void rewrite() {
    if (work_.empty()) return;
    op_.replaceAllUsesWith(turned(op_.getOperand()));
    op_.erase();
    for (Operation *op : work_) op->erase();
  }

 private:
  // Whether `v` is one product's work alone.
  bool find(Value v) {
    Operation *op = v.getDefiningOp();
    if (!op || !v.hasOneUse() || op->getBlock() != op_->getBlock()) return false;
    if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
      if (dot_) return false;
      dot_ = dot;
      return true;
    }
    if (!op->hasTrait<stablehlo::IsElementwise>() || op->getNumResults() != 1 || op->getNumRegions()) return false;
    work_.push_back(op);
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      auto constant = operand.getDefiningOp<stablehlo::ConstantOp>();
      return typeOf(operand).getRank() == 0 || operand.getDefiningOp<stablehlo::BroadcastInDimOp>() ||
             (constant && constant.getValue().isSplat()) ||
             (typeOf(operand).getShape() == typeOf(v).getShape() && find(operand));
    });
  }

  Value turned(Value v) {
    Operation *op = v.getDefiningOp();
    OpBuilder b(op_);
    Build build{b, op_.getLoc()};
    const ArrayRef<int64_t> order = op_.getPermutation();
    RankedTensorType type = typeOf(v).getRank() ? permuted(typeOf(v), order) : typeOf(v);
    if (typeOf(v).getRank() == 0) return v;
    if (mlir::isa<stablehlo::DotGeneralOp>(op)) return build.transpose(v, order);
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      auto splat = cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type);
      return stablehlo::ConstantOp::create(b, op->getLoc(), cast<ElementsAttr>(Attribute(splat)));
    }
    if (auto spread = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
      const Order places = inverse(order);
      auto dims = llvm::map_to_vector(spread.getBroadcastDimensions(), [&](int64_t d) { return places[d]; });
      return stablehlo::BroadcastInDimOp::create(b, op->getLoc(), type, spread.getOperand(), dims);
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(op->getOperands(), [&](Value operand) { return turned(operand); });
    OpBuilder here(op_);
    Operation *made = here.clone(*op);
    made->setOperands(operands);
    made->getResult(0).setType(type);
    return made->getResult(0);
  }

  stablehlo::TransposeOp op_;
  stablehlo::DotGeneralOp dot_;
  SmallVector<Operation *> work_;  // users first
};

// A transpose of lanes of what no product makes, and work on it that knows no dims, before a product: the work first.
void passWork(stablehlo::DotGeneralOp dot, bool right) {
  Value v = dot->getOperand(right);
  Operation *op = v.getDefiningOp();
  if (!op || !v.hasOneUse() || !op->hasTrait<stablehlo::IsElementwise>() || op->getNumRegions()) return;
  stablehlo::TransposeOp transpose;
  unsigned place = 0;
  for (OpOperand &use : op->getOpOperands()) {
    auto constant = use.get().getDefiningOp<stablehlo::ConstantOp>();
    if (typeOf(use.get()).getRank() == 0 || (constant && constant.getValue().isSplat())) continue;
    if (transpose) return;
    transpose = use.get().getDefiningOp<stablehlo::TransposeOp>();
    if (!transpose || !transpose->hasOneUse()) return;
    place = use.getOperandNumber();
  }
  if (!transpose || transpose.getOperand().getDefiningOp<stablehlo::DotGeneralOp>()) return;
  if (transpose.getPermutation().back() + 1 == typeOf(v).getRank()) return;  // rows are moved, and scaled on the way
  OpBuilder b(op);
  RankedTensorType type = typeOf(transpose.getOperand());
  SmallVector<Value> operands(op->getOperands());
  for (Value &operand : operands)
    if (auto constant = operand.getDefiningOp<stablehlo::ConstantOp>(); constant && typeOf(operand).getRank()) {
      auto splat =
          cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type.clone(typeOf(operand).getElementType()));
      operand = stablehlo::ConstantOp::create(b, op->getLoc(), cast<ElementsAttr>(Attribute(splat)));
    }
  operands[place] = transpose.getOperand();
  Operation *made = b.clone(*op);
  made->setOperands(operands);
  made->getResult(0).setType(typeOf(v).clone(type.getShape()));
  dot->setOperand(right, Build{b, transpose.getLoc()}.transpose(made->getResult(0), transpose.getPermutation()));
  op->erase();
  transpose.erase();
}

// An operand with its batch first, where the product that makes it then has blocks and has none otherwise.
void putBatchFirst(stablehlo::DotGeneralOp dot, bool right, int64_t mxuSide) {
  auto numbers = dot.getDotDimensionNumbers();
  ArrayRef<int64_t> batch = right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions();
  Order order(batch);
  Value v = dot->getOperand(right);
  for (int64_t d = 0; d < typeOf(v).getRank(); ++d)
    if (!llvm::is_contained(batch, d)) order.push_back(d);
  if (isIdentity(order) || !v.hasOneUse()) return;
  OpBuilder b(dot);
  Value turned = Build{b, dot.getLoc()}.transpose(v, order);
  dot->setOperand(right, turned);
  auto transpose = turned.getDefiningOp<stablehlo::TransposeOp>();
  if (Lift(transpose).pays(mxuSide)) return renumberDot(dot, right, order);
  dot->setOperand(right, v);
  transpose.erase();
}

// A matmul of an operand whose free dims a transpose exchanges: its result is transposed instead, where a transpose
// follows, which takes that with it.
void sink(stablehlo::DotGeneralOp dot, bool right) {
  auto next = dot->hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*dot->user_begin()) : stablehlo::TransposeOp();
  if (!next) return;
  auto made = untransposed(dot, right);
  if (!made) return;
  OpBuilder b(next);
  auto both = llvm::map_to_vector(next.getPermutation(), [&](int64_t d) { return made->back[d]; });
  next.replaceAllUsesWith(Build{b, next.getLoc()}.transpose(made->dot, both));
  next.erase();
  dot.erase();
}

struct TransposeProducts : impl::TransposeProductsPassBase<TransposeProducts> {
  using TransposeProductsPassBase::TransposeProductsPassBase;

  void runOnOperation() override {
    SmallVector<stablehlo::DotGeneralOp> batches;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { batches.push_back(dot); });
    for (stablehlo::DotGeneralOp dot : batches)
      for (bool right : {false, true}) {
        passWork(dot, right);
        putBatchFirst(dot, right, mxuSide);
      }
    SmallVector<stablehlo::TransposeOp> transposes;
    getOperation().walk([&](stablehlo::TransposeOp op) { transposes.push_back(op); });
    for (stablehlo::TransposeOp op : transposes)
      if (Lift lift(op); lift.pays(mxuSide)) lift.rewrite();
    for (bool right : {false, true}) {
      SmallVector<stablehlo::DotGeneralOp> dots;
      getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
      for (stablehlo::DotGeneralOp dot : dots) sink(dot, right);
    }
  }
};

}  // namespace
}  // namespace tpuc::layout
