//===- inline_calls.cpp - puts every called function where it is called --------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Order the functions so that callees come before callers; a cycle is an error.
// 2. In that order, replace each call by a copy of the callee's body, which has no calls left.
// 3. Erase the functions that nothing names any more: the private ones, and beside main all others.
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/sdy/sdy.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "passes/simplify/passes.h.inc"

namespace {

// Null for an op that calls nothing.
FlatSymbolRefAttr calleeName(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) return call.getCalleeAttr();
  if (auto composite = dyn_cast<stablehlo::CompositeOp>(op)) return composite.getDecompositionAttr();
  return {};
}

SmallVector<Operation *> callsIn(func::FuncOp function) {
  SmallVector<Operation *> calls;
  function.walk([&](Operation *op) {
    if (calleeName(op)) calls.push_back(op);
  });
  return calls;
}

// A depth-first walk of the graph of calls, without recursion: programs may nest deeply.
class CallOrder {
 public:
  explicit CallOrder(ModuleOp module) : symbols(module) {}

  // Appends `root` and what it calls, callees first.
  LogicalResult visit(func::FuncOp root);
  ArrayRef<func::FuncOp> order() const { return done; }

 private:
  enum class State { Open, Done };
  struct Frame {
    func::FuncOp function;
    SmallVector<Operation *> calls;
    size_t next = 0;
  };

  SymbolTable symbols;
  llvm::DenseMap<Operation *, State> states;
  SmallVector<func::FuncOp> done;
};

LogicalResult CallOrder::visit(func::FuncOp root) {
  if (states.contains(root)) return success();
  SmallVector<Frame> stack;
  auto push = [&](func::FuncOp function) {
    states[function] = State::Open;
    stack.push_back({function, callsIn(function)});
  };
  push(root);
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (frame.next == frame.calls.size()) {
      states[frame.function] = State::Done;
      done.push_back(frame.function);
      stack.pop_back();
      continue;
    }
    Operation *call = frame.calls[frame.next++];
    auto callee = symbols.lookup<func::FuncOp>(calleeName(call).getValue());
    if (!callee || callee.isExternal())
      return diagnose(call, codes::kNoBody) << "expects a function with a body, but got " << calleeName(call);
    auto state = states.find(callee);
    if (state == states.end()) {
      push(callee);
    } else if (state->second == State::Open) {
      CodedError error = diagnose(call, codes::kCyclicCalls)
                         << "expects calls without cycles, but " << calleeName(call) << " is being called already";
      error.attachNote(callee.getLoc()) << "the function that calls itself";
      return error;
    }
  }
  return success();
}

// The location of an op of the callee, with the call that it was inlined at.
Location calledFrom(Location callee, Location call) { return CallSiteLoc::get(callee, call); }

constexpr StringLiteral kSharding = "sdy.sharding";

// `value` with the sharding that the callee states for the argument or result that it is.
Value constrained(OpBuilder &builder, Location location, Value value, Attribute sharding) {
  auto stated = dyn_cast_or_null<sdy::TensorShardingAttr>(sharding);
  if (!stated) return value;
  return sdy::ShardingConstraintOp::create(builder, location, value.getType(), value, stated);
}

// Replaces a call by a copy of its callee's body.
void inlineCall(Operation *call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping map;
  Block &body = callee.getBody().front();
  for (auto [i, argument] : llvm::enumerate(body.getArguments()))
    map.map(argument, constrained(builder, call->getLoc(), call->getOperand(i), callee.getArgAttr(i, kSharding)));
  for (Operation &op : body.without_terminator()) {
    Operation *copy = builder.clone(op, map);
    copy->walk([&](Operation *inner) { inner->setLoc(calledFrom(inner->getLoc(), call->getLoc())); });
  }
  SmallVector<Value> results;
  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    results.push_back(
        constrained(builder, call->getLoc(), map.lookupOrDefault(value), callee.getResultAttr(i, kSharding)));
  call->replaceAllUsesWith(results);
  call->erase();
}

