// RUN: tpuc-opt %s --split-input-file --tpuc-bucket-shapes=sizes=b=1..8 --cse | FileCheck %s

// What is summed up is masked along what is summed, and only there; the divisor is the true size.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<8x3xf32> {shapes.dims = ["b", "3"]}, %[[B:.*]]: tensor<i32> {shapes.extent = "b", shapes.least = 1 : i64}) -> (tensor<3xf32>, tensor<8xf32> {shapes.dims = ["b"]})
// CHECK: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<8x3xi32>
// CHECK: %[[END:.*]] = stablehlo.broadcast_in_dim %[[B]], dims = [] : (tensor<i32>) -> tensor<8x3xi32>
// CHECK: %[[IN:.*]] = stablehlo.compare LT, %[[IOTA]], %[[END]], SIGNED
// CHECK: %[[MASKED:.*]] = stablehlo.select %[[IN]], %[[X]], %{{.*}} {shapes.mask = "a reduction along dimension 0"}
// CHECK: %[[SUM:.*]] = stablehlo.reduce(%[[MASKED]] init:
// CHECK: stablehlo.convert %[[B]] : (tensor<i32>) -> tensor<f32>
// CHECK: stablehlo.reduce(%[[X]] init:
func.func @main(%x: tensor<?x3xf32> {shapes.dims = ["b", "3"]}) -> (tensor<3xf32>, tensor<?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %size = stablehlo.convert %b : (tensor<i32>) -> tensor<f32>
  %sizes = stablehlo.broadcast_in_dim %size, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %mean = stablehlo.divide %sum, %sizes : tensor<3xf32>
  %rows = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  return %mean, %rows : tensor<3xf32>, tensor<?xf32>
}

// -----

// Zeros on both sides of a product of floats, on one side of one of integers.
// CHECK-LABEL: func.func @main(
// CHECK: %[[L:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a product summed along dimension 0"} : tensor<8x2xi1>, tensor<8x2xf32>
// CHECK: %[[R:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a product summed along dimension 0"} : tensor<8x5xi1>, tensor<8x5xf32>
// CHECK: stablehlo.dot_general %[[L]], %[[R]],
// CHECK: %[[N:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a product summed along dimension 0"} : tensor<8x2xi1>, tensor<8x2xi32>
// CHECK: stablehlo.dot_general %[[N]], %arg2,
func.func @main(%x: tensor<?x2xf32> {shapes.dims = ["b", "2"]}, %y: tensor<?x5xf32> {shapes.dims = ["b", "5"]},
    %n: tensor<?x2xi32> {shapes.dims = ["b", "2"]}) -> (tensor<2x5xf32>, tensor<2x2xi32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<?x2xf32>, tensor<?x5xf32>)
      -> tensor<2x5xf32>
  %1 = stablehlo.dot_general %n, %n, contracting_dims = [0] x [0] : (tensor<?x2xi32>, tensor<?x2xi32>)
      -> tensor<2x2xi32>
  return %0, %1 : tensor<2x5xf32>, tensor<2x2xi32>
}

// -----

// A size that is largest where b is smallest; the second operand follows the true end of the first.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: -> (tensor<9xi32> {shapes.dims = ["-b + 10"]}, tensor<16xf32> {shapes.dims = ["2*b"]})
// CHECK: stablehlo.iota dim = 0 : tensor<9xi32>
// CHECK: stablehlo.dynamic_update_slice %{{.*}}, %arg0, %arg1 : (tensor<16xf32>, tensor<8xf32>, tensor<i32>)
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> (tensor<?xi32>, tensor<?xf32>) {
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %rest = stablehlo.subtract %ten, %b : tensor<i32>
  %shape = stablehlo.reshape %rest : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %1 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xi32>, tensor<?xf32>
}

// -----

// An assertion that only some sizes fulfil is asked when they are known; one that all fulfil is gone.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: shapes.conditions = [{message = "b is 3 at least, got b", size = "{{.*}}", zero = true}]
// CHECK-NOT: shape_assertion
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> tensor<?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0 = stablehlo.compare GE, %b, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%0, %b) {error_message = "b is 1 at least", has_side_effect = true}
      : (tensor<i1>, tensor<i32>) -> ()
  %1 = stablehlo.compare GE, %b, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%1, %b) {error_message = "b is 3 at least, got {0}", has_side_effect = true}
      : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}

