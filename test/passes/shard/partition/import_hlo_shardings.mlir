// RUN: tpuc-opt %s --tpuc-import-hlo-shardings --split-input-file | FileCheck %s

// Axes are what all shardings part the devices by: 8 = 4 x 2.
// CHECK: sdy.mesh @mesh = <["_axis_0"=4, "_axis_1"=2]>
// CHECK-LABEL: func @axes
// CHECK-SAME: sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0"}, {}]>
// CHECK-SAME: sdy.sharding = #sdy.sharding<@mesh, [{"_axis_1"}, {"_axis_0"}]>
// CHECK-SAME: sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>
// CHECK-SAME: -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"_axis_0", "_axis_1"}, {}]>})
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @axes(%x: tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"},
      %y: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,4]<=[4,2]T(1,0)}"},
      %z: tensor<8x4xf32> {mhlo.sharding = "{replicated}"})
      -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[8,1]0,1,2,3,4,5,6,7}"}) {
    %0 = stablehlo.add %x, %y : tensor<8x4xf32>
    // CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"_axis_0"}, {?}]>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[1]",
        mhlo.sharding = "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // CHECK-NOT: mhlo.sharding
    %2 = stablehlo.add %1, %z : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}

// -----

// Devices in an order that no steps make have a mesh of their own.
// CHECK-DAG: sdy.mesh @[[OWN:.*]] = <["_axis_0"=4], device_ids=[0, 3, 1, 2]>
// CHECK-DAG: sdy.mesh @[[ALL:.*]] = <["_axis_0"=4]>
// CHECK-LABEL: func @order
// CHECK-SAME: %arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@[[OWN]], [{"_axis_0"}]>}
// CHECK-SAME: %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@[[ALL]], [{"_axis_0"}]>}
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @order(%x: tensor<4xf32> {mhlo.sharding = "{devices=[4]0,3,1,2}"},
      %y: tensor<4xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// The borders of a manual computation stay, with what lies outside.
// CHECK-LABEL: func @borders
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @borders(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK: @SPMDFullToShardShape({{.*}}tpuc.in_sharding = #sdy.sharding<@mesh, [{"_axis_0"}]>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
        : (tensor<8xf32>) -> tensor<2xf32>
    %2 = stablehlo.negate %1 : tensor<2xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
    // CHECK: @SPMDShardToFullShape({{.*}}sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"_axis_0"}]>]>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[4]<=[4]}"}
        : (tensor<2xf32>) -> tensor<8xf32>
    return %4 : tensor<8xf32>
  }
}
