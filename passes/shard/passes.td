//===- passes.td - passes of the shard stage, in the order in which they run ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their names and options are those that Shardy's documentation gives to passes that do the same.
#ifndef TPUC_PASSES_SHARD_PASSES
#define TPUC_PASSES_SHARD_PASSES

include "mlir/Pass/PassBase.td"

class ShardPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::tpuc::sdy::SdyDialect"];
}

def LiftInlinedMeshesPass : ShardPass<"sdy-lift-inlined-meshes"> {
  let summary = "a symbol for each mesh that shardings write out";
  let description = [{
    Equal meshes become one symbol, whether shardings write them out or name them.

    ```mlir
    #sdy.sharding<mesh<["x"=2]>, [{"x"} ]>
    // becomes, beside sdy.mesh @mesh = <["x"=2]>
    #sdy.sharding<@mesh, [{"x"} ]>
    ```
  }];
}

def RemoveSizeOneAxesPass : ShardPass<"sdy-remove-size-one-axes"> {
  let summary = "shardings without axes of one device";
  let description = [{
    They shard nothing and would conflict. Meshes keep them.

    ```mlir
    <@mesh, [{"one", "x"} ]> // becomes <@mesh, [{"x"} ]>
    ```
  }];
}

def FlattenCallGraphPass : ShardPass<"sdy-flatten-call-graph"> {
  let summary = "a function for each call";
  let description = [{
    A function that is called twice is copied, so that each call has shardings of its own.

    ```mlir
    %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = call @f(%y) : (tensor<8xf32>) -> tensor<8xf32> // becomes a call of @f_0
    ```
  }];
}

def PropagateShardingFromFuncToCallPass : ShardPass<"sdy-propagate-sharding-from-func-to-call"> {
  let summary = "shardings of a function's results for its calls";
  let description = [{
    Calls that state shardings of their own keep them.

    ```mlir
    %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32> // gets the sharding of @f's result
    ```
  }];
}

def ConstantOrScalarSplitterPass : ShardPass<"sdy-constant-or-scalar-splitter"> {
  let summary = "constants of their own for each use";
  let description = [{
    Two uses of a constant, or of a scalar made larger, have nothing to do with each other: each gets a copy of all
    that computes it.

    ```mlir
    %c = stablehlo.constant dense<1.0> : tensor<8xf32>
    // becomes, for two uses
    %0 = sdy.constant dense<1.0> : tensor<8xf32>
    %1 = sdy.constant dense<1.0> : tensor<8xf32>
    ```
  }];
}

def ManualAxesCleanupPass : ShardPass<"sdy-manual-axes-cleanup"> {
  let summary = "manual axes stated in full, in the mesh's order";
  let description = [{
    A manual axis that an in- or out-sharding does not use is replicated there.

    ```mlir
    in_shardings=[<@mesh, [{?} ]>] manual_axes={"x"} // becomes in_shardings=[<@mesh, [{?} ], replicated={"x"}>]
    ```
  }];
}

def AddDataFlowEdgesPass : ShardPass<"sdy-add-data-flow-edges"> {
  let summary = "an op for each edge of data flow";
  let description = [{
    Each target that owns an edge (a result of a loop, a branch or a barrier, an argument of a computation) is used
    through an
    `sdy.data_flow_edge` from here on. It holds the sharding of all targets of its edge while shardings propagate.

    ```mlir
    %0 = stablehlo.optimization_barrier %x : tensor<8xf32>
    return %0 : tensor<8xf32>
    // becomes
    %0 = stablehlo.optimization_barrier %x : tensor<8xf32>
    %1 = sdy.data_flow_edge %0 : tensor<8xf32>
    return %1 : tensor<8xf32>
    ```
  }];
}

def AddFuncDataFlowEdgesPass : ShardPass<"sdy-add-func-data-flow-edges"> {
  let summary = "an op for each argument of a called function and each result of a call";
  let description = [{
    It holds the sharding that goes through the call.

    ```mlir
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.func_data_flow_edge %x : tensor<8xf32>
    ```
  }];
}

