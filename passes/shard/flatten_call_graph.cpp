//===- flatten_call_graph.cpp - a function for each call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_FLATTENCALLGRAPHPASS
#include "passes/shard/passes.h.inc"

namespace {

// Depth first from the functions that nothing calls: the first call of a function keeps it, later ones get a copy.
struct FlattenCallGraph : impl::FlattenCallGraphPassBase<FlattenCallGraph> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    table = &symbols;
    llvm::DenseSet<StringAttr> called;
    getOperation().walk([&](func::CallOp call) { called.insert(call.getCalleeAttr().getAttr()); });
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!called.contains(function.getSymNameAttr()) && failed(visit(function))) return signalPassFailure();
  }

  LogicalResult visit(func::FuncOp function) {
    if (!path.insert(function).second)
      return diagnose(function, codes::kCyclicCalls) << "expects calls without a cycle";
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = table->lookup<func::FuncOp>(call.getCallee());
      if (!callee || callee.isExternal()) continue;
      if (path.contains(callee)) return diagnose(call, codes::kCyclicCalls) << "expects calls without a cycle";
      if (!taken.insert(callee).second) callee = copyFor(call, callee);
      if (failed(visit(callee))) return failure();
    }
    path.erase(function);
    return success();
  }

  func::FuncOp copyFor(func::CallOp call, func::FuncOp callee) {
    StringAttr original = callee->getAttrOfType<StringAttr>("sdy.original_func_name");
    original = original ? original : callee.getSymNameAttr();
    func::FuncOp copy = pristine(callee, original);
    table->insert(copy);  // at the end, with a name of its own
    copy->setAttr("sdy.original_func_name", original);
    copy.setPrivate();
    taken.insert(copy);
    call.setCalleeAttr(FlatSymbolRefAttr::get(copy.getSymNameAttr()));
    return copy;
  }

  // A copy whose calls name the functions that the program has, not the copies of them.
  func::FuncOp pristine(func::FuncOp callee, StringAttr original) {
    func::FuncOp copy = callee.clone();
    copy.setSymNameAttr(original);
    copy.walk([&](func::CallOp call) {
      if (auto inner = table->lookup<func::FuncOp>(call.getCallee()))
        if (auto name = inner->getAttrOfType<StringAttr>("sdy.original_func_name"))
          call.setCalleeAttr(FlatSymbolRefAttr::get(name));
    });
    return copy;
  }

  SymbolTable *table = nullptr;
  llvm::DenseSet<func::FuncOp> path;
  llvm::DenseSet<func::FuncOp> taken;
};

}  // namespace
}  // namespace tpuc::shard
