// Ragged arrays to one dim, from it, and to dims without common parts: element i of each holds a number made of i.
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --check --target=v5e
// RUN: tpuc run %s --target=v2 --constants=arrays
func.func private @numbers(%along: tensor<703103xi32>)
    -> (tensor<703103xi32>, tensor<703103xi16>, tensor<703103xi8>, tensor<703103xi1>, tensor<703103xbf16>) {
  %i = stablehlo.optimization_barrier %along : tensor<703103xi32>
  %prime = stablehlo.constant dense<251> : tensor<703103xi32>
  %half = stablehlo.constant dense<125> : tensor<703103xi32>
  %r = stablehlo.remainder %i, %prime : tensor<703103xi32>
  %s = stablehlo.subtract %r, %half : tensor<703103xi32>
  %short = stablehlo.convert %i : (tensor<703103xi32>) -> tensor<703103xi16>
  %byte = stablehlo.convert %s : (tensor<703103xi32>) -> tensor<703103xi8>
  %bit = stablehlo.compare LT, %r, %half : (tensor<703103xi32>, tensor<703103xi32>) -> tensor<703103xi1>
  %float = stablehlo.convert %s : (tensor<703103xi32>) -> tensor<703103xbf16>
  %all:5 = stablehlo.optimization_barrier %i, %short, %byte, %bit, %float
      : tensor<703103xi32>, tensor<703103xi16>, tensor<703103xi8>, tensor<703103xi1>, tensor<703103xbf16>
  return %all#0, %all#1, %all#2, %all#3, %all#4
      : tensor<703103xi32>, tensor<703103xi16>, tensor<703103xi8>, tensor<703103xi1>, tensor<703103xbf16>
}
func.func @main() {
  %along = stablehlo.iota dim = 0 : tensor<703103xi32>
  %line:5 = func.call @numbers(%along) : (tensor<703103xi32>)
      -> (tensor<703103xi32>, tensor<703103xi16>, tensor<703103xi8>, tensor<703103xi1>, tensor<703103xbf16>)

  // Rows: 701 * row + column, made without a reshape.
  %row = stablehlo.iota dim = 0 : tensor<1003x701xi32>
  %column = stablehlo.iota dim = 1 : tensor<1003x701xi32>
  %width = stablehlo.constant dense<701> : tensor<1003x701xi32>
  %above = stablehlo.multiply %row, %width : tensor<1003x701xi32>
  %at = stablehlo.add %above, %column : tensor<1003x701xi32>
  %prime = stablehlo.constant dense<251> : tensor<1003x701xi32>
  %half = stablehlo.constant dense<125> : tensor<1003x701xi32>
  %r = stablehlo.remainder %at, %prime : tensor<1003x701xi32>
  %s = stablehlo.subtract %r, %half : tensor<1003x701xi32>
  %short = stablehlo.convert %at : (tensor<1003x701xi32>) -> tensor<1003x701xi16>
  %byte = stablehlo.convert %s : (tensor<1003x701xi32>) -> tensor<1003x701xi8>
  %bit = stablehlo.compare LT, %r, %half : (tensor<1003x701xi32>, tensor<1003x701xi32>) -> tensor<1003x701xi1>
  %float = stablehlo.convert %s : (tensor<1003x701xi32>) -> tensor<1003x701xbf16>
  %rows:5 = stablehlo.optimization_barrier %at, %short, %byte, %bit, %float
      : tensor<1003x701xi32>, tensor<1003x701xi16>, tensor<1003x701xi8>, tensor<1003x701xi1>, tensor<1003x701xbf16>

  %0 = stablehlo.reshape %rows#0 : (tensor<1003x701xi32>) -> tensor<703103xi32>
  %1 = stablehlo.reshape %rows#1 : (tensor<1003x701xi16>) -> tensor<703103xi16>
  %2 = stablehlo.reshape %rows#2 : (tensor<1003x701xi8>) -> tensor<703103xi8>
  %3 = stablehlo.reshape %rows#3 : (tensor<1003x701xi1>) -> tensor<703103xi1>
  %4 = stablehlo.reshape %rows#4 : (tensor<1003x701xbf16>) -> tensor<703103xbf16>
  check.expect_eq %0, %line#0 : tensor<703103xi32>
  check.expect_eq %1, %line#1 : tensor<703103xi16>
  check.expect_eq %2, %line#2 : tensor<703103xi8>
  check.expect_eq %3, %line#3 : tensor<703103xi1>
  check.expect_eq %4, %line#4 : tensor<703103xbf16>

  %5 = stablehlo.reshape %line#0 : (tensor<703103xi32>) -> tensor<1003x701xi32>
  %6 = stablehlo.reshape %line#1 : (tensor<703103xi16>) -> tensor<1003x701xi16>
  %7 = stablehlo.reshape %line#2 : (tensor<703103xi8>) -> tensor<1003x701xi8>
  %8 = stablehlo.reshape %line#3 : (tensor<703103xi1>) -> tensor<1003x701xi1>
  %9 = stablehlo.reshape %line#4 : (tensor<703103xbf16>) -> tensor<1003x701xbf16>
  check.expect_eq %5, %rows#0 : tensor<1003x701xi32>
  check.expect_eq %6, %rows#1 : tensor<1003x701xi16>
  check.expect_eq %7, %rows#2 : tensor<1003x701xi8>
  check.expect_eq %8, %rows#3 : tensor<1003x701xi1>
  check.expect_eq %9, %rows#4 : tensor<1003x701xbf16>

  // 1003 = 17 * 59.
  %10 = stablehlo.reshape %rows#0 : (tensor<1003x701xi32>) -> tensor<701x17x59xi32>
  %12 = stablehlo.reshape %rows#2 : (tensor<1003x701xi8>) -> tensor<701x1003xi8>
  %apart:2 = stablehlo.optimization_barrier %10, %12 : tensor<701x17x59xi32>, tensor<701x1003xi8>
  %13 = stablehlo.reshape %apart#0 : (tensor<701x17x59xi32>) -> tensor<703103xi32>
  %14 = stablehlo.reshape %apart#1 : (tensor<701x1003xi8>) -> tensor<703103xi8>
  check.expect_eq %13, %line#0 : tensor<703103xi32>
  check.expect_eq %14, %line#2 : tensor<703103xi8>

  // Doubles and complex numbers are planes of words.
  %double = stablehlo.convert %rows#0 : (tensor<1003x701xi32>) -> tensor<1003x701xf64>
  %doubleLine = stablehlo.convert %line#0 : (tensor<703103xi32>) -> tensor<703103xf64>
  %real = stablehlo.convert %rows#4 : (tensor<1003x701xbf16>) -> tensor<1003x701xf32>
  %imaginary = stablehlo.negate %real : tensor<1003x701xf32>
  %z = stablehlo.complex %real, %imaginary : tensor<1003x701xcomplex<f32>>
  %wide:2 = stablehlo.optimization_barrier %double, %z : tensor<1003x701xf64>, tensor<1003x701xcomplex<f32>>
  %15 = stablehlo.reshape %wide#0 : (tensor<1003x701xf64>) -> tensor<703103xf64>
  %16 = stablehlo.reshape %wide#1 : (tensor<1003x701xcomplex<f32>>) -> tensor<703103xcomplex<f32>>
  check.expect_eq %15, %doubleLine : tensor<703103xf64>
  %17 = stablehlo.imag %16 : (tensor<703103xcomplex<f32>>) -> tensor<703103xf32>
  %18 = stablehlo.convert %line#4 : (tensor<703103xbf16>) -> tensor<703103xf32>
  %19 = stablehlo.negate %18 : tensor<703103xf32>
  check.expect_eq %17, %19 : tensor<703103xf32>

  // Rows that two tilings cut out of step.
  %20 = stablehlo.slice %rows#0 [5:900, 3:700] : (tensor<1003x701xi32>) -> tensor<895x697xi32>
  %partRow = stablehlo.iota dim = 0 : tensor<895x697xi32>
  %partColumn = stablehlo.iota dim = 1 : tensor<895x697xi32>
  %partWidth = stablehlo.constant dense<701> : tensor<895x697xi32>
  %start = stablehlo.constant dense<3508> : tensor<895x697xi32>
  %partAbove = stablehlo.multiply %partRow, %partWidth : tensor<895x697xi32>
  %partAt = stablehlo.add %partAbove, %partColumn : tensor<895x697xi32>
  %21 = stablehlo.add %partAt, %start : tensor<895x697xi32>
  check.expect_eq %20, %21 : tensor<895x697xi32>
  return
}
