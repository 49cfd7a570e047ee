// An argument that is read through a view and given back as it is: kernels of other dims are not joined.
// RUN: tpuc run %s --check --target=v5e
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --target=v5e --constants=arrays
module {
  func.func @padded(%x: tensor<2x3xf32>) -> (tensor<4x5xf32>, tensor<2x3xf32>) {
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.pad %x, %c, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>)
        -> tensor<4x5xf32>
    return %0, %x : tensor<4x5xf32>, tensor<2x3xf32>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %0:2 = func.call @padded(%x) : (tensor<2x3xf32>) -> (tensor<4x5xf32>, tensor<2x3xf32>)
    check.expect_eq_const %0#0, dense<[[0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 2.0, 3.0, 0.0], [0.0, 4.0, 5.0, 6.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x5xf32>
    check.expect_eq_const %0#1, dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    return
  }
}
