// Computations that read a value of the program around them, one that is no constant; scattered arrays of several
// widths.
// RUN: tpuc run %s
// RUN: tpuc run %s --check --target=v2
// RUN: tpuc run %s --constants=arrays
func.func @main() {
  %x = stablehlo.constant dense<[8, 2, 4, 16, 1]> : tensor<5xi32>
  %init = stablehlo.constant dense<100> : tensor<i32>
  %some = stablehlo.constant dense<[[3, 6]]> : tensor<1x2xi32>
  %first = stablehlo.slice %some [0:1, 0:1] : (tensor<1x2xi32>) -> tensor<1x1xi32>
  %c = stablehlo.reshape %first : (tensor<1x1xi32>) -> tensor<i32>
  // The least, 3 at most.
  %least = "stablehlo.reduce"(%x, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.minimum %a, %b : tensor<i32>
    %n = stablehlo.minimum %m, %c : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %least, dense<1> : tensor<i32>
  // By their distance from 3: 5, 1, 1, 13, 2.
  %sorted = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %v = stablehlo.reshape %first : (tensor<1x1xi32>) -> tensor<i32>
    %m = stablehlo.subtract %a, %v : tensor<i32>
    %n = stablehlo.subtract %b, %c : tensor<i32>
    %p = stablehlo.abs %m : tensor<i32>
    %q = stablehlo.abs %n : tensor<i32>
    %lt = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi32>
  check.expect_eq_const %sorted, dense<[2, 4, 1, 8, 16]> : tensor<5xi32>
  // 4 * 3 more at 0, 2 * 3 more at 2, 5 * 3 more there.
  %indices = stablehlo.constant dense<[[0], [2], [7], [2]]> : tensor<4x1xi32>
  %updates = stablehlo.constant dense<[4, 2, 9, 5]> : tensor<4xi32>
  %put = "stablehlo.scatter"(%x, %indices,
      %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.multiply %b, %c : tensor<i32>
    %n = stablehlo.add %a, %m : tensor<i32>
    stablehlo.return %n : tensor<i32>
  }) : (tensor<5xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<5xi32>
  check.expect_eq_const %put, dense<[20, 2, 25, 16, 1]> : tensor<5xi32>

  // Sums, of bytes without their carries (200 + 250 = 194), and whether any is true.
  %bytes = stablehlo.constant dense<[200, 3, 4, 5, 6]> : tensor<5xui8>
  %more = stablehlo.constant dense<[250, 9, 9, 1]> : tensor<4xui8>
  %no = stablehlo.constant dense<false> : tensor<5xi1>
  %yes = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
  %all:3 = "stablehlo.scatter"(%x, %bytes, %no, %indices, %updates, %more,
      %yes) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %s: tensor<ui8>, %p: tensor<i1>, %b: tensor<i32>, %t: tensor<ui8>, %q: tensor<i1>):
    %n = stablehlo.add %a, %b : tensor<i32>
    %m = stablehlo.add %s, %t : tensor<ui8>
    %o = stablehlo.or %p, %q : tensor<i1>
    stablehlo.return %n, %m, %o : tensor<i32>, tensor<ui8>, tensor<i1>
  }) : (tensor<5xi32>, tensor<5xui8>, tensor<5xi1>, tensor<4x1xi32>, tensor<4xi32>, tensor<4xui8>, tensor<4xi1>)
      -> (tensor<5xi32>, tensor<5xui8>, tensor<5xi1>)
  check.expect_eq_const %all#0, dense<[12, 2, 11, 16, 1]> : tensor<5xi32>
  check.expect_eq_const %all#1, dense<[194, 3, 14, 5, 6]> : tensor<5xui8>
  check.expect_eq_const %all#2, dense<[true, false, true, false, false]> : tensor<5xi1>
  return
}
