//===- check_module.cpp - what the later stages count on -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/frontend/foreign.h"
#include "compiler/frontend/import.h"
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/shardings.h"
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace tpuc::frontend {
namespace {

// Each check emits its error and returns its code, or null.

//===-----------------------------------------------------------------------------===//
// Structure
//===-----------------------------------------------------------------------------===//

const DiagnosticCode *checkOneModule(ModuleOp module, Need) {
  for (auto inner : module.getOps<ModuleOp>()) {
    diagnose(inner.getLoc(), codes::kSeveralModules) << "expects one module, but got another within it";
    return &codes::kSeveralModules;
  }
  return nullptr;
}

// How many devices a program is for, where it says so.
const DiagnosticCode *checkCounts(ModuleOp module, Need) {
  for (StringRef name : {"mhlo.num_partitions", "mhlo.num_replicas"}) {
    Attribute attribute = module->getAttr(name);
    auto count = dyn_cast_or_null<IntegerAttr>(attribute);
    if (!attribute || (count && count.getType().isSignlessInteger() && count.getInt() > 0)) continue;
    diagnose(module.getLoc(), codes::kMalformed)
        << "expects a number from 1 on as " << name << ", but got " << attribute;
    return &codes::kMalformed;
  }
  return nullptr;
}

// The parser makes a module of any text, so also of one that has ops outside of functions.
const DiagnosticCode *checkTopLevel(ModuleOp module, Need need) {
  if (need != Need::Program) return nullptr;
  for (Operation &op : *module.getBody()) {
    if (isa<func::FuncOp, ModuleOp>(op) || op.getName().getStringRef() == "sdy.mesh") continue;
    diagnose(op.getLoc(), codes::kMalformed)
        << "expects functions in a program's module, but got '" << op.getName().getStringRef() << "' outside of one";
    return &codes::kMalformed;
  }
  return nullptr;
}

const DiagnosticCode *checkMain(ModuleOp module, Need need) {
  if (need != Need::Program) return nullptr;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main) {
    SmallVector<func::FuncOp> candidates;
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal()) candidates.push_back(function);
    if (candidates.size() == 1) return nullptr;
    diagnose(module.getLoc(), codes::kNoMain)
        << "expects a function main, or one public function, but got " + Twine(candidates.size());
    return &codes::kNoMain;
  }
  if (main.isExternal() || !main.isPublic()) {
    diagnose(main.getLoc(), codes::kNoMain) << "expects a public function main with a body";
    return &codes::kNoMain;
  }
  return nullptr;
}

//===-----------------------------------------------------------------------------===//
// Calls
//===-----------------------------------------------------------------------------===//

StringRef calleeOf(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) return call.getCallee();
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op)) return composite.getDecomposition();
  return {};
}

// Looks for a path of calls that comes back to where it was: a walk in depth with its own stack.
class CycleSearch {
 public:
  explicit CycleSearch(ModuleOp module) : symbols(module) {
    module.walk([&](func::FuncOp function) {
      function.walk([&](Operation *op) {
        if (!calleeOf(op).empty()) calls[function].push_back(op);
      });
    });
  }

  // The call that closes a cycle, or null.
  Operation *find(func::FuncOp root);

 private:
  SymbolTable symbols;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> calls;
  llvm::DenseMap<Operation *, bool> open;  // on the current path, or done
};

Operation *CycleSearch::find(func::FuncOp root) {
  SmallVector<std::pair<Operation *, size_t>> path;
  auto enter = [&](Operation *function) {
    open[function] = true;
    path.push_back({function, 0});
  };
  if (!open.contains(root)) enter(root);
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
    if (!callee) continue;  // the verifier's
    auto state = open.find(callee);
    if (state == open.end())
      enter(callee);
    else if (state->second)
      return call;
  }
  return nullptr;
}

// The verifier has found each callee.
const DiagnosticCode *checkBodies(ModuleOp module, Need need) {
  if (need != Need::Program) return nullptr;
  SymbolTable symbols(module);
  const DiagnosticCode *failure = nullptr;
  module.walk([&](Operation *op) {
    StringRef name = calleeOf(op);
    auto callee = name.empty() ? func::FuncOp() : symbols.lookup<func::FuncOp>(name);
    if (!callee || !callee.isExternal()) return WalkResult::advance();
    (diagnose(op->getLoc(), codes::kNoBody) << "expects @" + name + " to have a body").attachNote(callee.getLoc())
        << "declared here";
    failure = &codes::kNoBody;
    return WalkResult::interrupt();
  });
  return failure;
}

