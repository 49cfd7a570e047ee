// Loops and branches on the scalar unit: predicates arrive in SMEM, carried values keep their places.
// RUN: tpuc-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v5p},tpuc-lower-kernels{target=v5p})' | FileCheck %s

// What a condition asks for is carried in HBM. Everything else stays in VMEM, of two cores the program's, and goes to
// its result when the loop has ended. The body writes straight to both places, as the old values are no longer read.
// CHECK: tpu.routine entry @main
func.func @main(%x: tensor<8x128xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<8x128xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // The counter's start is written where the loop carries it; the argument is copied: nobody may write to it.
  // CHECK: tpu.grid
  // CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "vmem"
  // CHECK: scf.while
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<8x128xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      // CHECK: tpu.grid
      // CHECK: tpu.dma_start "hbm" @[[PRED:.*]][{{.*}}] to "smem"
      // CHECK: scf.condition
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %w = stablehlo.add %v, %v : tensor<8x128xf32>
      stablehlo.return %j, %w : tensor<i32>, tensor<8x128xf32>
    }
  // CHECK: } do {
  // CHECK-NEXT: tpu.grid
  // CHECK-NEXT: tpu.grid {{.*}} alone
  // CHECK-NEXT: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res1
  // CHECK: tpu.return
  return %r#0, %r#1 : tensor<i32>, tensor<8x128xf32>
}

// -----

// A known trip count: the scalar unit counts, and nothing of the condition runs.
// CHECK: tpu.routine entry @main
// CHECK-NOT: "smem"
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c7{{.*}} step %c1
// CHECK-NEXT: tpu.grid
// CHECK-NEXT: }
// CHECK-NEXT: tpu.dma_start "vmem"
// CHECK-NEXT: dma.wait
// CHECK-NEXT: tpu.return
func.func @main(%x: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %0 = stablehlo.while(%v = %x) : tensor<8x128xf32> attributes {kernel.trip_count = 7 : i64}
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %w = stablehlo.add %v, %v : tensor<8x128xf32>
      stablehlo.return %w : tensor<8x128xf32>
    }
  return %0 : tensor<8x128xf32>
}
