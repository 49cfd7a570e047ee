// RUN: tpuc-opt %s --split-input-file --tpuc-expand-collectives | FileCheck %s

// Two replicas of two partitions: groups of replicas, for each partition; device = 2 replica + partition.
module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32} {
  // CHECK-LABEL: @gather
  // CHECK: %[[B:.*]] = stablehlo.reshape %arg0 : (tensor<5xf32>) -> tensor<1x5xf32>
  // CHECK: %[[S:.*]] = kernel.exchange_start "gather" %[[B]] groups dense<{{\[}}[0, 2], [1, 3]]> : tensor<2x2xi64>
  // CHECK-SAME: of "all_gather" : tensor<1x5xf32> -> tensor<2x1x5xf32>
  // CHECK: kernel.exchange_done %[[S]], %[[B]]
  func.func @gather(%x: tensor<5xf32>) -> tensor<10xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
        : (tensor<5xf32>) -> tensor<10xf32>
    return %0 : tensor<10xf32>
  }

  // With a channel, replicas of all partitions together.
  // CHECK-LABEL: @both
  // CHECK: groups dense<{{\[}}[0, 2, 1, 3]]>
  func.func @both(%x: tensor<5xf32>) -> tensor<20xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<5xf32>) -> tensor<20xf32>
    return %0 : tensor<20xf32>
  }

  // Of all_to_all a channel means partitions. Parts of dim 1 come to the front, and what arrives goes to dim 0.
  // CHECK-LABEL: @all
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: kernel.exchange_start "scatter" %{{.*}} groups dense<{{\[}}[0, 1], [2, 3]]>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x4x3xf32>) -> tensor<8x3xf32>
  func.func @all(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
    %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<4x6xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }

  // CHECK-LABEL: @ids
  // CHECK: %[[P:.*]] = kernel.device_id : tensor<ui32>
  // CHECK: stablehlo.remainder %[[P]]
  // CHECK: %[[R:.*]] = kernel.device_id : tensor<ui32>
  // CHECK: stablehlo.divide %[[R]]
  func.func @ids() -> (tensor<ui32>, tensor<ui32>) {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.replica_id : tensor<ui32>
    return %0, %1 : tensor<ui32>, tensor<ui32>
  }
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  // Few bytes: everything is gathered, and combined in the order of the group.
  // CHECK-LABEL: @small
  // CHECK: %[[D:.*]] = kernel.exchange_done
  // CHECK: %[[X0:.*]] = stablehlo.slice %[[D]] [0:1, 0:8, 0:128]
  // CHECK: %[[A:.*]] = stablehlo.reshape %[[X0]]
  // CHECK: stablehlo.slice %[[D]] [1:2, 0:8, 0:128]
  // CHECK: %[[S:.*]] = stablehlo.maximum %[[A]], %{{.*}}
  // CHECK: stablehlo.maximum %[[S]], %{{.*}}
  func.func @small(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8x128xf32>) -> tensor<8x128xf32>
    return %0 : tensor<8x128xf32>
  }

  // Many: each device combines a quarter. 1022 rows are padded to 1024.
  // CHECK-LABEL: @large
  // CHECK: stablehlo.pad %arg0, %{{.*}}, low = [0, 0], high = [2, 0]
  // CHECK: kernel.exchange_start "scatter" %{{.*}} -> tensor<4x256x515xf32>
  // CHECK: kernel.exchange_start "gather" %{{.*}} : tensor<256x515xf32> -> tensor<4x256x515xf32>
  // CHECK: stablehlo.slice %{{.*}} [0:1022, 0:515]
  func.func @large(%x: tensor<1022x515xf32>) -> tensor<1022x515xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}
        : (tensor<1022x515xf32>) -> tensor<1022x515xf32>
    return %0 : tensor<1022x515xf32>
  }

  // Device 0 gets nothing: zeros.
  // CHECK-LABEL: @permute
  // CHECK: kernel.exchange_start "permute" %arg0 groups dense<{{\[}}[0, 1], [1, 2], [2, 3]]>
  // CHECK: dense<[false, true, true, true]>
  // CHECK: stablehlo.select
  func.func @permute(%x: tensor<8x128xbf16>) -> tensor<8x128xbf16> {
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<8x128xbf16>) -> tensor<8x128xbf16>
    return %0 : tensor<8x128xbf16>
  }

  // Everybody has a source: no zeros, and no table. Nothing moves where there is nothing.
  // CHECK-LABEL: @swap
  // CHECK: kernel.exchange_start "permute"
  // CHECK-NOT: stablehlo.select
  // CHECK-NOT: kernel.exchange_start
  // CHECK: return
  func.func @swap(%x: tensor<8xf32>, %e: tensor<0x4xf32>) -> (tensor<8xf32>, tensor<0x4xf32>) {
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]>
        : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}
        : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.collective_permute"(%e) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<0x4xf32>) -> tensor<0x4xf32>
    return %0, %1 : tensor<8xf32>, tensor<0x4xf32>
  }

  // The axes of a mesh: devices that differ in "x" alone.
  // CHECK-LABEL: @axes
  // CHECK: groups dense<{{\[}}[0, 2], [1, 3]]>
  func.func @axes(%x: tensor<8x128xf32>) -> tensor<16x128xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<
        mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>,
        #stablehlo.mesh_axis<name = "y", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}
        : (tensor<8x128xf32>) -> tensor<16x128xf32>
    return %0 : tensor<16x128xf32>
  }
}
