// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows of 40 summed into rows of 300, each where it begins: at 23 r - 46, so that the first two and the last five
// are not inside and change nothing.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
// RUN: tpuc run %s --no-fuse
func.func @main() {
  %c = stablehlo.iota dim = 0 : tensor<6000xi32>
  %b = stablehlo.optimization_barrier %c : tensor<6000xi32>
  %x = stablehlo.reshape %b : (tensor<6000xi32>) -> tensor<20x300xi32>
  %w = stablehlo.iota dim = 1 : tensor<20x40xi32>
  %u = stablehlo.optimization_barrier %w : tensor<20x40xi32>
  %r = stablehlo.iota dim = 0 : tensor<20x1xi32>
  %step = stablehlo.constant dense<23> : tensor<20x1xi32>
  %before = stablehlo.constant dense<46> : tensor<20x1xi32>
  %apart = stablehlo.multiply %r, %step : tensor<20x1xi32>
  %start = stablehlo.subtract %apart, %before : tensor<20x1xi32>
  %0 = "stablehlo.scatter"(%x, %start, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %v: tensor<i32>):
    %s = stablehlo.add %a, %v : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<20x300xi32>, tensor<20x1xi32>, tensor<20x40xi32>) -> tensor<20x300xi32>
  %rows = stablehlo.iota dim = 0 : tensor<20x300xi32>
  %lanes = stablehlo.iota dim = 1 : tensor<20x300xi32>
  %width = stablehlo.constant dense<300> : tensor<20x300xi32>
  %steps = stablehlo.constant dense<23> : tensor<20x300xi32>
  %offset = stablehlo.constant dense<46> : tensor<20x300xi32>
  %zero = stablehlo.constant dense<0> : tensor<20x300xi32>
  %forty = stablehlo.constant dense<40> : tensor<20x300xi32>
  %last = stablehlo.constant dense<260> : tensor<20x300xi32>
  %first = stablehlo.multiply %rows, %width : tensor<20x300xi32>
  %was = stablehlo.add %first, %lanes : tensor<20x300xi32>
  %far = stablehlo.multiply %rows, %steps : tensor<20x300xi32>
  %begin = stablehlo.subtract %far, %offset : tensor<20x300xi32>
  %at = stablehlo.subtract %lanes, %begin : tensor<20x300xi32>
  %p = stablehlo.compare GE, %at, %zero : (tensor<20x300xi32>, tensor<20x300xi32>) -> tensor<20x300xi1>
  %q = stablehlo.compare LT, %at, %forty : (tensor<20x300xi32>, tensor<20x300xi32>) -> tensor<20x300xi1>
  %g = stablehlo.compare GE, %begin, %zero : (tensor<20x300xi32>, tensor<20x300xi32>) -> tensor<20x300xi1>
  %h = stablehlo.compare LE, %begin, %last : (tensor<20x300xi32>, tensor<20x300xi32>) -> tensor<20x300xi1>
  %pq = stablehlo.and %p, %q : tensor<20x300xi1>
  %gh = stablehlo.and %g, %h : tensor<20x300xi1>
  %all = stablehlo.and %pq, %gh : tensor<20x300xi1>
  %added = stablehlo.select %all, %at, %zero : tensor<20x300xi1>, tensor<20x300xi32>
  %expected = stablehlo.add %was, %added : tensor<20x300xi32>
  check.expect_eq %0, %expected : tensor<20x300xi32>
  return
}
