// Convolutions in the form that their kernels take: features along lanes.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-normalise-convolutions))' --split-input-file | \
// RUN:   FileCheck %s
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-normalise-convolutions,tpuc-expand-convolution))' \
// RUN:   --split-input-file | FileCheck %s --check-prefix=EXPAND
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-normalise-convolutions{ \
// RUN:   set=core.mxus=2,core.mxu_accumulator_rows=2048},tpuc-expand-convolution{set=core.mxus=2,core.mxu_accumulator_rows=2048}))' --split-input-file | FileCheck %s \
// RUN:   --check-prefix=SUMS
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(func.func(tpuc-normalise-convolutions{set=core.mxus=1,core.mxu_accumulator_rows=2048,core.mxu_int8_rate=0},\
// RUN:   tpuc-expand-convolution{set=core.mxus=1,core.mxu_accumulator_rows=2048,core.mxu_int8_rate=0}))' --split-input-file | \
// RUN:   FileCheck %s --check-prefix=ONE

// PyTorch's order: operands and result are transposed around it.
// CHECK-LABEL: @features_first
// CHECK: [[X:%.*]] = stablehlo.transpose %arg0, dims = [0, 2, 3, 1] : (tensor<2x12x9x10xf32>) -> tensor<2x9x10x12xf32>
// CHECK: [[W:%.*]] = stablehlo.transpose %arg1, dims = [2, 3, 1, 0] : (tensor<16x12x3x3xf32>) -> tensor<3x3x12x16xf32>
// CHECK: stablehlo.convolution([[X]], [[W]]) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
// CHECK: stablehlo.transpose %{{.*}}, dims = [0, 3, 1, 2]
func.func @features_first(%x: tensor<2x12x9x10xf32>, %w: tensor<16x12x3x3xf32>) -> tensor<2x16x7x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x12x9x10xf32>, tensor<16x12x3x3xf32>) -> tensor<2x16x7x8xf32>
  return %0 : tensor<2x16x7x8xf32>
}

// -----

// A gradient with respect to the input: the weights' reversal is the window's, their transposed order stays.
// CHECK-LABEL: @reversed
// CHECK-NOT: stablehlo.reverse
// CHECK: stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]
// CHECK-SAME: reverse = [true, true]
func.func @reversed(%dy: tensor<2x9x10x40xf32>, %w: tensor<3x3x24x40xf32>) -> tensor<2x9x10x24xf32> {
  %r = stablehlo.reverse %w, dims = [0, 1] : tensor<3x3x24x40xf32>
  %0 = stablehlo.convolution(%dy, %r) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1],
      pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x9x10x40xf32>, tensor<3x3x24x40xf32>) -> tensor<2x9x10x24xf32>
  return %0 : tensor<2x9x10x24xf32>
}

// -----

// A gradient with respect to the weights has a form of its own.
// CHECK-LABEL: @gradient
// CHECK: stablehlo.transpose %arg0, dims = [1, 2, 3, 0]
// CHECK: stablehlo.transpose %arg1, dims = [1, 2, 3, 0]
// CHECK: dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]
// CHECK: stablehlo.transpose %{{.*}}, dims = [3, 2, 0, 1]
func.func @gradient(%x: tensor<12x2x9x10xf32>, %dy: tensor<16x2x7x8xf32>) -> tensor<16x12x3x3xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[f, b, 0, 1], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<12x2x9x10xf32>, tensor<16x2x7x8xf32>) -> tensor<16x12x3x3xf32>
  return %0 : tensor<16x12x3x3xf32>
}

// -----

// Depthwise stays: the vector unit takes it. What no kernel takes becomes slices and a dot.
// CHECK-LABEL: @depthwise
// CHECK: feature_group_count = 8
// EXPAND-LABEL: @depthwise
// EXPAND: feature_group_count = 8
func.func @depthwise(%x: tensor<1x9x9x8xf32>, %w: tensor<3x3x1x8xf32>) -> tensor<1x7x7x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<1x9x9x8xf32>, tensor<3x3x1x8xf32>)
      -> tensor<1x7x7x8xf32>
  return %0 : tensor<1x7x7x8xf32>
}

