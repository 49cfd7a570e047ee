// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v4 --tpuc-verify-plan | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels="target=v4 set=core.vmem_bytes=1048576" --tpuc-verify-plan \
// RUN:   | FileCheck %s --check-prefix=SMALL

// A batch's product, 2 x 256 x 256 of f32, is 1024 words of 512 bytes: each of v4's cores keeps its own. The kernels
// have one core: both of its systolic arrays' columns and rows are theirs, in steps that follow one another. Where a
// VMEM has 2048 words, half of the 1792 that there are for blocks and arrays does not hold it: it goes through HBM, and
// the iterations follow one another.
// CHECK: stablehlo.while{{.*}} attributes {kernel.over_cores, kernel.trip_count = 2 : i64}
// CHECK: kernel.fusion "dot"({{.*}}) -> tensor<2x256x256xf32> attributes {kernel.places = [
// CHECK-SAME: #kernel.place<tensor<2x256x256xf32> at 0 words 1024 rows 256 tiles 2 strides[256, 512]>
// CHECK-SAME: writes {{\[\[}}1, 256, 256] (d0, d1, d2, d3) -> (d0, d2, d3) in vmem]
// CHECK: kernel.fusion "dot"({{.*}}) -> tensor<2x2x256x128xf32>
// CHECK-SAME: reads {{\[\[}}1, 256, 256] (d0, d1, d2, d3) -> (d0, d2, d1) in vmem,
// SMALL: stablehlo.while{{.*}} attributes {kernel.trip_count = 2 : i64}
// SMALL-NOT: kernel.place
func.func @main(%q: tensor<2x2x256x128xf32>, %k: tensor<2x2x256x128xf32>) -> tensor<2x2x256x128xf32> {
  %none = kernel.undefined : tensor<2x2x256x128xf32>
  %0 = stablehlo.while(%out = %none) : tensor<2x2x256x128xf32>
      attributes {kernel.over_cores, kernel.trip_count = 2 : i64}
  cond {
    %p = kernel.fusion "loop"() -> tensor<i1> {
      %true = stablehlo.constant dense<true> : tensor<i1>
      kernel.yield %true : tensor<i1>
    }
    stablehlo.return %p : tensor<i1>
  } do {
    %i = kernel.counter 0 by 1 : tensor<i32>
    %t = kernel.fusion "dot"(%q, %k, %i : tensor<2x2x256x128xf32>, tensor<2x2x256x128xf32>, tensor<i32>)
        -> tensor<2x256x256xf32> {
    ^bb0(%a: tensor<2x2x256x128xf32>, %b: tensor<2x2x256x128xf32>, %n: tensor<i32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %a0 = stablehlo.dynamic_slice %a, %n, %zero, %zero, %zero, sizes = [1, 2, 256, 128] : (tensor<2x2x256x128xf32>,
          tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x256x128xf32>
      %a1 = stablehlo.reshape %a0 : (tensor<1x2x256x128xf32>) -> tensor<2x256x128xf32>
      %b0 = stablehlo.dynamic_slice %b, %n, %zero, %zero, %zero, sizes = [1, 2, 256, 128] : (tensor<2x2x256x128xf32>,
          tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x256x128xf32>
      %b1 = stablehlo.reshape %b0 : (tensor<1x2x256x128xf32>) -> tensor<2x256x128xf32>
      %s = stablehlo.dot_general %a1, %b1, batching_dims = [0] x [0], contracting_dims = [2] x [2]
          : (tensor<2x256x128xf32>, tensor<2x256x128xf32>) -> tensor<2x256x256xf32>
      %tanh = stablehlo.tanh %s : tensor<2x256x256xf32>
      kernel.yield %tanh : tensor<2x256x256xf32>
    }
    %o = kernel.fusion "dot"(%t, %k, %i, %out : tensor<2x256x256xf32>, tensor<2x2x256x128xf32>, tensor<i32>,
        tensor<2x2x256x128xf32>) -> tensor<2x2x256x128xf32> {
    ^bb0(%a: tensor<2x256x256xf32>, %b: tensor<2x2x256x128xf32>, %n: tensor<i32>, %to: tensor<2x2x256x128xf32>):
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %b0 = stablehlo.dynamic_slice %b, %n, %zero, %zero, %zero, sizes = [1, 2, 256, 128] : (tensor<2x2x256x128xf32>,
          tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x256x128xf32>
      %b1 = stablehlo.reshape %b0 : (tensor<1x2x256x128xf32>) -> tensor<2x256x128xf32>
      %d = stablehlo.dot_general %a, %b1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
          : (tensor<2x256x256xf32>, tensor<2x256x128xf32>) -> tensor<2x256x128xf32>
      %d1 = stablehlo.reshape %d : (tensor<2x256x128xf32>) -> tensor<1x2x256x128xf32>
      %next = stablehlo.dynamic_update_slice %to, %d1, %n, %zero, %zero, %zero : (tensor<2x2x256x128xf32>,
          tensor<1x2x256x128xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x256x128xf32>
      kernel.yield %next : tensor<2x2x256x128xf32>
    }
    stablehlo.return %o : tensor<2x2x256x128xf32>
  }
  return %0 : tensor<2x2x256x128xf32>
}
