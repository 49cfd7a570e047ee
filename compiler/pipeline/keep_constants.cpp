// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants as arguments of main whose values no pass sees.
//
//  1. From the operands that have to be numbers (shapes, bounds, sizes) back through what computes them: these values
//     stay.
//  2. Every other use of a constant in main's own code, loops and branches included, reads an argument.
#include "compiler/pipeline/keep_constants.h"

#include "dialects/kernel/order.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc {
namespace {

namespace hlo = tpuc::stablehlo;

// The first operand that a dynamic op takes as a number; those after it are too.
std::optional<unsigned> firstNumber(Operation *op) {
  if (auto call = dyn_cast<hlo::CustomCallOp>(op)) {
    StringRef target = call.getCallTargetName();
    return target.starts_with("stablehlo.dynamic") || target == "shape_assertion" ? std::optional(0u) : std::nullopt;
  }
  return llvm::StringSwitch<std::optional<unsigned>>(op->getName().getStringRef())
      .Cases({"stablehlo.dynamic_reshape", "stablehlo.dynamic_broadcast_in_dim", "chlo.dynamic_reshape"}, 1u)
      .Cases({"stablehlo.set_dimension_size", "stablehlo.real_dynamic_slice"}, 1u)
      .Cases({"stablehlo.dynamic_pad", "stablehlo.dynamic_conv", "stablehlo.dynamic_gather", "stablehlo.rng"}, 2u)
      .Case("stablehlo.dynamic_iota", 0u)
      .Default(std::nullopt);
}

// What a function's own code is, and not the computation of an op.
bool isOwnCode(Operation *op, func::FuncOp main) {
  for (Operation *parent = op->getParentOp(); parent != main; parent = parent->getParentOp())
    if (!isa<hlo::WhileOp, hlo::IfOp, hlo::CaseOp>(parent)) return false;
  return true;
}

class Keeper {
 public:
  explicit Keeper(func::FuncOp main) : main_(main) { findNumbers(); }

  LogicalResult run() {
    SmallVector<hlo::ConstantOp> constants;
    main_.walk([&](hlo::ConstantOp op) {
      if (isOwnCode(op, main_) && isa<DenseElementsAttr>(op.getValue())) constants.push_back(op);
    });
    for (hlo::ConstantOp constant : constants)
      if (failed(keep(constant))) return failure();
    return success();
  }

 private:
  void findNumbers() {
    SmallVector<Operation *> work;
    auto needs = [&](Value value) {
      if (Operation *def = value.getDefiningOp(); def && numbers_.insert(def).second) work.push_back(def);
    };
    main_.walk([&](Operation *op) {
      if (std::optional<unsigned> first = firstNumber(op))
        for (Value operand : op->getOperands().drop_front(std::min(*first, op->getNumOperands()))) needs(operand);
    });
    while (!work.empty())
      for (Value operand : work.pop_back_val()->getOperands()) needs(operand);
  }

  bool isNumber(OpOperand &use) const {
    std::optional<unsigned> first = firstNumber(use.getOwner());
    return numbers_.contains(use.getOwner()) || (first && use.getOperandNumber() >= *first);
  }

  LogicalResult keep(hlo::ConstantOp constant) {
    auto isArray = [&](OpOperand &use) { return !isNumber(use); };
    if (llvm::none_of(constant->getUses(), isArray)) return success();
    MLIRContext *context = main_.getContext();
    auto attributes = DictionaryAttr::get(
        context, NamedAttribute(StringAttr::get(context, kernel::kConstantAttr), constant.getValue()));
    unsigned at = main_.getNumArguments();
    if (failed(main_.insertArgument(at, constant.getType(), attributes, constant.getLoc()))) return failure();
    constant.getResult().replaceUsesWithIf(main_.getArgument(at), isArray);
    if (constant->use_empty()) constant.erase();
    return success();
  }

  func::FuncOp main_;
  llvm::DenseSet<Operation *> numbers_;  // whose results have to be known
};

}  // namespace

LogicalResult keepConstants(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.addPass(simplify::createInlineCallsPass());
  pm.addPass(simplify::createExtractChecksPass());
  if (failed(pm.run(module))) return failure();
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && !main.isExternal() ? Keeper(main).run() : success();
}

}  // namespace tpuc