// -----

// EXPAND-LABEL: @batch_groups
// EXPAND-NOT: stablehlo.convolution
// EXPAND: stablehlo.dot_general
func.func @batch_groups(%x: tensor<4x9x9x8xf32>, %w: tensor<3x3x8x6xf32>) -> tensor<2x7x7x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x9x9x8xf32>, tensor<3x3x8x6xf32>)
      -> tensor<2x7x7x6xf32>
  return %0 : tensor<2x7x7x6xf32>
}

// -----

// One element of window, one apart: a matmul as it is.
// EXPAND-LABEL: @pointwise
// EXPAND: stablehlo.dot_general
func.func @pointwise(%x: tensor<4x9x9x8xf32>, %w: tensor<1x1x8x6xf32>) -> tensor<4x9x9x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x9x9x8xf32>, tensor<1x1x8x6xf32>)
      -> tensor<4x9x9x6xf32>
  return %0 : tensor<4x9x9x6xf32>
}

// -----

// A window of more positions than there are results, too many for the kernel: a dot for each of the two.
// EXPAND-LABEL: @long
// EXPAND-COUNT-2: stablehlo.dot_general
// EXPAND-NOT: stablehlo.dot_general
func.func @long(%x: tensor<1x1000x2xf32>, %w: tensor<999x2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x1000x2xf32>, tensor<999x2x8xf32>) -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}

// -----

// A window as large as the result is no gradient's where many features are summed.
// CHECK-LABEL: @small_result
// EXPAND-LABEL: @small_result
// CHECK: stablehlo.convolution({{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]
func.func @small_result(%x: tensor<1x512x3x3xf32>, %w: tensor<512x512x3x3xf32>) -> tensor<1x512x3x3xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1],
      pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x512x3x3xf32>, tensor<512x512x3x3xf32>) -> tensor<1x512x3x3xf32>
  return %0 : tensor<1x512x3x3xf32>
}

// -----

// One that will be a dot has the same form; its weights' dims of one element move nothing.
// CHECK-LABEL: @pointwise
// EXPAND-LABEL: @pointwise
// EXPAND: stablehlo.dot_general
// CHECK: [[X:%.*]] = stablehlo.transpose %arg0, dims = [0, 2, 3, 1] : (tensor<2x12x9x10xf32>) -> tensor<2x9x10x12xf32>
// CHECK: [[W:%.*]] = stablehlo.transpose %arg1, dims = [2, 3, 0, 1] : (tensor<16x12x1x1xf32>) -> tensor<1x1x16x12xf32>
// CHECK: stablehlo.convolution([[X]], [[W]]) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]
func.func @pointwise(%x: tensor<2x12x9x10xf32>, %w: tensor<16x12x1x1xf32>) -> tensor<2x16x9x10xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x12x9x10xf32>, tensor<16x12x1x1xf32>) -> tensor<2x16x9x10xf32>
  return %0 : tensor<2x16x9x10xf32>
}

// -----

// A step has all results along the last dim: 3000 rows of sums don't fit one array of 2048, but halves of them two.
// SUMS-LABEL: @row
// SUMS: stablehlo.convolution
// SUMS-NOT: dot_general
// ONE-LABEL: @row
// ONE-NOT: stablehlo.convolution
// ONE: dot_general
func.func @row(%x: tensor<1x3002x8xf32>, %w: tensor<3x8x8xf32>) -> tensor<1x3000x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x3002x8xf32>, tensor<3x8x8xf32>) -> tensor<1x3000x8xf32>
  return %0 : tensor<1x3000x8xf32>
}

// No sums leave the vector unit.
// ONE-LABEL: @row_of_depths
// ONE: stablehlo.convolution
func.func @row_of_depths(%x: tensor<1x3002x8xf32>, %w: tensor<3x1x8xf32>) -> tensor<1x3000x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 8 : i64}
      : (tensor<1x3002x8xf32>, tensor<3x1x8xf32>) -> tensor<1x3000x8xf32>
  return %0 : tensor<1x3000x8xf32>
}

