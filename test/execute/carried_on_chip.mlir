// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v5p
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --constants=arrays

// Arrays that loops carry in VMEM, against the same iterations written out: exchanged, replaced vreg by vreg, replaced
// by what is made of other rows, handed on unchanged, taken by one of two branches. All numbers are whole.
func.func private @step(%a: tensor<16x128xf32>, %b: tensor<16x128xf32>, %c: tensor<16x128xf32>, %d: tensor<5x70xbf16>)
    -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>) {
  %one = stablehlo.constant dense<1.0> : tensor<16x128xf32>
  %two = stablehlo.constant dense<2.0> : tensor<5x70xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %turned = stablehlo.reverse %a, dims = [0] : tensor<16x128xf32>
  %0 = stablehlo.subtract %turned, %c : tensor<16x128xf32>
  %1 = stablehlo.add %c, %one : tensor<16x128xf32>
  %most = stablehlo.reduce(%b init: %zero) applies stablehlo.maximum across dimensions = [0]
      : (tensor<16x128xf32>, tensor<f32>) -> tensor<128xf32>
  %2 = stablehlo.broadcast_in_dim %most, dims = [1] : (tensor<128xf32>) -> tensor<16x128xf32>
  %3 = stablehlo.subtract %2, %b : tensor<16x128xf32>
  %4 = stablehlo.subtract %two, %d : tensor<5x70xbf16>
  return %3, %0, %1, %4 : tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>
}

func.func @main() {
  %none = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %a = stablehlo.iota dim = 1 : tensor<16x128xf32>
  %b = stablehlo.iota dim = 0 : tensor<16x128xf32>
  %c = stablehlo.add %a, %b : tensor<16x128xf32>
  %d = stablehlo.iota dim = 0 : tensor<5x70xbf16>

  // Three iterations.
  %0:6 = stablehlo.while(%i = %none, %p = %a, %q = %b, %r = %c, %s = %d, %same = %b)
      : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>, tensor<16x128xf32>
    cond {
      %t = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %n:4 = func.call @step(%p, %q, %r, %s)
          : (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
          -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
      stablehlo.return %next, %n#0, %n#1, %n#2, %n#3, %same
          : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>,
            tensor<16x128xf32>
    }
  %1:4 = func.call @step(%a, %b, %c, %d)
      : (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
      -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
  %2:4 = func.call @step(%1#0, %1#1, %1#2, %1#3)
      : (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
      -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
  %3:4 = func.call @step(%2#0, %2#1, %2#2, %2#3)
      : (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
      -> (tensor<16x128xf32>, tensor<16x128xf32>, tensor<16x128xf32>, tensor<5x70xbf16>)
  check.expect_eq %0#1, %3#0 : tensor<16x128xf32>
  check.expect_eq %0#2, %3#1 : tensor<16x128xf32>
  check.expect_eq %0#3, %3#2 : tensor<16x128xf32>
  check.expect_eq %0#4, %3#3 : tensor<5x70xbf16>
  check.expect_eq %0#5, %b : tensor<16x128xf32>

  // None: what the loop was given.
  %4:3 = stablehlo.while(%i = %three, %p = %a, %q = %b) : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>
    cond {
      %t = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %sum = stablehlo.add %p, %q : tensor<16x128xf32>
      stablehlo.return %next, %q, %sum : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>
    }
  check.expect_eq %4#1, %a : tensor<16x128xf32>
  check.expect_eq %4#2, %b : tensor<16x128xf32>

  // Two loops, one in the other, and branches: 3 times (q + p, p) twice, and then p + 1 the first time, else p.
  %ones = stablehlo.constant dense<1.0> : tensor<16x128xf32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %5:3 = stablehlo.while(%i = %none, %p = %a, %q = %b) : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>
    cond {
      %t = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %inner:3 = stablehlo.while(%j = %none, %u = %p, %v = %q)
          : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>
        cond {
          %t = stablehlo.compare LT, %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do {
          %jj = stablehlo.add %j, %one : tensor<i32>
          %sum = stablehlo.add %u, %v : tensor<16x128xf32>
          stablehlo.return %jj, %sum, %u : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>
        }
      %isFirst = stablehlo.compare EQ, %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %w = "stablehlo.if"(%isFirst) ({
        %more = stablehlo.add %inner#1, %ones : tensor<16x128xf32>
        stablehlo.return %more : tensor<16x128xf32>
      }, {
        stablehlo.return %inner#1 : tensor<16x128xf32>
      }) : (tensor<i1>) -> tensor<16x128xf32>
      stablehlo.return %next, %w, %inner#2 : tensor<i32>, tensor<16x128xf32>, tensor<16x128xf32>
    }
  // (a, b), (2a + b + 1, a + b), (5a + 3b + 2, 3a + 2b + 1), (13a + 8b + 5, 8a + 5b + 3)
  %thirteen = stablehlo.constant dense<13.0> : tensor<16x128xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<16x128xf32>
  %five = stablehlo.constant dense<5.0> : tensor<16x128xf32>
  %6 = stablehlo.multiply %a, %thirteen : tensor<16x128xf32>
  %7 = stablehlo.multiply %b, %eight : tensor<16x128xf32>
  %8 = stablehlo.add %6, %7 : tensor<16x128xf32>
  %9 = stablehlo.add %8, %five : tensor<16x128xf32>
  check.expect_eq %5#1, %9 : tensor<16x128xf32>
  return
}
