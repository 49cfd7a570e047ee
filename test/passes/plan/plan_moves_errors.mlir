// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --split-input-file --verify-diagnostics
// What is refused before code is made.

// Each row of the one begins elsewhere in a tile of the other.
func.func @main(%x: tensor<4001x4003xf32>) -> tensor<4003x4001xf32> {
  %0 = kernel.fusion "copy"(%x : tensor<4001x4003xf32>) -> tensor<4003x4001xf32> {
  ^bb0(%a: tensor<4001x4003xf32>):
    // expected-error@+1 {{expects a copy of few transfers, but got more than a kernel holds}}
    %1 = stablehlo.reshape %a : (tensor<4001x4003xf32>) -> tensor<4003x4001xf32>
    kernel.yield %1 : tensor<4003x4001xf32>
  }
  return %0 : tensor<4003x4001xf32>
}

// -----

// Words of one operand are not words of the other.
func.func @main(%x: tensor<64x128xf32>, %y: tensor<64x128xbf16>, %i: tensor<8x1xi32>, %u: tensor<8x128xf32>,
                %v: tensor<8x128xbf16>) -> (tensor<64x128xf32>, tensor<64x128xbf16>) {
  %0:2 = kernel.fusion "copy"(%x, %y, %i, %u, %v : tensor<64x128xf32>, tensor<64x128xbf16>, tensor<8x1xi32>,
      tensor<8x128xf32>, tensor<8x128xbf16>) -> tensor<64x128xf32>, tensor<64x128xbf16> {
  ^bb0(%a: tensor<64x128xf32>, %b: tensor<64x128xbf16>, %at: tensor<8x1xi32>, %c: tensor<8x128xf32>,
       %d: tensor<8x128xbf16>):
    // expected-error@+1 {{expects operands of one width where a scatter combines elements; scatter them one by one}}
    %1:2 = "stablehlo.scatter"(%a, %b, %at, %c, %d) <{scatter_dimension_numbers = #stablehlo.scatter<
        update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
        index_vector_dim = 1>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<bf16>, %r: tensor<f32>, %s: tensor<bf16>):
        %2 = stablehlo.add %p, %r : tensor<f32>
        %3 = stablehlo.add %q, %s : tensor<bf16>
        stablehlo.return %2, %3 : tensor<f32>, tensor<bf16>
      }) : (tensor<64x128xf32>, tensor<64x128xbf16>, tensor<8x1xi32>, tensor<8x128xf32>, tensor<8x128xbf16>)
        -> (tensor<64x128xf32>, tensor<64x128xbf16>)
    kernel.yield %1#0, %1#1 : tensor<64x128xf32>, tensor<64x128xbf16>
  }
  return %0#0, %0#1 : tensor<64x128xf32>, tensor<64x128xbf16>
}

// -----

// No lane holds 64 bits.
func.func @main(%x: tensor<64x4096xf64>) -> tensor<64x4096xf64> {
  %0 = kernel.fusion "copy"(%x : tensor<64x4096xf64>) -> tensor<64x4096xf64> {
  ^bb0(%a: tensor<64x4096xf64>):
    // expected-error@+1 {{expects a comparator of ops that the instruction set has for these types}}
    %1 = "stablehlo.sort"(%a) ({
    ^bb0(%p: tensor<f64>, %q: tensor<f64>):
      %c = stablehlo.compare LT, %p, %q, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) {dimension = 1 : i64, is_stable = false} : (tensor<64x4096xf64>) -> tensor<64x4096xf64>
    kernel.yield %1 : tensor<64x4096xf64>
  }
  return %0 : tensor<64x4096xf64>
}

// -----

// The transpose turns lanes.
func.func @main(%x: tensor<12x60x96xf32>) -> tensor<96x720xf32> {
  // expected-error@+1 {{expects a kernel of reshapes, transposes and broadcasts, one after the other, that keep few runs of lanes}}
  %0 = kernel.fusion "relayout"(%x : tensor<12x60x96xf32>) -> tensor<96x720xf32> {
  ^bb0(%a: tensor<12x60x96xf32>):
    %1 = stablehlo.reshape %a : (tensor<12x60x96xf32>) -> tensor<720x96xf32>
    %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<720x96xf32>) -> tensor<96x720xf32>
    kernel.yield %2 : tensor<96x720xf32>
  }
  return %0 : tensor<96x720xf32>
}

// -----

// 2.2 GB that no dim cuts: rows of the one side are no whole dim of the other.
func.func @main(%x: tensor<3x270001x640xf32>) -> tensor<810003x5x128xf32> {
  // expected-error@+1 {{expects a block of this move to fit 117440512 bytes of v5e's VMEM}}
  %0 = kernel.fusion "relayout"(%x : tensor<3x270001x640xf32>) -> tensor<810003x5x128xf32> {
  ^bb0(%a: tensor<3x270001x640xf32>):
    %1 = stablehlo.reshape %a : (tensor<3x270001x640xf32>) -> tensor<810003x5x128xf32>
    kernel.yield %1 : tensor<810003x5x128xf32>
  }
  return %0 : tensor<810003x5x128xf32>
}
