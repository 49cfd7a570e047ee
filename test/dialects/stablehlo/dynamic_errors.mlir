// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @extents(%v: tensor<?xf32>, %s: tensor<3xi32>) {
  // expected-error@+1 {{expects output_dimensions of size 2, but got 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %v, %s, dims = [1] : (tensor<?xf32>, tensor<3xi32>) -> tensor<4x?xf32>
  return
}

// -----

// Known extents are compared with the operand's, whatever the result's type leaves open.
func.func @known(%v: tensor<3xf32>) {
  %s = stablehlo.constant dense<[4, 5]> : tensor<2xi32>
  // expected-error@+1 {{expects dimension 0 of the operand to have size 1 or 5, but got 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %v, %s, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @iota(%s: tensor<2xi32>) {
  // expected-error@+1 {{expects iota_dimension in [0, 2), but got 2}}
  %1 = stablehlo.dynamic_iota %s, dim = 2 : (tensor<2xi32>) -> tensor<4x?xi32>
  return
}

// -----

func.func @elements(%x: tensor<4x6xf32>) {
  %s = stablehlo.constant dense<[5, 5]> : tensor<2xi32>
  // expected-error@+1 {{expects 24 elements in the result, but got 25}}
  %3 = stablehlo.dynamic_reshape %x, %s : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @pad(%x: tensor<4xf32>, %c: tensor<f32>) {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  // 1 + 4 + 3 + 1 = 9
  // expected-error@+1 {{expects result of shape [9], but got [8]}}
  %2 = stablehlo.dynamic_pad %x, %c, %one, %one, %one
      : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @static_result(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a result that is static or bounded in one dimension, but got 'tensor<?x4xf32>'}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<?x4xf32>
  return
}
