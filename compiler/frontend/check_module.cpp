//===- check_module.cpp - what the later stages count on -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/import.h"
#include "compiler/frontend/report.h"

#include "dialects/stablehlo/stablehlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tpuc::frontend {
namespace {

// Each check emits its error and returns its code, or null.

//===-----------------------------------------------------------------------------===//
// Structure
//===-----------------------------------------------------------------------------===//

const Code *checkOneModule(ModuleOp module) {
  for (auto inner : module.getOps<ModuleOp>()) {
    report(inner.getLoc(), kSeveralModules, "expects one module, but got another within it");
    return &kSeveralModules;
  }
  return nullptr;
}

const Code *checkMain(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) {
    SmallVector<func::FuncOp> candidates;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        candidates.push_back(function);
    if (candidates.size() == 1)
      return nullptr;
    report(module.getLoc(), kNoMain,
           "expects a function main, or one public function, but got " + Twine(candidates.size()));
    return &kNoMain;
  }
  if (main.isExternal() || !main.isPublic()) {
    report(main.getLoc(), kNoMain, "expects a public function main with a body");
    return &kNoMain;
  }
  return nullptr;
}

//===-----------------------------------------------------------------------------===//
// Calls
//===-----------------------------------------------------------------------------===//

StringRef calleeOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee();
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op))
    return composite.getDecomposition();
  return {};
}

// Looks for a path of calls that comes back to where it was: a walk in depth with its own stack.
class CycleSearch {
public:
  explicit CycleSearch(ModuleOp module) : symbols(module) {
    module.walk([&](func::FuncOp function) {
      function.walk([&](Operation *op) {
        if (!calleeOf(op).empty())
          calls[function].push_back(op);
      });
    });
  }

  // The call that closes a cycle, or null.
  Operation *find(func::FuncOp root);

private:
  SymbolTable symbols;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> calls;
  llvm::DenseMap<Operation *, bool> open; // on the current path, or done
};

Operation *CycleSearch::find(func::FuncOp root) {
  SmallVector<std::pair<Operation *, size_t>> path;
  auto enter = [&](Operation *function) {
    open[function] = true;
    path.push_back({function, 0});
  };
  if (!open.contains(root))
    enter(root);
  while (!path.empty()) {
    auto &[function, next] = path.back();
    ArrayRef<Operation *> outgoing = calls[function];
    if (next == outgoing.size()) {
      open[function] = false;
      path.pop_back();
      continue;
    }
    Operation *call = outgoing[next++];
    Operation *callee = symbols.lookup(calleeOf(call));
    if (!callee)
      continue; // the verifier's
    auto state = open.find(callee);
    if (state == open.end())
      enter(callee);
    else if (state->second)
      return call;
  }
  return nullptr;
}

// The verifier has found each callee.
const Code *checkBodies(ModuleOp module) {
  SymbolTable symbols(module);
  const Code *failure = nullptr;
  module.walk([&](Operation *op) {
    StringRef name = calleeOf(op);
    auto callee = name.empty() ? func::FuncOp() : symbols.lookup<func::FuncOp>(name);
    if (!callee || !callee.isExternal())
      return WalkResult::advance();
    report(op->getLoc(), kNoBody, "expects @" + name + " to have a body").attachNote(callee.getLoc()) << "declared here";
    failure = &kNoBody;
    return WalkResult::interrupt();
  });
  return failure;
}

const Code *checkCalls(ModuleOp module) {
  CycleSearch search(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (Operation *call = search.find(function)) {
      InFlightDiagnostic error = report(call->getLoc(), kCyclicCalls,
                                        "expects calls without cycles, but @" + calleeOf(call) + " calls itself");
      error.attachNote(module.lookupSymbol(calleeOf(call))->getLoc()) << "through calls from here";
      return &kCyclicCalls;
    }
  return nullptr;
}

//===-----------------------------------------------------------------------------===//
// Types
//===-----------------------------------------------------------------------------===//

const Code *checkTensor(RankedTensorType type, Location location) {
  auto refuse = [&](const Code &code, StringRef what) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    report(location, code, "expects " + what + ", but got " + text);
    return &code;
  };
  if (stablehlo::elementKind(type.getElementType()) == 0)
    return refuse(kUnknownType, "an element type of StableHLO");
  SmallVector<int64_t> bounds = stablehlo::upperBounds(type);
  if (llvm::is_contained(bounds, ShapedType::kDynamic))
    return refuse(kDynamicShape, "static or bounded shapes");
  // A scalar's bytes in memory at most, 16, and some room for the tiles.
  std::optional<int64_t> elements = stablehlo::numElements(bounds);
  if (!elements || *elements > (int64_t(1) << 56))
    return refuse(kTooLarge, "an array of 2^56 elements at most");
  return nullptr;
}

const Code *checkType(Type type, Location location) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return checkTensor(tensor, location);
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type element : tuple)
      if (const Code *failure = checkType(element, location))
        return failure;
    return nullptr;
  }
  if (isa<stablehlo::TokenType, stablehlo::FutureType>(type))
    return nullptr;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  if (isa<UnrankedTensorType>(type)) {
    report(location, kDynamicShape, "expects static or bounded shapes, but got " + text);
    return &kDynamicShape;
  }
  report(location, kUnknownType, "expects tensors, tokens and tuples, but got " + text);
  return &kUnknownType;
}

// The dialects of a program; the context may have others, for later stages.
bool isProgramOp(Operation *op) {
  if (!op->isRegistered())
    return false;
  static constexpr StringLiteral dialects[] = {"builtin", "func", "stablehlo", "chlo", "check", "sdy"};
  return llvm::is_contained(dialects, op->getName().getDialectNamespace());
}

// Every op is of a dialect that is known, every value of a type that is.
const Code *checkOps(ModuleOp module) {
  const Code *failure = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isProgramOp(op)) {
      report(op->getLoc(), kUnknownOp, "expects ops of StableHLO, but got '" + op->getName().getStringRef() + "'");
      failure = &kUnknownOp;
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if ((failure = checkType(type, op->getLoc())))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if ((failure = checkType(argument.getType(), argument.getLoc())))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure;
}

} // namespace

const Code *checkModule(ModuleOp module) {
  // Unknown ops first: what they do to the rest is unknown too.
  for (auto *check : {checkOneModule, checkOps, checkMain, checkBodies, checkCalls})
    if (const Code *failure = check(module))
      return failure;
  return nullptr;
}

} // namespace tpuc::frontend
