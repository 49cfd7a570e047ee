// RUN: tpuc run %s --check --cpu-level=portable
// RUN: tpuc run %s --cpu-level=portable --constants=arrays
// RUN: tpuc compile %s --matmul-precision=highest -o %t.tpuc

// Moves of long arrays: the pieces of a few periods of tiles stand for all of them.

module {
func.func @main() {
  %i = stablehlo.iota dim = 0 : tensor<2500037xi32>
  %last = stablehlo.constant dense<2500036> : tensor<2500037xi32>
  %down = stablehlo.subtract %last, %i : tensor<2500037xi32>
  %bytes = stablehlo.convert %i : (tensor<2500037xi32>) -> tensor<2500037xi8>
  %from = stablehlo.optimization_barrier %bytes : tensor<2500037xi8>
  %0 = stablehlo.reverse %from, dims = [0] : tensor<2500037xi8>
  %1 = stablehlo.convert %down : (tensor<2500037xi32>) -> tensor<2500037xi8>
  check.expect_eq %0, %1 : tensor<2500037xi8>

  // From the middle of a row on: (2500035 - 5) / 3 elements.
  %2 = stablehlo.slice %from [5:2500035:3] : (tensor<2500037xi8>) -> tensor<833344xi8>
  %three = stablehlo.constant dense<3> : tensor<833344xi32>
  %five = stablehlo.constant dense<5> : tensor<833344xi32>
  %j = stablehlo.iota dim = 0 : tensor<833344xi32>
  %3 = stablehlo.multiply %j, %three : tensor<833344xi32>
  %4 = stablehlo.add %3, %five : tensor<833344xi32>
  %5 = stablehlo.convert %4 : (tensor<833344xi32>) -> tensor<833344xi8>
  check.expect_eq %2, %5 : tensor<833344xi8>
  return
}
}