// -----

// Batch normalisation becomes sums over what is true. A count that is known is a number of the sums' own type; features
// need nothing; complex products have complex zeros on both sides, transforms leave rows of padding as they are.
// CHECK-LABEL: func.func @main(
// CHECK: %[[M:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a mean over a batch"} : tensor<8x3xi1>, tensor<8x3xf32>
// CHECK: stablehlo.reduce(%[[M]] init: %{{.*}}) applies stablehlo.add across dimensions = [0]
// CHECK: stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
// CHECK: "stablehlo.batch_norm_inference"(%arg0,
// CHECK: stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<8x3xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: stablehlo.constant dense<3.000000e+00> : tensor<f32>
// CHECK: "stablehlo.batch_norm_inference"(%arg0,
// CHECK: %[[F:.*]] = stablehlo.fft %arg0, type = RFFT, length = [3] : (tensor<8x3xf32>) -> tensor<8x2xcomplex<f32>>
// CHECK: stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
// CHECK: %[[L:.*]] = stablehlo.select %{{.*}}, %[[F]], %{{.*}} {shapes.mask = "a product summed along dimension 0"}
// CHECK: stablehlo.dot_general %[[L]], %[[L]],
func.func @main(%x: tensor<?x3xf32> {shapes.dims = ["b", "3"]})
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<2x2xcomplex<f32>>) {
  %ones = stablehlo.constant dense<1.0> : tensor<3xf32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %shape = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %many = stablehlo.dynamic_broadcast_in_dim %one, %shape, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %0:3 = "stablehlo.batch_norm_training"(%x, %ones, %ones) <{epsilon = 0.1 : f32, feature_index = 1 : i64}>
      : (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>, tensor<3xf32>)
  %1:3 = "stablehlo.batch_norm_training"(%x, %many, %many) <{epsilon = 0.1 : f32, feature_index = 0 : i64}>
      : (tensor<?x3xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?x3xf32>, tensor<?xf32>, tensor<?xf32>)
  %2 = stablehlo.fft %x, type = RFFT, length = [3] : (tensor<?x3xf32>) -> tensor<?x2xcomplex<f32>>
  %3 = stablehlo.dot_general %2, %2, contracting_dims = [0] x [0]
      : (tensor<?x2xcomplex<f32>>, tensor<?x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0#0, %1#0, %3 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<2x2xcomplex<f32>>
}

// -----

// A slice from a place that is data, whose strides are put together of ones; its end says the place once more.
// CHECK-LABEL: func.func @main(
// CHECK: stablehlo.dynamic_slice %{{.*}}, sizes = [8, 1] : (tensor<8x3xf32>, tensor<i32>, tensor<i32>) -> tensor<8x1xf32>
func.func @main(%x: tensor<?x3xf32> {shapes.dims = ["b", "3"]}, %k: tensor<i32>) -> tensor<?x1xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %first = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %second = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %at = stablehlo.concatenate %zero, %first, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %from = stablehlo.concatenate %zero, %second, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %column = stablehlo.reshape %one : (tensor<i32>) -> tensor<1xi32>
  %again = stablehlo.reshape %one : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %rows, %column, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ones = stablehlo.concatenate %column, %again, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ends = stablehlo.add %from, %sizes : tensor<2xi32>
  %0 = stablehlo.real_dynamic_slice %x, %at, %ends, %ones
      : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

// -----

// A softmax over an open dimension: what the maximum is taken of is -inf in padding, for the difference too; so the
// exponentials are zero there, and their sum and the product need no masks. The other side of the product does.
// CHECK-LABEL: func.func @main(
// CHECK: %[[LOW:.*]] = stablehlo.select %{{.*}}, %arg0, %{{.*}} {shapes.mask = "a reduction along dimension 1"}
// CHECK: %[[MOST:.*]] = stablehlo.reduce(%[[LOW]] init:
// CHECK: stablehlo.maximum
// CHECK: stablehlo.subtract %[[LOW]],
// CHECK: %[[E:.*]] = stablehlo.exponential
// CHECK: stablehlo.reduce(%[[E]] init: %{{.*}}) applies stablehlo.add
// CHECK: %[[P:.*]] = stablehlo.divide %[[E]],
// CHECK: %[[V:.*]] = stablehlo.select %{{.*}} {shapes.mask = "a product summed along dimension 0"}
// CHECK: stablehlo.dot_general %[[P]], %[[V]],
func.func @main(%x: tensor<3x?xf32> {shapes.dims = ["3", "b"]}, %v: tensor<?x4xf32> {shapes.dims = ["b", "4"]})
    -> tensor<3x4xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %lows = stablehlo.constant dense<0xFF800000> : tensor<3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x?xf32>) -> tensor<i32>
  %size = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %three, %size, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<3x?xf32>, tensor<f32>) -> tensor<3xf32>
  %most = stablehlo.maximum %lows, %max : tensor<3xf32>
  %mosts = stablehlo.dynamic_broadcast_in_dim %most, %shape, dims = [0] : (tensor<3xf32>, tensor<2xi32>)
      -> tensor<3x?xf32>
  %below = stablehlo.subtract %x, %mosts : tensor<3x?xf32>
  %e = stablehlo.exponential %below : tensor<3x?xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<3x?xf32>, tensor<f32>) -> tensor<3xf32>
  %sums = stablehlo.dynamic_broadcast_in_dim %sum, %shape, dims = [0] : (tensor<3xf32>, tensor<2xi32>)
      -> tensor<3x?xf32>
  %p = stablehlo.divide %e, %sums : tensor<3x?xf32>
  %0 = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<3x?xf32>, tensor<?x4xf32>)
      -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// The maxima of other rows: the exponentials are anything in padding.
