// RUN: tpuc-opt %s --tpuc-expand-tallies | FileCheck %s

// A histogram: every place sums the updates whose index names it, and an index out of range names none.
// CHECK-LABEL: @histogram
// CHECK: %[[INSIDE:.*]] = stablehlo.and {{.*}} : tensor<9000xi1>
// CHECK: stablehlo.select %[[INSIDE]], %{{.*}}, %{{.*}} : tensor<9000xi1>, tensor<9000xi32>
// CHECK: %[[HERE:.*]] = stablehlo.compare EQ, {{.*}} : (tensor<100x9000xi32>, tensor<100x9000xi32>) -> tensor<100x9000xi1>
// CHECK: stablehlo.constant dense<-0.000000e+00> : tensor<100x9000xf32>
// CHECK: %[[MINE:.*]] = stablehlo.select %[[HERE]]
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[MINE]] init: {{.*}}) applies stablehlo.add across dimensions = [1]
// CHECK: stablehlo.add {{.*}}, %[[SUM]] : tensor<100xf32>
func.func @histogram(%x: tensor<100xf32>, %i: tensor<9000x1xi32>, %u: tensor<9000xf32>) -> tensor<100xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<100xf32>, tensor<9000x1xi32>, tensor<9000xf32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// Updates that replace: the last one's number, then that one. They count by their indices first, whatever the order of
// their dims.
// CHECK-LABEL: @put
// CHECK: stablehlo.transpose {{.*}}, dims = [1, 0] : (tensor<2x70xi32>) -> tensor<70x2xi32>
// CHECK: %[[LAST:.*]] = stablehlo.reduce({{.*}}) applies stablehlo.maximum across dimensions = [1] : (tensor<60x140xi32>, tensor<i32>) -> tensor<60xi32>
// CHECK: %[[FOUND:.*]] = "stablehlo.gather"(%{{.*}}, %[[LAST]])
// CHECK: stablehlo.select %{{.*}}, %[[FOUND]], %{{.*}} : tensor<60xi1>, tensor<60xf32>
func.func @put(%x: tensor<30x2xf32>, %i: tensor<70x1xi32>, %u: tensor<2x70xf32>) -> tensor<30x2xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<30x2xf32>, tensor<70x1xi32>, tensor<2x70xf32>) -> tensor<30x2xf32>
  return %0 : tensor<30x2xf32>
}

// CHECK-LABEL: @many_places
// CHECK: "stablehlo.scatter"
func.func @many_places(%x: tensor<70000xf32>, %i: tensor<9000x1xi32>, %u: tensor<9000xf32>) -> tensor<70000xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<70000xf32>, tensor<9000x1xi32>, tensor<9000xf32>) -> tensor<70000xf32>
  return %0 : tensor<70000xf32>
}

// Windows of 1024 elements into 4 x 1024 places: 4096 x 1024 comparisons a window are more than its transfers.
// CHECK-LABEL: @large_windows
// CHECK: "stablehlo.scatter"
func.func @large_windows(%x: tensor<4x1024xf32>, %i: tensor<1000x1xi32>, %u: tensor<1000x1024xf32>)
    -> tensor<4x1024xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x1024xf32>, tensor<1000x1xi32>, tensor<1000x1024xf32>) -> tensor<4x1024xf32>
  return %0 : tensor<4x1024xf32>
}

// 512 places by 8 doubles are 4096 sums for each element of a window of 8.
// CHECK-LABEL: @rows_of_doubles
// CHECK: "stablehlo.scatter"
func.func @rows_of_doubles(%x: tensor<512x8xf64>, %i: tensor<5000x1xi32>, %u: tensor<5000x8xf64>) -> tensor<512x8xf64> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<512x8xf64>, tensor<5000x1xi32>, tensor<5000x8xf64>) -> tensor<512x8xf64>
  return %0 : tensor<512x8xf64>
}

// CHECK-LABEL: @doubles
// CHECK-NOT: "stablehlo.scatter"
func.func @doubles(%x: tensor<4096xf64>, %i: tensor<5000x1xi32>, %u: tensor<5000xf64>) -> tensor<4096xf64> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4096xf64>, tensor<5000x1xi32>, tensor<5000xf64>) -> tensor<4096xf64>
  return %0 : tensor<4096xf64>
}

// The gradient of take_along_axis: each row's places sum the row's own updates.
// CHECK-LABEL: @by_row
// CHECK: stablehlo.iota dim = 1 : tensor<40x300x50xi32>
// CHECK: stablehlo.select {{.*}} : tensor<40x300x50xi1>, tensor<40x300x50xf32>
// CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2] : {{.*}} -> tensor<40x300xf32>
// CHECK: stablehlo.add %arg0, {{.*}} : tensor<40x300xf32>
func.func @by_row(%x: tensor<40x300xf32>, %i: tensor<40x50x1xi32>, %u: tensor<40x50xf32>) -> tensor<40x300xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<40x300xf32>, tensor<40x50x1xi32>, tensor<40x50xf32>) -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}

// Of updates that replace, the last one's number in its row, which is looked up there; a constant needs no lookup.
// CHECK-LABEL: @replaced_by_row
// CHECK: %[[LAST:.*]] = stablehlo.reduce({{.*}}) applies stablehlo.maximum across dimensions = [2] : {{.*}} -> tensor<40x300xi32>
// CHECK: %[[FOUND:.*]] = "stablehlo.gather"(%arg2, %[[LAST]]){{.*}}operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1]
// CHECK: stablehlo.select %{{.*}}, %[[FOUND]], %arg0
func.func @replaced_by_row(%x: tensor<40x300xf32>, %i: tensor<40x50x1xi32>, %u: tensor<40x50xf32>)
    -> tensor<40x300xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<40x300xf32>, tensor<40x50x1xi32>, tensor<40x50xf32>) -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}

// CHECK-LABEL: @marked_by_row
// CHECK-NOT: stablehlo.gather
// CHECK: stablehlo.select {{.*}} : tensor<40x300xi1>, tensor<40x300xf32>
func.func @marked_by_row(%x: tensor<40x300xf32>, %i: tensor<40x50x1xi32>) -> tensor<40x300xf32> {
  %u = stablehlo.constant dense<1.0> : tensor<40x50xf32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<40x300xf32>, tensor<40x50x1xi32>, tensor<40x50xf32>) -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}

// Windows of 8 elements along lanes: they come first, so that the updates along lanes are those of many indices.
// CHECK-LABEL: @short_windows
// CHECK: %[[U:.*]] = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<9000x8xf32>) -> tensor<8x9000xf32>
// CHECK: stablehlo.reshape %[[U]] : (tensor<8x9000xf32>) -> tensor<72000xf32>
func.func @short_windows(%x: tensor<32x8xf32>, %i: tensor<9000x1xi32>, %u: tensor<9000x8xf32>) -> tensor<32x8xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<32x8xf32>, tensor<9000x1xi32>, tensor<9000x8xf32>) -> tensor<32x8xf32>
  return %0 : tensor<32x8xf32>
}
