// RUN: tpuc-opt %s --split-input-file --tpuc-name-dims --tpuc-refine-shapes="dims=b=5,s=3" | FileCheck %s
// RUN: tpuc-opt %s --split-input-file --tpuc-name-dims --tpuc-refine-shapes="arguments=5x6" | FileCheck %s

// Sizes go from op to op; what is computed from them is a constant where a shape is read.
// CHECK: func.func @main(%[[X:.*]]: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<30xf32>, tensor<8xi32>, tensor<5xf32>)
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["b", "2*s"]})
    -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s2 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %s = stablehlo.divide %s2, %two : tensor<i32>
  // CHECK: stablehlo.tanh %[[X]] : tensor<5x6xf32>
  %y = stablehlo.tanh %x : tensor<?x?xf32>
  %n = stablehlo.multiply %b, %s2 : tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  // CHECK: %[[N:.*]] = stablehlo.constant dense<30> : tensor<1xi64>
  // CHECK: stablehlo.dynamic_reshape %{{.*}}, %[[N]] : (tensor<5x6xf32>, tensor<1xi64>) -> tensor<30xf32>
  %flat = stablehlo.dynamic_reshape %y, %n1 : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %sum = stablehlo.add %b, %s : tensor<i32>
  %sum1 = stablehlo.reshape %sum : (tensor<i32>) -> tensor<1xi32>
  // CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 0 : (tensor<1xi64>) -> tensor<8xi32>
  %iota = stablehlo.dynamic_iota %sum1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: stablehlo.reduce({{.*}}) {{.*}} : (tensor<5x6xf32>, tensor<f32>) -> tensor<5xf32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %y, %flat, %iota, %r : tensor<?x?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>
}

// -----

// Ops that do not infer: contractions, windows, gathers, branches, loops.
// CHECK: func.func @main(%[[X:.*]]: tensor<5x6xf32>)
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["b", "2*s"]})
    -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x2xf32>, tensor<?x?xf32>) {
  // CHECK: stablehlo.dot_general {{.*}} -> tensor<5x5xf32>
  %dot = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>)
      -> tensor<?x?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // CHECK: "stablehlo.reduce_window"
  // CHECK: (tensor<5x6xf32>, tensor<f32>) -> tensor<5x3xf32>
  %window = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1,
      2>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    %m = stablehlo.maximum %a, %c : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.while({{.*}}) : tensor<i32>, tensor<5x6xf32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %loop:2 = stablehlo.while(%i = %i0, %v = %x) : tensor<i32>, tensor<?x?xf32>
  cond {
    %limit = stablehlo.get_dimension_size %v, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %n = stablehlo.add %i, %one : tensor<i32>
    // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<5x6xf32>
    %w = stablehlo.add %v, %v : tensor<?x?xf32>
    stablehlo.return %n, %w : tensor<i32>, tensor<?x?xf32>
  }
  %picks = stablehlo.constant dense<[[0], [2]]> : tensor<2x1xi32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %sizes = stablehlo.concatenate %b1, %ones, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK: "stablehlo.dynamic_gather"{{.*}} : (tensor<5x6xf32>, tensor<2x1xi32>, tensor<2xi64>) -> tensor<5x2xf32>
  %g = "stablehlo.dynamic_gather"(%x, %picks, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0],
      collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>}>
      : (tensor<?x?xf32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  %pred = stablehlo.compare GT, %b, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK: "stablehlo.if"
  // CHECK: (tensor<i1>) -> tensor<5x6xf32>
  %if = "stablehlo.if"(%pred) ({
    %t = stablehlo.negate %x : tensor<?x?xf32>
    stablehlo.return %t : tensor<?x?xf32>
  }, {
    stablehlo.return %x : tensor<?x?xf32>
  }) : (tensor<i1>) -> tensor<?x?xf32>
  return %dot, %window, %loop#1, %g, %if
      : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x2xf32>, tensor<?x?xf32>
}

// -----