// f32 sums of bytes are exact up to 1024 products.
// SUMS-LABEL: @bytes
// SUMS: stablehlo.convolution
// ONE-LABEL: @bytes
// ONE-NOT: stablehlo.convolution
// ONE: dot_general
func.func @bytes(%x: tensor<1x6x6x128xi8>, %w: tensor<3x3x128x8xi8>) -> tensor<1x4x4x8xi32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x6x6x128xi8>, tensor<3x3x128x8xi8>) -> tensor<1x4x4x8xi32>
  return %0 : tensor<1x4x4x8xi32>
}

// -----

// The gradient of depthwise weights whose features come first: the form that its kernel takes.
// CHECK-LABEL: @depthwise_gradient_first
// CHECK: [[X:%.*]] = stablehlo.transpose %arg0, dims = [0, 2, 3, 1]
// CHECK: [[DY:%.*]] = stablehlo.transpose %arg1, dims = [0, 2, 3, 1]
// CHECK: [[W:%.*]] = stablehlo.convolution([[X]], [[DY]]) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]
// CHECK: stablehlo.transpose [[W]], dims = [3, 2, 0, 1]
func.func @depthwise_gradient_first(%x: tensor<3x16x7x7xf32>, %dy: tensor<3x16x5x5xf32>) -> tensor<16x1x3x3xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {}
      {batch_group_count = 16 : i64, feature_group_count = 1 : i64}
      : (tensor<3x16x7x7xf32>, tensor<3x16x5x5xf32>) -> tensor<16x1x3x3xf32>
  return %0 : tensor<16x1x3x3xf32>
}

// -----

// Three features fill 3 of 128 lanes: the kernel's padded copies would take longer than slices, whose order is another.
// CHECK-LABEL: @depthwise_gradient_of_colours
// CHECK-NOT: dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]
// CHECK: return
func.func @depthwise_gradient_of_colours(%x: tensor<32x3x112x112xbf16>, %dy: tensor<32x3x110x110xbf16>)
    -> tensor<3x1x3x3xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {}
      {batch_group_count = 3 : i64, feature_group_count = 1 : i64}
      : (tensor<32x3x112x112xbf16>, tensor<32x3x110x110xbf16>) -> tensor<3x1x3x3xbf16>
  return %0 : tensor<3x1x3x3xbf16>
}

// -----

// That whose window is reversed has no kernel: a sum of products for each of the 7 taps, not a slice for each of the
// 46x38 positions.
// EXPAND-LABEL: @depthwise_gradient
// EXPAND-NOT: dot_general
// EXPAND: [[X:%.*]] = stablehlo.pad %arg0
// EXPAND: stablehlo.slice [[X]]
// EXPAND-COUNT-7: stablehlo.reduce
// EXPAND-NOT: stablehlo.reduce
// EXPAND: concatenate
func.func @depthwise_gradient(%x: tensor<3x55x111x16xf32>, %dy: tensor<3x46x38x16xf32>) -> tensor<7x1x1x16xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [2, 1],
      pad = [[2, 1], [1, 0]], rhs_dilate = [1, 3], reverse = [true, false]}
      {batch_group_count = 16 : i64, feature_group_count = 1 : i64}
      : (tensor<3x55x111x16xf32>, tensor<3x46x38x16xf32>) -> tensor<7x1x1x16xf32>
  return %0 : tensor<7x1x1x16xf32>
}

// -----

// Groups of two in and three out: a dot of the groups for each tap.
// EXPAND-LABEL: @grouped_gradient
// EXPAND-COUNT-2: stablehlo.dot_general
// EXPAND-NOT: stablehlo.dot_general
func.func @grouped_gradient(%x: tensor<3x50x8xf32>, %dy: tensor<3x49x12xf32>) -> tensor<2x2x12xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, b]x[i, 0, o]->[0, b, f],
      window = {} {batch_group_count = 4 : i64, feature_group_count = 1 : i64}
      : (tensor<3x50x8xf32>, tensor<3x49x12xf32>) -> tensor<2x2x12xf32>
  return %0 : tensor<2x2x12xf32>
}

