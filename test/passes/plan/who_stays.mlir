// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v2 --tpuc-verify-plan | FileCheck %s

// v2 has 7 MiB of VMEM for arrays that stay. %0 has 6 MiB and lives for all of the program: it would save 12 MiB of
// HBM's traffic. Of %1, %2 and %3, each 5 MiB, two that live one after the other save 20. So these stay.
// CHECK: %[[LONG:.*]] = kernel.fusion "loop"(%arg0
// CHECK-SAME: writes {{.*}} in hbm
// CHECK: %[[FIRST:.*]] = kernel.fusion "loop"(%arg1
// CHECK-SAME: kernel.places = {{\[\[}}#kernel.place<tensor<1280x1024xf32> at 0 words 10240
// CHECK: %[[NEXT:.*]] = kernel.fusion "loop"(%[[FIRST]]
// CHECK-SAME: writes {{.*}} in hbm
// CHECK: %[[LAST:.*]] = kernel.fusion "loop"(%[[NEXT]]
// CHECK-SAME: kernel.places = {{\[\[}}#kernel.place<tensor<1280x1024xf32> at 0 words 10240
// CHECK: kernel.fusion "loop"(%[[LAST]]
// CHECK-SAME: reads {{.*}} in vmem
// CHECK: kernel.fusion "loop"(%[[LONG]]
// CHECK-SAME: reads {{.*}} in hbm
func.func @main(%x: tensor<1536x1024xf32>, %y: tensor<1280x1024xf32>)
    -> (tensor<1280x1024xf32>, tensor<1536x1024xf32>) {
  %0 = kernel.fusion "loop"(%x : tensor<1536x1024xf32>) -> tensor<1536x1024xf32> {
  ^bb0(%a: tensor<1536x1024xf32>):
    %6 = stablehlo.tanh %a : tensor<1536x1024xf32>
    kernel.yield %6 : tensor<1536x1024xf32>
  }
  %1 = kernel.fusion "loop"(%y : tensor<1280x1024xf32>) -> tensor<1280x1024xf32> {
  ^bb0(%a: tensor<1280x1024xf32>):
    %6 = stablehlo.exponential %a : tensor<1280x1024xf32>
    kernel.yield %6 : tensor<1280x1024xf32>
  }
  %2 = kernel.fusion "loop"(%1 : tensor<1280x1024xf32>) -> tensor<1280x1024xf32> {
  ^bb0(%a: tensor<1280x1024xf32>):
    %6 = stablehlo.sine %a : tensor<1280x1024xf32>
    kernel.yield %6 : tensor<1280x1024xf32>
  }
  %3 = kernel.fusion "loop"(%2 : tensor<1280x1024xf32>) -> tensor<1280x1024xf32> {
  ^bb0(%a: tensor<1280x1024xf32>):
    %6 = stablehlo.cosine %a : tensor<1280x1024xf32>
    kernel.yield %6 : tensor<1280x1024xf32>
  }
  %4 = kernel.fusion "loop"(%3 : tensor<1280x1024xf32>) -> tensor<1280x1024xf32> {
  ^bb0(%a: tensor<1280x1024xf32>):
    %6 = stablehlo.abs %a : tensor<1280x1024xf32>
    kernel.yield %6 : tensor<1280x1024xf32>
  }
  %5 = kernel.fusion "loop"(%0 : tensor<1536x1024xf32>) -> tensor<1536x1024xf32> {
  ^bb0(%a: tensor<1536x1024xf32>):
    %6 = stablehlo.negate %a : tensor<1536x1024xf32>
    kernel.yield %6 : tensor<1536x1024xf32>
  }
  return %4, %5 : tensor<1280x1024xf32>, tensor<1536x1024xf32>
}
