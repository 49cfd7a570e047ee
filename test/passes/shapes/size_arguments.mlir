// RUN: tpuc-opt %s --split-input-file --tpuc-name-dims | FileCheck %s --check-prefix=NAMED
// RUN: tpuc-opt %s --split-input-file --tpuc-name-dims --tpuc-refine-shapes=dims=arg0=5,arg1.0=5 | FileCheck %s

// A scalar from which a shape is computed holds a size: it is the number that is given for it, in a shape and
// elsewhere. A place in an array is none.
// NAMED: func.func @main(%{{.*}}: tensor<i64> {shapes.size = "arg0"}, %{{.*}}: tensor<?x4xf32> {shapes.dims = ["arg1.0", "4"]}, %{{.*}}: tensor<i32>)
// CHECK: module attributes {shapes.held_sizes = [{argument = 0 : i64, name = "arg0", place = {{.*}}, size = 5 : i64}]}
// CHECK: func.func @main(%{{.*}}: tensor<i64>, %[[X:.*]]: tensor<5x4xf32>, %[[K:.*]]: tensor<i32>) -> (tensor<7x4xf32>, tensor<1x4xf32>, tensor<i64>)
func.func @main(%n: tensor<i64>, %x: tensor<?x4xf32>, %k: tensor<i32>)
    -> (tensor<?x4xf32>, tensor<1x4xf32>, tensor<i64>) {
  // CHECK: %[[N:.*]] = stablehlo.constant dense<5> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %row = stablehlo.constant dense<0.0> : tensor<4xf32>
  %sum = stablehlo.add %n, %two : tensor<i64>
  %rows = stablehlo.reshape %sum : (tensor<i64>) -> tensor<1xi64>
  %shape = stablehlo.concatenate %rows, %four, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}} : (tensor<4xf32>, tensor<2xi64>) -> tensor<7x4xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %row, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  // CHECK: stablehlo.dynamic_slice %[[X]], %[[K]],
  %1 = stablehlo.dynamic_slice %x, %k, %zero, sizes = [1, 4] : (tensor<?x4xf32>, tensor<i32>, tensor<i32>)
      -> tensor<1x4xf32>
  // CHECK: return %{{.*}}, %{{.*}}, %[[N]]
  return %0, %1, %n : tensor<?x4xf32>, tensor<1x4xf32>, tensor<i64>
}

// -----

// An export names it.
// NAMED: func.func @main(%{{.*}}: tensor<i32> {jax.global_constant = "arg0", shapes.size = "arg0"}, %{{.*}}: tensor<?xf32> {shapes.dims = ["arg1.0"]})
// CHECK: func.func @main(%{{.*}}: tensor<i32> {jax.global_constant = "arg0"}, %{{.*}}: tensor<5xf32>) -> tensor<5xi32>
func.func @main(%n: tensor<i32> {jax.global_constant = "arg0"}, %x: tensor<?xf32>) -> tensor<?xi32> {
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// The result's type says the sizes of a slice from a place that is data; that place is no size.
// NAMED: func.func @main(%{{.*}}: tensor<i64>, %{{.*}}: tensor<?x4xf32> {shapes.dims = ["arg1.0", "4"]}, %{{.*}}: tensor<i64> {shapes.size = "arg0"})
// CHECK: func.func @main(%[[K:.*]]: tensor<i64>, %[[X:.*]]: tensor<5x4xf32>, %{{.*}}: tensor<i64>) -> (tensor<1x4xf32>, tensor<5xi32>)
func.func @main(%k: tensor<i64>, %x: tensor<?x4xf32>, %n: tensor<i64> {shapes.size = "arg0"})
    -> (tensor<1x4xf32>, tensor<?xi32>) {
  %c0 = stablehlo.constant dense<0> : tensor<1xi64>
  %c1 = stablehlo.constant dense<1> : tensor<i64>
  %c4 = stablehlo.constant dense<4> : tensor<1xi64>
  %ones = stablehlo.constant dense<1> : tensor<2xi64>
  %row = stablehlo.reshape %k : (tensor<i64>) -> tensor<1xi64>
  %next = stablehlo.add %k, %c1 : tensor<i64>
  %last = stablehlo.reshape %next : (tensor<i64>) -> tensor<1xi64>
  %from = stablehlo.concatenate %row, %c0, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %to = stablehlo.concatenate %last, %c4, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  // CHECK: stablehlo.dynamic_slice %[[X]], %{{.*}}, %{{.*}}, sizes = [1, 4] : (tensor<5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
  %0 = stablehlo.real_dynamic_slice %x, %from, %to, %ones
      : (tensor<?x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x4xf32>
  %shape = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %1 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
  return %0, %1 : tensor<1x4xf32>, tensor<?xi32>
}