// -----

// Six features of 128 lanes, and 256 images: the batch lies along lanes.
// CHECK-LABEL: @images
// CHECK: [[X:%.*]] = stablehlo.transpose %arg0, dims = [1, 2, 3, 0] : (tensor<256x14x14x6xf32>) -> tensor<14x14x6x256xf32>
// CHECK: [[Y:%.*]] = stablehlo.convolution([[X]], %arg1) dim_numbers = [0, 1, f, b]x[0, 1, i, o]->[0, 1, f, b]
// CHECK: stablehlo.transpose [[Y]], dims = [3, 0, 1, 2]
func.func @images(%x: tensor<256x14x14x6xf32>, %w: tensor<5x5x6x16xf32>) -> tensor<256x10x10x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<256x14x14x6xf32>, tensor<5x5x6x16xf32>) -> tensor<256x10x10x16xf32>
  return %0 : tensor<256x10x10x16xf32>
}

// -----

// A single feature is no dim to put along sublanes: the columns are.
// CHECK-LABEL: @images_of_one_feature
// CHECK: stablehlo.transpose %arg0, dims = [1, 3, 2, 0] : (tensor<256x28x28x1xf32>) -> tensor<28x1x28x256xf32>
// CHECK: dim_numbers = [0, f, 1, b]x[0, 1, i, o]->[0, 1, f, b]
func.func @images_of_one_feature(%x: tensor<256x28x28x1xf32>, %w: tensor<5x5x1x6xf32>) -> tensor<256x24x24x6xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<256x28x28x1xf32>, tensor<5x5x1x6xf32>) -> tensor<256x24x24x6xf32>
  return %0 : tensor<256x24x24x6xf32>
}

// -----

// Its gradient sums over the images, which lie along lanes of both operands.
// CHECK-LABEL: @gradient_over_images
// CHECK: stablehlo.transpose %arg0, dims = [1, 2, 3, 0]
// CHECK: stablehlo.transpose %arg1, dims = [1, 2, 3, 0]
// CHECK: dim_numbers = [0, 1, b, f]x[0, 1, o, i]->[0, 1, b, f]
func.func @gradient_over_images(%x: tensor<256x14x14x6xf32>, %dy: tensor<256x10x10x16xf32>) -> tensor<5x5x6x16xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<256x14x14x6xf32>, tensor<256x10x10x16xf32>) -> tensor<5x5x6x16xf32>
  return %0 : tensor<5x5x6x16xf32>
}

// -----

// 128 features fill the lanes.
// CHECK-LABEL: @many_features
// CHECK-NOT: stablehlo.transpose
// CHECK: dim_numbers = [b, 0, 1, f]
func.func @many_features(%x: tensor<256x14x14x128xf32>, %w: tensor<3x3x128x128xf32>) -> tensor<256x12x12x128xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<256x14x14x128xf32>, tensor<3x3x128x128xf32>) -> tensor<256x12x12x128xf32>
  return %0 : tensor<256x12x12x128xf32>
}

// -----

// A gradient over 4 images stays one. As a convolution of 32 images with a window of 14x14, which its second operand
// would be, it would seem to gain; but that is not what it is otherwise.
// CHECK-LABEL: @gradient_over_few_images
// CHECK-NOT: stablehlo.transpose
// CHECK: dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]
func.func @gradient_over_few_images(%x: tensor<4x14x14x32xf32>, %dy: tensor<4x14x14x32xf32>) -> tensor<3x3x32x32xf32> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x14x14x32xf32>, tensor<4x14x14x32xf32>) -> tensor<3x3x32x32xf32>
  return %0 : tensor<3x3x32x32xf32>
}
