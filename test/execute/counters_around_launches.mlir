// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop's counter outlives the launches of its body, one of which is a loop with a counter of its own: 9 times 3. The
// branch keeps the outer loop from being one launch. Row i of %x is i + 1: the state gains 1 + 3 + 5, then 1 or -5,
// then i + 1.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %rows = stablehlo.iota dim = 0 : tensor<16x8x128xf32>
  %one = stablehlo.constant dense<1.0> : tensor<16x8x128xf32>
  %x0 = stablehlo.add %rows, %one : tensor<16x8x128xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<16x8x128xf32>
  %s0 = stablehlo.constant dense<0.0> : tensor<8x128xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %step = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %limit = stablehlo.constant dense<60.0> : tensor<f32>
  %up = stablehlo.constant dense<1.0> : tensor<8x128xf32>
  %down = stablehlo.constant dense<5.0> : tensor<8x128xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %s0) : tensor<i32>, tensor<8x128xf32>
    cond {
      %c = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %q:2 = stablehlo.while(%j = %zero, %t = %s) : tensor<i32>, tensor<8x128xf32>
        cond {
          %c = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %j2 = stablehlo.multiply %j, %two : tensor<i32>
          %y = stablehlo.dynamic_slice %x, %j2, %zero, %zero, sizes = [1, 8, 128]
              : (tensor<16x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xf32>
          %z = stablehlo.reshape %y : (tensor<1x8x128xf32>) -> tensor<8x128xf32>
          %t1 = stablehlo.add %t, %z : tensor<8x128xf32>
          %j1 = stablehlo.add %j, %step : tensor<i32>
          stablehlo.return %j1, %t1 : tensor<i32>, tensor<8x128xf32>
        }
      %first = stablehlo.slice %q#1 [0:1, 0:1] : (tensor<8x128xf32>) -> tensor<1x1xf32>
      %number = stablehlo.reshape %first : (tensor<1x1xf32>) -> tensor<f32>
      %more = stablehlo.compare GT, %number, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %b = "stablehlo.if"(%more) ({
        %d = stablehlo.subtract %q#1, %down : tensor<8x128xf32>
        stablehlo.return %d : tensor<8x128xf32>
      }, {
        %d = stablehlo.add %q#1, %up : tensor<8x128xf32>
        stablehlo.return %d : tensor<8x128xf32>
      }) : (tensor<i1>) -> tensor<8x128xf32>
      %y = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 128]
          : (tensor<16x8x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x128xf32>
      %z = stablehlo.reshape %y : (tensor<1x8x128xf32>) -> tensor<8x128xf32>
      %s1 = stablehlo.add %b, %z : tensor<8x128xf32>
      %i1 = stablehlo.add %i, %step : tensor<i32>
      stablehlo.return %i1, %s1 : tensor<i32>, tensor<8x128xf32>
    }
  check.expect_eq_const %r#1, dense<111.0> : tensor<8x128xf32>
  return
}
