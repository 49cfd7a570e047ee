// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// Sums of bytes in 32 bits: the bytes are widened first, the initial value too.
// CHECK-LABEL: func @reduce
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg0 : (tensor<40x60xi8>) -> tensor<40x60xi32>
// CHECK: %[[INIT:.*]] = stablehlo.convert %arg1 : (tensor<i8>) -> tensor<i32>
// CHECK: stablehlo.reduce(%[[WIDE]] init: %[[INIT]]) applies stablehlo.add across dimensions = [1] : (tensor<40x60xi32>, tensor<i32>) -> tensor<40xi32>
func.func @reduce(%x: tensor<40x60xi8>, %z: tensor<i8>) -> tensor<40xi32> {
  %s = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<40x60xi8>, tensor<i8>) -> tensor<40xi32>
  return %s : tensor<40xi32>
}

// Of two results, the one that is wider.
// CHECK-LABEL: func @window
// CHECK: %[[WIDE:.*]] = stablehlo.convert %arg1 : (tensor<9xbf16>) -> tensor<9xf32>
// CHECK: "stablehlo.reduce_window"(%arg0, %[[WIDE]], %arg2, %{{.*}})
func.func @window(%x: tensor<9xi32>, %y: tensor<9xbf16>, %p: tensor<i32>, %q: tensor<bf16>)
    -> (tensor<8xi32>, tensor<8xf32>) {
  %s:2 = "stablehlo.reduce_window"(%x, %y, %p, %q) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<f32>):
    %r = stablehlo.add %a, %c : tensor<i32>
    %t = stablehlo.maximum %b, %d : tensor<f32>
    stablehlo.return %r, %t : tensor<i32>, tensor<f32>
  }) : (tensor<9xi32>, tensor<9xbf16>, tensor<i32>, tensor<bf16>) -> (tensor<8xi32>, tensor<8xf32>)
  return %s#0, %s#1 : tensor<8xi32>, tensor<8xf32>
}

// Indices stay as they are.
// CHECK-LABEL: func @scatter
// CHECK-DAG: %[[X:.*]] = stablehlo.convert %arg0 : (tensor<40xf32>) -> tensor<40xf64>
// CHECK-DAG: %[[U:.*]] = stablehlo.convert %arg2 : (tensor<7xf32>) -> tensor<7xf64>
// CHECK: "stablehlo.scatter"(%[[X]], %arg1, %[[U]])
func.func @scatter(%x: tensor<40xf32>, %i: tensor<7x1xi32>, %u: tensor<7xf32>) -> tensor<40xf64> {
  %s = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %r = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %r : tensor<f64>
  }) : (tensor<40xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<40xf64>
  return %s : tensor<40xf64>
}

// What selects is on the elements as they were.
// CHECK-LABEL: func @pool
// CHECK: %[[X:.*]] = stablehlo.convert %arg0 : (tensor<4x6xi8>) -> tensor<4x6xi32>
// CHECK: "stablehlo.select_and_scatter"(%[[X]], %{{.*}}, %{{.*}})
// CHECK: ^bb0(%[[A:.*]]: tensor<i32>, %[[B:.*]]: tensor<i32>):
// CHECK-DAG: %[[P:.*]] = stablehlo.convert %[[A]] : (tensor<i32>) -> tensor<i8>
// CHECK-DAG: %[[Q:.*]] = stablehlo.convert %[[B]] : (tensor<i32>) -> tensor<i8>
// CHECK: stablehlo.compare GE, %[[P]], %[[Q]]
func.func @pool(%x: tensor<4x6xi8>, %u: tensor<2x3xi8>, %z: tensor<i8>) -> tensor<4x6xi32> {
  %s = "stablehlo.select_and_scatter"(%x, %u, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2,
      2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %r = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4x6xi8>, tensor<2x3xi8>, tensor<i8>) -> tensor<4x6xi32>
  return %s : tensor<4x6xi32>
}
