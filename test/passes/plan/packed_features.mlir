// Images along lanes, and features along sublanes that two cores would share: a block of them is whole vregs of the
// packed input, 16 rows of bf16. 12 features are one block then, though sums of f32 come 8 rows a vreg.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-fuse-kernels),tpuc-plan-kernels{target=v4})' \
// RUN:   --split-input-file | FileCheck %s

// CHECK: grid [parallel d4 = 12 by 12, parallel d5 = 3 by 3
func.func @main(%x: tensor<8x7x12x130xbf16>, %dy: tensor<7x3x3x130xbf16>) -> tensor<3x5x12x3xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [0, 1, b, f]x[0, 1, o, i]->[0, 1, b, f], window = {stride = [3, 2],
      pad = [[3, 3], [0, 6]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x7x12x130xbf16>, tensor<7x3x3x130xbf16>) -> tensor<3x5x12x3xf32>
  return %0 : tensor<3x5x12x3xf32>
}

// -----

// CHECK: grid [parallel d4 = 12 by 8, parallel d5 = 3 by 3
func.func @main(%x: tensor<8x7x12x130xf32>, %dy: tensor<7x3x3x130xf32>) -> tensor<3x5x12x3xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [0, 1, b, f]x[0, 1, o, i]->[0, 1, b, f], window = {stride = [3, 2],
      pad = [[3, 3], [0, 6]], rhs_dilate = [1, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x7x12x130xf32>, tensor<7x3x3x130xf32>) -> tensor<3x5x12x3xf32>
  return %0 : tensor<3x5x12x3xf32>
}
