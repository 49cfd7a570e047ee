// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-expand-row-updates | FileCheck %s

// The gradient of a slice of each row: what a row's elements find is added where the window lies, and where all of it
// is inside. Rows that the window takes whole come between.
// CHECK-LABEL: @sums
// CHECK: %[[START:.*]] = stablehlo.reshape %arg1 : (tensor<33x1xi32>) -> tensor<33xi32>
// CHECK: %[[LAST:.*]] = stablehlo.constant dense<260> : tensor<33xi32>
// CHECK: %[[CLAMPED:.*]] = stablehlo.clamp %{{.*}}, %[[START]], %[[LAST]]
// CHECK: %[[INSIDE:.*]] = stablehlo.compare EQ, %[[START]], %[[CLAMPED]]
// CHECK: %[[LANE:.*]] = stablehlo.iota dim = 2 : tensor<33x5x300xi32>
// CHECK: %[[AT:.*]] = stablehlo.subtract %[[LANE]]
// CHECK: %[[ALL:.*]] = stablehlo.broadcast_in_dim %[[INSIDE]], dims = [0]
// CHECK: %[[FOUND:.*]] = "stablehlo.gather"(%arg2
// CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %[[FOUND]]
// CHECK: stablehlo.select %{{.*}}, %[[SUM]], %arg0
func.func @sums(%x: tensor<33x5x300xf32>, %i: tensor<33x1xi32>, %u: tensor<33x5x40xf32>) -> tensor<33x5x300xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<33x5x300xf32>, tensor<33x1xi32>, tensor<33x5x40xf32>) -> tensor<33x5x300xf32>
  return %0 : tensor<33x5x300xf32>
}

// Two windows a row may meet; windows along rows are for transfers.
// CHECK-LABEL: @others
// CHECK-COUNT-2: "stablehlo.scatter"
// CHECK-NOT: stablehlo.gather
func.func @others(%x: tensor<33x300xf32>, %i: tensor<33x2x1xi32>, %u: tensor<33x2x40xf32>, %y: tensor<33x50x128xf32>,
                  %j: tensor<33x1xi32>, %v: tensor<33x4x128xf32>) -> (tensor<33x300xf32>, tensor<33x50x128xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<33x300xf32>, tensor<33x2x1xi32>, tensor<33x2x40xf32>) -> tensor<33x300xf32>
  %1 = "stablehlo.scatter"(%y, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<33x50x128xf32>, tensor<33x1xi32>, tensor<33x4x128xf32>) -> tensor<33x50x128xf32>
  return %0, %1 : tensor<33x300xf32>, tensor<33x50x128xf32>
}
