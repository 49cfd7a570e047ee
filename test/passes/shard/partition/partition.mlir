// RUN: tpuc-opt %s --tpuc-partition --cse --split-input-file | FileCheck %s

// Each device sums over its part of k; the parts are summed where they are asked for whole.
// CHECK: module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32}
// CHECK-NOT: sdy.
// CHECK: func.func @dot(%arg0: tensor<8x4xf32> {tpuc.global_type = tensor<8x16xf32>,
// CHECK-SAME: tpuc.sharding = "{devices=[1,4]<=[4]}"}
// CHECK: %[[PART:.*]] = stablehlo.dot_general %arg0, %arg1
// CHECK: "stablehlo.all_reduce"(%[[PART]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
// CHECK-SAME: replica_groups = dense<{{\[\[}}0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}>
sdy.mesh @mesh = <["x"=4]>
func.func @dot(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x3xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x16xf32>, tensor<16x3xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

// The same where the result is sharded: scattered.
// CHECK-LABEL: func.func @scattered
// CHECK-NOT: all_reduce
// CHECK: "stablehlo.reduce_scatter"{{.*}}scatter_dimension = 0
// CHECK: (tensor<8x3xf32>) -> tensor<2x3xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @scattered(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {
      sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xf32>, tensor<16x3xf32>) -> tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}

// -----

// Four groups over three devices are two on each: of the last one's, all are padding.
// CHECK-LABEL: func.func @uneven_groups
// CHECK: stablehlo.convolution
// CHECK-SAME: feature_group_count = 2 : i64
// CHECK-SAME: (tensor<1x8x8xf32>, tensor<3x4x2xf32>) -> tensor<1x6x2xf32>
sdy.mesh @mesh = <["x"=3]>
func.func @uneven_groups(%a: tensor<1x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
    %b: tensor<3x4x4xf32>) -> tensor<1x6x4xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 4 : i64,
      sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>]>}
      : (tensor<1x8x16xf32>, tensor<3x4x4xf32>) -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}

// -----

// A window of 3 sees one row of each neighbour: two permutes of one row, nothing is gathered.
// CHECK-LABEL: func.func @halo
// CHECK: "stablehlo.collective_permute"{{.*}}dense<{{\[\[}}0, 1], [1, 2], [2, 3]]>{{.*}}(tensor<1x4xf32>)
// CHECK: "stablehlo.collective_permute"{{.*}}dense<{{\[\[}}1, 0], [2, 1], [3, 2]]>{{.*}}(tensor<1x4xf32>)
// CHECK-NOT: all_gather
// CHECK: "stablehlo.reduce_window"
// CHECK: (tensor<6x4xf32>, tensor<f32>) -> tensor<4x4xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @halo(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %c) <{window_dimensions = array<i64: 3, 1>,
      padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<16x4xf32>, tensor<f32>)
      -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// -----

// 10 rows for 4 devices lie in blocks of 3; the last two are padding, and no part of the sum.
// CHECK-LABEL: func.func @uneven
// CHECK: stablehlo.pad {{.*}} -> tensor<12xf32>
// CHECK: %[[KEPT:.*]] = stablehlo.select
// CHECK: stablehlo.reduce(%[[KEPT]]
// CHECK: "stablehlo.all_reduce"
sdy.mesh @mesh = <["x"=4]>
func.func @uneven(%a: tensor<10xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = sdy.reshard %a <@mesh, [{"x"}]> : tensor<10xf32>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0]
      : (tensor<10xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Even ones need no mask.
// CHECK-LABEL: func.func @even
// CHECK-NOT: stablehlo.select
sdy.mesh @mesh = <["x"=4]>
func.func @even(%a: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0]
      : (tensor<12xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// From rows to columns: one all_to_all.
// CHECK-LABEL: func.func @exchange
// CHECK: "stablehlo.all_to_all"(%arg0) <{{.*}}concat_dimension = 0 : i64
// CHECK-SAME: split_dimension = 1
// CHECK-NEXT: return
sdy.mesh @mesh = <["x"=4]>
func.func @exchange(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  return %a : tensor<8x8xf32>
}

// -----

// An embedding over the vocabulary: no device gets another's rows of the table.
// CHECK-LABEL: func.func @embedding
// CHECK-NOT: all_gather
// CHECK: "stablehlo.gather"
// CHECK: stablehlo.select
// CHECK: "stablehlo.all_reduce"{{.*}}
sdy.mesh @mesh = <["x"=4]>
func.func @embedding(%t: tensor<1000x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %i: tensor<5x1xi32>) -> tensor<5x64xf32> {
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<1000x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return %0 : tensor<5x64xf32>
}

// -----

// A manual computation is its body.
// CHECK-LABEL: func.func @manual
// CHECK-SAME: (%arg0: tensor<2xf32>
// CHECK-NEXT: stablehlo.negate %arg0 : tensor<2xf32>
// CHECK-NEXT: return
sdy.mesh @mesh = <["x"=4]>
func.func @manual(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%b: tensor<2xf32>) {
    %1 = stablehlo.negate %b : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Constraints within a reducer are of one element: they say nothing.
// CHECK-LABEL: func.func @reducer
// CHECK-NOT: sdy.
// CHECK: "stablehlo.all_reduce"
sdy.mesh @mesh = <["x"=4]>
func.func @reducer(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>]
      manual_axes={"x"} (%b: tensor<2xf32>) {
    %1 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      %t = sdy.reshard %s <@mesh, []> : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// One update: its place, counted from the device's block, may lie outside of it. XLA writes such a scatter as a slice
// and its update, which must not become one with the slice that the block is.
// CHECK-LABEL: func.func @one_update
// CHECK: %[[BLOCK:.*]] = stablehlo.dynamic_slice
// CHECK: %[[KEPT:.*]] = stablehlo.optimization_barrier %[[BLOCK]]
// CHECK: "stablehlo.scatter"(%[[KEPT]]
sdy.mesh @mesh = <["x"=4]>
func.func @one_update(%a: tensor<7xf32>, %i: tensor<1x1xi32>, %u: tensor<1xf32>)
    -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
      : (tensor<7xf32>, tensor<1x1xi32>, tensor<1xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// Two updates are a loop.
// CHECK-LABEL: func.func @two_updates
// CHECK-NOT: optimization_barrier
// CHECK: "stablehlo.scatter"
sdy.mesh @mesh = <["x"=4]>
func.func @two_updates(%a: tensor<7xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>)
    -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
      : (tensor<7xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
