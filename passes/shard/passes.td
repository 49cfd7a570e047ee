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
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"} ]>}) -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def RemoveSizeOneAxesPass : ShardPass<"sdy-remove-size-one-axes"> {
  let summary = "shardings without axes of one device";
  let description = [{
    They shard nothing and would conflict. Meshes keep them.

    ```mlir
    sdy.mesh @mesh = <["one"=1, "x"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"one", "x"} ]>}) -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["one"=1, "x"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def FlattenCallGraphPass : ShardPass<"sdy-flatten-call-graph"> {
  let summary = "a function for each call";
  let description = [{
    A function that is called twice is copied, so that each call has shardings of its own.

    ```mlir
    func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = call @f(%y) : (tensor<8xf32>) -> tensor<8xf32>
      return %0, %1 : tensor<8xf32>, tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = call @f_0(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
      return %0, %1 : tensor<8xf32>, tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
    func.func private @f_0(%arg0: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def PropagateShardingFromFuncToCallPass : ShardPass<"sdy-propagate-sharding-from-func-to-call"> {
  let summary = "shardings of a function's results for its calls";
  let description = [{
    Calls that state shardings of their own keep them.

    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) {
      return %x : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : (tensor<8xf32>)
          -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def ConstantOrScalarSplitterPass : ShardPass<"sdy-constant-or-scalar-splitter"> {
  let summary = "constants of their own for each use";
  let description = [{
    Two uses of a constant, or of a scalar made larger, have nothing to do with each other: each gets a copy of all
    that computes it.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = stablehlo.constant dense<1.0> : tensor<8xf32>
      %1 = stablehlo.add %x, %0 : tensor<8xf32>
      %2 = stablehlo.multiply %x, %0 : tensor<8xf32>
      return %1, %2 : tensor<8xf32>, tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
      %1 = sdy.constant dense<1.000000e+00> : tensor<8xf32>
      %2 = stablehlo.add %arg0, %0 : tensor<8xf32>
      %3 = stablehlo.multiply %arg0, %1 : tensor<8xf32>
      return %2, %3 : tensor<8xf32>, tensor<8xf32>
    }
    ```
  }];
}

def ManualAxesCleanupPass : ShardPass<"sdy-manual-axes-cleanup"> {
  let summary = "manual axes stated in full, in the mesh's order";
  let description = [{
    A manual axis that an in- or out-sharding does not use is replicated there.

    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{?} ]>] out_shardings=[<@mesh, [{?} ]>] manual_axes={"x"}
          (%a: tensor<8xf32>) {
        sdy.return %a : tensor<8xf32>
      } : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{?} ], replicated={"x"}>] out_shardings=[<@mesh,
          [{?} ], replicated={"x"}>] manual_axes={"x"} (%arg1: tensor<8xf32>) {
        sdy.return %arg1 : tensor<8xf32>
      } : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
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
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.optimization_barrier %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.optimization_barrier %arg0 : tensor<8xf32>
      %1 = sdy.data_flow_edge %0 : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
  }];
}

def AddFuncDataFlowEdgesPass : ShardPass<"sdy-add-func-data-flow-edges"> {
  let summary = "an op for each argument of a called function and each result of a call";
  let description = [{
    It holds the sharding that goes through the call.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = sdy.func_data_flow_edge %0 : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.func_data_flow_edge %arg0 : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

def ApplyShardingConstraintsPass : ShardPass<"sdy-apply-sharding-constraints"> {
  let summary = "constraints that dictate their input's sharding, on the input";
  let description = [{
    A closed constraint, alone on a value without a sharding, is the value's own. Of a chain of constraints, later
    uses of the value see the last.

    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.abs %x : tensor<8xf32>
      %1 = sdy.sharding_constraint %0 <@mesh, [{"x"} ]> : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : tensor<8xf32>
      %1 = sdy.sharding_constraint %0 <@mesh, [{"x"} ]> : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
  }];
}

def ShardingGroupImportPass : ShardPass<"sdy-sharding-group-import"> {
  let summary = "groups that share a member become one";
  let description = [{
    The groups are numbered from 0. One that is partly within a manual computation is an error.

    ```mlir
    func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      sdy.sharding_group %x group_id=4 : tensor<8xf32>
      sdy.sharding_group %y group_id=7 : tensor<8xf32>
      sdy.sharding_group %x group_id=7 : tensor<8xf32>
      return %x : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
      sdy.sharding_group %arg0 group_id=0 : tensor<8xf32>
      sdy.sharding_group %arg1 group_id=0 : tensor<8xf32>
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def PopulateOpShardingRulesPass : ShardPass<"sdy-populate-op-sharding-rules"> {
  let summary = "the sharding rule of each op, as an attribute";
  let description = [{
    For people and tests: propagation asks each op itself. A custom call without a rule is warned of.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.abs %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.abs %arg0 {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let options = [Option<"conservative", "conservative-propagation", "bool", "false", "only factors that axes divide">];
}

include "passes/shard/propagate.td"

def SinkDataFlowEdgesPass : ShardPass<"sdy-sink-data-flow-edges"> {
  let summary = "shardings of edges into the ops that own them";
  let description = [{
    An `sdy.data_flow_edge` gives its sharding to its target's op and goes.

    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.optimization_barrier %x : tensor<8xf32>
      %1 = sdy.data_flow_edge %0 sharding=<@mesh, [{"x"} ]> : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} %arg0
          : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

def SinkFuncDataFlowEdgesPass : ShardPass<"sdy-sink-func-data-flow-edges"> {
  let summary = "shardings of edges of calls, on arguments and calls";
  let description = [{
    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = sdy.func_data_flow_edge %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : (tensor<8xf32>)
          -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def PropagateToFuncResultsPass : ShardPass<"sdy-propagate-to-func-results"> {
  let summary = "shardings of what a private function returns, on its results";
  let description = [{
    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = stablehlo.abs %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) {
      %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

def RemoveShardingGroupsPass : ShardPass<"sdy-remove-sharding-groups"> {
  let summary = "no sharding groups any more";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      sdy.sharding_group %x group_id=0 : tensor<8xf32>
      return %x : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def ShardingConstraintToReshardPass : ShardPass<"sdy-sharding-constraint-to-reshard"> {
  let summary = "a reshard for each constraint";
  let description = [{
    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.sharding_constraint %x <@mesh, [{"x"} ]> : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = sdy.reshard %arg0 <@mesh, [{"x"} ]> : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

def UpdateNonDivisibleInputOutputShardingsPass : ShardPass<"sdy-update-non-divisible-input-output-shardings"> {
  let summary = "arguments and results of functions in equal parts";
  let description = [{
    Callers have no arrays with padding: axes that do not divide a dimension go, and those after them.

    ```mlir
    sdy.mesh @mesh = <["x"=4]>
    func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<6xf32> {
      return %x : tensor<6xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=4]>
    func.func @main(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2} ]>}) -> tensor<6xf32> {
      return %arg0 : tensor<6xf32>
    }
    ```
  }];
}

def CloseShardingsPass : ShardPass<"sdy-close-shardings"> {
  let summary = "shardings that nothing extends any more";
  let description = [{
    ```mlir
    sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?} ], replicated={"y"}>})
        -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def UnflattenCallGraphPass : ShardPass<"sdy-unflatten-call-graph"> {
  let summary = "one function for calls that shard it alike";
  let description = [{
    ```mlir
    func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = call @f_0(%y) : (tensor<8xf32>) -> tensor<8xf32>
      return %0, %1 : tensor<8xf32>, tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      return %x : tensor<8xf32>
    }
    func.func private @f_0(%x: tensor<8xf32>) -> tensor<8xf32> attributes {sdy.original_func_name = "f"} {
      return %x : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %0 = call @f(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = call @f(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
      return %0, %1 : tensor<8xf32>, tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
  let options = [Option<"dedupFully", "dedup-functions-fully", "bool", "false",
                        "one function for all calls of it, however they shard it">];
}

def InsertFuncCallReshardsPass : ShardPass<"sdy-insert-func-call-reshards"> {
  let summary = "reshards where a call states another sharding than its function";
  let description = [{
    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"} ]>]>} : (tensor<8xf32>)
          -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    func.func private @f(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{} ]>}) {
      return %x : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{} ]>]>} : (tensor<8xf32>)
          -> tensor<8xf32>
      %1 = sdy.reshard %0 <@mesh, [{"x"} ]> : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    func.func private @f(%arg0: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{} ]>}) {
      return %arg0 : tensor<8xf32>
    }
    ```
  }];
}

def InsertExplicitReshardsPass : ShardPass<"sdy-insert-explicit-reshards"> {
  let summary = "unreduced axes are reduced before they are gone";
  let description = [{
    ```mlir
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{} ], unreduced={"x"}>})
        -> tensor<8xf32> {
      %0 = sdy.reshard %x <@mesh, [{} ]> : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{} ], unreduced={"x"}>})
        -> tensor<8xf32> {
      %0 = sdy.all_reduce  {"x"} %arg0 out_sharding=<@mesh, [{} ]> : tensor<8xf32>
      %1 = sdy.reshard %0 <@mesh, [{} ]> : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
  }];
}

#endif
