// RUN: tpuc-opt %s --tpuc-hoist-collectives | FileCheck %s

// %w goes round unchanged: gathered once. %x changes: gathered at each turn.
// CHECK-LABEL: func @main
// CHECK: %[[ALL:.*]] = "stablehlo.all_gather"(%arg1)
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %[[X:.*]] = %arg0, %{{.*}} = %arg1, %[[G:.*]] = %[[ALL]])
// CHECK: do {
// CHECK: %[[OWN:.*]] = "stablehlo.all_gather"(%[[X]])
// CHECK-NOT: stablehlo.all_gather
// CHECK: stablehlo.add %[[OWN]], %[[G]]
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %w) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %lt = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
    %1 = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64,
        channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8xf32>
    %3 = stablehlo.slice %2 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %next, %3, %b : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
