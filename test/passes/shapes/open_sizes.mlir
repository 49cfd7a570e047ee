// RUN: tpuc-opt %s --split-input-file --tpuc-open-sizes --verify-diagnostics | FileCheck %s

// Shapes, ends of slices, padding and small constants follow the size; what is the same in both stays a number.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32> {shapes.dims = ["b", "4"]}, %arg1: tensor<4xf32>,
// CHECK-SAME: %[[Z:.*]]: tensor<?xf32> {shapes.dims = ["2*b"]})
// CHECK-SAME: -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<f32>, tensor<?x4xf32>, tensor<?xi32>)
// CHECK: %[[B:.*]] = stablehlo.get_dimension_size %[[X]], dim = 0
// CHECK: %[[SIZE:.*]] = stablehlo.convert %[[B]] : (tensor<i32>) -> tensor<f32>
// CHECK: %[[ROWS:.*]] = stablehlo.dynamic_broadcast_in_dim %arg1, %{{.*}}, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
// CHECK: stablehlo.add %[[X]], %[[ROWS]] : tensor<?x4xf32>
// CHECK: stablehlo.real_dynamic_slice %[[Z]],
// CHECK: stablehlo.dynamic_pad
// CHECK: stablehlo.dynamic_iota
module {
  func.func @main(%x: tensor<3x4xf32>, %w: tensor<4xf32>, %z: tensor<6xf32>)
      -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<f32>, tensor<4x4xf32>, tensor<3xi32>) {
    %size = stablehlo.constant dense<3.0> : tensor<f32>
    %zeros = stablehlo.constant dense<0.5> : tensor<3x4xf32>
    %rows = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
    %sum = stablehlo.add %x, %rows : tensor<3x4xf32>
    %both = stablehlo.add %sum, %zeros : tensor<3x4xf32>
    %end = stablehlo.slice %z [5:6] : (tensor<6xf32>) -> tensor<1xf32>
    %one = stablehlo.reshape %end : (tensor<1xf32>) -> tensor<f32>
    %mean = stablehlo.divide %one, %size : tensor<f32>
    %padded = stablehlo.pad %x, %size, low = [1, 0], high = [0, 0], interior = [0, 0]
        : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %iota = stablehlo.iota dim = 0 : tensor<3xi32>
    return %sum, %both, %mean, %padded, %iota
        : tensor<3x4xf32>, tensor<3x4xf32>, tensor<f32>, tensor<4x4xf32>, tensor<3xi32>
  }
}
module {
  func.func @main(%x: tensor<5x4xf32>, %w: tensor<4xf32>, %z: tensor<10xf32>)
      -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<8x4xf32>, tensor<5xi32>) {
    %size = stablehlo.constant dense<5.0> : tensor<f32>
    %zeros = stablehlo.constant dense<0.5> : tensor<5x4xf32>
    %rows = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<4xf32>) -> tensor<5x4xf32>
    %sum = stablehlo.add %x, %rows : tensor<5x4xf32>
    %both = stablehlo.add %sum, %zeros : tensor<5x4xf32>
    %end = stablehlo.slice %z [9:10] : (tensor<10xf32>) -> tensor<1xf32>
    %one = stablehlo.reshape %end : (tensor<1xf32>) -> tensor<f32>
    %mean = stablehlo.divide %one, %size : tensor<f32>
    %padded = stablehlo.pad %x, %size, low = [3, 0], high = [0, 0], interior = [0, 0]
        : (tensor<5x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %iota = stablehlo.iota dim = 0 : tensor<5xi32>
    return %sum, %both, %mean, %padded, %iota
        : tensor<5x4xf32>, tensor<5x4xf32>, tensor<f32>, tensor<8x4xf32>, tensor<5xi32>
  }
}