def ApplyShardingConstraintsPass : ShardPass<"sdy-apply-sharding-constraints"> {
  let summary = "constraints that dictate their input's sharding, on the input";
  let description = [{
    A closed constraint, alone on a value without a sharding, is the value's own. Of a chain of constraints, later
    uses of the value see the last.

    ```mlir
    %0 = stablehlo.abs %x : tensor<8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"} ]> : tensor<8xf32>
    // becomes
    %0 = stablehlo.abs %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : tensor<8xf32>
    ```
  }];
}

def ShardingGroupImportPass : ShardPass<"sdy-sharding-group-import"> {
  let summary = "groups that share a member become one";
  let description = [{
    The groups are numbered from 0. One that is partly within a manual computation is an error.

    ```mlir
    sdy.sharding_group %x group_id=7 : tensor<8xf32>
    sdy.sharding_group %x group_id=9 : tensor<8xf32> // both groups are group 0
    ```
  }];
}

def PopulateOpShardingRulesPass : ShardPass<"sdy-populate-op-sharding-rules"> {
  let summary = "the sharding rule of each op, as an attribute";
  let description = [{
    For people and tests: propagation asks each op itself. A custom call without a rule is warned of.

    ```mlir
    %0 = stablehlo.abs %x : tensor<8xf32>
    // becomes
    %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
    ```
  }];
  let options = [Option<"conservative", "conservative-propagation", "bool", "false", "only factors that axes divide">];
}

class PropagatePass<string argument, list<Option> more = []> : ShardPass<argument> {
  let options = [
    Option<"keepRules", "keep-sharding-rules", "bool", "false", "leave the rules that were made on their ops">,
    Option<"conservative", "conservative-propagation", "bool", "false",
           "no parts of axes, and no axes that do not divide">,
    Option<"noteOrigins", "debug-sharding-origins", "bool", "false", "note from which annotation each axis came">,
    Option<"noteEdges", "debug-propagation-edge-sharding", "bool", "false",
           "note from which array of an op each axis came">
  ] # more;
}
defvar StrategyOption = [Option<"strategy", "propagation-strategy", "std::string", [{"basic-then-aggressive"}],
                                "basic, aggressive or basic-then-aggressive">];
defvar OpPriorityOptions = StrategyOption # [Option<"runOpPriorities", "run-op-priority-propagation", "bool", "true",
                                                    "whether ops have priorities at all">];

def BasicPropagatePass : PropagatePass<"sdy-basic-propagate"> {
  let summary = "shardings from op to op, as far as nothing conflicts";
  let description = [{
    Along each factor of an op's rule, the longest axes that all its arrays can have go to those that have fewer.

    ```mlir
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<8xf32> {
      %0 = stablehlo.abs %x : tensor<8xf32>
    // becomes
      %0 = stablehlo.abs %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?} ]>]>} : tensor<8xf32>
    ```
  }];
}

def AggressivePropagatePass : PropagatePass<"sdy-aggressive-propagate", StrategyOption> {
  let summary = "shardings from op to op, conflicts resolved";
  let description = [{
    Each array of an op gets the axes that it can have, whether or not the others can. Where two factors want one
    axis, the factor
    of the larger array has it.

    ```mlir
    %0 = stablehlo.add %x, %y : tensor<8x8xf32> // %x: [{"a"}, {?} ], %y: [{?}, {"a"} ]
    // becomes
    %0 = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?} ]>]>} : tensor<8x8xf32>
    ```
  }];
}

def OpPriorityPropagatePass : PropagatePass<"sdy-op-priority-propagate", OpPriorityOptions> {
  let summary = "shardings through ops that only pass them on first";
  let description = [{
    Elementwise ops, reshapes and transposes first, and those whose values have several uses after those with one;
    then all others.
    A sharding that reaches a value without communication has it before one that would need some.

    ```mlir
    %0 = stablehlo.dot_general %x, %y, ... // %x: [{"a"}, {} ]
    %1 = stablehlo.add %0, %0              // the program wants [{}, {"a"} ]: so has %0
    ```
  }];
}

