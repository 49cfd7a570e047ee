// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @constant() {
  // expected-error@+1 {{expects a value of type 'tensor<3xi32>', but got 'tensor<2xi32>'}}
  %0 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<3xi32>
  return
}

// -----

func.func @iota() {
  // expected-error@+1 {{expects iota_dimension in [0, 1), but got 1}}
  %0 = stablehlo.iota dim = 1 : tensor<4xi32>
  return
}

// -----

func.func @broadcast_count(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects broadcast_dimensions of size 1, but got 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_range(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects broadcast_dimensions in [0, 2), but got -1}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [-1] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_twice(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expects broadcast_dimensions to be unique, but got 1 twice in [1, 1]}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects dimension 0 of the operand to have size 1 or 5, but got 4}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @reshape(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects 24 elements in the result, but got 25}}
  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<25xf32>
  return
}

// -----

// 2^80 elements.
func.func @reshape_overflow(%x: tensor<1099511627776x1099511627776xf32>) {
  // expected-error@+1 {{expects at most 2^63 - 1 elements}}
  %0 = stablehlo.reshape %x : (tensor<1099511627776x1099511627776xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @transpose(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects permutation to be unique, but got 0 twice in [0, 0]}}
  %0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<4x6xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_result(%x: tensor<4x6xf32>) {
  // expected-error@+1 {{expects result of type 'tensor<6x4xf32>', but got 'tensor<4x6xf32>'}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @reverse(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects dimensions in [0, 1), but got 2}}
  %0 = stablehlo.reverse %x, dims = [2] : tensor<4xf32>
  return
}

// -----

func.func @slice_limit(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects 0 <= start <= limit <= 4 in dimension 0, but got 1 and 5}}
  %0 = stablehlo.slice %x [1:5] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice_stride(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects strides of at least 1, but got 0}}
  %0 = stablehlo.slice %x [1:3:0] : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @slice_result(%x: tensor<4xf32>) {
  // ceil((4 - 0) / 3) = 2
  // expected-error@+1 {{expects result of type 'tensor<2xf32>', but got 'tensor<1xf32>'}}
  %0 = stablehlo.slice %x [0:4:3] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<4xf32>, %c: tensor<i32>) {
  // expected-error@+1 {{expects padding_value of element type 'f32', but got 'i32'}}
  %0 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [0] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_interior(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects interior_padding of at least 0, but got -1}}
  %0 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects padding to a size of at least 0 in dimension 0, but got -1}}
  %0 = stablehlo.pad %x, %c, low = [-5], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_overflow(%x: tensor<4xf32>, %c: tensor<f32>) {
  // expected-error@+1 {{expects padding to a size of at least 0 in dimension 0, but got}}
  %0 = stablehlo.pad %x, %c, low = [9223372036854775807], high = [9223372036854775807],
      interior = [9223372036854775807] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @concatenate_none() {
  // expected-error@+1 {{expects at least one input}}
  %0 = stablehlo.concatenate dim = 0 : () -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_shapes(%x: tensor<4x6xf32>, %y: tensor<4x5xf32>) {
  // expected-error@+1 {{expects inputs of size 6 in dimension 1, but got 5}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @bitcast_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects rank 2 of the result, but got 1}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<16xi8>
  return
}

// -----

func.func @bitcast_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects a last dimension that makes 32 bits of 8, but got 3}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x3xi8>
  return
}

// -----

func.func @dimension(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects dimension in [0, 1), but got 7}}
  %0 = stablehlo.get_dimension_size %x, dim = 7 : (tensor<4xf32>) -> tensor<i32>
  return
}

// -----

// expected-error@+1 {{expects one bound a dimension, but got 1 for 2 dimensions}}
func.func @bounds(%x: tensor<?x?xf32, #stablehlo.bounds<4>>) {
  return
}

// -----

// expected-error@+1 {{expects a bound on dynamic dimensions only, but got one on dimension 0 of size 4}}
func.func @bound_of_static(%x: tensor<4xf32, #stablehlo.bounds<4>>) {
  return
}
