// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @batching_count(%a: tensor<2x8x16xf32>, %b: tensor<2x16x32xf32>) {
  // expected-error@+1 {{expects rhs_batching_dimensions of size 1, but got 0}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [], contracting_dims = [2] x [1]
      : (tensor<2x8x16xf32>, tensor<2x16x32xf32>) -> tensor<2x8x32xf32>
  return
}

// -----

func.func @twice(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) {
  // expected-error@+1 {{expects lhs batching and contracting dimensions to be unique, but got 1 twice in [1, 1]}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [1] x [1]
      : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @range(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) {
  // expected-error@+1 {{expects rhs batching and contracting dimensions in [0, 2), but got 2}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [2] : (tensor<8x16xf32>, tensor<16x32xf32>)
      -> tensor<8x32xf32>
  return
}

// -----

func.func @contracting_sizes(%a: tensor<8x16xf32>, %b: tensor<15x32xf32>) {
  // expected-error@+1 {{expects contracting dimensions of the same size, but got 16 and 15}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<15x32xf32>)
      -> tensor<8x32xf32>
  return
}

// -----

func.func @result(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) {
  // expected-error@+1 {{expects result of shape [8, 32], but got [32, 8]}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>)
      -> tensor<32x8xf32>
  return
}

// -----

func.func @precision(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) {
  // expected-error@+1 {{expects precision_config of size 2, but got 3}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, HIGH, HIGH]
      : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return
}

// -----

func.func @precision_and_algorithm(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) {
  // expected-error@+1 {{expects precision DEFAULT beside an algorithm, but got HIGH}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, HIGH],
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3,
      allow_imprecise_accumulation = false> : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return
}

// -----

func.func @algorithm(%a: tensor<8x16xf32>, %b: tensor<16x32xf32>) {
  // expected-error@+1 {{expects an algorithm that hardware is known to have}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f16,
      rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
      num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<8x16xf32>, tensor<16x32xf32>)
      -> tensor<8x32xf32>
  return
}

// -----

// A zero point of the right side would add a term for each column.
func.func @zero_points(%a: tensor<8x16x!quant.uniform<i8:f32, 0.5>>, %b: tensor<16x32x!quant.uniform<i8:f32, 0.5:7>>) {
  // expected-error@+1 {{expects zero points of 0 in rhs}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<8x16x!quant.uniform<i8:f32, 0.5>>, tensor<16x32x!quant.uniform<i8:f32, 0.5:7>>)
      -> tensor<8x32x!quant.uniform<i32:f32, 0.5>>
  return
}

// -----

func.func @unknown_window(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{expects stride, pad, lhs_dilate, rhs_dilate or reverse, but got step}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {step = [1,
      1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @dimension_twice(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{expects the spatial dimensions 0 to 1, each once, but got 0}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @stride(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{expects window_strides of at least 1, but got 0}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1,
      0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @groups(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{expects the input feature size to be a multiple of feature_group_count 3, but got 4}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @kernel_features(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x5x16xf32>) {
  // expected-error@+1 {{expects 4 input features of the kernel, but got 5}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x5x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @window_result(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // The window spans (3 - 1) * 2 + 1 = 5: 32 - 5 + 1 = 28 places.
  // expected-error@+1 {{expects result of shape [8, 28, 28, 16], but got [8, 30, 30, 16]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {rhs_dilate = [2,
      2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @window_overflow(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{expects a window whose places can be counted in 64 bits}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {lhs_dilate = [9223372036854775807, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @padding(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{expects padding of shape [2, 2], but got [1, 2]}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1,
      1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}

// -----

func.func @out_of_range(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>) {
  // expected-error@+1 {{expects kernel dimensions in [0, 4), but got 7}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = raw<input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 7, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = [0, 1], output_batch_dimension = 3, output_feature_dimension = 0,
      output_spatial_dimensions = [2, 1]>, window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x30x30x16xf32>
  return
}
