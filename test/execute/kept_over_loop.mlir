// RUN: tpuc run %s --matmul-precision=highest
// RUN: tpuc run %s --matmul-precision=highest --check

// Weights that stay in VMEM while a loop reads them, against its iterations written out.
func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %m = stablehlo.iota dim = 0 : tensor<128x128xf32>
  %n = stablehlo.iota dim = 1 : tensor<128x128xf32>
  %mn = stablehlo.multiply %m, %n : tensor<128x128xf32>
  %w = stablehlo.cosine %mn : tensor<128x128xf32>
  %k = stablehlo.iota dim = 1 : tensor<24x128xf32>
  %h = stablehlo.sine %k : tensor<24x128xf32>
  %0:2 = stablehlo.while(%i = %zero, %a = %h) : tensor<i32>, tensor<24x128xf32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %1 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0]
          : (tensor<24x128xf32>, tensor<128x128xf32>) -> tensor<24x128xf32>
      %2 = stablehlo.tanh %1 : tensor<24x128xf32>
      %3 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %3, %2 : tensor<i32>, tensor<24x128xf32>
    }
  %last = stablehlo.negate %0#1 : tensor<24x128xf32>
  %d0 = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
      : (tensor<24x128xf32>, tensor<128x128xf32>) -> tensor<24x128xf32>
  %a0 = stablehlo.tanh %d0 : tensor<24x128xf32>
  %d1 = stablehlo.dot_general %a0, %w, contracting_dims = [1] x [0]
      : (tensor<24x128xf32>, tensor<128x128xf32>) -> tensor<24x128xf32>
  %a1 = stablehlo.tanh %d1 : tensor<24x128xf32>
  %d2 = stablehlo.dot_general %a1, %w, contracting_dims = [1] x [0]
      : (tensor<24x128xf32>, tensor<128x128xf32>) -> tensor<24x128xf32>
  %a2 = stablehlo.tanh %d2 : tensor<24x128xf32>
  %wanted = stablehlo.negate %a2 : tensor<24x128xf32>
  check.expect_almost_eq %last, %wanted : tensor<24x128xf32>
  return
}
