// More indices than SMEM holds, in one dim, two, and with several components: each finds its row.
// RUN: tpuc run %s --target=v2 --check
// RUN: tpuc run %s --target=v5e --check --set=core.smem_bytes=8192
// RUN: tpuc run %s --target=v2 --constants=arrays
func.func @main() {
  %table = stablehlo.iota dim = 0 : tensor<300x5xi32>
  // 7 i mod 300: neighbours lie apart.
  %i = stablehlo.iota dim = 0 : tensor<6000xi32>
  %seven = stablehlo.constant dense<7> : tensor<6000xi32>
  %many = stablehlo.constant dense<300> : tensor<6000xi32>
  %j = stablehlo.multiply %i, %seven : tensor<6000xi32>
  %k = stablehlo.remainder %j, %many : tensor<6000xi32>
  %at = stablehlo.optimization_barrier %k : tensor<6000xi32>
  %rows = "stablehlo.gather"(%table, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}>
      : (tensor<300x5xi32>, tensor<6000xi32>) -> tensor<6000x5xi32>
  %wanted = stablehlo.broadcast_in_dim %k, dims = [0] : (tensor<6000xi32>) -> tensor<6000x5xi32>
  check.expect_eq %rows, %wanted : tensor<6000x5xi32>

  // Two dims of points, which cross tiles along both.
  %square = stablehlo.reshape %at : (tensor<6000xi32>) -> tensor<40x150xi32>
  %points = stablehlo.optimization_barrier %square : tensor<40x150xi32>
  %column = stablehlo.slice %table [0:300, 0:1] : (tensor<300x5xi32>) -> tensor<300x1xi32>
  %line = stablehlo.reshape %column : (tensor<300x1xi32>) -> tensor<300xi32>
  %numbers = stablehlo.optimization_barrier %line : tensor<300xi32>
  %found = "stablehlo.gather"(%numbers, %points) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>}>
      : (tensor<300xi32>, tensor<40x150xi32>) -> tensor<40x150xi32>
  check.expect_eq %found, %square : tensor<40x150xi32>

  // Pairs: a row and the fourth or fifth element of it; how often each was named.
  %two = stablehlo.constant dense<2> : tensor<6000xi32>
  %three = stablehlo.constant dense<3> : tensor<6000xi32>
  %odd = stablehlo.remainder %i, %two : tensor<6000xi32>
  %lane = stablehlo.add %odd, %three : tensor<6000xi32>
  %r = stablehlo.reshape %k : (tensor<6000xi32>) -> tensor<6000x1xi32>
  %l = stablehlo.reshape %lane : (tensor<6000xi32>) -> tensor<6000x1xi32>
  %both = stablehlo.concatenate %r, %l, dim = 1 : (tensor<6000x1xi32>, tensor<6000x1xi32>) -> tensor<6000x2xi32>
  %pairs = stablehlo.optimization_barrier %both : tensor<6000x2xi32>
  %ones = stablehlo.constant dense<1> : tensor<6000xi32>
  %none = stablehlo.constant dense<0> : tensor<300x5xi32>
  %counts = "stablehlo.scatter"(%none, %pairs,
      %ones) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<300x5xi32>, tensor<6000x2xi32>, tensor<6000xi32>) -> tensor<300x5xi32>
  // i and i + 300 name the same one: 20 times the row with the parity of i, which is that of its row.
  %row = stablehlo.iota dim = 0 : tensor<300x5xi32>
  %element = stablehlo.iota dim = 1 : tensor<300x5xi32>
  %c2 = stablehlo.constant dense<2> : tensor<300x5xi32>
  %c3 = stablehlo.constant dense<3> : tensor<300x5xi32>
  %c20 = stablehlo.constant dense<20> : tensor<300x5xi32>
  %parity = stablehlo.remainder %row, %c2 : tensor<300x5xi32>
  %named = stablehlo.add %parity, %c3 : tensor<300x5xi32>
  %is = stablehlo.compare EQ, %element, %named : (tensor<300x5xi32>, tensor<300x5xi32>) -> tensor<300x5xi1>
  %expected = stablehlo.select %is, %c20, %none : tensor<300x5xi1>, tensor<300x5xi32>
  check.expect_eq %counts, %expected : tensor<300x5xi32>
  return
}
