// RUN: tpuc compile %s --constants=arrays --stop-after=simplify -o - | FileCheck %s
// RUN: tpuc compile %s --stop-after=simplify -o - | FileCheck %s --check-prefix=FOLDED
// RUN: tpuc run %s --constants=arrays
// RUN: tpuc compile %s --constants=arrays -o %t.whole
// RUN: tpuc compile %s --constants=arrays --stop-after=fuse -o %t.mlir
// RUN: tpuc compile %t.mlir --start-from=plan -o %t.resumed
// RUN: cmp %t.whole %t.resumed

// Folded, both sides of the first expectation are the constant 3.
// FOLDED: func.func @main() -> (
// FOLDED-NOT: stablehlo.add {{.*}} : tensor<2xf32>
// FOLDED: stablehlo.while

// As arrays they are arguments; what a reshape needs to know, and what a reduction starts its sum from inside, stays.
// CHECK: func.func @main(%[[ONE:arg[0-9]+]]: tensor<2xf32> {tpuc.constant = dense<1.000000e+00> : tensor<2xf32>}
// CHECK: stablehlo.add %[[ONE]]
// CHECK: stablehlo.while
func.func @main() {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %two = stablehlo.constant dense<2.0> : tensor<2xf32>
  %sum = stablehlo.add %one, %two : tensor<2xf32>
  check.expect_eq_const %sum, dense<3.0> : tensor<2xf32>
  %shape = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %tall = stablehlo.dynamic_reshape %sum, %shape : (tensor<2xf32>, tensor<2xi32>) -> tensor<2x1xf32>
  check.expect_eq_const %tall, dense<3.0> : tensor<2x1xf32>
  // Types of one part and of several, whole bytes and less: each comes back as it was.
  %d = stablehlo.constant dense<[1.5, -0.0, 0x7FF0000000000000, 3.0e300]> : tensor<4xf64>
  check.expect_eq_const %d, dense<[1.5, -0.0, 0x7FF0000000000000, 3.0e300]> : tensor<4xf64>
  %c = stablehlo.constant dense<[(1.0, -2.0), (0.5, 4.0)]> : tensor<2xcomplex<f32>>
  %cc = stablehlo.add %c, %c : tensor<2xcomplex<f32>>
  check.expect_eq_const %cc, dense<[(2.0, -4.0), (1.0, 8.0)]> : tensor<2xcomplex<f32>>
  %z = stablehlo.constant dense<(1.0, -2.0)> : tensor<3xcomplex<f64>>
  check.expect_eq_const %z, dense<(1.0, -2.0)> : tensor<3xcomplex<f64>>
  %l = stablehlo.constant dense<[-5000000000, 7]> : tensor<2xi64>
  %ll = stablehlo.negate %l : tensor<2xi64>
  check.expect_eq_const %ll, dense<[5000000000, -7]> : tensor<2xi64>
  %b = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %nb = stablehlo.not %b : tensor<3xi1>
  check.expect_eq_const %nb, dense<[false, true, false]> : tensor<3xi1>
  %h = stablehlo.constant dense<[[1.0, 2.0], [-3.0, 4.0]]> : tensor<2x2xbf16>
  %hh = stablehlo.transpose %h, dims = [1, 0] : (tensor<2x2xbf16>) -> tensor<2x2xbf16>
  check.expect_eq_const %hh, dense<[[1.0, -3.0], [2.0, 4.0]]> : tensor<2x2xbf16>
  %n = stablehlo.constant dense<[-8, 7, 1]> : tensor<3xi4>
  %nn = stablehlo.convert %n : (tensor<3xi4>) -> tensor<3xi32>
  check.expect_eq_const %nn, dense<[-8, 7, 1]> : tensor<3xi32>
  %e = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf8E4M3FN>
  %ee = stablehlo.convert %e : (tensor<2xf8E4M3FN>) -> tensor<2xf32>
  check.expect_eq_const %ee, dense<[1.0, -2.0]> : tensor<2xf32>
  // A loop of ten rounds, whose numbers are constants within it.
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %rounds = stablehlo.while(%i = %zero) : tensor<i32> cond {
    %hundred = stablehlo.constant dense<100> : tensor<i32>
    %more = stablehlo.compare LT, %i, %hundred : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %step = stablehlo.constant dense<3> : tensor<i32>
    %next = stablehlo.add %i, %step : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  check.expect_eq_const %rounds, dense<102> : tensor<i32>
  // The computation's own constant stays with it.
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %reduced = "stablehlo.reduce"(%sum, %start) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %scaled = stablehlo.multiply %p, %half : tensor<f32>
    %twice = stablehlo.add %scaled, %scaled : tensor<f32>
    %r = stablehlo.add %twice, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %reduced, dense<6.0> : tensor<f32>
  return
}
