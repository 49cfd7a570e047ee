// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels="target=v5e set=core.vmem_bytes=65536" --split-input-file --verify-diagnostics

// Rows are walked again once their sums are known: 8 of them, whole, are 4096 words of 512 bytes, twice, and there are
// 112. Of the sums, two vregs of 8 words are kept: (2 * 4096 + 2 * 8) * 512.
func.func @main(%x: tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  // expected-error@+1 {{expects a block of this kernel to fit 57344 bytes of v5e's VMEM, but got 4202496; split its last dims, or choose another target [TPUC-LOWER-001]}}
  %0 = kernel.fusion "loop"(%x : tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  ^bb0(%a: tensor<8x65536xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<8x65536xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x65536xf32>
    %3 = stablehlo.divide %a, %2 : tensor<8x65536xf32>
    kernel.yield %3 : tensor<8x65536xf32>
  }
  return %0 : tensor<8x65536xf32>
}

// -----

// expected-error@+1 {{expects a function @main [TPUC-STAGE-001]}}
module {
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{expects a kind of kernel, but got "unknown"}}
  %0 = kernel.fusion "unknown"(%x : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = stablehlo.add %a, %a : tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// The moved rows of the padded array are a leading dim of the only value that spans all dims.
func.func @main(%x: tensor<3x128xi16>) -> tensor<11x3x128xi16> {
  // expected-error@+1 {{expects moved rows and lanes along those of the kernel, but got 'tensor<11x128xi16>' with them elsewhere; compile with --no-fuse}}
  %0 = kernel.fusion "loop"(%x : tensor<3x128xi16>) -> tensor<11x3x128xi16> {
  ^bb0(%a: tensor<3x128xi16>):
    %zero = stablehlo.constant dense<0> : tensor<i16>
    %1 = stablehlo.pad %a, %zero, low = [5, 0], high = [3, 0], interior = [0, 0]
        : (tensor<3x128xi16>, tensor<i16>) -> tensor<11x128xi16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<11x128xi16>) -> tensor<11x3x128xi16>
    kernel.yield %2 : tensor<11x3x128xi16>
  }
  return %0 : tensor<11x3x128xi16>
}
