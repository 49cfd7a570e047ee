// The first of equal largest numbers beside a row's peak, the first of several NaNs in every third row: rows long
// enough for several sums that take the vregs in turn, of a multiple of them and not.
// RUN: tpuc run --split-input-file --check %s
// RUN: tpuc run --split-input-file --check --target=v4 %s
// RUN: tpuc run %s --split-input-file --constants=arrays
func.func @main() -> tensor<40xi32> {
  %row = stablehlo.iota dim = 0 : tensor<40x3072xi32>
  %column = stablehlo.iota dim = 1 : tensor<40x3072xi32>
  %step = stablehlo.constant dense<211> : tensor<40x3072xi32>
  %start = stablehlo.constant dense<17> : tensor<40x3072xi32>
  %columns = stablehlo.constant dense<3064> : tensor<40x3072xi32>
  %0 = stablehlo.multiply %row, %step : tensor<40x3072xi32>
  %1 = stablehlo.add %0, %start : tensor<40x3072xi32>
  %peak = stablehlo.remainder %1, %columns : tensor<40x3072xi32>
  %2 = stablehlo.subtract %column, %peak : tensor<40x3072xi32>
  %far = stablehlo.abs %2 : tensor<40x3072xi32>
  %two = stablehlo.constant dense<2> : tensor<40x3072xi32>
  %3 = stablehlo.divide %far, %two : tensor<40x3072xi32>
  %4 = stablehlo.negate %3 : tensor<40x3072xi32>
  %value = stablehlo.convert %4 : (tensor<40x3072xi32>) -> tensor<40x3072xf32>
  %three = stablehlo.constant dense<3> : tensor<40x3072xi32>
  %zero = stablehlo.constant dense<0> : tensor<40x3072xi32>
  %five = stablehlo.constant dense<5> : tensor<40x3072xi32>
  %5 = stablehlo.remainder %row, %three : tensor<40x3072xi32>
  %6 = stablehlo.compare EQ, %5, %zero : (tensor<40x3072xi32>, tensor<40x3072xi32>) -> tensor<40x3072xi1>
  %7 = stablehlo.remainder %2, %five : tensor<40x3072xi32>
  %8 = stablehlo.compare EQ, %7, %zero : (tensor<40x3072xi32>, tensor<40x3072xi32>) -> tensor<40x3072xi1>
  %9 = stablehlo.compare GE, %2, %zero : (tensor<40x3072xi32>, tensor<40x3072xi32>) -> tensor<40x3072xi1>
  %10 = stablehlo.and %6, %8 : tensor<40x3072xi1>
  %11 = stablehlo.and %10, %9 : tensor<40x3072xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<40x3072xf32>
  %12 = stablehlo.select %11, %nan, %value : tensor<40x3072xi1>, tensor<40x3072xf32>
  %x = stablehlo.optimization_barrier %12 : tensor<40x3072xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %13:2 = stablehlo.reduce(%x init: %least), (%column init: %first) across dimensions = [1]
      : (tensor<40x3072xf32>, tensor<40x3072xi32>, tensor<f32>, tensor<i32>) -> (tensor<40xf32>, tensor<40xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
    %14 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %15 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %16 = stablehlo.or %14, %15 : tensor<i1>
    %17 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %18 = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %19 = stablehlo.and %17, %18 : tensor<i1>
    %20 = stablehlo.or %16, %19 : tensor<i1>
    %21 = stablehlo.select %16, %a, %b : tensor<i1>, tensor<f32>
    %22 = stablehlo.select %20, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %21, %22 : tensor<f32>, tensor<i32>
  }
  %one = stablehlo.constant dense<1> : tensor<40xi32>
  %none = stablehlo.constant dense<0> : tensor<40xi32>
  %threes = stablehlo.constant dense<3> : tensor<40xi32>
  %r = stablehlo.iota dim = 0 : tensor<40xi32>
  %steps = stablehlo.constant dense<211> : tensor<40xi32>
  %starts = stablehlo.constant dense<17> : tensor<40xi32>
  %limit = stablehlo.constant dense<3064> : tensor<40xi32>
  %23 = stablehlo.multiply %r, %steps : tensor<40xi32>
  %24 = stablehlo.add %23, %starts : tensor<40xi32>
  %at = stablehlo.remainder %24, %limit : tensor<40xi32>
  %25 = stablehlo.subtract %at, %one : tensor<40xi32>
  %26 = stablehlo.maximum %25, %none : tensor<40xi32>
  %27 = stablehlo.remainder %r, %threes : tensor<40xi32>
  %28 = stablehlo.compare EQ, %27, %none : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
  %expected = stablehlo.select %28, %at, %26 : tensor<40xi1>, tensor<40xi32>
  check.expect_eq %13#1, %expected : tensor<40xi32>
  return %13#1 : tensor<40xi32>
}
// -----
func.func @main() -> tensor<24xi32> {
  %row = stablehlo.iota dim = 0 : tensor<24x1408xi32>
  %column = stablehlo.iota dim = 1 : tensor<24x1408xi32>
  %step = stablehlo.constant dense<211> : tensor<24x1408xi32>
  %start = stablehlo.constant dense<17> : tensor<24x1408xi32>
  %columns = stablehlo.constant dense<1400> : tensor<24x1408xi32>
  %0 = stablehlo.multiply %row, %step : tensor<24x1408xi32>
  %1 = stablehlo.add %0, %start : tensor<24x1408xi32>
  %peak = stablehlo.remainder %1, %columns : tensor<24x1408xi32>
  %2 = stablehlo.subtract %column, %peak : tensor<24x1408xi32>
  %far = stablehlo.abs %2 : tensor<24x1408xi32>
  %two = stablehlo.constant dense<2> : tensor<24x1408xi32>
  %3 = stablehlo.divide %far, %two : tensor<24x1408xi32>
  %4 = stablehlo.negate %3 : tensor<24x1408xi32>
  %value = stablehlo.convert %4 : (tensor<24x1408xi32>) -> tensor<24x1408xf32>
  %three = stablehlo.constant dense<3> : tensor<24x1408xi32>
  %zero = stablehlo.constant dense<0> : tensor<24x1408xi32>
  %five = stablehlo.constant dense<5> : tensor<24x1408xi32>
  %5 = stablehlo.remainder %row, %three : tensor<24x1408xi32>
  %6 = stablehlo.compare EQ, %5, %zero : (tensor<24x1408xi32>, tensor<24x1408xi32>) -> tensor<24x1408xi1>
  %7 = stablehlo.remainder %2, %five : tensor<24x1408xi32>
  %8 = stablehlo.compare EQ, %7, %zero : (tensor<24x1408xi32>, tensor<24x1408xi32>) -> tensor<24x1408xi1>
  %9 = stablehlo.compare GE, %2, %zero : (tensor<24x1408xi32>, tensor<24x1408xi32>) -> tensor<24x1408xi1>
  %10 = stablehlo.and %6, %8 : tensor<24x1408xi1>
  %11 = stablehlo.and %10, %9 : tensor<24x1408xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<24x1408xf32>
  %12 = stablehlo.select %11, %nan, %value : tensor<24x1408xi1>, tensor<24x1408xf32>
  %x = stablehlo.optimization_barrier %12 : tensor<24x1408xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %13:2 = stablehlo.reduce(%x init: %least), (%column init: %first) across dimensions = [1]
      : (tensor<24x1408xf32>, tensor<24x1408xi32>, tensor<f32>, tensor<i32>) -> (tensor<24xf32>, tensor<24xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
    %14 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %15 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %16 = stablehlo.or %14, %15 : tensor<i1>
    %17 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %18 = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %19 = stablehlo.and %17, %18 : tensor<i1>
    %20 = stablehlo.or %16, %19 : tensor<i1>
    %21 = stablehlo.select %16, %a, %b : tensor<i1>, tensor<f32>
    %22 = stablehlo.select %20, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %21, %22 : tensor<f32>, tensor<i32>
  }
  %one = stablehlo.constant dense<1> : tensor<24xi32>
  %none = stablehlo.constant dense<0> : tensor<24xi32>
  %threes = stablehlo.constant dense<3> : tensor<24xi32>
  %r = stablehlo.iota dim = 0 : tensor<24xi32>
  %steps = stablehlo.constant dense<211> : tensor<24xi32>
  %starts = stablehlo.constant dense<17> : tensor<24xi32>
  %limit = stablehlo.constant dense<1400> : tensor<24xi32>
  %23 = stablehlo.multiply %r, %steps : tensor<24xi32>
  %24 = stablehlo.add %23, %starts : tensor<24xi32>
  %at = stablehlo.remainder %24, %limit : tensor<24xi32>
  %25 = stablehlo.subtract %at, %one : tensor<24xi32>
  %26 = stablehlo.maximum %25, %none : tensor<24xi32>
  %27 = stablehlo.remainder %r, %threes : tensor<24xi32>
  %28 = stablehlo.compare EQ, %27, %none : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
  %expected = stablehlo.select %28, %at, %26 : tensor<24xi1>, tensor<24xi32>
  check.expect_eq %13#1, %expected : tensor<24xi32>
  return %13#1 : tensor<24xi32>
}
// -----
func.func @main() -> tensor<17xi32> {
  %row = stablehlo.iota dim = 0 : tensor<17x1100xi32>
  %column = stablehlo.iota dim = 1 : tensor<17x1100xi32>
  %step = stablehlo.constant dense<211> : tensor<17x1100xi32>
  %start = stablehlo.constant dense<17> : tensor<17x1100xi32>
  %columns = stablehlo.constant dense<1092> : tensor<17x1100xi32>
  %0 = stablehlo.multiply %row, %step : tensor<17x1100xi32>
  %1 = stablehlo.add %0, %start : tensor<17x1100xi32>
  %peak = stablehlo.remainder %1, %columns : tensor<17x1100xi32>
  %2 = stablehlo.subtract %column, %peak : tensor<17x1100xi32>
  %far = stablehlo.abs %2 : tensor<17x1100xi32>
  %two = stablehlo.constant dense<2> : tensor<17x1100xi32>
  %3 = stablehlo.divide %far, %two : tensor<17x1100xi32>
  %4 = stablehlo.negate %3 : tensor<17x1100xi32>
  %value = stablehlo.convert %4 : (tensor<17x1100xi32>) -> tensor<17x1100xf32>
  %three = stablehlo.constant dense<3> : tensor<17x1100xi32>
  %zero = stablehlo.constant dense<0> : tensor<17x1100xi32>
  %five = stablehlo.constant dense<5> : tensor<17x1100xi32>
  %5 = stablehlo.remainder %row, %three : tensor<17x1100xi32>
  %6 = stablehlo.compare EQ, %5, %zero : (tensor<17x1100xi32>, tensor<17x1100xi32>) -> tensor<17x1100xi1>
  %7 = stablehlo.remainder %2, %five : tensor<17x1100xi32>
  %8 = stablehlo.compare EQ, %7, %zero : (tensor<17x1100xi32>, tensor<17x1100xi32>) -> tensor<17x1100xi1>
  %9 = stablehlo.compare GE, %2, %zero : (tensor<17x1100xi32>, tensor<17x1100xi32>) -> tensor<17x1100xi1>
  %10 = stablehlo.and %6, %8 : tensor<17x1100xi1>
  %11 = stablehlo.and %10, %9 : tensor<17x1100xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<17x1100xf32>
  %12 = stablehlo.select %11, %nan, %value : tensor<17x1100xi1>, tensor<17x1100xf32>
  %x = stablehlo.optimization_barrier %12 : tensor<17x1100xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %13:2 = stablehlo.reduce(%x init: %least), (%column init: %first) across dimensions = [1]
      : (tensor<17x1100xf32>, tensor<17x1100xi32>, tensor<f32>, tensor<i32>) -> (tensor<17xf32>, tensor<17xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
    %14 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %15 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %16 = stablehlo.or %14, %15 : tensor<i1>
    %17 = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %18 = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %19 = stablehlo.and %17, %18 : tensor<i1>
    %20 = stablehlo.or %16, %19 : tensor<i1>
    %21 = stablehlo.select %16, %a, %b : tensor<i1>, tensor<f32>
    %22 = stablehlo.select %20, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %21, %22 : tensor<f32>, tensor<i32>
  }
  %one = stablehlo.constant dense<1> : tensor<17xi32>
  %none = stablehlo.constant dense<0> : tensor<17xi32>
  %threes = stablehlo.constant dense<3> : tensor<17xi32>
  %r = stablehlo.iota dim = 0 : tensor<17xi32>
  %steps = stablehlo.constant dense<211> : tensor<17xi32>
  %starts = stablehlo.constant dense<17> : tensor<17xi32>
  %limit = stablehlo.constant dense<1092> : tensor<17xi32>
  %23 = stablehlo.multiply %r, %steps : tensor<17xi32>
  %24 = stablehlo.add %23, %starts : tensor<17xi32>
  %at = stablehlo.remainder %24, %limit : tensor<17xi32>
  %25 = stablehlo.subtract %at, %one : tensor<17xi32>
  %26 = stablehlo.maximum %25, %none : tensor<17xi32>
  %27 = stablehlo.remainder %r, %threes : tensor<17xi32>
  %28 = stablehlo.compare EQ, %27, %none : (tensor<17xi32>, tensor<17xi32>) -> tensor<17xi1>
  %expected = stablehlo.select %28, %at, %26 : tensor<17xi1>, tensor<17xi32>
  check.expect_eq %13#1, %expected : tensor<17xi32>
  return %13#1 : tensor<17xi32>
}
