//===- unflatten_call_graph.cpp - one function for calls that shard it alike ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include <map>

#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_UNFLATTENCALLGRAPHPASS
#include "passes/shard/passes.h.inc"

namespace {

// Copies of a function, by what their arguments and results are sharded like.
struct UnflattenCallGraph : impl::UnflattenCallGraphPassBase<UnflattenCallGraph> {
  using UnflattenCallGraphPassBase::UnflattenCallGraphPassBase;

  // Of functions that are alike one stays: the first that is called, or, with `dedupFully`, the first of the module.
  void runOnOperation() override {
    kept.clear();
    SymbolTable symbols(getOperation());
    SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) { calls.push_back(call); });
    if (dedupFully)
      for (auto function : getOperation().getOps<func::FuncOp>()) keep(function);
    llvm::DenseSet<func::FuncOp> gone;
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee) continue;
      func::FuncOp kept = keep(callee);
      if (kept == callee) continue;
      call.setCalleeAttr(FlatSymbolRefAttr::get(kept.getSymNameAttr()));
      gone.insert(callee);
    }
    for (func::FuncOp function : gone) function.erase();
    for (auto function : getOperation().getOps<func::FuncOp>()) function->removeAttr("sdy.original_func_name");
  }

  // What stays in place of `function`.
  func::FuncOp keep(func::FuncOp function) {
    if (!function.isPrivate() || function.isExternal()) return function;
    auto original = function->getAttrOfType<StringAttr>("sdy.original_func_name");
    StringAttr name = original ? original : function.getSymNameAttr();
    return kept.try_emplace({name.getAsOpaquePointer(), keyOf(function).getAsOpaquePointer()}, function).first->second;
  }

  Attribute keyOf(func::FuncOp function) {
    SmallVector<Attribute> key;
    if (dedupFully) return ArrayAttr::get(&getContext(), key);
    auto add = [&](Attribute sharding) { key.push_back(sharding ? sharding : UnitAttr::get(&getContext())); };
    for (unsigned i = 0; i < function.getNumArguments(); ++i) add(function.getArgAttr(i, "sdy.sharding"));
    for (unsigned i = 0; i < function.getNumResults(); ++i) add(function.getResultAttr(i, "sdy.sharding"));
    return ArrayAttr::get(&getContext(), key);
  }

  std::map<std::pair<const void *, const void *>, func::FuncOp> kept;
};

}  // namespace
}  // namespace tpuc::shard
