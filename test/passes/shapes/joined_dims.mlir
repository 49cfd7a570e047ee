// RUN: tpuc-opt %s --split-input-file --tpuc-bucket-shapes=sizes=b=1..4,s=1..8 --canonicalize --cse | FileCheck %s

// What is joined and parted again is never gathered; a product's sum over the joined dim is one over both, with masks.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: stablehlo.gather
// CHECK: stablehlo.dot_general %[[X:.*]], %arg1, contracting_dims = [2] x [0] : (tensor<4x8x6xf32>, tensor<6x5xf32>) -> tensor<4x8x5xf32>
// CHECK: %[[T:.*]] = stablehlo.tanh %{{.*}} : tensor<4x8x5xf32>
// CHECK-DAG: %[[L:.*]] = stablehlo.select %{{.*}}, %[[X]], %{{.*}} {shapes.mask = "a product summed along dimension 0, 1"}
// CHECK-DAG: %[[R:.*]] = stablehlo.select %{{.*}}, %[[T]], %{{.*}} {shapes.mask = "a product summed along dimension 0, 1"}
// CHECK: stablehlo.dot_general %[[L]], %[[R]], contracting_dims = [0, 1] x [0, 1]
// CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1]
// CHECK-NOT: stablehlo.gather
func.func @main(%x: tensor<?x?x6xf32> {shapes.dims = ["b", "s", "6"]}, %w: tensor<6x5xf32>)
    -> (tensor<?x?x5xf32>, tensor<6x5xf32>, tensor<5xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %five = stablehlo.constant dense<5> : tensor<1xi32>
  %six = stablehlo.constant dense<6> : tensor<1xi32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x6xf32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x6xf32>) -> tensor<i32>
  %bs = stablehlo.multiply %b, %s : tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %bs1 = stablehlo.reshape %bs : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.concatenate %bs1, %six, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %rows = stablehlo.dynamic_reshape %x, %flat : (tensor<?x?x6xf32>, tensor<2xi32>) -> tensor<?x6xf32>
  %y = stablehlo.dot_general %rows, %w, contracting_dims = [1] x [0] : (tensor<?x6xf32>, tensor<6x5xf32>)
      -> tensor<?x5xf32>
  %t = stablehlo.tanh %y : tensor<?x5xf32>
  %parts = stablehlo.concatenate %b1, %s1, %five, dim = 0
      : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %apart = stablehlo.dynamic_reshape %t, %parts : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<?x?x5xf32>
  %g = stablehlo.dot_general %rows, %t, contracting_dims = [0] x [0] : (tensor<?x6xf32>, tensor<?x5xf32>)
      -> tensor<6x5xf32>
  %sum = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?x5xf32>, tensor<f32>) -> tensor<5xf32>
  return %apart, %g, %sum : tensor<?x?x5xf32>, tensor<6x5xf32>, tensor<5xf32>
}

// -----

// A number along the joined dim counts the true elements; an op that needs their order has them gathered.
// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[S:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
// CHECK-DAG: %[[I:.*]] = stablehlo.iota dim = 0 : tensor<4x8xi32>
// CHECK: stablehlo.multiply %[[I]], %[[S]] : tensor<4x8xi32>
// CHECK: stablehlo.add
// CHECK: %[[SUM:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<4x8xi32>
// CHECK-NEXT: %[[FLAT:.*]] = stablehlo.reshape %[[SUM]] : (tensor<4x8xi32>) -> tensor<32xi32>
// CHECK: %[[ROWS:.*]] = "stablehlo.gather"(%[[FLAT]],
// CHECK: stablehlo.reverse %[[ROWS]], dims = [0]
func.func @main(%x: tensor<?x?xi32> {shapes.dims = ["b", "s"]}) -> tensor<?xi32> {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
  %s = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %bs = stablehlo.multiply %b, %s : tensor<i32>
  %shape = stablehlo.reshape %bs : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %shape : (tensor<?x?xi32>, tensor<1xi32>) -> tensor<?xi32>
  %iota = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %sum = stablehlo.add %flat, %iota : tensor<?xi32>
  %0 = stablehlo.reverse %sum, dims = [0] : tensor<?xi32>
  return %0 : tensor<?xi32>
}
