// Computations on wider elements than the arrays': 300 bytes of 100 are 30000, 2000 ones of bf16 are 2000 (and not
// 256), what is put beyond a byte stays.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %bytes = stablehlo.constant dense<100> : tensor<5x300xi8>
  %none = stablehlo.constant dense<0> : tensor<i8>
  %sum = "stablehlo.reduce"(%bytes, %none) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<5x300xi8>, tensor<i8>) -> tensor<5xi32>
  check.expect_eq_const %sum, dense<30000> : tensor<5xi32>

  %ones = stablehlo.constant dense<1.0> : tensor<2000xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %count = "stablehlo.reduce"(%ones, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %r = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<2000xbf16>, tensor<bf16>) -> tensor<f32>
  check.expect_eq_const %count, dense<2000.0> : tensor<f32>

  %places = stablehlo.constant dense<0> : tensor<100x1xi32>
  %updates = stablehlo.constant dense<100> : tensor<100xi8>
  %old = stablehlo.constant dense<7> : tensor<2xi8>
  %put = "stablehlo.scatter"(%old, %places,
      %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %r = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %r : tensor<i64>
  }) : (tensor<2xi8>, tensor<100x1xi32>, tensor<100xi8>) -> tensor<2xi64>
  check.expect_eq_const %put, dense<[10007, 7]> : tensor<2xi64>

  %window = "stablehlo.reduce_window"(%bytes, %none) <{window_dimensions = array<i64: 1, 300>}> ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %r = stablehlo.add %a, %b : tensor<i16>
    stablehlo.return %r : tensor<i16>
  }) : (tensor<5x300xi8>, tensor<i8>) -> tensor<5x1xi16>
  check.expect_eq_const %window, dense<30000> : tensor<5x1xi16>

  // Each window's first 100 is selected, and gets 100 from both of two windows.
  %row = stablehlo.constant dense<[1, 100, 2]> : tensor<3xi8>
  %sources = stablehlo.constant dense<100> : tensor<2xi8>
  %pool = "stablehlo.select_and_scatter"(%row, %sources, %none) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<3xi8>, tensor<2xi8>, tensor<i8>) -> tensor<3xi32>
  check.expect_eq_const %pool, dense<[0, 200, 0]> : tensor<3xi32>
  return
}
