//===- passes.td - from GSPMD's strings to one device's program ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the order in which they run; propagation (passes/shard/passes.td) stands after the first.
#ifndef TPUC_PASSES_SHARD_PARTITION_PASSES
#define TPUC_PASSES_SHARD_PARTITION_PASSES

include "mlir/Pass/PassBase.td"

class PartitionStep<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::tpuc::sdy::SdyDialect", "::tpuc::stablehlo::StablehloDialect"];
}

def ImportHloShardingsPass : PartitionStep<"tpuc-import-hlo-shardings"> {
  let summary = "shardings of sdy for those that GSPMD writes as text";
  let description = [{
    `mhlo.sharding` of arguments, results and ops, and the custom calls that stand for a constraint or for the borders
    of a manual computation, as PyTorch/XLA and older versions of JAX write them. All devices form one mesh, whose axes
    are what the shardings part them by.

    ```mlir
    %x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}
    // becomes, beside sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=2]>
    %x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {} ]>}
    ```
  }];
}

def PartitionPass : PartitionStep<"tpuc-partition"> {
  let summary = "one device's program";
  let description = [{
    Each op is computed along axes of its factors, from operands in the layouts that it needs; collectives bring them
    there. Nothing of sdy is left. Arguments and results say what they are parts of. What the program says is unreduced
    is whole where it goes in and out, unless `partial-sums` is given: then each device has a summand.

    ```mlir
    func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<f32> {
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] ...
    // becomes, for "x" of 4
    func.func @main(%x: tensor<2xf32> {tpuc.global_type = tensor<8xf32>, tpuc.sharding = "{devices=[4]<=[4]}"})
        -> tensor<f32> {
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] ...
      %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1, 2, 3]]> ...
    ```
  }];
  let options = [Option<"partialSums", "partial-sums", "bool", "false",
                        "unreduced arguments and results are a summand on each device">];
}

def HoistCollectivesPass : PartitionStep<"tpuc-hoist-collectives"> {
  let summary = "collectives of what a loop does not change, before the loop";
  let description = [{
    A loop carries the result instead.

    ```mlir
    %r:2 = stablehlo.while(%i = %0, %w = %x) .. do {
      %all = "stablehlo.all_gather"(%w) ..
    // becomes
    %all = "stablehlo.all_gather"(%x) ..
    %r:3 = stablehlo.while(%i = %0, %w = %x, %g = %all) .. do {
    ```
  }];
}

def CombineAllReducesPass : PartitionStep<"tpuc-combine-all-reduces"> {
  let summary = "one all_reduce of several arrays";
  let description = [{
    All-reduces of the same groups, reducer and element type that do not depend on each other become one, up to a size;
    then channels are numbered.

    ```mlir
    %2 = "stablehlo.all_reduce"(%0) ..
    %3 = "stablehlo.all_reduce"(%1) ..
    // becomes
    %2:2 = "stablehlo.all_reduce"(%0, %1) ..
    ```
  }];
  let options = [Option<"maxBytes", "max-bytes", "int64_t", "int64_t{64} << 20",
                        "of one all_reduce's result; larger ones move no faster">];
}

#endif
