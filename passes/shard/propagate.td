// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that propagate shardings, each with more rules than the one before. Part of passes.td.
#ifndef TPUC_PASSES_SHARD_PROPAGATE
#define TPUC_PASSES_SHARD_PROPAGATE

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
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<8xf32> {
      %0 = stablehlo.abs %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["x"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> (tensor<8xf32>
        {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?} ]>}) {
      %0 = stablehlo.abs %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?} ]>]>} : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
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
    sdy.mesh @mesh = <["a"=2]>
    func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?} ]>},
        %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a"} ]>}) -> tensor<8x8xf32> {
      %0 = stablehlo.add %x, %y : tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["a"=2]>
    func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?} ]>},
        %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a"} ]>}) -> (tensor<8x8xf32>
        {sdy.sharding = #sdy.sharding<@mesh, [{"a", ?}, {?} ]>}) {
      %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a", ?}, {?} ]>]>}
          : tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
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
    sdy.mesh @mesh = <["a"=2]>
    func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {} ]>}, %y: tensor<8x8xf32>)
        -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"} ]>}) {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
          : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %1 = stablehlo.add %0, %0 : tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["a"=2]>
    func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {} ]>},
        %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", ?} ]>}) -> (tensor<8x8xf32>
        {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"} ]>}) {
      %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] {sdy.sharding =
          #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?} ]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>)
          -> tensor<8x8xf32>
      %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"a", ?} ]>]>}
          : tensor<8x8xf32>
      return %1 : tensor<8x8xf32>
    }
    ```
  }];
}

def UserPriorityPropagatePass : PropagatePass<"sdy-user-priority-propagate", OpPriorityOptions> {
  let summary = "shardings in the order of the priorities that the program states";
  let description = [{
    Dimensions of priority 0 reach the whole program, then those of 1, and so on. One whose turn has not come is not
    overridden.

    ```mlir
    sdy.mesh @mesh = <["a"=2, "c"=2]>
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1]>},
        %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}p0]>}) -> tensor<8xf32> {
      %0 = stablehlo.add %x, %y : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    sdy.mesh @mesh = <["a"=2, "c"=2]>
    func.func @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"} ]>}, %arg1: tensor<8xf32>
        {sdy.sharding = #sdy.sharding<@mesh, [{"c"} ]>}) -> (tensor<8xf32> {sdy.sharding =
        #sdy.sharding<@mesh, [{"c", ?} ]>}) {
      %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"c", ?} ]>]>}
          : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

#endif
