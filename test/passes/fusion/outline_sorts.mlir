// RUN: tpuc-opt %s --split-input-file --tpuc-fuse-kernels | FileCheck %s

// Positions are no array, only the first three results are, and the sorted keys, which nobody reads, are none.
// CHECK-LABEL: @main
// CHECK: %[[K:.*]] = kernel.fusion "copy"(%{{.*}} : tensor<16x40xf32>) -> tensor<16x3xi32>
// CHECK: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<16x40xi32>
// CHECK: %[[S:.*]]:2 = "stablehlo.sort"(%{{.*}}, %[[I]])
// CHECK: %[[F:.*]] = stablehlo.slice %[[S]]#1 [0:16, 0:3]
// CHECK: kernel.yield %[[F]]
// CHECK: return %[[K]]
func.func @main(%x: tensor<16x40xf32>) -> tensor<16x3xi32> {
  %i = stablehlo.iota dim = 0 : tensor<40xi32>
  %j = stablehlo.broadcast_in_dim %i, dims = [1] : (tensor<40xi32>) -> tensor<16x40xi32>
  %0:2 = "stablehlo.sort"(%x, %j) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<16x40xf32>, tensor<16x40xi32>) -> (tensor<16x40xf32>, tensor<16x40xi32>)
  %1 = stablehlo.slice %0#1 [0:16, 0:3] : (tensor<16x40xi32>) -> tensor<16x3xi32>
  return %1 : tensor<16x3xi32>
}

// -----

// Positions along the other dim tell rows apart, not elements; a slice of other elements needs all.
// CHECK-LABEL: @main
// CHECK: kernel.fusion "copy"(%{{.*}}, %{{.*}} : tensor<16x40xf32>, tensor<16x40xi32>) -> tensor<16x40xi32>
// CHECK: stablehlo.slice {{.*}} [0:16, 1:4]
func.func @main(%x: tensor<16x40xf32>) -> tensor<16x3xi32> {
  %j = stablehlo.iota dim = 0 : tensor<16x40xi32>
  %0:2 = "stablehlo.sort"(%x, %j) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<16x40xf32>, tensor<16x40xi32>) -> (tensor<16x40xf32>, tensor<16x40xi32>)
  %1 = stablehlo.slice %0#1 [0:16, 1:4] : (tensor<16x40xi32>) -> tensor<16x3xi32>
  return %1 : tensor<16x3xi32>
}
