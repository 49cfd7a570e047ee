// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels --split-input-file | FileCheck %s
// A row before 196: rows of bf16 come out of step. The row is spread over all rows, of which the first is taken; what
// is added is part of the kernel.
// CHECK-LABEL: @token
// CHECK: kernel.fusion "loop"
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 2] : (tensor<64x768xbf16>) -> tensor<64x197x768xbf16>
// CHECK: stablehlo.pad %{{.*}}, low = [0, 1, 0], high = [0, 0, 0]
// CHECK: stablehlo.select
// CHECK: stablehlo.add
// CHECK-NOT: kernel.fusion
func.func @token(%c: tensor<64x1x768xbf16>, %x: tensor<64x196x768xbf16>, %p: tensor<64x197x768xbf16>)
    -> tensor<64x197x768xbf16> {
  %0 = stablehlo.concatenate %c, %x, dim = 1
      : (tensor<64x1x768xbf16>, tensor<64x196x768xbf16>) -> tensor<64x197x768xbf16>
  %1 = stablehlo.add %0, %p : tensor<64x197x768xbf16>
  return %1 : tensor<64x197x768xbf16>
}

// -----

// Parts in step are transfers, and so are those of 32 bits. Of many parts each would be brought for each block of the
// result.
// CHECK-LABEL: @others
// CHECK-NOT: stablehlo.select
func.func @others(%a: tensor<64x16x512xbf16>, %b: tensor<64x31x512xbf16>, %c: tensor<64x1x512xf32>,
                  %d: tensor<64x9x512xf32>, %e: tensor<64x3x512xbf16>)
    -> (tensor<64x47x512xbf16>, tensor<64x10x512xf32>, tensor<64x15x512xbf16>) {
  %0 = stablehlo.concatenate %a, %b, dim = 1
      : (tensor<64x16x512xbf16>, tensor<64x31x512xbf16>) -> tensor<64x47x512xbf16>
  %1 = stablehlo.concatenate %c, %d, dim = 1
      : (tensor<64x1x512xf32>, tensor<64x9x512xf32>) -> tensor<64x10x512xf32>
  %2 = stablehlo.concatenate %e, %e, %e, %e, %e, dim = 1
      : (tensor<64x3x512xbf16>, tensor<64x3x512xbf16>, tensor<64x3x512xbf16>, tensor<64x3x512xbf16>,
         tensor<64x3x512xbf16>) -> tensor<64x15x512xbf16>
  return %0, %1, %2 : tensor<64x47x512xbf16>, tensor<64x10x512xf32>, tensor<64x15x512xbf16>
}

// -----

// An array's own rows of 32 bits in another order, which something computes with: its last row and the others, from
// where they lie. One row is a view by itself.
// CHECK-LABEL: @turned
// CHECK: kernel.fusion "loop"(%arg0 : tensor<64x1024x512xf32>) -> tensor<64x1024x512xf32>
// CHECK: %[[ROW:.*]] = stablehlo.slice %{{.*}} [0:64, 1023:1024, 0:512]
// CHECK: stablehlo.broadcast_in_dim
// CHECK: stablehlo.pad %{{.*}}, low = [0, 1, 0], high = [0, -1, 0]
// CHECK: stablehlo.select
// CHECK: stablehlo.add
// CHECK-NOT: kernel.fusion
func.func @turned(%x: tensor<64x1024x512xf32>) -> tensor<64x1024x512xf32> {
  %0 = stablehlo.slice %x [0:64, 1023:1024, 0:512] : (tensor<64x1024x512xf32>) -> tensor<64x1x512xf32>
  %1 = stablehlo.slice %x [0:64, 0:1023, 0:512] : (tensor<64x1024x512xf32>) -> tensor<64x1023x512xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1
      : (tensor<64x1x512xf32>, tensor<64x1023x512xf32>) -> tensor<64x1024x512xf32>
  %3 = stablehlo.add %2, %x : tensor<64x1024x512xf32>
  return %3 : tensor<64x1024x512xf32>
}

// -----

// The rows of another array too, or for a product: copies.
// CHECK-LABEL: @copied
// CHECK-NOT: stablehlo.select
func.func @copied(%x: tensor<100x128xf32>, %y: tensor<100x128xf32>, %w: tensor<128x128xf32>)
    -> (tensor<100x128xf32>, tensor<100x128xf32>) {
  %0 = stablehlo.slice %x [99:100, 0:128] : (tensor<100x128xf32>) -> tensor<1x128xf32>
  %1 = stablehlo.slice %y [0:99, 0:128] : (tensor<100x128xf32>) -> tensor<99x128xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x128xf32>, tensor<99x128xf32>) -> tensor<100x128xf32>
  %3 = stablehlo.add %2, %x : tensor<100x128xf32>
  %4 = stablehlo.slice %x [0:99, 0:128] : (tensor<100x128xf32>) -> tensor<99x128xf32>
  %5 = stablehlo.concatenate %0, %4, dim = 0 : (tensor<1x128xf32>, tensor<99x128xf32>) -> tensor<100x128xf32>
  %6 = stablehlo.dot_general %5, %w, contracting_dims = [1] x [0]
      : (tensor<100x128xf32>, tensor<128x128xf32>) -> tensor<100x128xf32>
  return %3, %6 : tensor<100x128xf32>, tensor<100x128xf32>
}
