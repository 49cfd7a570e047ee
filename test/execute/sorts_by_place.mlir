// A key that is the place itself, the last first: what fills a sequence up does not come before it. A key whose formula
// shares its values, as f64's do: the compiler's walks look at each once.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.iota dim = 1 : tensor<3x130xf32>
  %place = stablehlo.iota dim = 1 : tensor<3x130xi32>
  %0:2 = "stablehlo.sort"(%x, %place) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %later = stablehlo.compare GT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %later : tensor<i1>
  }) : (tensor<3x130xf32>, tensor<3x130xi32>) -> (tensor<3x130xf32>, tensor<3x130xi32>)
  %reversed = stablehlo.reverse %x, dims = [1] : tensor<3x130xf32>
  check.expect_eq %0#0, %reversed : tensor<3x130xf32>
  %places = stablehlo.reverse %place, dims = [1] : tensor<3x130xi32>
  check.expect_eq %0#1, %places : tensor<3x130xi32>

  %d = stablehlo.constant dense<[[3.0, -1.0, 0.5, 2.0, -4.0]]> : tensor<1x5xf64>
  %1 = "stablehlo.sort"(%d) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %f = stablehlo.tanh %a : tensor<f64>
    %g = stablehlo.tanh %b : tensor<f64>
    %less = stablehlo.compare LT, %f, %g : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<1x5xf64>) -> tensor<1x5xf64>
  check.expect_eq_const %1, dense<[[-4.0, -1.0, 0.5, 2.0, 3.0]]> : tensor<1x5xf64>
  return
}
