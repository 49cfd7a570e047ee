// RUN: tpuc-opt %s --split-input-file --tpuc-bucket-shapes=sizes=s=1..8 --cse | FileCheck %s

// A causal mask gives -inf behind the diagonal: of a true row that holds all padding, and the maximum needs no mask.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: shapes.mask
// CHECK: return
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["s", "s"]}) -> tensor<?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %s, %s, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %rows = stablehlo.dynamic_broadcast_in_dim %i, %shape, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %columns = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %causal = stablehlo.compare GE, %rows, %columns, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  %lows = stablehlo.dynamic_broadcast_in_dim %low, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %masked = stablehlo.select %causal, %x, %lows : tensor<?x?xi1>, tensor<?x?xf32>
  %max = stablehlo.reduce(%masked init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %max : tensor<?xf32>
}

// -----

// Of another number a row is masked, which all rows share; a predicate that says what goes chooses the other operand.
// CHECK-LABEL: func.func @main(
// CHECK: %[[ROW:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a reduction along dimension 1"} : tensor<8xi1>, tensor<8xf32>
// CHECK: %[[OTHER:.*]] = stablehlo.broadcast_in_dim %[[ROW]], dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
// CHECK: %[[MASKED:.*]] = stablehlo.select %{{.*}}, %[[OTHER]], %arg0 : tensor<8x8xi1>, tensor<8x8xf32>
// CHECK: stablehlo.reduce(%[[MASKED]] init:
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["s", "s"]}) -> tensor<?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.constant dense<-1.0e9> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %s, %s, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %rows = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %columns = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %later = stablehlo.compare LT, %rows, %columns, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  %others = stablehlo.dynamic_broadcast_in_dim %most, %shape, dims = []
      : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %masked = stablehlo.select %later, %others, %x : tensor<?x?xi1>, tensor<?x?xf32>
  %max = stablehlo.reduce(%masked init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %max : tensor<?xf32>
}

// -----

// One place behind the diagonal is padding in the last row: all is masked.
// CHECK-LABEL: func.func @main(
// CHECK: %[[MASKED:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a reduction along dimension 1"} : tensor<8x8xi1>, tensor<8x8xf32>
// CHECK: stablehlo.reduce(%[[MASKED]] init:
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["s", "s"]}) -> tensor<?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %s, %s, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %ones = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
  %rows = stablehlo.add %i, %ones : tensor<?x?xi32>
  %columns = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %causal = stablehlo.compare GE, %rows, %columns, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  %lows = stablehlo.dynamic_broadcast_in_dim %low, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %masked = stablehlo.select %causal, %x, %lows : tensor<?x?xi1>, tensor<?x?xf32>
  %max = stablehlo.reduce(%masked init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %max : tensor<?xf32>
}

// -----

// A number that wraps around is no place: all is masked.
// CHECK-LABEL: func.func @main(
// CHECK: %[[MASKED:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a reduction along dimension 1"} : tensor<8x8xi1>, tensor<8x8xf32>
// CHECK: stablehlo.reduce(%[[MASKED]] init:
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["s", "s"]}) -> tensor<?xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %one = stablehlo.constant dense<2147483647> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %s, %s, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %ones = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
  %columns = stablehlo.add %i, %ones : tensor<?x?xi32>
  %rows = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %causal = stablehlo.compare GE, %rows, %columns, SIGNED : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  %lows = stablehlo.dynamic_broadcast_in_dim %low, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %masked = stablehlo.select %causal, %x, %lows : tensor<?x?xi1>, tensor<?x?xf32>
  %max = stablehlo.reduce(%masked init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %max : tensor<?xf32>
}
