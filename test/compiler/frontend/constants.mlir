// Constants of arith in functions and bodies, and those whose bytes lie beside the module.
// RUN: tpuc run %s --check
module {
  func.func @main() {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %x = stablehlo.constant dense_resource<w> : tensor<4xf32>
    %y = arith.constant dense<[4.0, 3.0, 2.0, 1.0]> : tensor<4xf32>
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    check.expect_eq_const %0, dense<5.0> : tensor<4xf32>
    %1 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %one = arith.constant dense<1.0> : tensor<f32>
      %c = stablehlo.multiply %b, %one : tensor<f32>
      %d = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    check.expect_eq_const %1, dense<10.0> : tensor<f32>
    %bits = stablehlo.constant dense_resource<bits> : tensor<3xi1>
    check.expect_eq_const %bits, dense<[true, false, true]> : tensor<3xi1>
    return
  }
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F000000400000404000008040",
      bits: "0x01000000010001"
    }
  }
#-}
