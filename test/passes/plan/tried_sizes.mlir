// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tpuc compile %s --target=v4 --set=core.vmem_bytes=1048576 -o %t 2>&1 | FileCheck %s

// A vector by columns of two dims, of which no block fits: sizes of the leading one are tried, so halving it between
// two searches changes nothing, and the search ends.
// CHECK: tried_sizes.mlir:[[#@LINE+2]]:{{.*}} expects a block of this matmul to fit 917504 bytes of v4's VMEM{{.*}}LOWER-001
func.func @main(%v: tensor<8xf32>, %w: tensor<3x48x8xf32>) -> tensor<48x3xf32> {
  %0 = stablehlo.dot_general %v, %w, contracting_dims = [0] x [2], precision = [HIGHEST, HIGHEST]
      : (tensor<8xf32>, tensor<3x48x8xf32>) -> tensor<3x48xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x48xf32>) -> tensor<48x3xf32>
  return %1 : tensor<48x3xf32>
}
