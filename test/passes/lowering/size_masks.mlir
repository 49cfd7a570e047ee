// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// A row of 256 in a bucket of 129 to 256 columns. The true size is compared with the array's own: where they are equal
// no vreg is masked. Elsewhere the first vreg of a row needs no mask, since no run has fewer columns, and the second
// one does.
// CHECK-LABEL: tpu.routine @k0
// CHECK: %[[SIZE:.*]] = tpu.inst "s.ldw"
// CHECK: %[[ALL:.*]] = arith.cmpi sge, %[[SIZE]], %c256_i64
// CHECK: scf.if %[[ALL]] {
// CHECK-NOT: "v.sel"
// CHECK: "x.max.lane.f32"
// CHECK: } else {
// CHECK: "v.lt.s32"
// CHECK-NOT: "v.lt.s32"
// CHECK: "v.sel"
// CHECK-NOT: "v.sel"
// CHECK: "x.max.lane.f32"
// CHECK: tpu.return
func.func @main(%x: tensor<8x256xf32>, %n: tensor<i32> {shapes.extent = "s", shapes.least = 129 : i64})
    -> tensor<8xf32> {
  %0 = kernel.fusion "loop"(%x, %n : tensor<8x256xf32>, tensor<i32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8x256xf32>, %size: tensor<i32>):
    %low = stablehlo.constant dense<0xFF800000> : tensor<8x256xf32>
    %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %columns = stablehlo.iota dim = 1 : tensor<8x256xi32>
    %end = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<i32>) -> tensor<8x256xi32>
    %in = stablehlo.compare LT, %columns, %end, SIGNED : (tensor<8x256xi32>, tensor<8x256xi32>) -> tensor<8x256xi1>
    %masked = stablehlo.select %in, %a, %low : tensor<8x256xi1>, tensor<8x256xf32>
    %max = stablehlo.reduce(%masked init: %init) applies stablehlo.maximum across dimensions = [1]
        : (tensor<8x256xf32>, tensor<f32>) -> tensor<8xf32>
    kernel.yield %max : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
