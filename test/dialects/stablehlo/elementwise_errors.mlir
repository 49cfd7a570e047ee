// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{expects operands of the same shape, but got 'tensor<2xf32>' and 'tensor<3xf32>'}}
  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @elements(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@+1 {{expects operands of element type 'f32', but got 'f64'}}
  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @result(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects result of type 'tensor<2xf32>', but got 'tensor<3xf32>'}}
  %0 = "stablehlo.tanh"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

// A size of 9 is above the bound.
func.func @bound(%x: tensor<9xf32>, %y: tensor<?xf32, #stablehlo.bounds<8>>) {
  // expected-error@+1 {{expects a size of at most the bound 8, but got 9}}
  %0 = stablehlo.add %x, %y : (tensor<9xf32>, tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<9xf32>
  return
}

// -----

// Integers have no cosine.
func.func @kind(%x: tensor<2xi32>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of floating-point, complex, per-tensor quantized type}}
  %0 = stablehlo.cosine %x : tensor<2xi32>
  return
}

// -----

func.func @width(%x: tensor<2xi7>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.negate %x : tensor<2xi7>
  return
}

// -----

func.func @comparison(%x: tensor<2xi32>) {
  // expected-error@+1 {{expects compare_type SIGNED for 'i32', but got FLOAT}}
  %0 = stablehlo.compare LT, %x, %x, FLOAT : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @direction(%x: tensor<2xi32>) {
  // expected-error@+2 {{expected ::tpuc::stablehlo::ComparisonDirection to be one of: EQ, NE, GE, GT, LE, LT}}
  // expected-error@+1 {{failed to parse}}
  %0 = stablehlo.compare LESS, %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @predicate(%p: tensor<3xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{expects pred of rank 0 or of the shape of 'tensor<2xf32>', but got 'tensor<3xi1>'}}
  %0 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<2xf32>
  return
}

// -----

func.func @clamp(%m: tensor<3xf32>, %x: tensor<2xf32>) {
  // expected-error@+1 {{expects min of rank 0 or of the shape of 'tensor<2xf32>', but got 'tensor<3xf32>'}}
  %0 = stablehlo.clamp %m, %x, %x : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @convert(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects result of shape [2], but got [3]}}
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @format(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects a format such as e8m7, but got m7e8}}
  %0 = stablehlo.reduce_precision %x, format = m7e8 : tensor<2xf32>
  return
}

// -----

func.func @no_exponent(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects exponent_bits of at least 1, but got 0}}
  %0 = stablehlo.reduce_precision %x, format = e0m7 : tensor<2xf32>
  return
}

// -----

func.func @accuracy(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects mode TOLERANCE where a tolerance is given, but got HIGHEST}}
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = 5,
      mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  return
}

// -----

// The zero point is not a value of i8.
func.func @zero_point(%x: tensor<2x!quant.uniform<i8:f32, 0.5:300>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.negate %x : tensor<2x!quant.uniform<i8:f32, 0.5:300>>
  return
}

// -----

// Two scales for a dimension of size 3.
func.func @scales(%x: tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = stablehlo.add %x, %x : tensor<3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @operand_types(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects 2 operand types, but got 1}}
  %0 = stablehlo.add %x, %x : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @complex(%x: tensor<2xf32>) {
  // expected-error@+1 {{expects a tensor of complex type, but got 'tensor<2xf32>'}}
  %0 = stablehlo.complex %x, %x : tensor<2xf32>
  return
}
