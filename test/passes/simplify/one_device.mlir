// RUN: tpuc-opt %s --tpuc-simplify --split-input-file | FileCheck %s

// CHECK-LABEL: func @alone
// CHECK-NEXT: %[[ID:.*]] = stablehlo.constant dense<0> : tensor<ui32>
// CHECK-NEXT: return %arg0, %arg0, %[[ID]]
func.func @alone(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<ui32>) {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<4xf32>)
      -> tensor<4xf32>
  %2 = stablehlo.partition_id : tensor<ui32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<ui32>
}

// No pair sends to the only device.
// CHECK-LABEL: func @nobody
// CHECK-NEXT: stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
func.func @nobody(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<4xf32>)
      -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// One of two devices does not know the other's part.
module attributes {mhlo.num_partitions = 2 : i32} {
  // CHECK-LABEL: func @pair
  // CHECK: stablehlo.all_gather
  // CHECK: stablehlo.partition_id
  func.func @pair(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>) {
    %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}
        : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.partition_id : tensor<ui32>
    return %0, %1 : tensor<4xf32>, tensor<ui32>
  }
}

// -----

// Where the one device's parts lie says nothing about their values.
sdy.mesh @mesh = <["x"=1]>
// CHECK-LABEL: func @whole
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg0, %arg0
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[SUM]], %arg0
// CHECK-NEXT: return %[[PRODUCT]]
func.func @whole(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xf32>
  %1 = sdy.manual_computation(%0, %a) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh,
      [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>, %c: tensor<4xf32>) {
    %s = stablehlo.add %b, %c : tensor<4xf32>
    sdy.return %s : tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = sdy.reshard %1 <@mesh, [{}]> : tensor<4xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=NONE : tensor<4xf32>
  %4 = sdy.named_computation<"scaled">(%3, %a) (%b: tensor<4xf32>, %c: tensor<4xf32>) {
    %p = stablehlo.multiply %b, %c : tensor<4xf32>
    sdy.return %p : tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // CHECK-LABEL: func @halves
  // CHECK-NEXT: sdy.sharding_constraint
  func.func @halves(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// The axes of a mesh of one device are groups of one; those of another mesh are not.
sdy.mesh @one = <["x"=1, "y"=1]>
sdy.mesh @two = <["x"=2]>
// CHECK-LABEL: func @axes
// CHECK-NEXT: %[[GATHERED:.*]] = "stablehlo.all_gather"(%arg0) {{.*}}@two
// CHECK-NEXT: return %arg0, %arg0, %[[GATHERED]]
func.func @axes(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @one, axes = [#stablehlo.axis_ref<name = "x">]>}
      : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name =
      "x", size = 1>]>, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @two, axes = [#stablehlo.axis_ref<name = "x">]>}
      : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
