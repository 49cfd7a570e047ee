// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
func.func @main(%q: tensor<8x512x64xf32>, %k: tensor<8x512x64xf32>) -> tensor<8x512x64xf32> {
  %s = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<8x512x64xf32>, tensor<8x512x64xf32>) -> tensor<8x512x512xf32>
  %t = stablehlo.tanh %s : tensor<8x512x512xf32>
  %o = stablehlo.dot_general %t, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<8x512x512xf32>, tensor<8x512x64xf32>) -> tensor<8x512x64xf32>
  return %o : tensor<8x512x64xf32>
}
