// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @collectives
func.func @collectives(%x: tensor<8x4xf32>, %y: tensor<8xf32>, %root: tensor<1xi32>) {
  // Two groups of two: 4 * 2 columns.
  // CHECK: "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<{{.*}}> : tensor<2x2xi64>, use_global_device_ids}>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1,
      type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}>
      : (tensor<8x4xf32>) -> tensor<8x8xf32>
  // Groups of unequal size are filled with -1.
  // CHECK: "stablehlo.all_reduce"
  %1:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<8xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
  // 8 / 2 rows, 4 * 2 columns.
  // CHECK: "stablehlo.all_to_all"
  %2 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.reduce_scatter"
  %3 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]>
      : tensor<1x4xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>) -> tensor<2x4xf32>
  // Devices 0 and 3 take no part.
  // CHECK: "stablehlo.collective_broadcast"(%{{.*}}) <{replica_groups = dense<{{\[\[}}2, 1]]> : tensor<1x2xi64>}>
  %4 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>}>
      : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: "stablehlo.collective_broadcast"(%{{.*}}, %{{.*}}) <{has_dynamic_root
  %5 = "stablehlo.collective_broadcast"(%x, %root) <{has_dynamic_root, replica_groups = dense<[[2, 1]]>
      : tensor<1x2xi64>}> : (tensor<8x4xf32>, tensor<1xi32>) -> tensor<8x4xf32>
  // CHECK: "stablehlo.collective_reduce"
  %6 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: "stablehlo.collective_permute"
  %7 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
      : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: "stablehlo.cross-replica-sum"
  %8 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x4xf32>)
      -> tensor<8x4xf32>
  return
}

// Groups along axes of a mesh, by name or in place.
// CHECK-LABEL: func @mesh_axes
func.func @mesh_axes(%x: tensor<8x4xf32>) {
  // CHECK: replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @devices, axes = [#stablehlo.axis_ref<name = "x">]>
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @devices,
      axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8x4xf32>) -> tensor<8x8xf32>
  // CHECK: replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name =
      "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> : (tensor<8x4xf32>)
      -> tensor<8x8xf32>
  return
}
sdy.mesh @devices = <["x"=2]>
