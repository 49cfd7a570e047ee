// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @unknown(%x: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @+1 {{'kernel.apply' op expects a kernel.function, but finds no @nothing}}
  %0 = kernel.apply @nothing(%x) : (tensor<4xui32>) -> tensor<4xui32>
  return %0 : tensor<4xui32>
}

// -----

kernel.function @twice {
^bb0(%x: tensor<ui32>):
  %0 = stablehlo.add %x, %x : tensor<ui32>
  kernel.return %0 : tensor<ui32>
}
func.func @count(%x: tensor<4xui32>) -> tensor<4xui32> {
  // expected-error @+1 {{expects arrays of one shape, of the elements that @twice takes and gives}}
  %0 = kernel.apply @twice(%x, %x) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
  return %0 : tensor<4xui32>
}

// -----

kernel.function @twice {
^bb0(%x: tensor<ui32>):
  %0 = stablehlo.add %x, %x : tensor<ui32>
  kernel.return %0 : tensor<ui32>
}
func.func @shapes(%x: tensor<4xui32>) -> tensor<5xui32> {
  // expected-error @+1 {{expects arrays of one shape, of the elements that @twice takes and gives}}
  %0 = kernel.apply @twice(%x) : (tensor<4xui32>) -> tensor<5xui32>
  return %0 : tensor<5xui32>
}

// -----

kernel.function @twice {
^bb0(%x: tensor<ui32>):
  %0 = stablehlo.add %x, %x : tensor<ui32>
  kernel.return %0 : tensor<ui32>
}
func.func @elements(%x: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{expects arrays of one shape, of the elements that @twice takes and gives}}
  %0 = kernel.apply @twice(%x) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

kernel.function @twice {
^bb0(%x: tensor<ui32>):
  %0 = stablehlo.add %x, %x : tensor<ui32>
  kernel.return %0 : tensor<ui32>
}
func.func @nothing(%x: tensor<4xui32>) {
  // expected-error @+1 {{expects results}}
  kernel.apply @twice(%x) : (tensor<4xui32>) -> ()
  return
}

// -----

// expected-error @+1 {{expects scalars, but takes 'tensor<4xui32>'}}
kernel.function @arrays {
^bb0(%x: tensor<4xui32>):
  kernel.return %x : tensor<4xui32>
}

// -----

kernel.function @wider {
^bb0(%x: tensor<ui32>):
  // expected-error @+1 {{expects ops on scalars in a function of lanes, and no other function}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<ui32>) -> tensor<4xui32>
  kernel.return %x : tensor<ui32>
}

// -----

// expected-error @+1 {{expects a kernel.return at its end}}
kernel.function @otherwise {
^bb0(%x: tensor<ui32>):
  stablehlo.return %x : tensor<ui32>
}

// -----

kernel.function @itself {
^bb0(%x: tensor<ui32>):
  // expected-error @+1 {{expects ops on scalars in a function of lanes, and no other function}}
  %0 = kernel.apply @itself(%x) : (tensor<ui32>) -> tensor<ui32>
  kernel.return %0 : tensor<ui32>
}
