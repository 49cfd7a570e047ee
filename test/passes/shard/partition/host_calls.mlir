// RUN: tpuc-opt %s --tpuc-partition --cse --split-input-file | FileCheck %s

// The device that the sharding names calls the host with the whole array, and all get what it returns.
// CHECK-LABEL: func.func @called
// CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: %[[CALLER:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK: %[[CALLS:.*]] = stablehlo.compare EQ, %{{.*}}, %[[CALLER]]
// CHECK: %[[RESULT:.*]] = "stablehlo.if"(%[[CALLS]])
// CHECK: stablehlo.custom_call @tpuc.host_call(%[[WHOLE]])
// CHECK: "stablehlo.collective_broadcast"(%[[RESULT]])
// CHECK-SAME: replica_groups = dense<{{\[\[}}2, 0, 1, 3]]>
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @caller = <[], device_ids=[2]>
func.func @called(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @tpuc.host_call(%a) {mhlo.backend_config = {index = 0 : ui64},
      sdy.sharding = #sdy.sharding_per_value<[<@caller, []>]>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// In a manual computation each device calls it with its part.
// CHECK-LABEL: func.func @parts
// CHECK-NOT: stablehlo.if
// CHECK: stablehlo.custom_call @tpuc.host_call(%arg0) {{.*}} : (tensor<2xf32>) -> tensor<2xf32>
// CHECK-NOT: collective_broadcast
// CHECK: return
sdy.mesh @mesh = <["x"=4]>
func.func @parts(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%b: tensor<2xf32>) {
    %1 = stablehlo.custom_call @tpuc.host_call(%b) {mhlo.backend_config = {index = 0 : ui64}}
        : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// What depends on the number of a device is what the device that the op names has.
// CHECK-LABEL: func.func @numbered
// CHECK: %[[ID:.*]] = stablehlo.partition_id
// CHECK: %[[SUM:.*]] = stablehlo.add %[[ID]], %[[ID]]
// CHECK: "stablehlo.collective_broadcast"(%[[SUM]])
// CHECK-SAME: replica_groups = dense<{{\[\[}}2,
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @third = <[], device_ids=[2]>
func.func @numbered(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<ui32>, tensor<8xf32>) {
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : tensor<ui32>
  return %1, %x : tensor<ui32>, tensor<8xf32>
}