def UserPriorityPropagatePass : PropagatePass<"sdy-user-priority-propagate", OpPriorityOptions> {
  let summary = "shardings in the order of the priorities that the program states";
  let description = [{
    Dimensions of priority 0 reach the whole program, then those of 1, and so on. One whose turn has not come is not
    overridden.

    ```mlir
    // %x: [{"a"}p1], %0: [{"c"}p0]: %1 has {"c"}
    %1 = stablehlo.add %x, %0 : tensor<8xf32>
    ```
  }];
}

def SinkDataFlowEdgesPass : ShardPass<"sdy-sink-data-flow-edges"> {
  let summary = "shardings of edges into the ops that own them";
  let description = [{
    An `sdy.data_flow_edge` gives its sharding to its target's op and goes.

    ```mlir
    %0 = stablehlo.optimization_barrier %x : tensor<8xf32>
    %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x"} ]> : tensor<8xf32>
    // becomes
    %0 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} %x : tensor<8xf32>
    ```
  }];
}

def SinkFuncDataFlowEdgesPass : ShardPass<"sdy-sink-func-data-flow-edges"> {
  let summary = "shardings of edges of calls, on arguments and calls";
  let description = [{
    ```mlir
    %0 = sdy.func_data_flow_edge %x {sdy.sharding = ...} : tensor<8xf32> // its sharding is %x's
    ```
  }];
}

def PropagateToFuncResultsPass : ShardPass<"sdy-propagate-to-func-results"> {
  let summary = "shardings of what a private function returns, on its results";
  let description = [{
    ```mlir
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> // becomes -> (tensor<8xf32> {sdy.sharding = ...})
    ```
  }];
}

def RemoveShardingGroupsPass : ShardPass<"sdy-remove-sharding-groups"> {
  let summary = "no sharding groups any more";
  let description = [{
    ```mlir
    sdy.sharding_group %x group_id=0 : tensor<8xf32> // goes
    ```
  }];
}

def ShardingConstraintToReshardPass : ShardPass<"sdy-sharding-constraint-to-reshard"> {
  let summary = "a reshard for each constraint";
  let description = [{
    ```mlir
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"} ]> : tensor<8xf32> // becomes sdy.reshard
    ```
  }];
}

def UpdateNonDivisibleInputOutputShardingsPass : ShardPass<"sdy-update-non-divisible-input-output-shardings"> {
  let summary = "arguments and results of functions in equal parts";
  let description = [{
    Callers have no arrays with padding: axes that do not divide a dimension go, and those after them.

    ```mlir
    %x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>} // "x" of 4: becomes {"x":(1)2}
    ```
  }];
}

def CloseShardingsPass : ShardPass<"sdy-close-shardings"> {
  let summary = "shardings that nothing extends any more";
  let description = [{
    ```mlir
    <@mesh, [{"x", ?} ], replicated={"y"}> // becomes <@mesh, [{"x"} ]>
    ```
  }];
}

def UnflattenCallGraphPass : ShardPass<"sdy-unflatten-call-graph"> {
  let summary = "one function for calls that shard it alike";
  let description = [{
    ```mlir
    %1 = call @f_0(%y) : (tensor<8xf32>) -> tensor<8xf32> // of @f, where both are sharded alike
    ```
  }];
  let options = [Option<"dedupFully", "dedup-functions-fully", "bool", "false",
                        "one function for all calls of it, however they shard it">];
}

def InsertFuncCallReshardsPass : ShardPass<"sdy-insert-func-call-reshards"> {
  let summary = "reshards where a call states another sharding than its function";
  let description = [{
    ```mlir
    %0 = call @f(%x) {sdy.sharding = ...} : (tensor<8xf32>) -> tensor<8xf32> // becomes the call and a sdy.reshard
    ```
  }];
}

def InsertExplicitReshardsPass : ShardPass<"sdy-insert-explicit-reshards"> {
  let summary = "unreduced axes are reduced before they are gone";
  let description = [{
    ```mlir
    %1 = sdy.reshard %0 <@mesh, [{} ]> : tensor<8xf32> // %0 is unreduced along "x"
    // becomes
    %1 = sdy.all_reduce {"x"} %0 out_sharding=<@mesh, [{} ]> : tensor<8xf32>
    %2 = sdy.reshard %1 <@mesh, [{} ]> : tensor<8xf32>
    ```
  }];
}

#endif
