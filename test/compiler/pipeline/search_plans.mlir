// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-search-plans=kernels=1 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Steps of 32 rows are 256 transfers of 128 KiB each way, which the machine fills with work as badly as it sounds;
// 128 rows are faster. Lanes are cut in whole tiles; what is refused is said.
// CHECK: grid [parallel d0 = 8192 by 128, parallel d1 = 1024 by 1024]
// REMARK: remark: has another plan, with which the program takes {{[0-9]+}} cycles instead of {{[0-9]+}}
// REMARK-DAG: note: d0 by 128: {{[0-9]+}} cycles
// REMARK-DAG: note: d0 by 16: {{[0-9]+}} cycles
// REMARK-DAG: note: d1 by 512: {{[0-9]+}} cycles
// REMARK-DAG: note: d1 outside of d0: {{[0-9]+}} cycles
func.func @main(%x: tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<8192x1024xf32>) -> tensor<8192x1024xf32> attributes {
      kernel.plan = #kernel.plan<grid [parallel d0 = 8192 by 32, parallel d1 = 1024 by 1024]>} {
  ^bb0(%a: tensor<8192x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<8192x1024xf32>
    kernel.yield %1 : tensor<8192x1024xf32>
  }
  return %0 : tensor<8192x1024xf32>
}
