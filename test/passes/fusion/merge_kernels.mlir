// RUN: tpuc-opt %s --tpuc-fuse-kernels --tpuc-merge-kernels | FileCheck %s

// What the gradient needs is kept: the matmul writes it beside its activation.
// CHECK-LABEL: @activation
// CHECK: %[[K:.*]]:2 = kernel.fusion "dot"(%arg0, %arg1
// CHECK: %[[D:.*]] = stablehlo.dot_general
// CHECK: %[[T:.*]] = stablehlo.tanh %[[D]]
// CHECK: kernel.yield %[[D]], %[[T]]
// CHECK-NOT: kernel.fusion
// CHECK: return %[[K]]#0, %[[K]]#1
func.func @activation(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x256xf32>)
      -> tensor<64x256xf32>
  %1 = stablehlo.tanh %0 : tensor<64x256xf32>
  return %0, %1 : tensor<64x256xf32>, tensor<64x256xf32>
}

// Three results of arrays that all three read; the product that two of them need stands once.
// CHECK-LABEL: @siblings
// CHECK: kernel.fusion "loop"(%{{.*}}, %{{.*}} : {{.*}}) -> tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>
// CHECK-COUNT-1: stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
// CHECK: return
func.func @siblings(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>)
    -> (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) {
  %0 = stablehlo.multiply %x, %y : tensor<64x128xf32>
  %1 = stablehlo.add %0, %x : tensor<64x128xf32>
  %2 = stablehlo.subtract %0, %y : tensor<64x128xf32>
  %3 = stablehlo.maximum %x, %y : tensor<64x128xf32>
  return %1, %2, %3 : tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>
}

// The row's maximum is kept: one pass over the rows for both.
// CHECK-LABEL: @statistics
// CHECK: kernel.fusion "loop"(%arg0 : tensor<64x128xf32>) -> tensor<64xf32>, tensor<64x128xf32>
// CHECK-NOT: kernel.fusion
// CHECK: return
func.func @statistics(%x: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<64x128xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %m = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %d = stablehlo.subtract %x, %mb : tensor<64x128xf32>
  return %m, %d : tensor<64xf32>, tensor<64x128xf32>
}

// The sums over 65536 rows would leave the elementwise kernel a single step at a time.
// CHECK-LABEL: @steps
// CHECK: kernel.fusion "loop"(%arg0 : tensor<65536x128xf32>) -> tensor<65536x128xf32>
// CHECK: kernel.fusion "loop"(%{{.*}} : tensor<65536x128xf32>) -> tensor<128xf32>
func.func @steps(%x: tensor<65536x128xf32>) -> (tensor<65536x128xf32>, tensor<128xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.tanh %x : tensor<65536x128xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<65536x128xf32>, tensor<f32>) -> tensor<128xf32>
  return %0, %1 : tensor<65536x128xf32>, tensor<128xf32>
}

// Eight rows' sines are not computed once for each of 512 batches.
// CHECK-LABEL: @twice
// CHECK: kernel.fusion "loop"(%arg0 : tensor<8x128xf32>) -> tensor<8x128xf32>
// CHECK: kernel.fusion "loop"(%{{.*}}, %arg1 : tensor<8x128xf32>, tensor<512x8x128xf32>) -> tensor<512x8x128xf32>
func.func @twice(%x: tensor<8x128xf32>, %y: tensor<512x8x128xf32>) -> (tensor<8x128xf32>, tensor<512x8x128xf32>) {
  %0 = stablehlo.sine %x : tensor<8x128xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<8x128xf32>) -> tensor<512x8x128xf32>
  %2 = stablehlo.multiply %1, %y : tensor<512x8x128xf32>
  return %0, %2 : tensor<8x128xf32>, tensor<512x8x128xf32>
}

// The second reader of %0 also needs what was made of the first one's result: no place for both.
// CHECK-LABEL: @between
// CHECK: kernel.fusion "loop"(%arg0 : tensor<64x128xf32>)
// CHECK: %[[R:.*]] = kernel.fusion "copy"
// CHECK: kernel.fusion "loop"(%[[R]], %arg0
func.func @between(%x: tensor<64x128xf32>) -> (tensor<128x64xf32>, tensor<64x128xf32>) {
  %0 = stablehlo.tanh %x : tensor<64x128xf32>
  %last = stablehlo.slice %0 [30:64, 0:128] : (tensor<64x128xf32>) -> tensor<34x128xf32>
  %first = stablehlo.slice %0 [0:30, 0:128] : (tensor<64x128xf32>) -> tensor<30x128xf32>
  %1 = stablehlo.concatenate %last, %first, dim = 0
      : (tensor<34x128xf32>, tensor<30x128xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.add %1, %x : tensor<64x128xf32>
  %3 = stablehlo.transpose %1, dims = [1, 0] : (tensor<64x128xf32>) -> tensor<128x64xf32>
  return %3, %2 : tensor<128x64xf32>, tensor<64x128xf32>
}
