// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces tokens: ops run in the program's order, so nothing is left for a token to order.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/sdy/axes.h"
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_DROPTOKENSPASS
#include "passes/simplify/passes.h.inc"

namespace {

// Tokens become arrays of no element, in tuples too.
Type withoutTokens(Type type) {
  if (isa<stablehlo::TokenType>(type)) return RankedTensorType::get({0}, IntegerType::get(type.getContext(), 1));
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple) return type;
  SmallVector<Type> types = llvm::map_to_vector(tuple.getTypes(), withoutTokens);
  return TupleType::get(type.getContext(), types);
}

// The machine has no transfers from and to others in the middle of a program.
LogicalResult checkTransfers(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    if (!isa<stablehlo::InfeedOp, stablehlo::OutfeedOp, stablehlo::SendOp, stablehlo::RecvOp>(op))
      return WalkResult::advance();
    diagnose(op, codes::kCustomCall) << "'" << op->getName().getStringRef()
                                     << "' exchanges arrays while the program runs, which tpuc "
                                     << "does not support; expects them as arguments and results";
    return WalkResult::interrupt();
  });
  return failure(found.wasInterrupted());
}

bool makesToken(Operation *op) { return isa<stablehlo::AfterAllOp, stablehlo::CreateTokenOp>(op); }

struct DropTokens : impl::DropTokensPassBase<DropTokens> {
  void runOnOperation() override {
    if (failed(checkTransfers(getOperation()))) return signalPassFailure();
    SmallVector<Operation *> makers;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto call = dyn_cast<stablehlo::CustomCallOp>(op)) dropLayouts(call);
      fitShardings(op);
      for (Value result : op->getResults()) result.setType(withoutTokens(result.getType()));
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments()) argument.setType(withoutTokens(argument.getType()));
      if (auto function = dyn_cast<func::FuncOp>(op)) dropFromSignature(function);
      if (makesToken(op)) makers.push_back(op);
    });
    for (Operation *op : makers) {
      OpBuilder builder(op);
      auto type = cast<ShapedType>(op->getResult(0).getType());
      Value nothing =
          stablehlo::ConstantOp::create(builder, op->getLoc(), DenseElementsAttr::get(type, ArrayRef<bool>()));
      op->replaceAllUsesWith(ValueRange(nothing));
      op->erase();
    }
  }

  // A token has no dims, and its array one.
  static void dropLayouts(stablehlo::CustomCallOp call) {
    auto isToken = [](Type type) { return isa<stablehlo::TokenType>(type); };
    // Before its own results change; its operands have done so where they were made.
    if (llvm::none_of(call->getResultTypes(), isToken)) return;
    call.removeOperandLayoutsAttr();
    call.removeResultLayoutsAttr();
  }

  // A sharding of a token has no dims either.
  static void fitShardings(Operation *op) {
    auto fitting = [&](sdy::TensorShardingPerValueAttr stated, TypeRange types) {
      SmallVector<sdy::TensorShardingAttr> all(stated.getShardings());
      for (auto [sharding, type] : llvm::zip(all, types))
        if (isa<stablehlo::TokenType>(type) && !sdy::isMaximal(sdy::meshOf(op, sharding.getMeshOrRef())))
          sharding = sdy::TensorShardingAttr::get(
              op->getContext(), sharding.getMeshOrRef(),
              sdy::DimensionShardingAttr::get(op->getContext(), {}, /*is_closed=*/true, std::nullopt),
              sharding.getReplicatedAxes());
      return sdy::TensorShardingPerValueAttr::get(op->getContext(), all);
    };
    if (auto stated = op->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding"))
      op->setAttr("sdy.sharding", fitting(stated, op->getResultTypes()));
    auto manual = dyn_cast<sdy::ManualComputationOp>(op);
    if (!manual) return;
    // Operands are no tokens any more; the body's arguments still are.
    manual.setInShardingsAttr(fitting(manual.getInShardings(), manual.getBody().getArgumentTypes()));
    manual.setOutShardingsAttr(fitting(manual.getOutShardings(), op->getResultTypes()));
  }

  static void dropFromSignature(func::FuncOp function) {
    FunctionType type = function.getFunctionType();
    function.setFunctionType(FunctionType::get(type.getContext(), llvm::map_to_vector(type.getInputs(), withoutTokens),
                                               llvm::map_to_vector(type.getResults(), withoutTokens)));
  }
};

}  // namespace
}  // namespace tpuc::simplify
