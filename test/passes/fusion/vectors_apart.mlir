// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-fuse-kernels=target=v2 --tpuc-merge-kernels=target=v2 | FileCheck %s
// RUN: tpuc-opt %s --tpuc-fuse-kernels=target=v5e --tpuc-merge-kernels=target=v5e | FileCheck %s --check-prefix=ROOM

// A kernel that writes the vector has all 128 batches in a step, which v2's VMEM does not hold: it stays another one.
// CHECK: kernel.fusion "loop"{{.*}} -> tensor<128x33x256xf32>, tensor<128x33x256xf32> {
// CHECK: kernel.fusion "loop"{{.*}} -> tensor<128xi32> {
// ROOM: kernel.fusion "loop"{{.*}} -> tensor<128x33x256xf32>, tensor<128x33x256xf32>, tensor<128xi32> {
func.func @main(%i: tensor<128xi32>, %x: tensor<128x33x256xf32>, %y: tensor<128x33x256xf32>,
                %k: tensor<128x33x256xi1>)
    -> (tensor<128x33x256xf32>, tensor<128x33x256xf32>, tensor<128xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<128xi32>
  %zeros = stablehlo.constant dense<0.0> : tensor<128x33x256xf32>
  %0 = stablehlo.compare GE, %i, %zero, SIGNED : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi1>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<128xi1>) -> tensor<128x33x256xi1>
  %2 = stablehlo.select %1, %x, %zeros : tensor<128x33x256xi1>, tensor<128x33x256xf32>
  %3 = stablehlo.select %k, %2, %y : tensor<128x33x256xi1>, tensor<128x33x256xf32>
  %4 = stablehlo.add %i, %i : tensor<128xi32>
  return %2, %3, %4 : tensor<128x33x256xf32>, tensor<128x33x256xf32>, tensor<128xi32>
}
