// Taps of packed weights side by side along lanes, while the next step's weights arrive behind them: the last group of
// 300 rows is half a vreg.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --constants=arrays
module {
  func.func @main() {
    %a = stablehlo.constant dense<1.0> : tensor<3x1601x300xf32>
    %b = stablehlo.constant dense<1.0> : tensor<3x300x300xf32>
    %x0 = stablehlo.optimization_barrier %a : tensor<3x1601x300xf32>
    %w0 = stablehlo.optimization_barrier %b : tensor<3x300x300xf32>
    %x = stablehlo.convert %x0 : (tensor<3x1601x300xf32>) -> tensor<3x1601x300xbf16>
    %w = stablehlo.convert %w0 : (tensor<3x300x300xf32>) -> tensor<3x300x300xbf16>
    // Of three taps two apart one meets an element, three apart.
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[2,
        0]], lhs_dilate = [3], rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<3x1601x300xbf16>, tensor<3x300x300xbf16>) -> tensor<3x2400x300xf32>
    check.expect_eq_const %0, dense<300.0> : tensor<3x2400x300xf32>
    return
  }
}
