//===- interfaces.td - what propagation asks of an op --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_SDY_INTERFACES_TD
#define TPUC_SDY_INTERFACES_TD

include "dialects/sdy/attributes.td"

def ShardingRuleOpInterface : OpInterface<"ShardingRuleOpInterface"> {
  let description = [{
    Ops that say how shardings of their operands and results belong together. Ops of other dialects get it as an
    external model; `sdy.sharding_rule` on an op overrides it.
  }];
  let cppNamespace = "::tpuc::sdy";
  let methods = [
    InterfaceMethod<"The rule; null where the op has none. A conservative rule carries only axes that divide.",
                    "::tpuc::sdy::OpShardingRuleAttr", "getShardingRule", (ins "bool":$conservative)>,
    InterfaceMethod<"Whether an axis that does not divide a result's dimension stays away from it.", "bool",
                    "shouldKeepOutputShardingsDivisible", (ins), "", [{ return false; }]>,
  ];
}

def ShardableDataFlowOpInterface : OpInterface<"ShardableDataFlowOpInterface"> {
  let description = [{
    Ops whose regions pass values on. An edge has sources (operands of the op or of its regions' terminators) and
    targets (its results or its regions' arguments), all sharded alike. One target owns the edge and holds its sharding.
  }];
  let cppNamespace = "::tpuc::sdy";
  let methods = [
    InterfaceMethod<"The owner of each edge: arguments of regions first, then results.",
                    "::llvm::SmallVector<::mlir::Value>", "getEdgeOwners">,
    InterfaceMethod<"", "::llvm::SmallVector<::mlir::OpOperand *>", "getEdgeSources", (ins "::mlir::Value":$owner)>,
    InterfaceMethod<"", "::llvm::SmallVector<::mlir::Value>", "getNonEdgeOwnerTargets", (ins "::mlir::Value":$owner)>,
    InterfaceMethod<"", "::mlir::Value", "getEdgeOwnerFromTarget", (ins "::mlir::Value":$target)>,
    InterfaceMethod<"Null where the operand is no source.", "::mlir::Value", "getEdgeOwnerFromSource",
                    (ins "::mlir::OpOperand &":$source)>,
    InterfaceMethod<"The sharding that the op itself holds for an owner.", "::tpuc::sdy::TensorShardingAttr",
                    "getEdgeOwnerSharding", (ins "::mlir::Value":$owner)>,
    InterfaceMethod<"Of all owners, in their order.", "void", "setEdgeOwnerShardings",
                    (ins "::llvm::ArrayRef<::tpuc::sdy::TensorShardingAttr>":$shardings)>,
    InterfaceMethod<[{Between a target and its sources the op may take axes away: the target's sharding as the sources
                      see it, and back (afterPropagation).}], "::tpuc::sdy::TensorShardingAttr",
                          "transformTargetSharding",
                    (ins "::mlir::Value":$target, "::tpuc::sdy::TensorShardingAttr":$sharding,
                         "bool":$afterPropagation)>,
  ];
}

def CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let description = "Ops that move the parts of an array from one sharding to another.";
  let cppNamespace = "::tpuc::sdy";
  let methods = [
    InterfaceMethod<"", "::tpuc::sdy::TensorShardingAttr", "getOutSharding">,
    InterfaceMethod<"", "void", "setOutShardingAttr", (ins "::tpuc::sdy::TensorShardingAttr":$sharding)>,
    InterfaceMethod<"The operand.", "::mlir::Value", "getTensor", (ins), [{ return $_op->getOperand(0); }]>,
    InterfaceMethod<"Whether the meshes may differ.", "bool", "allowDifferentMeshes", (ins), "", [{ return false; }]>,
    InterfaceMethod<"Whether an operand without a sharding counts as replicated.", "bool", "allowMissingInputSharding",
                    (ins), "", [{ return false; }]>,
  ];
}

#endif
