// RUN: tpuc-opt %s --tpuc-drop-index-dims --split-input-file | FileCheck %s

// What the indices were made of, where that is a vector; else they become one.
// CHECK-LABEL: @gather
// CHECK-SAME: (%[[X:.*]]: tensor<64x128xf32>, %[[I:.*]]: tensor<40xi32>, %[[J:.*]]: tensor<5x8x1xi32>)
// CHECK: "stablehlo.gather"(%[[X]], %[[I]]) {{.*}}index_vector_dim = 1{{.*}} : (tensor<64x128xf32>, tensor<40xi32>) -> tensor<40x128xf32>
// CHECK: %[[V:.*]] = stablehlo.reshape %[[J]] : (tensor<5x8x1xi32>) -> tensor<5x8xi32>
// CHECK: "stablehlo.gather"(%[[X]], %[[V]]) {{.*}}index_vector_dim = 2{{.*}} -> tensor<5x8x128xf32>
func.func @gather(%x: tensor<64x128xf32>, %i: tensor<40xi32>, %j: tensor<5x8x1xi32>)
    -> (tensor<40x128xf32>, tensor<5x8x128xf32>) {
  %0 = stablehlo.reshape %i : (tensor<40xi32>) -> tensor<40x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 128>}>
      : (tensor<64x128xf32>, tensor<40x1xi32>) -> tensor<40x128xf32>
  %2 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 128>}>
      : (tensor<64x128xf32>, tensor<5x8x1xi32>) -> tensor<5x8x128xf32>
  return %1, %2 : tensor<40x128xf32>, tensor<5x8x128xf32>
}

// -----

// CHECK-LABEL: @scatter
// CHECK-SAME: (%{{.*}}: tensor<64x128xf32>, %[[I:.*]]: tensor<40xi32>
// CHECK: "stablehlo.scatter"(%{{.*}}, %[[I]], %{{.*}}) {{.*}}index_vector_dim = 1
func.func @scatter(%x: tensor<64x128xf32>, %i: tensor<40xi32>, %u: tensor<40x128xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.reshape %i : (tensor<40xi32>) -> tensor<40x1xi32>
  %1 = "stablehlo.scatter"(%x, %0, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<64x128xf32>, tensor<40x1xi32>, tensor<40x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}

// -----

// Vectors of two components; and one component along another dim.
// CHECK-LABEL: @not
// CHECK: (tensor<64x128xf32>, tensor<40x2xi32>)
// CHECK: (tensor<64x128xf32>, tensor<1x40xi32>)
func.func @not(%x: tensor<64x128xf32>, %i: tensor<40x2xi32>, %j: tensor<1x40xi32>)
    -> (tensor<40xf32>, tensor<40x128xf32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<64x128xf32>, tensor<40x2xi32>) -> tensor<40xf32>
  %1 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 128>}>
      : (tensor<64x128xf32>, tensor<1x40xi32>) -> tensor<40x128xf32>
  return %0, %1 : tensor<40xf32>, tensor<40x128xf32>
}
