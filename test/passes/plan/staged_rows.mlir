// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels="target=v5e set=core.vmem_bytes=3145728 set=core.kernel_vmem_bytes=1376256" \
// RUN:   --tpuc-verify-plan --split-input-file | FileCheck %s --check-prefix=SMALL

// A matmul that transposes its rows in VMEM makes 128 of them at a time. The array that stays has room for 1024 rows,
// so that the matmul writes where it lies.
// CHECK-LABEL: @main(%arg0: tensor<64x1000xbf16>
// CHECK: kernel.fusion "dot"
// CHECK-SAME: tensor<1000x1000xf32> at 0 words 8192 rows 1024 tiles 8 strides[1024]
// CHECK-SAME: writes {{\[}}[1000, 1000] {{.*}} in vmem],
// CHECK-SAME: stages = [0]
func.func @main(%x: tensor<64x1000xbf16>, %y: tensor<64x1000xbf16>) -> tensor<1000xf32> {
  %0 = kernel.fusion "dot"(%x, %y : tensor<64x1000xbf16>, tensor<64x1000xbf16>) -> tensor<1000x1000xf32> {
  ^bb0(%a: tensor<64x1000xbf16>, %b: tensor<64x1000xbf16>):
    %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
        : (tensor<64x1000xbf16>, tensor<64x1000xbf16>) -> tensor<1000x1000xf32>
    kernel.yield %2 : tensor<1000x1000xf32>
  }
  %1 = kernel.fusion "loop"(%0 : tensor<1000x1000xf32>) -> tensor<1000xf32> {
  ^bb0(%a: tensor<1000x1000xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<1000xf32>
    kernel.yield %2 : tensor<1000xf32>
  }
  return %1 : tensor<1000xf32>
}

// -----

// Of 130 rows 256 would be too many.
// CHECK-LABEL: @main(%arg0: tensor<64x130xbf16>
// CHECK: kernel.fusion "dot"
// CHECK-SAME: tensor<130x1000xf32> at 0 words 1152 rows 144 tiles 8 strides[144]
func.func @main(%x: tensor<64x130xbf16>, %y: tensor<64x1000xbf16>) -> tensor<130xf32> {
  %0 = kernel.fusion "dot"(%x, %y : tensor<64x130xbf16>, tensor<64x1000xbf16>) -> tensor<130x1000xf32> {
  ^bb0(%a: tensor<64x130xbf16>, %b: tensor<64x1000xbf16>):
    %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
        : (tensor<64x130xbf16>, tensor<64x1000xbf16>) -> tensor<130x1000xf32>
    kernel.yield %2 : tensor<130x1000xf32>
  }
  %1 = kernel.fusion "loop"(%0 : tensor<130x1000xf32>) -> tensor<130xf32> {
  ^bb0(%a: tensor<130x1000xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<130x1000xf32>, tensor<f32>) -> tensor<130xf32>
    kernel.yield %2 : tensor<130xf32>
  }
  return %1 : tensor<130xf32>
}

// -----

// 300 rows take 384, which VMEM has room for; where it does not, the array stays with those that it has.
// CHECK-LABEL: @main(%arg0: tensor<64x300xbf16>
// CHECK: tensor<300x1000xf32> at 0 words 3072 rows 384 tiles 8
// SMALL-LABEL: @main(%arg0: tensor<64x300xbf16>
// SMALL: tensor<300x1000xf32> at 0 words 2432 rows 304 tiles 8
func.func @main(%x: tensor<64x300xbf16>, %y: tensor<64x1000xbf16>) -> tensor<300xf32> {
  %0 = kernel.fusion "dot"(%x, %y : tensor<64x300xbf16>, tensor<64x1000xbf16>) -> tensor<300x1000xf32> {
  ^bb0(%a: tensor<64x300xbf16>, %b: tensor<64x1000xbf16>):
    %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0]
        : (tensor<64x300xbf16>, tensor<64x1000xbf16>) -> tensor<300x1000xf32>
    kernel.yield %2 : tensor<300x1000xf32>
  }
  %1 = kernel.fusion "loop"(%0 : tensor<300x1000xf32>) -> tensor<300xf32> {
  ^bb0(%a: tensor<300x1000xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<300x1000xf32>, tensor<f32>) -> tensor<300xf32>
    kernel.yield %2 : tensor<300xf32>
  }
  return %1 : tensor<300xf32>
}

// -----

// Rows that are computed, and meet the columns of 16 matrices in a step, are computed once in it.
// CHECK-LABEL: @main(%arg0: tensor<200x100xf32>
// CHECK: kernel.fusion "dot"
// CHECK-SAME: d0 = 64 by 16
// CHECK-SAME: stages = [0]
func.func @main(%h: tensor<200x100xf32>, %x: tensor<64x100x100xf32>) -> tensor<64x200x100xf32> {
  %0 = kernel.fusion "dot"(%h, %x : tensor<200x100xf32>, tensor<64x100x100xf32>) -> tensor<64x200x100xf32> {
  ^bb0(%a: tensor<200x100xf32>, %b: tensor<64x100x100xf32>):
    %1 = stablehlo.abs %a : tensor<200x100xf32>
    %2 = stablehlo.dot_general %1, %b, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST]
        : (tensor<200x100xf32>, tensor<64x100x100xf32>) -> tensor<200x64x100xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<200x64x100xf32>) -> tensor<64x200x100xf32>
    kernel.yield %3 : tensor<64x200x100xf32>
  }
  return %0 : tensor<64x200x100xf32>
}
