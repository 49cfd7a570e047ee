// Lanes that move one by one, as rows of transposed arrays: f32 and, with rows out of step as well, bf16.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %lane = stablehlo.iota dim = 1 : tensor<160x250xi32>
  %row = stablehlo.iota dim = 0 : tensor<160x250xi32>
  %thousand = stablehlo.constant dense<1000> : tensor<160x250xi32>
  %r = stablehlo.multiply %row, %thousand : tensor<160x250xi32>
  %sum = stablehlo.add %r, %lane : tensor<160x250xi32>
  %x = stablehlo.optimization_barrier %sum : tensor<160x250xi32>
  %reversed = stablehlo.reverse %x, dims = [1] : tensor<160x250xi32>
  %last = stablehlo.constant dense<249> : tensor<160x250xi32>
  %back = stablehlo.subtract %last, %lane : tensor<160x250xi32>
  %wantedReversed = stablehlo.add %r, %back : tensor<160x250xi32>
  check.expect_eq %reversed, %wantedReversed : tensor<160x250xi32>

  %lanes = stablehlo.iota dim = 1 : tensor<160x250xbf16>
  %narrow = stablehlo.optimization_barrier %lanes : tensor<160x250xbf16>
  %odd = stablehlo.slice %narrow [0:160, 1:250:2] : (tensor<160x250xbf16>) -> tensor<160x125xbf16>
  %oddInts = stablehlo.convert %odd : (tensor<160x125xbf16>) -> tensor<160x125xi32>
  %l125 = stablehlo.iota dim = 1 : tensor<160x125xi32>
  %one = stablehlo.constant dense<1> : tensor<160x125xi32>
  %two = stablehlo.constant dense<2> : tensor<160x125xi32>
  %twice = stablehlo.multiply %l125, %two : tensor<160x125xi32>
  %wantedOdd = stablehlo.add %twice, %one : tensor<160x125xi32>
  check.expect_eq %oddInts, %wantedOdd : tensor<160x125xi32>

  %minus = stablehlo.constant dense<-1.0> : tensor<bf16>
  %spread = stablehlo.pad %odd, %minus, low = [0, 1], high = [1, 2], interior = [0, 1]
      : (tensor<160x125xbf16>, tensor<bf16>) -> tensor<161x252xbf16>
  %again = stablehlo.slice %spread [0:160, 1:251:2] : (tensor<161x252xbf16>) -> tensor<160x125xbf16>
  check.expect_eq %again, %odd : tensor<160x125xbf16>
  %gaps = stablehlo.slice %spread [0:161, 0:252:2] : (tensor<161x252xbf16>) -> tensor<161x126xbf16>
  %minuses = stablehlo.constant dense<-1.0> : tensor<161x126xbf16>
  check.expect_eq %gaps, %minuses : tensor<161x126xbf16>

  // A broadcast that takes lanes elsewhere: element [i, j, k, l] is x[l, j].
  %wide = stablehlo.broadcast_in_dim %x, dims = [3, 1] : (tensor<160x250xi32>) -> tensor<3x250x5x160xi32>
  %wideLane = stablehlo.iota dim = 1 : tensor<3x250x5x160xi32>
  %wideRow = stablehlo.iota dim = 3 : tensor<3x250x5x160xi32>
  %wideThousand = stablehlo.constant dense<1000> : tensor<3x250x5x160xi32>
  %wideRows = stablehlo.multiply %wideRow, %wideThousand : tensor<3x250x5x160xi32>
  %wantedWide = stablehlo.add %wideRows, %wideLane : tensor<3x250x5x160xi32>
  check.expect_eq %wide, %wantedWide : tensor<3x250x5x160xi32>
  return
}
