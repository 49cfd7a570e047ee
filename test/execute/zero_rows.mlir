// Rows of zeros on the matrix unit, which its pushes may pass over: not where a weight is infinite or a NaN, and with
// +0 where none is.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --cpu-level=portable
// RUN: tpuc run %s --target=v6e --cpu-level=portable
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %row = stablehlo.iota dim = 0 : tensor<24x128xi32>
  %first = stablehlo.constant dense<0> : tensor<24x128xi32>
  %one = stablehlo.constant dense<1.0> : tensor<24x128xbf16>
  %none = stablehlo.constant dense<0.0> : tensor<24x128xbf16>
  %isFirst = stablehlo.compare EQ, %row, %first : (tensor<24x128xi32>, tensor<24x128xi32>) -> tensor<24x128xi1>
  %x = stablehlo.select %isFirst, %one, %none : tensor<24x128xi1>, tensor<24x128xbf16>
  %column = stablehlo.iota dim = 1 : tensor<128x128xi32>
  %seven = stablehlo.constant dense<7> : tensor<128x128xi32>
  %isSeven = stablehlo.compare EQ, %column, %seven : (tensor<128x128xi32>, tensor<128x128xi32>) -> tensor<128x128xi1>
  %minus = stablehlo.constant dense<-1.0> : tensor<128x128xbf16>
  %inf = stablehlo.constant dense<0x7F80> : tensor<128x128xbf16>
  %nan = stablehlo.constant dense<0x7FC0> : tensor<128x128xbf16>
  %wInf = stablehlo.select %isSeven, %inf, %minus : tensor<128x128xi1>, tensor<128x128xbf16>
  %wNan = stablehlo.select %isSeven, %nan, %minus : tensor<128x128xi1>, tensor<128x128xbf16>
  %finite = stablehlo.dot_general %x, %minus, contracting_dims = [1] x [0]
      : (tensor<24x128xbf16>, tensor<128x128xbf16>) -> tensor<24x128xf32>
  %withInf = stablehlo.dot_general %x, %wInf, contracting_dims = [1] x [0]
      : (tensor<24x128xbf16>, tensor<128x128xbf16>) -> tensor<24x128xf32>
  %withNan = stablehlo.dot_general %x, %wNan, contracting_dims = [1] x [0]
      : (tensor<24x128xbf16>, tensor<128x128xbf16>) -> tensor<24x128xf32>

  // 1 / +0 is infinite.
  %sum = stablehlo.constant dense<-128.0> : tensor<24x128xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<24x128xf32>
  %expected = stablehlo.select %isFirst, %sum, %zero : tensor<24x128xi1>, tensor<24x128xf32>
  check.expect_eq %finite, %expected : tensor<24x128xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<24x128xf32>
  %inverse = stablehlo.divide %ones, %finite : tensor<24x128xf32>
  %wantedInverse = stablehlo.divide %ones, %expected : tensor<24x128xf32>
  check.expect_eq %inverse, %wantedInverse : tensor<24x128xf32>

  // 0 * inf and 0 * NaN are NaN, in the column of the weight and nowhere else; 1 * inf is infinite.
  %c = stablehlo.iota dim = 1 : tensor<24x128xi32>
  %c7 = stablehlo.constant dense<7> : tensor<24x128xi32>
  %inColumn = stablehlo.compare EQ, %c, %c7 : (tensor<24x128xi32>, tensor<24x128xi32>) -> tensor<24x128xi1>
  %notFirst = stablehlo.not %isFirst : tensor<24x128xi1>
  %expectInf = stablehlo.and %inColumn, %notFirst : tensor<24x128xi1>
  %gotInf = stablehlo.compare NE, %withInf, %withInf : (tensor<24x128xf32>, tensor<24x128xf32>) -> tensor<24x128xi1>
  check.expect_eq %gotInf, %expectInf : tensor<24x128xi1>
  %gotNan = stablehlo.compare NE, %withNan, %withNan : (tensor<24x128xf32>, tensor<24x128xf32>) -> tensor<24x128xi1>
  check.expect_eq %gotNan, %inColumn : tensor<24x128xi1>
  return
}
