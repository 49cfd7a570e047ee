// Single elements of tables of one row, of some and of many, and what is put and summed into small ones: against
// products with what they name.
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --check --target=v6e
// RUN: tpuc run %s --target=v4 --constants=arrays
func.func @main() {
  %n = stablehlo.iota dim = 0 : tensor<3000xi32>
  %seven = stablehlo.constant dense<7> : tensor<3000xi32>
  %many = stablehlo.constant dense<61> : tensor<3000xi32>
  %few = stablehlo.constant dense<2> : tensor<3000xi32>
  %n7 = stablehlo.multiply %n, %seven : tensor<3000xi32>

  // 0, 61, 122, ... of a table that counts; beyond its end, and before its start.
  %table = stablehlo.iota dim = 0 : tensor<40000xf32>
  %far = stablehlo.multiply %n, %many : tensor<3000xi32>
  %start = stablehlo.constant dense<305> : tensor<3000xi32>
  %i = stablehlo.subtract %far, %start : tensor<3000xi32>
  %i1 = stablehlo.reshape %i : (tensor<3000xi32>) -> tensor<3000x1xi32>
  %taken = "stablehlo.gather"(%table, %i1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
      : (tensor<40000xf32>, tensor<3000x1xi32>) -> tensor<3000xf32>
  %zero = stablehlo.constant dense<0> : tensor<3000xi32>
  %last = stablehlo.constant dense<39999> : tensor<3000xi32>
  %clamped = stablehlo.clamp %zero, %i, %last : tensor<3000xi32>
  %named = stablehlo.convert %clamped : (tensor<3000xi32>) -> tensor<3000xf32>
  check.expect_eq %taken, %named : tensor<3000xf32>

  // Pairs of bytes of a table of 700 rows: 7 n mod 700, and twice that.
  %row = stablehlo.iota dim = 0 : tensor<700x2xi32>
  %column = stablehlo.iota dim = 1 : tensor<700x2xi32>
  %sum = stablehlo.add %row, %column : tensor<700x2xi32>
  %bytes = stablehlo.convert %sum : (tensor<700x2xi32>) -> tensor<700x2xui8>
  %rows = stablehlo.constant dense<700> : tensor<3000xi32>
  %r = stablehlo.remainder %n7, %rows : tensor<3000xi32>
  %r1 = stablehlo.reshape %r : (tensor<3000xi32>) -> tensor<3000x1xi32>
  %pairs = "stablehlo.gather"(%bytes, %r1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}>
      : (tensor<700x2xui8>, tensor<3000x1xi32>) -> tensor<3000x2xui8>
  %r2 = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<3000xi32>) -> tensor<3000x2xi32>
  %c2 = stablehlo.iota dim = 1 : tensor<3000x2xi32>
  %s2 = stablehlo.add %r2, %c2 : tensor<3000x2xi32>
  %b2 = stablehlo.convert %s2 : (tensor<3000x2xi32>) -> tensor<3000x2xui8>
  check.expect_eq %pairs, %b2 : tensor<3000x2xui8>

  // A histogram of 2 n - 2: every even place below 600 once, the odd ones never.
  %doubled = stablehlo.multiply %n, %few : tensor<3000xi32>
  %h = stablehlo.subtract %doubled, %few : tensor<3000xi32>
  %h1 = stablehlo.reshape %h : (tensor<3000xi32>) -> tensor<3000x1xi32>
  %none = stablehlo.constant dense<0.0> : tensor<600xf32>
  %one = stablehlo.constant dense<1.0> : tensor<3000xf32>
  %counts = "stablehlo.scatter"(%none, %h1, %one) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<600xf32>, tensor<3000x1xi32>, tensor<3000xf32>) -> tensor<600xf32>
  %p = stablehlo.iota dim = 0 : tensor<600xi32>
  %two = stablehlo.constant dense<2> : tensor<600xi32>
  %odd = stablehlo.remainder %p, %two : tensor<600xi32>
  %even = stablehlo.subtract %two, %odd : tensor<600xi32>
  %evenOnly = stablehlo.subtract %even, %odd : tensor<600xi32>
  %half = stablehlo.divide %evenOnly, %two : tensor<600xi32>
  %expected = stablehlo.convert %half : (tensor<600xi32>) -> tensor<600xf32>
  check.expect_eq %counts, %expected : tensor<600xf32>

  // The last of those put in a place stays: n into n mod 50.
  %fifty = stablehlo.constant dense<50> : tensor<3000xi32>
  %m = stablehlo.remainder %n, %fifty : tensor<3000xi32>
  %m1 = stablehlo.reshape %m : (tensor<3000xi32>) -> tensor<3000x1xi32>
  %old = stablehlo.constant dense<-1> : tensor<60xi32>
  %put = "stablehlo.scatter"(%old, %m1, %n) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<60xi32>, tensor<3000x1xi32>, tensor<3000xi32>) -> tensor<60xi32>
  %place = stablehlo.iota dim = 0 : tensor<60xi32>
  %before = stablehlo.constant dense<2950> : tensor<60xi32>
  %final = stablehlo.add %place, %before : tensor<60xi32>
  %end = stablehlo.constant dense<50> : tensor<60xi32>
  %hit = stablehlo.compare LT, %place, %end : (tensor<60xi32>, tensor<60xi32>) -> tensor<60xi1>
  %wanted = stablehlo.select %hit, %final, %old : tensor<60xi1>, tensor<60xi32>
  check.expect_eq %put, %wanted : tensor<60xi32>
  return
}
