// RUN: tpuc-opt %s --split-input-file --verify-diagnostics --tpuc-bucket-shapes=sizes=b=2..8

// The sums of a reducer that is no known op: the program is compiled for its largest size.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  // expected-remark @below {{the program is compiled for exact sizes: 'stablehlo.reduce': no value is known that its reducer leaves out}}
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.tanh %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// -----

// Random bits depend on the whole array.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> tensor<?xf32> {
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %high = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %shape = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  // expected-remark @below {{'stablehlo.rng': nothing is known of padding in it}}
  %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi32>)
      -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// No size of the bucket fulfils it.
func.func @main(%x: tensor<?xf32> {shapes.dims = ["b"]}) -> tensor<?xf32> {
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0 = stablehlo.compare GE, %b, %ten, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @below {{b is 10 at least}}
  stablehlo.custom_call @shape_assertion(%0, %b) {error_message = "b is 10 at least", has_side_effect = true}
      : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{expects sizes for 's': give --bucket=s=SIZES or --dim=s=SIZE}}
func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["b", "s"]}) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}

// -----

// Beyond the type's own bound.
// expected-error @below {{expects dimension 0 of argument 0 to be 4 at most, its bound, but got 8}}
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<4>> {shapes.dims = ["b"]}) -> tensor<?xf32, #stablehlo.bounds<4>> {
  return %x : tensor<?xf32, #stablehlo.bounds<4>>
}
