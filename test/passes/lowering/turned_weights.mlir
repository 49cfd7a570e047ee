// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// Weights [window.., out, in], as a gradient of the input has them: 32 output features are 2 vregs of 16 packed rows,
// not the 8 that an array holds. Each of four arrays gets them at two places of the code: the first, and those of the
// next window row.
// CHECK-LABEL: tpu.routine @k0
// CHECK-COUNT-16: "mxu.ldw.bf16"({{.*}}xpose = 1
// CHECK-NOT: mxu.ldw
module {
  func.func @main(%x: tensor<4x14x14x32xf32>, %w: tensor<3x3x32x32xf32>) -> tensor<4x14x14x32xf32> {
    %0 = kernel.fusion "conv"(%x, %w : tensor<4x14x14x32xf32>, tensor<3x3x32x32xf32>) -> tensor<4x14x14x32xf32> {
    ^bb0(%a: tensor<4x14x14x32xf32>, %b: tensor<3x3x32x32xf32>):
      %1 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
          window = {stride = [1, 1], pad = [[1, 1], [1, 1]], reverse = [true, true]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<4x14x14x32xf32>, tensor<3x3x32x32xf32>) -> tensor<4x14x14x32xf32>
      kernel.yield %1 : tensor<4x14x14x32xf32>
    }
    return %0 : tensor<4x14x14x32xf32>
  }
}
