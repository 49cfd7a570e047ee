// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// One window to a known place: its indices may be put together from constants.
// CHECK-LABEL: func @set
func.func @set(%a: tensor<8x16xf32>, %b: tensor<6x13xf32>) -> tensor<8x16xf32> {
  // CHECK-DAG: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<i64>
  // CHECK-DAG: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<i64>
  // CHECK: %[[R:.*]] = stablehlo.dynamic_update_slice %arg0, %arg1, %[[ONE]], %[[TWO]]
  // CHECK: return %[[R]]
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %i = stablehlo.concatenate %one, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<2xi32>, tensor<6x13xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Of the second dim first; a row, and what was there minus it.
// CHECK-LABEL: func @subtract_row
func.func @subtract_row(%a: tensor<8x16xf32>, %b: tensor<9xf32>) -> tensor<8x16xf32> {
  // CHECK-DAG: %[[FIVE:.*]] = stablehlo.constant dense<5> : tensor<i64>
  // CHECK-DAG: %[[SEVEN:.*]] = stablehlo.constant dense<7> : tensor<i64>
  // CHECK-DAG: %[[ROW:.*]] = stablehlo.reshape %arg1 : (tensor<9xf32>) -> tensor<1x9xf32>
  // CHECK-DAG: %[[OLD:.*]] = stablehlo.slice %arg0 [5:6, 7:16]
  // CHECK: %[[NEW:.*]] = stablehlo.subtract %[[OLD]], %[[ROW]] : tensor<1x9xf32>
  // CHECK: stablehlo.dynamic_update_slice %arg0, %[[NEW]], %[[FIVE]], %[[SEVEN]]
  %i = stablehlo.constant dense<[7, 5]> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 0]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.subtract %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<2xi32>, tensor<9xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Half of the array or more is added to in one pass over all of it: -0 changes nothing.
// CHECK-LABEL: func @add_half
// CHECK-DAG: %[[NOTHING:.*]] = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
// CHECK: %[[ALL:.*]] = stablehlo.pad %arg1, %[[NOTHING]], low = [1, 0], high = [3, 0]
// CHECK: stablehlo.add %arg0, %[[ALL]]
func.func @add_half(%a: tensor<8x16xf32>, %b: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %i = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %y, %x : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<1xi32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Not what reaches beyond the array: that part is dropped, not moved; nor what lies before it.
// CHECK-LABEL: func @beyond
func.func @beyond(%a: tensor<8x16xf32>, %b: tensor<6x13xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  // CHECK-NOT: dynamic_update_slice
  %i = stablehlo.constant dense<[3, 0]> : tensor<2xi32>
  %j = stablehlo.constant dense<[0, -1]> : tensor<2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<2xi32>, tensor<6x13xf32>) -> tensor<8x16xf32>
  %1 = "stablehlo.scatter"(%a, %j, %b) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<2xi32>, tensor<6x13xf32>) -> tensor<8x16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A place behind 2^31 is what it is.
// CHECK-LABEL: func @far
// CHECK: %[[AT:.*]] = stablehlo.constant dense<3000000000> : tensor<i64>
// CHECK: stablehlo.dynamic_update_slice %arg0, %arg1, %[[AT]]
func.func @far(%a: tensor<3000000010xi8>, %b: tensor<10xi8>) -> tensor<3000000010xi8> {
  %i = stablehlo.constant dense<3000000000> : tensor<1xi64>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    stablehlo.return %y : tensor<i8>
  }) : (tensor<3000000010xi8>, tensor<1xi64>, tensor<10xi8>) -> tensor<3000000010xi8>
  return %0 : tensor<3000000010xi8>
}

// Nor where the computation reads something from outside.
// CHECK-LABEL: func @captures
// CHECK: stablehlo.scatter
func.func @captures(%a: tensor<8x16xf32>, %b: tensor<16xf32>, %s: tensor<f32>) -> tensor<8x16xf32> {
  %i = stablehlo.constant dense<3> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.multiply %s, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<1xi32>, tensor<16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Nor several windows, a computation of more than one op, a column whose elements lie along lanes, or an unsigned
// index above all signed ones.
// CHECK-LABEL: func @others
func.func @others(%a: tensor<8x16xf32>, %b: tensor<2x16xf32>, %c: tensor<8xf32>, %d: tensor<16xf32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  // CHECK-NOT: dynamic_update_slice
  %i = stablehlo.constant dense<[[3], [5]]> : tensor<2x1xi32>
  %j = stablehlo.constant dense<3> : tensor<1xi32>
  %k = stablehlo.constant dense<18446744073709551615> : tensor<1xui64>
  %0 = "stablehlo.scatter"(%a, %i, %b) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<2x1xi32>, tensor<2x16xf32>) -> tensor<8x16xf32>
  %1 = "stablehlo.scatter"(%a, %j, %d) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.add %x, %y : tensor<f32>
    %5 = stablehlo.multiply %4, %y : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<1xi32>, tensor<16xf32>) -> tensor<8x16xf32>
  %2 = "stablehlo.scatter"(%a, %j, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<1xi32>, tensor<8xf32>) -> tensor<8x16xf32>
  %3 = "stablehlo.scatter"(%a, %k, %d) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<8x16xf32>, tensor<1xui64>, tensor<16xf32>) -> tensor<8x16xf32>
  return %0, %1, %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
