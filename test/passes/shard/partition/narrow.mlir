// RUN: tpuc-opt %s --tpuc-partition --split-input-file | FileCheck %s

// What was widened without loss travels narrow; the largest of such elements too.
// CHECK-LABEL: func.func @widened
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<2x16xbf16>) -> tensor<8x16xbf16>
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<16xbf16>) -> tensor<16xbf16>
// CHECK: stablehlo.convert {{.*}} -> tensor<16xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @widened(%x: tensor<8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xf32>, tensor<16xf32>) {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convert %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xbf16>) -> tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.maximum across dimensions = [0]
      : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<16xf32>
}

// -----

// Padding is masked by what the narrow type holds.
// CHECK-LABEL: func.func @masked
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<16xbf16>) -> tensor<16xbf16>
sdy.mesh @mesh = <["x"=4]>
func.func @masked(%x: tensor<7x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<16xf32> {
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.convert %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<7x16xbf16>) -> tensor<7x16xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.maximum across dimensions = [0]
      : (tensor<7x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// -----

// Sums do not fit, nor does what a conversion rounds, nor integers that a float has no place for.
// CHECK-LABEL: func.func @wide
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<2x16xf32>) -> tensor<8x16xf32>
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<2x16xf32>) -> tensor<8x16xf32>
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<16xf32>) -> tensor<16xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @wide(%x: tensor<8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %y: tensor<8x16xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %z: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xf64>) -> tensor<8x16xf32>
  %1 = stablehlo.convert %z {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xi32>) -> tensor<8x16xf32>
  %2 = stablehlo.convert %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<8x16xbf16>) -> tensor<8x16xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0, %1, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>
}

// -----

// Of rows of a table in blocks one device has each: they are rounded before they travel. Those that are read as they
// are too travel wide, once.
// CHECK-LABEL: func.func @rows
// CHECK: %[[R:.*]] = "stablehlo.gather"
// CHECK: %[[S:.*]] = stablehlo.select {{.*}}, %[[R]],
// CHECK: %[[N:.*]] = stablehlo.convert %[[S]] : (tensor<4x16xf32>) -> tensor<4x16xbf16>
// CHECK: "stablehlo.all_reduce"(%[[N]])
// CHECK: (tensor<4x16xbf16>) -> tensor<4x16xbf16>
// CHECK-LABEL: func.func @both
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<4x16xf32>) -> tensor<4x16xf32>
// CHECK-NOT: all_reduce
// CHECK: stablehlo.convert {{.*}} -> tensor<4x16xbf16>
sdy.mesh @mesh = <["x"=4]>
func.func @rows(%t: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<4x1xi32>)
    -> tensor<4x16xbf16> {
  %0 = "stablehlo.gather"(%t, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}
      : (tensor<32x16xf32>, tensor<4x1xi32>) -> tensor<4x16xf32>
  %1 = stablehlo.convert %0 : (tensor<4x16xf32>) -> tensor<4x16xbf16>
  return %1 : tensor<4x16xbf16>
}
func.func @both(%t: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<4x1xi32>)
    -> (tensor<4x16xf32>, tensor<4x16xbf16>) {
  %0 = "stablehlo.gather"(%t, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}
      : (tensor<32x16xf32>, tensor<4x1xi32>) -> tensor<4x16xf32>
  %1 = stablehlo.convert %0 : (tensor<4x16xf32>) -> tensor<4x16xbf16>
  return %0, %1 : tensor<4x16xf32>, tensor<4x16xbf16>
}

// -----

// Each device has a part of each sum of a product: rounded parts would be another sum.
// CHECK-LABEL: func.func @product
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: stablehlo.convert
sdy.mesh @mesh = <["x"=4]>
func.func @product(%a: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<32x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x32xf32>, tensor<32x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.convert %0 : (tensor<4x4xf32>) -> tensor<4x4xbf16>
  return %1 : tensor<4x4xbf16>
}
