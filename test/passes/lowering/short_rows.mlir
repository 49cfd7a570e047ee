// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e --split-input-file | FileCheck %s

// A row of two vregs stays in registers from its maximum to its quotients: two loads, two stores. The differences are
// at most zero, so that their powers need no bound above; the sums are from one on, so that they are not scaled; what
// becomes bf16 takes no residual.
// CHECK-LABEL: tpu.routine @k0
// CHECK-COUNT-4: "v.ld"
// CHECK-NOT: "v.ld"
// CHECK-NOT: "v.min.f32"
// CHECK-NOT: "v.max.i32"
// CHECK: "e.rcp"
// CHECK-NOT: "v.fma.f32"
// CHECK-COUNT-2: "v.st"
// CHECK-NOT: "v.st"
// CHECK: tpu.return
module {
  func.func @main(%x: tensor<16x256xf32>) -> tensor<16x256xbf16> {
    %0 = kernel.fusion "loop"(%x : tensor<16x256xf32>) -> tensor<16x256xbf16> {
    ^bb0(%a: tensor<16x256xf32>):
      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %1 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1]
          : (tensor<16x256xf32>, tensor<f32>) -> tensor<16xf32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<16xf32>) -> tensor<16x256xf32>
      %3 = stablehlo.subtract %a, %2 : tensor<16x256xf32>
      %4 = stablehlo.exponential %3 : tensor<16x256xf32>
      %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<16x256xf32>, tensor<f32>) -> tensor<16xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<16xf32>) -> tensor<16x256xf32>
      %7 = stablehlo.divide %4, %6 : tensor<16x256xf32>
      %8 = stablehlo.convert %7 : (tensor<16x256xf32>) -> tensor<16x256xbf16>
      kernel.yield %8 : tensor<16x256xbf16>
    }
    return %0 : tensor<16x256xbf16>
  }
}

// -----

// The maximum is of columns, put along rows: a difference may be above zero, a sum below one.
// CHECK-LABEL: tpu.routine @k0
// CHECK: "v.min.f32"
// CHECK: "v.max.i32"
// CHECK: tpu.return
module {
  func.func @main(%x: tensor<128x128xf32>) -> tensor<128x128xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<128x128xf32>) -> tensor<128xf32> {
    ^bb0(%a: tensor<128x128xf32>):
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %1 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [0]
          : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
      kernel.yield %1 : tensor<128xf32>
    }
    %9 = kernel.fusion "loop"(%x, %0 : tensor<128x128xf32>, tensor<128xf32>) -> tensor<128x128xf32> {
    ^bb0(%a: tensor<128x128xf32>, %m: tensor<128xf32>):
      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<128xf32>) -> tensor<128x128xf32>
      %3 = stablehlo.subtract %a, %2 : tensor<128x128xf32>
      %4 = stablehlo.exponential %3 : tensor<128x128xf32>
      %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<128x128xf32>, tensor<f32>) -> tensor<128xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<128xf32>) -> tensor<128x128xf32>
      %7 = stablehlo.divide %4, %6 : tensor<128x128xf32>
      kernel.yield %7 : tensor<128x128xf32>
    }
    return %9 : tensor<128x128xf32>
  }
}
