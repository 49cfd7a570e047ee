// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels{target=v5e}, \
// RUN:   tpuc-merge-kernels{target=v5e}),tpuc-plan-kernels{target=v5e})' --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func( \
// RUN:   tpuc-fuse-kernels{target=v5e set=core.mxu_accumulator_rows=512}, \
// RUN:   tpuc-merge-kernels{target=v5e set=core.mxu_accumulator_rows=512}), \
// RUN:   tpuc-plan-kernels{target=v5e set=core.mxu_accumulator_rows=512})' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=FEW

// The sums of the maxima have 8 x 1024 in their tiles, so a kernel that makes both holds all positions at once:
// 8 * 1024 * 24 * 128 elements of f32 are 96 MiB of each slot. Those of one kernel and the next stay two.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "loop"{{.*}} -> tensor<8x1024x64xf32>
// CHECK: kernel.fusion "loop"{{.*}} -> tensor<8x1024xf32>
// CHECK: return
func.func @main(%x: tensor<8x1024x20x64xf32>) -> (tensor<8x1024x64xf32>, tensor<8x1024xf32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [2]
      : (tensor<8x1024x20x64xf32>, tensor<f32>) -> tensor<8x1024x64xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<8x1024x64xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<8x1024x64xf32>, tensor<f32>) -> tensor<8x1024xf32>
  return %0, %2 : tensor<8x1024x64xf32>, tensor<8x1024xf32>
}

// -----

// The mask of 400 x 300 packs 32 rows into a tile, and has 128 of 300 along lanes: a block has 32 * 128 rows of the
// product at least, 1024 for each of four arrays. That is less than their 4096 sums, but more than 512: then what
// follows the product is a kernel of its own.
// CHECK-LABEL: func.func @main
// CHECK: kernel.fusion "dot"{{.*}}tensor<400x300xi1>{{.*}}[parallel d0 = 400 by 32, parallel d2 = 300 by 128
// CHECK-NOT: kernel.fusion
// CHECK: return
// FEW: kernel.fusion "dot"(%{{.*}}, %{{.*}} : tensor<400x300x2xf32>, tensor<2x9xbf16>)
// FEW: kernel.fusion "loop"{{.*}}tensor<400x300xi1>
// FEW: return
func.func @main(%u: tensor<400x300x2xf32>, %w: tensor<2x9xbf16>, %m: tensor<400x300xi1>, %v: tensor<400x300x9xf32>)
    -> tensor<400x300x9xf32> {
  %0 = stablehlo.dot_general %u, %w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT]
      : (tensor<400x300x2xf32>, tensor<2x9xbf16>) -> tensor<400x300x9xf32>
  %1 = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<400x300xi1>) -> tensor<400x300x9xi1>
  %2 = stablehlo.select %1, %v, %0 : tensor<400x300x9xi1>, tensor<400x300x9xf32>
  return %2 : tensor<400x300x9xf32>
}
