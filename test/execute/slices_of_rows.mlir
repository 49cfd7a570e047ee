// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of rows, each from somewhere else: 23 r from the row's start on, 260 at most.
// RUN: tpuc run %s --check
// RUN: tpuc run %s --check --target=v4
func.func @main() {
  %c = stablehlo.iota dim = 0 : tensor<6000xi32>
  %b = stablehlo.optimization_barrier %c : tensor<6000xi32>
  %x = stablehlo.reshape %b : (tensor<6000xi32>) -> tensor<20x300xi32>
  %r = stablehlo.iota dim = 0 : tensor<20x1xi32>
  %step = stablehlo.constant dense<23> : tensor<20x1xi32>
  %start = stablehlo.multiply %r, %step : tensor<20x1xi32>
  %0 = "stablehlo.gather"(%x, %start) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 40>}> : (tensor<20x300xi32>, tensor<20x1xi32>) -> tensor<20x40xi32>
  %rows = stablehlo.iota dim = 0 : tensor<20x40xi32>
  %lanes = stablehlo.iota dim = 1 : tensor<20x40xi32>
  %width = stablehlo.constant dense<300> : tensor<20x40xi32>
  %apart = stablehlo.constant dense<23> : tensor<20x40xi32>
  %last = stablehlo.constant dense<260> : tensor<20x40xi32>
  %first = stablehlo.multiply %rows, %width : tensor<20x40xi32>
  %within = stablehlo.multiply %rows, %apart : tensor<20x40xi32>
  %least = stablehlo.minimum %within, %last : tensor<20x40xi32>
  %1 = stablehlo.add %first, %least : tensor<20x40xi32>
  %expected = stablehlo.add %1, %lanes : tensor<20x40xi32>
  check.expect_eq %0, %expected : tensor<20x40xi32>
  return
}
