// Concatenations of slices, which are taken from where they lie: with steps, of arrays that others read too, along each
// dim.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --no-fuse
func.func @main() {
  %x = stablehlo.iota dim = 0 : tensor<20x3xi32>
  %a = stablehlo.slice %x [19:20, 0:3] : (tensor<20x3xi32>) -> tensor<1x3xi32>
  %b = stablehlo.slice %x [1:12:5, 0:3] : (tensor<20x3xi32>) -> tensor<3x3xi32>
  %c = stablehlo.slice %x [7:9, 0:3] : (tensor<20x3xi32>) -> tensor<2x3xi32>
  %r = stablehlo.concatenate %a, %b, %c, %b, dim = 0
      : (tensor<1x3xi32>, tensor<3x3xi32>, tensor<2x3xi32>, tensor<3x3xi32>) -> tensor<9x3xi32>
  check.expect_eq_const %r, dense<[[19, 19, 19], [1, 1, 1], [6, 6, 6], [11, 11, 11], [7, 7, 7], [8, 8, 8], [1, 1, 1],
      [6, 6, 6], [11, 11, 11]]> : tensor<9x3xi32>
  %twice = stablehlo.add %b, %b : tensor<3x3xi32>
  check.expect_eq_const %twice, dense<[[2, 2, 2], [12, 12, 12], [22, 22, 22]]> : tensor<3x3xi32>

  // Along lanes, and of doubles.
  %y = stablehlo.iota dim = 1 : tensor<2x300xf64>
  %d = stablehlo.slice %y [0:2, 297:300] : (tensor<2x300xf64>) -> tensor<2x3xf64>
  %e = stablehlo.slice %y [0:2, 0:280:140] : (tensor<2x300xf64>) -> tensor<2x2xf64>
  %l = stablehlo.concatenate %d, %e, dim = 1 : (tensor<2x3xf64>, tensor<2x2xf64>) -> tensor<2x5xf64>
  check.expect_eq_const %l, dense<[[297.0, 298.0, 299.0, 0.0, 140.0], [297.0, 298.0, 299.0, 0.0, 140.0]]>
      : tensor<2x5xf64>

  // A slice of a constant, and bytes, are copies first.
  %k = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<10xi8>
  %f = stablehlo.slice %k [7:10] : (tensor<10xi8>) -> tensor<3xi8>
  %g = stablehlo.slice %k [0:7] : (tensor<10xi8>) -> tensor<7xi8>
  %m = stablehlo.concatenate %f, %g, dim = 0 : (tensor<3xi8>, tensor<7xi8>) -> tensor<10xi8>
  check.expect_eq_const %m, dense<[8, 9, 10, 1, 2, 3, 4, 5, 6, 7]> : tensor<10xi8>
  return
}