const DiagnosticCode *checkCalls(ModuleOp module, Need) {
  CycleSearch search(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (Operation *call = search.find(function)) {
      CodedError error = diagnose(call->getLoc(), codes::kCyclicCalls)
                         << "expects calls without cycles, but @" + calleeOf(call) + " calls itself";
      error.attachNote(module.lookupSymbol(calleeOf(call))->getLoc()) << "through calls from here";
      return &codes::kCyclicCalls;
    }
  return nullptr;
}

//===-----------------------------------------------------------------------------===//
// Types
//===-----------------------------------------------------------------------------===//

const DiagnosticCode *checkTensor(RankedTensorType type, Location location, Need need) {
  auto refuse = [&](const DiagnosticCode &code, StringRef what) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    diagnose(location, code) << "expects " + what + ", but got " + text;
    return &code;
  };
  if (stablehlo::elementKind(type.getElementType()) == 0)
    return refuse(codes::kUnknownType, "an element type of StableHLO");
  SmallVector<int64_t> bounds = stablehlo::upperBounds(type);
  bool sized = !llvm::is_contained(bounds, ShapedType::kDynamic);
  // The stage shapes gives sizes to those that are open.
  if (!sized) return nullptr;
  // A scalar's bytes in memory at most, 16, and some room for the tiles.
  std::optional<int64_t> elements = stablehlo::numElements(bounds);
  if (!elements || *elements > (int64_t(1) << 56)) return refuse(codes::kTooLarge, "an array of 2^56 elements at most");
  return nullptr;
}

const DiagnosticCode *checkType(Type type, Location location, Need need) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) return checkTensor(tensor, location, need);
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type element : tuple)
      if (const DiagnosticCode *failure = checkType(element, location, need)) return failure;
    return nullptr;
  }
  if (isa<stablehlo::TokenType, stablehlo::FutureType>(type)) return nullptr;
  if (need == Need::Valid && isa<UnrankedTensorType, MemRefType>(type)) return nullptr;
  std::string text;
  llvm::raw_string_ostream(text) << type;
  if (isa<UnrankedTensorType>(type)) {
    diagnose(location, codes::kDynamicShape) << "expects arrays of known rank, but got " + text;
    return &codes::kDynamicShape;
  }
  diagnose(location, codes::kUnknownType) << "expects tensors, tokens and tuples, but got " + text;
  return &codes::kUnknownType;
}

// The dialects of a program; the context may have others, for later stages.
bool isProgramOp(Operation *op) {
  if (!op->isRegistered()) return false;
  static constexpr StringLiteral dialects[] = {"builtin", "func", "stablehlo", "chlo", "check", "sdy"};
  return llvm::is_contained(dialects, op->getName().getDialectNamespace());
}

// Every op is of a dialect that is known, every value of a type that is.
const DiagnosticCode *checkOps(ModuleOp module, Need need) {
  const DiagnosticCode *failure = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isProgramOp(op)) {
      const std::string message = ("expects ops of StableHLO, but got '" + op->getName().getStringRef() + "'").str();
      StringRef way = wayFromDialect(message);
      diagnose(op->getLoc(), codes::kUnknownOp) << message << (way.empty() ? "" : "; ") << way;
      failure = &codes::kUnknownOp;
      return WalkResult::interrupt();
    }
    for (Type type : op->getResultTypes())
      if ((failure = checkType(type, op->getLoc(), need))) return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if ((failure = checkType(argument.getType(), argument.getLoc(), need))) return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure;
}

}  // namespace

// What passes say to each other is theirs to say: a program's text is not believed.
static void dropOwnAttributes(ModuleOp module) {
  auto isOwn = [](NamedAttribute attribute) {
    StringRef name = attribute.getName().getValue(), dialect = name.split('.').first;
    // These are the program's to say, and checked against its types where it is loaded.
    if (name == kernel::kShardingAttr || name == kernel::kGlobalTypeAttr) return false;
    return name.contains('.') && llvm::is_contained({"kernel", "tpu", "tpuc"}, dialect);
  };
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (isOwn(attribute)) op->removeDiscardableAttr(attribute.getName());
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function) return;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute attribute : llvm::to_vector(function.getArgAttrs(i)))
        if (isOwn(attribute)) function.removeArgAttr(i, attribute.getName());
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute attribute : llvm::to_vector(function.getResultAttrs(i)))
        if (isOwn(attribute)) function.removeResultAttr(i, attribute.getName());
  });
}

const DiagnosticCode *checkModule(ModuleOp module, Need need) {
  dropOwnAttributes(module);
  // Unknown ops first: what they do to the rest is unknown too.
  for (auto *check : {checkOneModule, checkOps, checkCounts, checkTopLevel, checkMain, checkBodies, checkCalls})
    if (const DiagnosticCode *failure = check(module, need)) return failure;
  return nullptr;
}

}  // namespace tpuc::frontend
