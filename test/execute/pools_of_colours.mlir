// Windows over images of three features: no array takes an order in which they would go along lanes.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --constants=arrays
module {
  func.func @main() {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %x = stablehlo.iota dim = 2 : tensor<2x9x70x3xf32>
    %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 3, 2, 1>,
        window_strides = array<i64: 1, 1, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x9x70x3xf32>, tensor<f32>) -> tensor<2x7x35x3xf32>
    // Columns 2i and 2i + 1, thrice each.
    %i = stablehlo.iota dim = 2 : tensor<2x7x35x3xf32>
    %twelve = stablehlo.constant dense<12.0> : tensor<2x7x35x3xf32>
    %three = stablehlo.constant dense<3.0> : tensor<2x7x35x3xf32>
    %j = stablehlo.multiply %i, %twelve : tensor<2x7x35x3xf32>
    %want = stablehlo.add %j, %three : tensor<2x7x35x3xf32>
    check.expect_eq %0, %want : tensor<2x7x35x3xf32>
    return
  }
}
