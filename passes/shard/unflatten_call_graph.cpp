//===- unflatten_call_graph.cpp - one function for calls that shard it alike ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/passes.h"

#include <map>

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_UNFLATTENCALLGRAPHPASS
#include "passes/shard/passes.h.inc"

namespace {

// Copies of a function, by what their arguments and results are sharded like.
struct UnflattenCallGraph : impl::UnflattenCallGraphPassBase<UnflattenCallGraph> {
  using UnflattenCallGraphPassBase::UnflattenCallGraphPassBase;

  void runOnOperation() override {
    std::map<std::pair<const void *, const void *>, func::FuncOp> kept;
    llvm::DenseMap<StringAttr, StringAttr> renamed;
    SmallVector<func::FuncOp> gone;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPrivate() || function.isExternal())
        continue;
      auto original = function->getAttrOfType<StringAttr>("sdy.original_func_name");
      StringAttr name = original ? original : function.getSymNameAttr();
      auto [first, isNew] = kept.try_emplace({name.getAsOpaquePointer(), keyOf(function).getAsOpaquePointer()}, function);
      if (isNew)
        continue;
      renamed[function.getSymNameAttr()] = first->second.getSymNameAttr();
      gone.push_back(function);
    }
    getOperation().walk([&](func::CallOp call) {
      if (auto to = renamed.find(call.getCalleeAttr().getAttr()); to != renamed.end())
        call.setCalleeAttr(FlatSymbolRefAttr::get(to->second));
    });
    for (func::FuncOp function : gone)
      function.erase();
    for (auto function : getOperation().getOps<func::FuncOp>())
      function->removeAttr("sdy.original_func_name");
  }

  Attribute keyOf(func::FuncOp function) {
    SmallVector<Attribute> key;
    if (dedupFully)
      return ArrayAttr::get(&getContext(), key);
    auto add = [&](Attribute sharding) { key.push_back(sharding ? sharding : UnitAttr::get(&getContext())); };
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      add(function.getArgAttr(i, "sdy.sharding"));
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      add(function.getResultAttr(i, "sdy.sharding"));
    return ArrayAttr::get(&getContext(), key);
  }
};

} // namespace
} // namespace tpuc::shard
