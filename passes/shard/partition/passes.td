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
    module attributes {mhlo.num_partitions = 4 : i32} {
    func.func @main(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"})
        -> tensor<8x4xf32> {
      return %x : tensor<8x4xf32>
    }
    }
    // becomes
    sdy.mesh @mesh = <["_axis_0"=2, "_axis_1"=2]>
    func.func @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {} ]>})
        -> tensor<8x4xf32> {
      return %arg0 : tensor<8x4xf32>
    }
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
    module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
      sdy.mesh @mesh = <["x"=4]>
      func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"} ]>}) -> tensor<f32> {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
            : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }
    }
    // becomes
    func.func @main(%arg0: tensor<2xf32>
        {tpuc.global_type = tensor<8xf32>, tpuc.sharding = "{devices=[4]<=[4]}"}) -> tensor<f32> attributes
        {tpuc.axes = [{name = "x", size = 4 : i64} ]} {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0]
          : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %1 = "stablehlo.all_reduce"(%0) <{channel_handle =
          #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]>
          : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
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
    func.func @main(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %ten = stablehlo.constant dense<10> : tensor<i32>
      %r:3 = stablehlo.while(%i = %zero, %w = %x, %s = %y) : tensor<i32>, tensor<4xf32>, tensor<8xf32>
      cond {
        %more = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %all = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]>
            : tensor<1x2xi64>,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}>
            : (tensor<4xf32>) -> tensor<8xf32>
        %sum = stablehlo.add %s, %all : tensor<8xf32>
        %next = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %next, %w, %sum : tensor<i32>, tensor<4xf32>, tensor<8xf32>
      }
      return %r#2 : tensor<8xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<1> : tensor<i32>
      %c_1 = stablehlo.constant dense<10> : tensor<i32>
      %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle =
          #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]>
          : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
      %1:4 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg0, %iterArg_3 = %arg1, %iterArg_4 = %0)
          : tensor<i32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
      cond {
        %2 = stablehlo.compare LT, %iterArg, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2 = stablehlo.add %iterArg_3, %iterArg_4 : tensor<8xf32>
        %3 = stablehlo.add %iterArg, %c_0 : tensor<i32>
        stablehlo.return %3, %iterArg_2, %2, %iterArg_4 : tensor<i32>, tensor<4xf32>, tensor<8xf32>, tensor<8xf32>
      }
      return %1#2 : tensor<8xf32>
    }
    ```
  }];
}

def CombineAllReducesPass : PartitionStep<"tpuc-combine-all-reduces"> {
  let summary = "one all_reduce of several arrays";
  let description = [{
    All-reduces of the same groups, reducer and element type that do not depend on each other become one, up to a size;
    then channels are numbered.

    ```mlir
    func.func @main(%x: tensor<8xf32>, %y: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<8xf32>) -> tensor<8xf32>
      %1 = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %2 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      return %0, %1 : tensor<8xf32>, tensor<4xf32>
    }
    // becomes
    func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
      %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) <{channel_handle =
          #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]>
          : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }) : (tensor<8xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<4xf32>)
      return %0#0, %0#1 : tensor<8xf32>, tensor<4xf32>
    }
    ```
  }];
  let options = [Option<"maxBytes", "max-bytes", "int64_t", "int64_t{64} << 20",
                        "of one all_reduce's result; larger ones move no faster">];
}

#endif
