// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

// Two inputs have two initial values.
func.func @operands(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects as many initial values as inputs, one at least, but got 3 operands}}
  %0 = "stablehlo.reduce"(%x, %x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @dimensions(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects dimensions in [0, 2), but got 2}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [2] : (tensor<4x8xf32>, tensor<f32>)
      -> tensor<4xf32>
  return
}

// -----

func.func @result(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects result of shape [4], but got [8]}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>)
      -> tensor<8xf32>
  return
}

// -----

func.func @init(%x: tensor<4x8xf32>, %c: tensor<i32>) {
  // expected-error@+1 {{expects initial values of element type 'f32', but got 'i32'}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// The order of operands matters to a subtraction.
func.func @applies(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects a commutative op of two operands, but got stablehlo.subtract}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.subtract across dimensions = [1]
      : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @body_arguments(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects body with 2 arguments, but got 1}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @body_results(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects body to return 1 values, but got 0}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

// f32 has more bits than bf16.
func.func @narrows(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects body to return a type that 'f32' promotes to, but got 'bf16'}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    stablehlo.return %a : tensor<bf16>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xbf16>
  return
}

// -----

func.func @no_body(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @window_size(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects window_dimensions of size 2, but got 1}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @window_zero(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects window_dilations of at least 1, but got 0}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2, 1>, window_dilations = array<i64: 1,
      0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<3x8xf32>
  return
}

// -----

func.func @window_result(%x: tensor<4x8xf32>, %c: tensor<f32>) {
  // 4 - 2 + 1 = 3
  // expected-error@+1 {{expects result of shape [3, 8], but got [4, 8]}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @source(%x: tensor<4xf32>, %s: tensor<3xf32>, %c: tensor<f32>) {
  // (4 - 2) / 2 + 1 = 2
  // expected-error@+1 {{expects source of shape [2], but got [3]}}
  %1 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 2>,
      window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @select_result(%x: tensor<4xf32>, %s: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects select result of type 'tensor<i1>', but got 'tensor<f32>'}}
  %1 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 2>,
      window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @map_dimensions(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expects dimensions to be 0 to 1 in order}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sort_dimension(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects dimension in [-1, 1), but got -2}}
  %1 = "stablehlo.sort"(%x) <{dimension = -2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @comparator(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects 2 of comparator argument, but got 1}}
  %1 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>):
    %p = stablehlo.is_finite %a : (tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @features(%x: tensor<4x8xf32>, %v: tensor<7xf32>) {
  // expected-error@+1 {{expects statistics of shape [8], but got [7]}}
  %0 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}>
      : (tensor<4x8xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @feature_index(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error@+1 {{expects feature_index in [0, 2), but got -1}}
  %0 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{epsilon = 1.0e-3 : f32, feature_index = -1 : i64}>
      : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}
