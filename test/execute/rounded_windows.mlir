// A window's computation on narrow floats rounds each time: 256 + 1 is 256 in bf16, 2048 + 1 is 2048 in f16, however
// often.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %x = stablehlo.constant dense<[[256.0, 1.0], [1.0, 1.0], [1.0, 256.0], [1.0, 2.0]]> : tensor<4x2xbf16>
  %sums = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[3, 0], [0, 0]]>
      : tensor<2x2xi64>, window_dimensions = array<i64: 4, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<4x2xbf16>, tensor<bf16>) -> tensor<4x2xbf16>
  check.expect_eq_const %sums, dense<[[256.0, 1.0], [256.0, 2.0], [256.0, 258.0], [256.0, 260.0]]> : tensor<4x2xbf16>

  %zero16 = stablehlo.constant dense<0.0> : tensor<f16>
  %x16 = stablehlo.constant dense<[[2048.0], [1.0], [1.0], [1.0]]> : tensor<4x1xf16>
  %sums16 = "stablehlo.reduce_window"(%x16, %zero16) <{padding = dense<[[3, 0], [0, 0]]>
      : tensor<2x2xi64>, window_dimensions = array<i64: 4, 1>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %s = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %s : tensor<f16>
  }) : (tensor<4x1xf16>, tensor<f16>) -> tensor<4x1xf16>
  check.expect_eq_const %sums16, dense<2048.0> : tensor<4x1xf16>
  return
}