// Calls that JAX makes where a size is symbolic become their ops; an assertion that holds goes; a bound is left behind.
// CHECK: func.func @main(%[[X:.*]]: tensor<5x6xf32>, %[[S:.*]]: tensor<2xui64>) -> (tensor<5x6xf32>, tensor<5xui32>, tensor<5x3xf32>, tensor<4x6xf32>)
// CHECK-NOT: shape_assertion
func.func @main(%x: tensor<?x?xf32, #stablehlo.bounds<8, ?>> {shapes.dims = ["b", "2*s"]}, %state: tensor<2xui64>)
    -> (tensor<?x?xf32>, tensor<?xui32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32, #stablehlo.bounds<8, ?>>) -> tensor<i32>
  %s2 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32, #stablehlo.bounds<8, ?>>) -> tensor<i32>
  %positive = stablehlo.compare GE, %b, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%positive, %b) {api_version = 2 : i32, has_side_effect = true,
      error_message = "at least 1, not {0}"} : (tensor<i1>, tensor<i32>) -> ()
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s2 : (tensor<i32>) -> tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %c1 = stablehlo.constant dense<1> : tensor<1xi32>
  %window = stablehlo.concatenate %c1, %s1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %before = stablehlo.subtract %s2, %one : tensor<i32>
  %before1 = stablehlo.reshape %before : (tensor<i32>) -> tensor<1xi32>
  %c0 = stablehlo.constant dense<0> : tensor<1xi32>
  %row0 = stablehlo.constant dense<0> : tensor<1x2xi32>
  %row = stablehlo.concatenate %before1, %c0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %row1 = stablehlo.reshape %row : (tensor<2xi32>) -> tensor<1x2xi32>
  %padding = stablehlo.concatenate %row0, %row1, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  // CHECK: "stablehlo.reduce_window"(%[[X]], %{{.*}}) <{base_dilations = array<i64: 1, 1>, padding = dense<{{\[\[0, 0\], \[5, 0\]\]}}> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}>
  // CHECK: stablehlo.add
  // CHECK: (tensor<5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
  %sums = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %window, %ones, %ones, %ones,
      %padding) {api_version = 2 : i32, called_computations = [@sum]}
      : (tensor<?x?xf32, #stablehlo.bounds<8, ?>>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
      tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.rng_bit_generator %[[S]], algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %b1) {api_version = 2 : i32,
      rng_algorithm = #stablehlo<rng_algorithm DEFAULT>} : (tensor<2xui64>, tensor<1xi32>)
      -> (tensor<2xui64>, tensor<?xui32>)
  %two = stablehlo.constant dense<2> : tensor<i32>
  %k = stablehlo.divide %s2, %two : tensor<i32>
  // CHECK: chlo.top_k(%[[X]], k = 3) : tensor<5x6xf32> -> (tensor<5x3xf32>, tensor<5x3xi32>)
  %t:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) {api_version = 2 : i32}
      : (tensor<?x?xf32, #stablehlo.bounds<8, ?>>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)
  %less = stablehlo.subtract %b, %one : tensor<i32>
  // CHECK: stablehlo.slice %[[X]] [0:4, 0:6] : (tensor<5x6xf32>) -> tensor<4x6xf32>
  %cut = stablehlo.set_dimension_size %x, %less, dim = 0 : (tensor<?x?xf32, #stablehlo.bounds<8, ?>>, tensor<i32>)
      -> tensor<?x?xf32>
  return %sums, %r#1, %t#0, %cut : tensor<?x?xf32>, tensor<?xui32>, tensor<?x?xf32>, tensor<?x?xf32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// The operands that say the shapes of a call's results go with their layouts.
// CHECK: stablehlo.custom_call @Qr(%arg0) {api_version = 2 : i32, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = {{.*}}} : (tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5xf32>)
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["b", "2*s"]}) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s2 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %s1 = stablehlo.reshape %s2 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %b1, %s1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0:2 = "stablehlo.custom_call"(%x, %shape, %b1) <{call_target_name = "Qr", api_version = 2 : i32,
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>],
      result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}>
      {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>}
      : (tensor<?x?xf32>, tensor<2xi32>, tensor<1xi32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?xf32>
}
