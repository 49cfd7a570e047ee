// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @twice(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects replica_groups to be unique, but got 1 twice in [0, 1, 1, 2]}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [1, 2]]>
      : tensor<2x2xi64>}> : (tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

// Three devices, so device 3 isn't one of them.
func.func @missing(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects replica_groups in [0, 3), but got 3}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1, 3]]> : tensor<1x3xi64>}>
      : (tensor<8x4xf32>) -> tensor<8x12xf32>
  return
}

// -----

func.func @channel(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a channel_handle above 0 with use_global_device_ids, but got 0}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]>
      : tensor<1x2xi64>, use_global_device_ids}> : (tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @no_devices(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects groups of one device at least}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<> : tensor<0x0xi64>}>
      : (tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @gathered(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a multiple of 4 in dimension 1 of the result, but got 7}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
      : (tensor<8x4xf32>) -> tensor<8x7xf32>
  return
}

// -----

func.func @split(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a multiple of split_count 3 in dimension 0, but got 8}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 3 : i64,
      replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<8x4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @split_count(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects groups of 4 devices, as split_count says, but got 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8x4xf32>) -> tensor<2x16xf32>
  return
}

// -----

func.func @scattered(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects result of shape [4, 4], but got [2, 4]}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]>
      : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @roots(%x: tensor<8x4xf32>, %root: tensor<2xi32>) {
  // expected-error@+1 {{expects roots of type 'tensor<1xi32>', but got 'tensor<2xi32>'}}
  %0 = "stablehlo.collective_broadcast"(%x, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]>
      : tensor<1x2xi64>}> : (tensor<8x4xf32>, tensor<2xi32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @pairs(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects targets to be unique, but got 1 twice in [1, 1]}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}>
      : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @mesh(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a mesh, but found no symbol @nothing}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nothing,
      axes = [#stablehlo.axis_ref<name = "x">]>}> : (tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @axis_of_no_mesh(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects axes of the mesh, but got "z", which}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name =
      "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "z">]>}> : (tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @mesh_of_another_kind(%x: tensor<8x4xf32>) {
  // expected-error@+1 {{expects a mesh or the symbol of one, but got 3}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = 3 : i64, axes = [#stablehlo.axis_ref<name = "x">]>}>
      : (tensor<8x4xf32>) -> tensor<8x8xf32>
  return
}
