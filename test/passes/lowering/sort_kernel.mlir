// A bitonic network in scalar loops: code does not grow with the sorted dim.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-lower-kernels)' | FileCheck %s

// 1000 elements are 10 stages over 8 column tiles; steps of 128 and more exchange whole vregs, others permute lanes.
func.func @main(%x: tensor<8x1000xf32>) -> tensor<8x1000xf32> {
  // CHECK: tpu.routine @k0
  // CHECK-DAG: %[[FIRST:.*]] = arith.constant 1 : i64
  // CHECK-DAG: %[[END:.*]] = arith.constant 11 : i64
  // CHECK: scf.for %[[STAGE:.*]] = %[[FIRST]] to %[[END]]
  // CHECK: scf.for %{{.*}} to %[[STAGE]]
  // CHECK: scf.if
  // CHECK: tpu.inst "x.perm.lane"
  // CHECK: } else {
  // CHECK-NOT: x.perm.lane
  // CHECK: tpu.return
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<8x1000xf32>) -> tensor<8x1000xf32>
  return %0 : tensor<8x1000xf32>
}
