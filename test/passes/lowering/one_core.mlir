// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p -o %t
// RUN: tpuc-opt %t --tpuc-lower-kernels=target=v5p --tpuc-verify-lower | FileCheck %s
// RUN: sed '0,/kernel.one_core, /s///' %t | not tpuc-opt --tpuc-lower-kernels=target=v5p 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: tpuc-opt %t --tpuc-lower-kernels=target=v5p -o %t.lower
// RUN: sed '0,/ alone/s///' %t.lower | not tpuc-opt --tpuc-verify-lower 2>&1 | FileCheck %s --check-prefix=SHARED

// 64x256 of f32 are 128 words of 512 bytes: 65536 bytes of the program's core's VMEM. The kernels between which they
// stay are its own. The third one's array is large, and both cores share its steps. Its blocks lie behind the array
// too.
// CHECK: module attributes {{.*}}tpu.vmem_shared_bytes = 65536
// CHECK: tpu.buffer @vmem0 "vmem" 0 at 0 size 65536
// CHECK-DAG: tpu.routine @k2 {{.*}}vmem_first = 128
// CHECK-DAG: tpu.grid @k0 steps 1 alone
// CHECK-DAG: tpu.grid @k1 steps 1 alone
// CHECK-DAG: tpu.grid @k2 steps {{[0-9]+$}}
// ALL: error: expects an array in VMEM to be a temporary that kernels read in whole blocks, and one core alone
// SHARED: error: expects kernels of one core where arrays of its VMEM are met, but got @k0, which meets @vmem0
func.func @main(%x: tensor<64x256xf32>, %y: tensor<8192x8192xf32>) -> (tensor<64x256xf32>, tensor<8192x8192xf32>) {
  %0 = kernel.fusion "loop"(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %3 = stablehlo.add %a, %a : tensor<64x256xf32>
    kernel.yield %3 : tensor<64x256xf32>
  }
  %1 = kernel.fusion "loop"(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%a: tensor<64x256xf32>):
    %3 = stablehlo.multiply %a, %a : tensor<64x256xf32>
    kernel.yield %3 : tensor<64x256xf32>
  }
  %2 = kernel.fusion "loop"(%y : tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  ^bb0(%a: tensor<8192x8192xf32>):
    %3 = stablehlo.add %a, %a : tensor<8192x8192xf32>
    kernel.yield %3 : tensor<8192x8192xf32>
  }
  return %1, %2 : tensor<64x256xf32>, tensor<8192x8192xf32>
}