// Portable artifacts say an op of chlo as a composite of its name: the op is what tpuc knows better than the
// decomposition. Null for other composites, and for ops that don't verify.
Operation *chloOpOf(stablehlo::CompositeOp composite) {
  StringRef name = composite.getName();
  auto info = RegisteredOperationName::lookup(name, composite.getContext());
  if (!name.starts_with("chlo.") || !info || composite->getNumRegions()) return nullptr;
  OperationState state(composite.getLoc(), name, composite->getOperands(), composite->getResultTypes());
  if (DictionaryAttr attributes = composite.getCompositeAttributesAttr()) state.addAttributes(attributes.getValue());
  ScopedDiagnosticHandler quiet(composite.getContext(), [](Diagnostic &) { return success(); });
  NamedAttrList checked(state.attributes);
  if (failed(info->verifyInherentAttrs(checked, [&] { return emitError(composite.getLoc()); }))) return nullptr;
  Operation *op = OpBuilder(composite).create(state);
  if (succeeded(verify(op))) return op;
  op->erase();
  return nullptr;
}

int64_t countOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *) { ++count; });
  return count;
}

struct InlineCalls : impl::InlineCallsPassBase<InlineCalls> {
  using InlineCallsPassBase::InlineCallsPassBase;

  void runOnOperation() override {
    getOperation().walk([](stablehlo::CompositeOp composite) {
      if (Operation *op = chloOpOf(composite)) {
        composite->replaceAllUsesWith(op);
        composite->erase();
      }
    });
    CallOrder order(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(order.visit(function))) return signalPassFailure();
    if (failed(inlineInOrder(order.order()))) return signalPassFailure();
    eraseUnused();
  }

  LogicalResult inlineInOrder(ArrayRef<func::FuncOp> order);
  void eraseUnused();
};

LogicalResult InlineCalls::inlineInOrder(ArrayRef<func::FuncOp> order) {
  SymbolTable symbols(getOperation());
  llvm::DenseMap<Operation *, int64_t> sizes;
  for (func::FuncOp function : order) {
    if (function.isExternal()) continue;
    if (!function.getBody().hasOneBlock())
      return diagnose(function, codes::kBrokenStage)
             << "expects a function of one block, but got " << function.getBody().getBlocks().size();
    int64_t size = countOps(function);
    for (Operation *call : callsIn(function)) {
      auto callee = symbols.lookup<func::FuncOp>(calleeName(call).getValue());
      size += sizes.lookup(callee);
      // Calls double what they call: 40 functions can make 2^40 ops.
      if (size > maxOps)
        return diagnose(function, codes::kTooManyOps)
               << "expects " << static_cast<int64_t>(maxOps)
               << " ops at most after inlining, but got more; repeat with stablehlo.while";
      inlineCall(call, callee);
    }
    sizes[function] = size;
  }
  return success();
}

// Functions that custom calls or others name stay. Those that only an unused one names go after it.
void InlineCalls::eraseUnused() {
  const bool hasMain = getOperation().lookupSymbol<func::FuncOp>("main") != nullptr;
  if (hasMain && llvm::hasSingleElement(getOperation().getOps<func::FuncOp>())) return;
  SymbolTableCollection tables;
  SymbolUserMap users(tables, getOperation());  // one walk for all functions
  SmallVector<func::FuncOp> unused;
  auto isUsed = [&](func::FuncOp function) {
    return llvm::any_of(users.getUsers(function), [&](Operation *user) {
      auto in = dyn_cast<func::FuncOp>(user);
      return !llvm::is_contained(unused, in ? in : user->getParentOfType<func::FuncOp>());
    });
  };
  auto erase = [&](llvm::function_ref<bool(func::FuncOp)> may) {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (may(function) && !isUsed(function)) unused.push_back(function);
  };
  erase([&](func::FuncOp function) { return hasMain && function.isPublic() && function.getSymName() != "main"; });
  erase([](func::FuncOp function) { return function.isPrivate(); });
  for (func::FuncOp function : unused) function.erase();
}

}  // namespace
}  // namespace tpuc::simplify
