// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels read is fetched into VMEM while others before them run.
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-verify-plan --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5p --tpuc-verify-plan --split-input-file | FileCheck %s --check-prefix=TWO

// 128x128 f32 are 65536 bytes, 89 ns of the channel: less than a quarter of the latency of 400 ns that the second
// matmul does not wait for, and so worth holding up the first one's blocks for. It takes 128 words behind %0's.
// The first matmul's operands would come no earlier.
// CHECK-LABEL: func.func @main
// CHECK: %[[W:.*]] = kernel.fusion "fetch"(%arg2 : tensor<128x128xf32>) -> tensor<128x128xf32>
// CHECK-SAME: kernel.place<tensor<128x128xf32> at 128 words 128 rows 128 tiles 1 strides[128]>
// CHECK-SAME: kernel.plan = #kernel.plan<grid [], transfers>
// CHECK: %[[H:.*]] = kernel.fusion "dot"(%arg0, %arg1
// CHECK: kernel.fusion "dot"(%[[H]], %[[W]]
// CHECK-SAME: reads {{\[}}[128, 128] (d0, d1, d2) -> (d1, d0) in vmem, [128, 128] (d0, d1, d2) -> (d0, d2) in vmem]
// Each of two cores has a VMEM of its own: the program's core runs both, and has the array.
// TWO-LABEL: func.func @main
// TWO: "fetch"(%arg2
// TWO: kernel.fusion "dot"(%arg0, %arg1 {{.*}}kernel.one_core
// TWO: kernel.fusion "dot"{{.*}}kernel.one_core
func.func @main(%x: tensor<128x128xf32>, %v: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %0 = kernel.fusion "dot"(%x, %v : tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32> {
  ^bb0(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    kernel.yield %1 : tensor<128x128xf32>
  }
  %2 = kernel.fusion "dot"(%0, %w : tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32> {
  ^bb0(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>):
    %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    kernel.yield %3 : tensor<128x128xf32>
  }
  return %2 : tensor<128x128xf32>
}

// -----

// Of 1024x1024 the transfer is 5,700 ns, which the first matmul would wait for in vain. An array that the first kernel
// makes is not there to be fetched.
// CHECK-LABEL: func.func @main
// CHECK-NOT: "fetch"
func.func @main(%x: tensor<128x1024xf32>, %w: tensor<1024x1024xf32>) -> (tensor<128x1024xf32>, tensor<128x1024xf32>) {
  %0 = kernel.fusion "loop"(%x : tensor<128x1024xf32>) -> tensor<128x1024xf32> {
  ^bb0(%a: tensor<128x1024xf32>):
    %1 = stablehlo.exponential %a : tensor<128x1024xf32>
    kernel.yield %1 : tensor<128x1024xf32>
  }
  %2 = kernel.fusion "dot"(%0, %w : tensor<128x1024xf32>, tensor<1024x1024xf32>) -> tensor<128x1024xf32> {
  ^bb0(%a: tensor<128x1024xf32>, %b: tensor<1024x1024xf32>):
    %3 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<128x1024xf32>, tensor<1024x1024xf32>) -> tensor<128x1024xf32>
    kernel.yield %3 : tensor<128x1024xf32>
  }
  return %0, %2 : tensor<128x1024xf32>, tensor<128x1024xf32>
}

// -----

// %w, which the first and the last kernel read, comes once, before the first: what the last one saves is more than what
// the first one loses by waiting for all of it. That kernel then brings nothing itself, and the other's operand comes
// right behind. The donated argument may be written where it lies: the transfer has ended by then.
// CHECK-LABEL: func.func @main
// CHECK: %[[W:.*]] = kernel.fusion "fetch"(%arg0
// CHECK-NEXT: ^bb0
// CHECK-NEXT: yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[X:.*]] = kernel.fusion "fetch"(%arg1
// CHECK: %[[B:.*]] = kernel.fusion "fetch"(%arg2
// CHECK: %[[SUM:.*]] = kernel.fusion "loop"(%[[W]]
// CHECK: %[[T:.*]] = kernel.fusion "loop"(%[[SUM]], %[[B]]
// CHECK: kernel.fusion "loop"(%[[T]], %[[W]], %[[X]]
func.func @main(%w: tensor<512x512xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<512x512xf32>,
                %b: tensor<512xf32>) -> tensor<512x512xf32> {
  %0 = kernel.fusion "loop"(%w, %x : tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512xf32> {
  ^bb0(%a: tensor<512x512xf32>, %c: tensor<512x512xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %p = stablehlo.multiply %a, %c : tensor<512x512xf32>
    %1 = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    kernel.yield %1 : tensor<512xf32>
  }
  %2 = kernel.fusion "loop"(%0, %b : tensor<512xf32>, tensor<512xf32>) -> tensor<512xf32> {
  ^bb0(%a: tensor<512xf32>, %c: tensor<512xf32>):
    %3 = stablehlo.add %a, %c : tensor<512xf32>
    kernel.yield %3 : tensor<512xf32>
  }
  %4 = kernel.fusion "loop"(%2, %w, %x : tensor<512xf32>, tensor<512x512xf32>, tensor<512x512xf32>)
      -> tensor<512x512xf32> {
  ^bb0(%s: tensor<512xf32>, %a: tensor<512x512xf32>, %c: tensor<512x512xf32>):
    %5 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<512xf32>) -> tensor<512x512xf32>
    %6 = stablehlo.multiply %a, %5 : tensor<512x512xf32>
    %7 = stablehlo.add %6, %c : tensor<512x512xf32>
    kernel.yield %7 : tensor<512x512xf32>
  }
  return %4 : tensor<512x512xf32>
}
