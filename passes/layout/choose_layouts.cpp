// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Of an argument that only dots read, and of a result that a dot makes: the order of dims, batch dims first, whose
//    tiles pad least. Of an argument that dots read transposed: the transpose's.
// 2. The array becomes one of that order, the dots' dims are renumbered; where the matrix unit could not take it,
//    nothing changes.
#include "dialects/kernel/order.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/domain.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"

using namespace mlir;

namespace tpuc::layout {
using namespace builders;
#define GEN_PASS_DEF_CHOOSELAYOUTSPASS
#include "passes/layout/passes.h.inc"
namespace {

// The best order with `batch` outermost; nullopt where the dims' own is about as good.
std::optional<Order> bestOrder(RankedTensorType type, ArrayRef<int64_t> batch) {
  if (!takesOrders(type) || type.getRank() != static_cast<int64_t>(batch.size()) + 2) return std::nullopt;
  Order order(batch);
  llvm::sort(order);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!llvm::is_contained(batch, d)) order.push_back(d);
  Order other(order);
  std::swap(other[order.size() - 2], other[order.size() - 1]);
  if (analysis::paddedBytes(permuted(type, other)) < analysis::paddedBytes(permuted(type, order))) order = other;
  const bool isBetter = isGain(analysis::paddedBytes(type), analysis::paddedBytes(permuted(type, order)));
  return isBetter ? std::optional(order) : std::nullopt;
}

struct ChooseLayouts : impl::ChooseLayoutsPassBase<ChooseLayouts> {
  using ChooseLayoutsPassBase::ChooseLayoutsPassBase;

  void runOnOperation() override {
    func::FuncOp main = getOperation();
    if (main.getName() != "main" || main.isExternal()) return;
    Operation *end = main.getBody().front().getTerminator();
    for (OpOperand &result : end->getOpOperands()) result.set(throughReshapes(result.get()));
    // Ops that other passes left without a use do not count as readers.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(main.getBody().front())))
      if (isOpTriviallyDead(&op)) op.erase();
    for (BlockArgument arg : main.getArguments()) chooseArgument(main, arg);
    for (unsigned i = 0; i < end->getNumOperands(); ++i) chooseResult(main, end, i);
    main.setFunctionType(FunctionType::get(&getContext(), main.getBody().getArgumentTypes(), end->getOperandTypes()));
  }

  // `v`, or the value from which reshapes lead to it, if they give it back its type.
  static Value throughReshapes(Value v) {
    for (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>(); reshape;
         reshape = reshape.getOperand().getDefiningOp<stablehlo::ReshapeOp>())
      if (reshape.getOperand().getType() == v.getType()) return throughReshapes(reshape.getOperand());
    return v;
  }

  void chooseArgument(func::FuncOp main, BlockArgument arg) {
    auto type = dyn_cast<RankedTensorType>(arg.getType());
    if (!type || arg.use_empty() || main.getArgAttr(arg.getArgNumber(), kernel::kOrderAttr)) return;
    if (takeTranspose(main, arg, type)) return;
    Order batch;
    for (OpOperand &use : arg.getUses()) {
      auto dot = dyn_cast<stablehlo::DotGeneralOp>(use.getOwner());
      if (!dot) return;
      auto numbers = dot.getDotDimensionNumbers();
      Order its(use.getOperandNumber() ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions());
      if (use.getOperandNumber() > 1 ||
          (&use != &*arg.use_begin() &&
           llvm::DenseSet<int64_t>(its.begin(), its.end()) != llvm::DenseSet<int64_t>(batch.begin(), batch.end())))
        return;
      batch = its;
    }
    auto order = bestOrder(type, batch);
    if (!order) return;
    SmallVector<std::pair<stablehlo::DotGeneralOp, stablehlo::DotDimensionNumbersAttr>> before;
    SmallVector<OpOperand *> uses = llvm::map_to_vector(arg.getUses(), [](OpOperand &use) { return &use; });
    arg.setType(permuted(type, *order));
    for (OpOperand *use : uses) {
      auto dot = cast<stablehlo::DotGeneralOp>(use->getOwner());
      before.push_back({dot, dot.getDotDimensionNumbers()});
      renumberDot(dot, use->getOperandNumber(), *order);
    }
    if (llvm::all_of(before, [&](auto &b) { return streams(b.first, wantedOrder(b.first), mxuSide); }))
      return main.setArgAttr(arg.getArgNumber(), kernel::kOrderAttr, DenseI64ArrayAttr::get(&getContext(), *order));
    arg.setType(type);
    for (auto &[dot, numbers] : llvm::reverse(before)) dot.setDotDimensionNumbersAttr(numbers);
  }

  // An argument that is transposed for dots alone lies as they want it, where it pads no more so.
  bool takeTranspose(func::FuncOp main, BlockArgument arg, RankedTensorType type) {
    auto transpose = arg.hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*arg.user_begin()) : stablehlo::TransposeOp();
    if (!transpose || !takesOrders(type) ||
        !llvm::all_of(transpose->getUsers(), [](Operation *user) { return isa<stablehlo::DotGeneralOp>(user); }) ||
        !movesElements(type, transpose.getPermutation()) ||
        analysis::paddedBytes(typeOf(transpose)) > analysis::paddedBytes(type))
      return false;
    main.setArgAttr(arg.getArgNumber(), kernel::kOrderAttr,
                    DenseI64ArrayAttr::get(&getContext(), transpose.getPermutation()));
    arg.setType(typeOf(transpose));
    transpose.replaceAllUsesWith(arg);
    transpose.erase();
    return true;
  }

  void chooseResult(func::FuncOp main, Operation *end, unsigned i) {
    Value v = end->getOperand(i);
    auto transposed = v.getDefiningOp<stablehlo::TransposeOp>();
    auto dot = (transposed ? transposed.getOperand() : v).getDefiningOp<stablehlo::DotGeneralOp>();
    if (!dot || !dot->hasOneUse() || !v.hasOneUse() || main.getResultAttr(i, kernel::kOrderAttr)) return;
    Order from = wantedOrder(dot), batch;  // from: the dot's dims in the order of v's
    int64_t batches = dot.getDotDimensionNumbers().getLhsBatchingDimensions().size();
    for (auto [d, of] : llvm::enumerate(from))
      if (of < batches) batch.push_back(d);
    auto type = typeOf(v);
    auto order = bestOrder(type, batch);
    if (!order) return;
    Order all = llvm::map_to_vector(*order, [&](int64_t d) { return from[d]; });
    if (!streams(dot, all, mxuSide)) return;
    OpBuilder b(end);
    Value stored = dot;
    if (!llvm::is_sorted(all)) stored = stablehlo::TransposeOp::create(b, v.getLoc(), permuted(type, *order), dot, all);
    end->setOperand(i, stored);
    if (transposed) transposed.erase();
    main.setResultAttr(i, kernel::kOrderAttr, DenseI64ArrayAttr::get(&getContext(), *order));
  }
};

}  // namespace
}  // namespace tpuc::layout
