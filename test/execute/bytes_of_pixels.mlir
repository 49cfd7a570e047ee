// Sums of 1152 products of bytes, more than the float arrays of the first generations sum exactly.
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v3
// RUN: tpuc run %s --check --target=v5e
// RUN: tpuc run %s --target=v2 --constants=arrays
module {
  func.func @main() {
    %a = stablehlo.constant dense<127> : tensor<1x6x6x128xi8>
    %x = stablehlo.optimization_barrier %a : tensor<1x6x6x128xi8>
    %b = stablehlo.constant dense<-127> : tensor<3x3x128x8xi8>
    %w = stablehlo.optimization_barrier %b : tensor<3x3x128x8xi8>
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x6x6x128xi8>, tensor<3x3x128x8xi8>) -> tensor<1x4x4x8xi32>
    check.expect_eq_const %0, dense<-18580608> : tensor<1x4x4x8xi32>
    return
  }
}
