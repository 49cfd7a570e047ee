// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @broadcast(%x: tensor<4x2xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{expects dimensions that broadcast to each other, but got 2 and 8}}
  %0 = chlo.broadcast_add %x, %y : (tensor<4x2xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dimensions(%x: tensor<4x8xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{expects broadcast_dimensions in [0, 2), but got 2}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x8xf32>, tensor<8xf32>)
      -> tensor<4x8xf32>
  return
}

// -----

func.func @k(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{expects k in [0, 8], but got 9}}
  %0:2 = chlo.top_k(%x, k = 9) : tensor<4x8xf32> -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return
}

// -----

func.func @constant_like(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects result of type 'tensor<4xi32>', but got 'tensor<4xf32>'}}
  %1 = "chlo.constant_like"(%x) <{value = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// A ragged dimension that is free needs groups on the right.
func.func @groups(%x: tensor<4x8xf32>, %r: tensor<8x5xf32>, %g: tensor<3xi32>) {
  // expected-error@+1 {{expects rhs_group_dimensions of size 1, but got 0}}
  %4 = "chlo.ragged_dot"(%x, %r, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}>
      : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scan(%x: tensor<4x8xf32>, %c: tensor<8xf32>) {
  // expected-error@+1 {{expects body argument of type 'tensor<8xf32>', but got 'tensor<4xf32>'}}
  %5:2 = chlo.scan(%x) inits(%c) dimension = 0 {
  ^bb0(%a: tensor<4xf32>, %b: tensor<8xf32>):
    stablehlo.return %b, %b : tensor<8xf32>, tensor<8xf32>
  } : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>)
  return
}
