// RUN: tpuc-opt %s --split-input-file --tpuc-name-dims --tpuc-refine-shapes="dims=b=5" --verify-diagnostics

// Nothing says what s is.
func.func @main(
    // expected-error @below {{expects a size for dimension 1 of argument 0: give --dim=s=SIZE, or inputs}}
    %x: tensor<?x?xf32> {shapes.dims = ["b", "2*s"]}) {
  return
}

// -----

// A size that data decides.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}, 
                // expected-note @below {{this depends on data}}
                %n: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @below {{expects a size that follows from those of the arguments, but got 'tensor<?xf32>' from 'stablehlo.dynamic_iota'}}
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// The program's own words, with its numbers.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %p = stablehlo.compare LE, %b, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @below {{b is 5, but at most 4 are taken}}
  stablehlo.custom_call @shape_assertion(%p, %b, %four) {api_version = 2 : i32, has_side_effect = true,
      error_message = "b is {0}, but at most {1} are taken"} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @main(
    // expected-error @below {{expects dimension 0 of argument 0 to be 4 at most, its bound, but got 5}}
    %x: tensor<?xf32, #stablehlo.bounds<4>> {shapes.dims = ["b"]}) {
  return
}

// -----

func.func @main(
    // expected-error @below {{expects dimension 0 of argument 0 to be 0 at least, but got -2}}
    %x: tensor<?xf32> {shapes.dims = ["b - 7"]}) {
  return
}

// -----

// expected-error @below {{expects one of the program's open sizes (n), but got 'b'}}
func.func @main(%x: tensor<?xf32> {shapes.dims = ["n"]}) {
  return
}

// -----

// expected-error @below {{expects ')' at character 10 of 'max(b, 2 ', a size of argument 0}}
func.func @main(%x: tensor<?xf32> {shapes.dims = ["max(b, 2 "]}) {
  return
}

// -----

// A carried value that grows.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}, %p: tensor<i1>) -> tensor<?xf32> {
  // expected-error @below {{expects value 0 of a loop to keep its size, but it starts as 'tensor<5xf32>' and becomes 'tensor<10xf32>'}}
  %0 = stablehlo.while(%v = %x) : tensor<?xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.concatenate %v, %v, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// Sizes that contradict a type which the program states.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> tensor<4xf32> {
  // expected-error @below {{expects a result of type 'tensor<4xf32>', but these sizes make it 'tensor<5xf32>'}}
  %0 = stablehlo.reverse %x, dims = [0] : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Nothing says what the argument holds.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]},
                // expected-error @below {{expects the size that argument 1 holds, since shapes are computed from it: give --dim=arg1=SIZE}}
                %n: tensor<i32>) -> tensor<?xi32> {
  %shape = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

// Sizes of two symbols that an op takes together.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}, %y: tensor<?xf32> {shapes.dims = ["b + 1"]}) -> tensor<?xf32> {
  // expected-error @below {{these sizes contradict each other: 'stablehlo.add' op expects operands of the same shape, but got 'tensor<5xf32>' and 'tensor<6xf32>'}}
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// A slice that ends behind the array.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> tensor<?xf32> {
  %from = stablehlo.constant dense<3> : tensor<1xi32>
  %to = stablehlo.constant dense<6> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error @below {{expects a slice within 5 elements, but got 3 to 6}}
  %0 = stablehlo.real_dynamic_slice %x, %from, %to, %one
      : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Padding that is data, of an array that is no larger for it.
func.func @main(%y: tensor<?xf32> {shapes.dims = ["b"]}, %x: tensor<4xf32>, %p: tensor<f32>,
                // expected-note @below {{this depends on data}}
                %k: tensor<1xi64>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<1xi64>
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %high = stablehlo.subtract %four, %k : tensor<1xi64>
  // expected-error @below {{expects 'stablehlo.dynamic_pad' at places that follow from sizes}}
  %0 = stablehlo.dynamic_pad %x, %p, %k, %high, %zero
      : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Every second element from a place that is data.
func.func @main(%y: tensor<?xf32> {shapes.dims = ["b"]}, %x: tensor<8xf32>,
                // expected-note @below {{this depends on data}}
                %k: tensor<1xi64>) -> tensor<2xf32> {
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %four = stablehlo.constant dense<4> : tensor<1xi64>
  %end = stablehlo.add %k, %four : tensor<1xi64>
  // expected-error @below {{expects 'stablehlo.real_dynamic_slice' at places that follow from sizes}}
  %0 = stablehlo.real_dynamic_slice %x, %k, %end, %two
      : (tensor<8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