// CHECK-LABEL: func.func @main(
// CHECK: {shapes.mask = "a reduction along dimension 1"}
// CHECK: %[[E:.*]] = stablehlo.exponential
// CHECK: %[[M:.*]] = stablehlo.select %{{.*}}, %[[E]], %{{.*}} {shapes.mask = "a reduction along dimension 1"}
// CHECK: stablehlo.reduce(%[[M]] init: %{{.*}}) applies stablehlo.add
func.func @main(%x: tensor<3x?xf32> {shapes.dims = ["3", "b"]}, %y: tensor<3x?xf32> {shapes.dims = ["3", "b"]})
    -> tensor<3xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %b = stablehlo.get_dimension_size %x, dim = 1 : (tensor<3x?xf32>) -> tensor<i32>
  %size = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %three, %size, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %max = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<3x?xf32>, tensor<f32>) -> tensor<3xf32>
  %mosts = stablehlo.dynamic_broadcast_in_dim %max, %shape, dims = [0] : (tensor<3xf32>, tensor<2xi32>)
      -> tensor<3x?xf32>
  %below = stablehlo.subtract %y, %mosts : tensor<3x?xf32>
  %e = stablehlo.exponential %below : tensor<3x?xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<3x?xf32>, tensor<f32>) -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

// -----

// A product reads its operand in any order of dims: the mask stands below the transpose.
// CHECK-LABEL: func.func @main(
// CHECK: %[[M:.*]] = stablehlo.select %{{.*}}, %arg0, %{{.*}} {shapes.mask = "a product summed along dimension 1"} : tensor<8x2xi1>, tensor<8x2xf32>
// CHECK: %[[T:.*]] = stablehlo.transpose %[[M]], dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
// CHECK: stablehlo.dot_general %[[T]], %{{.*}}, contracting_dims = [1] x [0]
func.func @main(%x: tensor<?x2xf32> {shapes.dims = ["b", "2"]}, %y: tensor<?x5xf32> {shapes.dims = ["b", "5"]})
    -> tensor<2x5xf32> {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x?xf32>
  %0 = stablehlo.dot_general %t, %y, contracting_dims = [1] x [0] : (tensor<2x?xf32>, tensor<?x5xf32>)
      -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
