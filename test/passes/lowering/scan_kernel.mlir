// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// A running sum along lanes reads and writes its array once: seven rotations within each of 4 column tiles, and the
// tile's last lane for the next.
// CHECK-LABEL: tpu.routine @k0
// CHECK: tpu.inst "v.ld"
// CHECK-COUNT-7: "x.rot.lane"
// CHECK: "x.bcast.lane"{{.*}} {imm = 127 : i64}
// CHECK: tpu.inst "v.st"
// CHECK-NOT: scf.for
// CHECK: tpu.return
func.func @main(%x: tensor<8x512xf32>) -> tensor<8x512xf32> {
  %0 = kernel.fusion "window"(%x : tensor<8x512xf32>) -> tensor<8x512xf32> {
  ^bb0(%a: tensor<8x512xf32>):
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 1, 512>, padding = dense<[[0, 0], [511,
        0]]> : tensor<2x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x512xf32>, tensor<f32>) -> tensor<8x512xf32>
    kernel.yield %1 : tensor<8x512xf32>
  }
  return %0 : tensor<8x512xf32>
}
