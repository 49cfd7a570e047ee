// RUN: tpuc-opt %s | tpuc-opt | FileCheck %s
// RUN: tpuc-opt %s --mlir-print-op-generic | tpuc-opt | FileCheck %s

// A body of one commutative op is printed by its name.
// CHECK-LABEL: func @reduce
func.func @reduce(%x: tensor<4x8xf32>, %c: tensor<f32>, %i: tensor<4x8xi32>, %k: tensor<i32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [1]
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [] {note}
  %1 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [] {note}
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  // CHECK-NEXT: stablehlo.reduce(%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>)
  %2 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    // CHECK-NEXT: stablehlo.subtract %[[B]], %[[A]] : tensor<f32>
    %s = stablehlo.subtract %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1]
  // CHECK-NEXT: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) (%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>)
  %3:2 = stablehlo.reduce(%x init: %c), (%i init: %k) across dimensions = [1]
      : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
    %s = stablehlo.add %a, %b : tensor<f32>
    %t = stablehlo.maximum %m, %n : tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }
  // A sum in a wider type.
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf64>
  %4 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf64>
  return
}

// CHECK-LABEL: func @windows
func.func @windows(%x: tensor<4x8xf32>, %c: tensor<f32>, %s: tensor<2x3xf32>) {
  // (1 + 4 + 1 - 2) / 2 + 1 = 3, (8 - 3) / 1 + 1 = 6
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}) <{padding = dense<{{.*}}> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>}>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>,
      padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x6xf32>
  // (4 - 2) / 2 + 1 = 2, (8 - 3) / 2 + 1 = 3
  // CHECK: "stablehlo.select_and_scatter"
  %1 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2,
      2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func @map_and_sort
func.func @map_and_sort(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>) {
  // CHECK: "stablehlo.map"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0, 1>}>
  %0 = "stablehlo.map"(%x, %i) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.sort"(%{{.*}}, %{{.*}}) <{dimension = 1 : i64, is_stable = true}>
  %1:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %m: tensor<i32>, %n: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}

// CHECK-LABEL: func @norms
func.func @norms(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // CHECK: "stablehlo.batch_norm_inference"
  %0 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  // CHECK: "stablehlo.batch_norm_training"
  %1:3 = "stablehlo.batch_norm_training"(%x, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  // CHECK: "stablehlo.batch_norm_grad"
  %2:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %x) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>)
      -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}
