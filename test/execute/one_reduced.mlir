// Initial values that are not the operation's own zero count once. Reductions of one element each: it is combined with
// one, alone, with others, and next to a dim that has more.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.iota dim = 1 : tensor<2x130x1xf32>
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %five) applies stablehlo.add across dimensions = [2]
      : (tensor<2x130x1xf32>, tensor<f32>) -> tensor<2x130xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x130xf32>
  %fives = stablehlo.constant dense<5.0> : tensor<2x130xf32>
  %1 = stablehlo.add %i, %fives : tensor<2x130xf32>
  check.expect_eq %0, %1 : tensor<2x130xf32>

  %j = stablehlo.iota dim = 1 : tensor<2x130x1xi16>
  %hundred = stablehlo.constant dense<100> : tensor<i16>
  %one = stablehlo.constant dense<1> : tensor<i16>
  %2:2 = stablehlo.reduce(%j init: %hundred), (%j init: %one) across dimensions = [2]
      : (tensor<2x130x1xi16>, tensor<2x130x1xi16>, tensor<i16>, tensor<i16>) -> (tensor<2x130xi16>, tensor<2x130xi16>)
   reducer(%a: tensor<i16>, %c: tensor<i16>) (%b: tensor<i16>, %d: tensor<i16>) {
    %3 = stablehlo.minimum %a, %c : tensor<i16>
    %4 = stablehlo.add %b, %d : tensor<i16>
    stablehlo.return %3, %4 : tensor<i16>, tensor<i16>
  }
  %k = stablehlo.iota dim = 1 : tensor<2x130xi16>
  %hundreds = stablehlo.constant dense<100> : tensor<2x130xi16>
  %ones = stablehlo.constant dense<1> : tensor<2x130xi16>
  %5 = stablehlo.minimum %k, %hundreds : tensor<2x130xi16>
  %6 = stablehlo.add %k, %ones : tensor<2x130xi16>
  check.expect_eq %2#0, %5 : tensor<2x130xi16>
  check.expect_eq %2#1, %6 : tensor<2x130xi16>

  // 0 + 1 + ... + 129 and 5.
  %7 = stablehlo.reduce(%x init: %five) applies stablehlo.add across dimensions = [1, 2]
      : (tensor<2x130x1xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %7, dense<8390.0> : tensor<2xf32>

  // Of several operands, in whatever pieces they are read: 1 + 2 + 3 and 3 once, 1 + 5 + 3 and 2 once.
  %y = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %z = stablehlo.constant dense<[1, 5, 3]> : tensor<3xi32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %8:2 = stablehlo.reduce(%y init: %three), (%z init: %two) across dimensions = [0]
      : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %9 = stablehlo.add %a, %c : tensor<f32>
    %10 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  check.expect_eq_const %8#0, dense<9.0> : tensor<f32>
  check.expect_eq_const %8#1, dense<11> : tensor<i32>
  return
}
