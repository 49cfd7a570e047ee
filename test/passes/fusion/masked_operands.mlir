// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// Masks of positions that end at a number from elsewhere stand in the matmul: on its operands, and on its result in
// front of a softmax's reductions.
// CHECK-LABEL: @attention
// CHECK: kernel.fusion "dot"(%arg0, %arg1, %arg3
// CHECK: %[[PRODUCT:.*]] = stablehlo.dot_general
// CHECK: stablehlo.compare LT
// CHECK: %[[LOW:.*]] = stablehlo.select %{{.*}}, %[[PRODUCT]],
// CHECK: kernel.yield %[[LOW]]
// CHECK: kernel.fusion "loop"(%{{[0-9]+}} :
// CHECK-NOT: stablehlo.select
// CHECK: kernel.fusion "dot"({{.*}}%arg3{{.*}}%arg2
// CHECK: %[[VALUES:.*]] = stablehlo.select
// CHECK: stablehlo.dot_general %{{.*}}, %[[VALUES]]
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @attention(%q: tensor<128x64xf32>, %k: tensor<128x64xf32>, %v: tensor<128x64xf32>, %n: tensor<i32>)
    -> tensor<128x64xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<128x128xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<128x64xf32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<128x64xf32>, tensor<128x64xf32>)
      -> tensor<128x128xf32>
  %places = stablehlo.iota dim = 1 : tensor<128x128xi32>
  %end = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<128x128xi32>
  %in = stablehlo.compare LT, %places, %end, SIGNED : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
  %a = stablehlo.select %in, %s, %low : tensor<128x128xi1>, tensor<128x128xf32>
  %m = stablehlo.reduce(%a init: %least) applies stablehlo.maximum across dimensions = [1]
      : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<128xf32>) -> tensor<128x128xf32>
  %d = stablehlo.subtract %a, %mb : tensor<128x128xf32>
  %e = stablehlo.exponential %d : tensor<128x128xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<128xf32>) -> tensor<128x128xf32>
  %p = stablehlo.divide %e, %tb : tensor<128x128xf32>
  %rows = stablehlo.iota dim = 0 : tensor<128x64xi32>
  %last = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<128x64xi32>
  %inside = stablehlo.compare LT, %rows, %last, SIGNED : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi1>
  %values = stablehlo.select %inside, %v, %zeros : tensor<128x64xi1>, tensor<128x64xf32>
  %y = stablehlo.dot_general %p, %values, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x64xf32>)
      -> tensor<128x64xf32>
  return %y : tensor<128x64xf32>
}

// One that two matmuls read is in both.
// CHECK-LABEL: @twice
// CHECK-COUNT-2: kernel.fusion "dot"(%arg2, %arg{{[01]}}, %arg{{[01]}}
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @twice(%x: tensor<128x64xf32>, %y: tensor<128x64xf32>, %n: tensor<i32>, %z: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<128x64xf32>
  %rows = stablehlo.iota dim = 0 : tensor<128x64xi32>
  %last = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<128x64xi32>
  %inside = stablehlo.compare LT, %rows, %last, SIGNED : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi1>
  %a = stablehlo.select %inside, %x, %zeros : tensor<128x64xi1>, tensor<128x64xf32>
  %b = stablehlo.select %inside, %y, %zeros : tensor<128x64xi1>, tensor<128x64xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<128x64xf32>, tensor<128x64xf32>)
      -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %b, %a, contracting_dims = [0] x [0] : (tensor<128x64xf32>, tensor<128x64xf32>)
      -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// A mask that is an array, and one whose result leaves, are no matmul's.
// CHECK-LABEL: @neighbours
// CHECK: %[[A:.*]] = kernel.fusion "loop"(%arg2, %arg0
// CHECK: stablehlo.select
// CHECK: %[[B:.*]] = kernel.fusion "loop"
// CHECK: stablehlo.select
// CHECK: kernel.fusion "dot"(%[[A]], %[[B]] :
// CHECK-NOT: stablehlo.select
// CHECK: return
func.func @neighbours(%x: tensor<128x64xf32>, %y: tensor<128x64xf32>, %mask: tensor<128x64xi1>, %n: tensor<i32>)
    -> (tensor<64x64xf32>, tensor<128x64xf32>) {
  %zeros = stablehlo.constant dense<0.0> : tensor<128x64xf32>
  %a = stablehlo.select %mask, %x, %zeros : tensor<128x64xi1>, tensor<128x64xf32>
  %rows = stablehlo.iota dim = 0 : tensor<128x64xi32>
  %last = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<128x64xi32>
  %inside = stablehlo.compare LT, %rows, %last, SIGNED : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi1>
  %b = stablehlo.select %inside, %y, %zeros : tensor<128x64xi1>, tensor<128x64xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<128x64xf32>, tensor<128x64xf32>)
      -> tensor<64x64xf32>
  return %0, %b : tensor<64x64xf32>, tensor<128x64xf32>
}
