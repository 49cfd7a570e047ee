// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @indices(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expects start_indices of size 2, but got 1}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @index_types(%x: tensor<4x8xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{expects start indices of one type, but got 'tensor<i32>' and 'tensor<i64>'}}
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i64>)
      -> tensor<2x8xf32>
  return
}

// -----

func.func @sizes(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expects a slice of a size in [0, 4] in dimension 0, but got 5}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [5, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>)
      -> tensor<5x8xf32>
  return
}

// -----

func.func @update(%x: tensor<4x8xf32>, %u: tensor<2x9xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{expects a slice of a size in [0, 8] in dimension 1, but got 9}}
  %1 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x8xf32>, tensor<2x9xf32>, tensor<i32>, tensor<i32>)
      -> tensor<4x8xf32>
  return
}

// -----

func.func @vector_dim(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>) {
  // expected-error@+1 {{expects index_vector_dim in [0, 2], but got 3}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<100x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return
}

// -----

func.func @index_map(%t: tensor<100x64xf32>, %r: tensor<5x2xi32>) {
  // expected-error@+1 {{expects one operand dimension for each of 2 index components, but got 1}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<100x64xf32>, tensor<5x2xi32>) -> tensor<5x64xf32>
  return
}

// -----

func.func @collapsed(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>) {
  // expected-error@+1 {{expects a slice of size 1 at most in the collapsed or batching dimension 0, but got 2}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 64>}>
      : (tensor<100x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return
}

// -----

func.func @rank(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>) {
  // expected-error@+1 {{expects as many window, collapsed and batching dimensions as the operand has, 2, but got 1}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<100x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return
}

// -----

func.func @offset(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>) {
  // expected-error@+1 {{expects offset_dims in [0, 2), but got 2}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<100x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return
}

// -----

func.func @result(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>) {
  // expected-error@+1 {{expects result of shape [64, 5], but got [5, 64]}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}>
      : (tensor<100x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return
}

// -----

func.func @batching(%t: tensor<4x100x64xf32>, %r: tensor<5x1xi32>) {
  // expected-error@+1 {{expects batching dimensions of the same size, but got 4 and 5}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1],
      operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 1, 64>}> : (tensor<4x100x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return
}

// -----

func.func @repeated_field(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>) {
  // expected-error@+1 {{start_index_map, index_vector_dim, each once, but got offset_dims}}
  %0 = "stablehlo.gather"(%t, %r) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], offset_dims = [0]>,
      slice_sizes = array<i64: 1, 64>}> : (tensor<100x64xf32>, tensor<5x1xi32>) -> tensor<5x64xf32>
  return
}

// -----

// Inputs, indices and updates are an odd number.
func.func @scatter_operands(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>, %u: tensor<5x64xf32>) {
  // expected-error@+1 {{expects as many updates as inputs, one at least, and indices, but got 4 operands}}
  %0 = "stablehlo.scatter"(%t, %r, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<5x1xi32>, tensor<5x64xf32>, tensor<5x64xf32>) -> tensor<100x64xf32>
  return
}

// -----

func.func @scatter_window(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>, %u: tensor<5x65xf32>) {
  // expected-error@+1 {{expects a slice of a size in [0, 64] in dimension 0, but got 65}}
  %0 = "stablehlo.scatter"(%t, %r, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<5x1xi32>, tensor<5x65xf32>) -> tensor<100x64xf32>
  return
}

// -----

func.func @scatter_shape(%t: tensor<100x64xf32>, %r: tensor<5x1xi32>, %u: tensor<6x64xf32>) {
  // expected-error@+1 {{expects updates of shape [5, 64], but got [6, 64]}}
  %0 = "stablehlo.scatter"(%t, %r, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<5x1xi32>, tensor<6x64xf32>) -> tensor<100x64xf32>
  return
}
