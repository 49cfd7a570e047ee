// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e})' \
// RUN:   --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5e}, \
// RUN:   tpuc-lower-kernels{target=v5e})' --split-input-file | FileCheck %s --check-prefix=LOWER

// Three parts of the same rows, of which two begin behind a tile's first lane: one block has the words of all, 256
// lanes and those that a vreg may run over to. It alone is brought.
// CHECK: reads [{{\[}}256, 250] (d0, d1) -> (d0, d1) within 1,
// CHECK-SAME: [256, 256] (d0, d1) -> (d0, d1) in hbm slots 2,
// CHECK-SAME: [256, 256] (d0, d1) -> (d0, d1) within 1]
// LOWER-LABEL: tpu.routine @k0
// LOWER-COUNT-2: tpu.dma_start "hbm" @arg0
// LOWER: scf.for
// LOWER: tpu.dma_start "hbm" @arg0
// LOWER-NOT: tpu.dma_start "hbm" @arg0
// LOWER: tpu.dma_start "vmem"
func.func @main(%x: tensor<4096x256xf32>) -> tensor<4096x250xf32> {
  %0 = stablehlo.slice %x [0:4096, 0:250] : (tensor<4096x256xf32>) -> tensor<4096x250xf32>
  %1 = stablehlo.slice %x [0:4096, 1:251] : (tensor<4096x256xf32>) -> tensor<4096x250xf32>
  %2 = stablehlo.slice %x [0:4096, 6:256] : (tensor<4096x256xf32>) -> tensor<4096x250xf32>
  %3 = stablehlo.add %0, %1 : tensor<4096x250xf32>
  %4 = stablehlo.add %3, %2 : tensor<4096x250xf32>
  return %4 : tensor<4096x250xf32>
}

// -----

// Parts of other planes have other words.
// CHECK: kernel.plan
// CHECK-NOT: within
func.func @main(%x: tensor<34x128x256xf32>) -> tensor<32x128x256xf32> {
  %0 = stablehlo.slice %x [0:32, 0:128, 0:256] : (tensor<34x128x256xf32>) -> tensor<32x128x256xf32>
  %1 = stablehlo.slice %x [2:34, 0:128, 0:256] : (tensor<34x128x256xf32>) -> tensor<32x128x256xf32>
  %2 = stablehlo.add %0, %1 : tensor<32x128x256xf32>
  return %2 : tensor<32x128x256xf32>
}

// -----

// So have parts that begin in other tiles.
// CHECK: kernel.plan
// CHECK-NOT: within
func.func @main(%x: tensor<4096x300xf32>) -> tensor<4096x160xf32> {
  %0 = stablehlo.slice %x [0:4096, 0:160] : (tensor<4096x300xf32>) -> tensor<4096x160xf32>
  %1 = stablehlo.slice %x [0:4096, 140:300] : (tensor<4096x300xf32>) -> tensor<4096x160xf32>
  %2 = stablehlo.add %0, %1 : tensor<4096x160xf32>
  return %2 : tensor<4096x160xf32>
}
