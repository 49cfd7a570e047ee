// RUN: tpuc-opt %s --tpuc-expand-batch-norm | FileCheck %s

// Sums over all dims but the feature's, 4 of 2x3x4: 6 elements a feature.
// CHECK-LABEL: func @training
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK: %[[COUNT:.*]] = stablehlo.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK: %[[MEAN:.*]] = stablehlo.divide %[[SUM]], %[[COUNT]]
// CHECK: %[[CENTRED:.*]] = stablehlo.subtract %arg0
// CHECK: stablehlo.multiply %[[CENTRED]], %[[CENTRED]]
// CHECK: stablehlo.sqrt
// CHECK: return %{{.*}}, %[[MEAN]], %{{.*}} : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @training(%x: tensor<2x3x4xf32>, %scale: tensor<4xf32>, %offset: tensor<4xf32>)
    -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.001 : f32, feature_index = 2 : i64}
      : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>
}

// bf16 is computed in f32.
// CHECK-LABEL: func @inference
// CHECK: stablehlo.convert %arg0 : (tensor<5x2xbf16>) -> tensor<5x2xf32>
// CHECK: stablehlo.add {{.*}} : tensor<5x2xf32>
// CHECK: stablehlo.convert {{.*}} -> tensor<5x2xbf16>
func.func @inference(%x: tensor<5x2xbf16>, %c: tensor<2xbf16>) -> tensor<5x2xbf16> {
  %0 = "stablehlo.batch_norm_inference"(%x, %c, %c, %c, %c) {epsilon = 0.001 : f32, feature_index = 1 : i64}
      : (tensor<5x2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>, tensor<2xbf16>) -> tensor<5x2xbf16>
  return %0 : tensor<5x2xbf16>
}

// Two sums: of the gradient, and of it times the centred operand.
// CHECK-LABEL: func @grad
// CHECK-COUNT-2: stablehlo.reduce
// CHECK-NOT: stablehlo.reduce
func.func @grad(%x: tensor<6x2xf64>, %c: tensor<2xf64>, %g: tensor<6x2xf64>)
    -> (tensor<6x2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %c, %c, %c, %g) {epsilon = 0.001 : f32, feature_index = 1 : i64}
      : (tensor<6x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<6x2xf64>)
      -> (tensor<6x2xf64>, tensor<2xf64>, tensor<2xf64>)
  return %0#0, %0#1, %0#2 : tensor<6x2xf64>, tensor<2xf64>, tensor<2xf64>
}
