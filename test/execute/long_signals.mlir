// Convolutions along one dim of one batch: nothing else to cut into steps.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --constants=arrays
module {
  func.func @main() {
    %one = stablehlo.constant dense<1.0> : tensor<3x8x8xf32>
    %x = stablehlo.iota dim = 1 : tensor<1x5002x8xf32>
    // Three neighbours of eight features each: 24 times the middle one.
    %0 = stablehlo.convolution(%x, %one) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
        window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}
        : (tensor<1x5002x8xf32>, tensor<3x8x8xf32>) -> tensor<1x5000x8xf32>
    %i = stablehlo.iota dim = 1 : tensor<1x5000x8xf32>
    %f = stablehlo.constant dense<24.0> : tensor<1x5000x8xf32>
    %j = stablehlo.multiply %i, %f : tensor<1x5000x8xf32>
    %want = stablehlo.add %j, %f : tensor<1x5000x8xf32>
    check.expect_eq %0, %want : tensor<1x5000x8xf32>

    // Two gaps between elements: each meets one of three taps.
    %y = stablehlo.iota dim = 1 : tensor<1x1200x8xf32>
    %1 = stablehlo.convolution(%y, %one) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [3],
        pad = [[1, 1]], lhs_dilate = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}
        : (tensor<1x1200x8xf32>, tensor<3x8x8xf32>) -> tensor<1x1200x8xf32>
    %eight = stablehlo.constant dense<8.0> : tensor<1x1200x8xf32>
    %want1 = stablehlo.multiply %y, %eight : tensor<1x1200x8xf32>
    check.expect_eq %1, %want1 : tensor<1x1200x8xf32>

    // More features than an array has rows: all in one step, whose sums the arrays share.
    %z = stablehlo.iota dim = 1 : tensor<1x2214x130xf32>
    %ones = stablehlo.constant dense<1.0> : tensor<1x130x5xf32>
    %2 = stablehlo.convolution(%z, %ones) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
        window = {lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}
        : (tensor<1x2214x130xf32>, tensor<1x130x5xf32>) -> tensor<1x4427x5xf32>
    %every = stablehlo.slice %2 [0:1, 0:4427:2, 0:5] : (tensor<1x4427x5xf32>) -> tensor<1x2214x5xf32>
    %k = stablehlo.iota dim = 1 : tensor<1x2214x5xf32>
    %many = stablehlo.constant dense<130.0> : tensor<1x2214x5xf32>
    %want2 = stablehlo.multiply %k, %many : tensor<1x2214x5xf32>
    check.expect_eq %every, %want2 : tensor<1x2214x5xf32>
    return
  }
}
