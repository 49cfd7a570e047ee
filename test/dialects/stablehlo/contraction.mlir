// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// CHECK-LABEL: func @dot_general
func.func @dot_general(%a: tensor<2x8x16xbf16>, %b: tensor<2x16x32xbf16>, %m: tensor<8x16xi8>, %n: tensor<16x32xi8>) {
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x8x16xbf16>, tensor<2x16x32xbf16>) -> tensor<2x8x32xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT,
      HIGHEST] : (tensor<2x8x16xbf16>, tensor<2x16x32xbf16>) -> tensor<2x8x32xf32>
  // CHECK-NEXT: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0] : (tensor<8x16xi8>, tensor<16x32xi8>) -> tensor<8x32xi32>
  %1 = "stablehlo.dot_general"(%m, %n) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [0]>}> : (tensor<8x16xi8>, tensor<16x32xi8>) -> tensor<8x32xi32>
  // CHECK-NEXT: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> :
  %2 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1],
      algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3,
      allow_imprecise_accumulation = false> : (tensor<2x8x16xbf16>, tensor<2x16x32xbf16>) -> tensor<2x8x32xf32>
  // CHECK-NEXT: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [] x [] : (tensor<8x16xi8>, tensor<16x32xi8>) -> tensor<8x16x16x32xi32>
  %3 = stablehlo.dot_general %m, %n, contracting_dims = [] x [] : (tensor<8x16xi8>, tensor<16x32xi8>)
      -> tensor<8x16x16x32xi32>
  // CHECK-NEXT: stablehlo.dot %{{.*}}, %{{.*}}, precision = [HIGH, HIGH] : (tensor<8x16xi8>, tensor<16x32xi8>) -> tensor<8x32xi32>
  %4 = stablehlo.dot %m, %n, precision = [HIGH, HIGH] : (tensor<8x16xi8>, tensor<16x32xi8>) -> tensor<8x32xi32>
  // CHECK-NEXT: stablehlo.einsum %{{.*}}, %{{.*}}, config = "ab,bc->ac"
  %5 = stablehlo.einsum %m, %n, config = "ab,bc->ac" : (tensor<8x16xi8>, tensor<16x32xi8>) -> tensor<8x32xi32>
  // CHECK-NEXT: stablehlo.unary_einsum %{{.*}}, config = "ab->a"
  %6 = stablehlo.unary_einsum %m, config = "ab->a" : (tensor<8x16xi8>) -> tensor<8xi8>
  return
}

// CHECK-LABEL: func @convolution
func.func @convolution(%x: tensor<8x32x32x4xf32>, %k: tensor<3x3x4x16xf32>, %k2: tensor<3x3x2x16xf32>,
    %p: tensor<2x2xi32>) {
  // (32 + 1 + 1 - 3) / 1 + 1 = 32
  // CHECK: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = {{\[\[}}1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x32x32x16xf32>
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1],
      pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false,
      true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
      precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>) -> tensor<8x32x32x16xf32>
  // Two groups of two features each; (32 - 3) / 2 + 1 = 15
  // CHECK-NEXT: stablehlo.convolution(%{{.*}}, %{{.*}}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[f, 1, 0, b], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
  %1 = "stablehlo.convolution"(%x, %k2) {dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0,
      input_feature_dimension = 3, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 2,
      kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 3,
      output_feature_dimension = 0, output_spatial_dimensions = [2, 1]>, window_strides = array<i64: 2, 2>,
      feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<8x32x32x4xf32>, tensor<3x3x2x16xf32>)
      -> tensor<16x15x15x8xf32>
  // CHECK-NEXT: "stablehlo.dynamic_conv"(%{{.*}}, %{{.*}}, %{{.*}})
  %2 = "stablehlo.dynamic_conv"(%x, %k, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1,
      f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}>
      : (tensor<8x32x32x4xf32>, tensor<3x3x4x16xf32>, tensor<2x2xi32>) -> tensor<8x?x?x16xf32>
  return
}
