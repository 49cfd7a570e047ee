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

def AddDataFlowEdgesPass : ShardPass<"sdy-add-data-flow-edges"> {
  let summary = "an op for each edge of data flow";
  let description = [{
    Each target that owns an edge (a result of a loop, a branch or a barrier, an argument of a computation) is used through an
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
    Option<"conservative", "conservative-propagation", "bool", "false", "no parts of axes, and no axes that do not divide">,
    Option<"noteOrigins", "debug-sharding-origins", "bool", "false", "note from which annotation each axis came">,
    Option<"noteEdges", "debug-propagation-edge-sharding", "bool", "false", "note from which array of an op each axis came">
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
    Each array of an op gets the axes that it can have, whether or not the others can. Where two factors want one axis, the factor
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
    Elementwise ops, reshapes and transposes first, and those whose values have several uses after those with one; then all others.
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
    Dimensions of priority 0 reach the whole program, then those of 1, and so on. One whose turn has not come is not overridden.

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

#endif
