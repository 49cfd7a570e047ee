// RUN: tpuc-opt %s --split-input-file --verify-diagnostics

func.func @lengths(%x: tensor<2x2x2x2xcomplex<f32>>) {
  // expected-error@+1 {{expects 1 to 3 numbers in fft_length, but got 4}}
  %0 = stablehlo.fft %x, type = FFT, length = [2, 2, 2, 2] : (tensor<2x2x2x2xcomplex<f32>>)
      -> tensor<2x2x2x2xcomplex<f32>>
  return
}

// -----

func.func @fft_rank(%x: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{expects an operand of rank 2 at least}}
  %0 = stablehlo.fft %x, type = FFT, length = [2, 2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @real(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects a complex operand for FFT, but got 'f32'}}
  %0 = stablehlo.fft %x, type = FFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @halved(%x: tensor<8xf32>) {
  // 8 / 2 + 1 = 5
  // expected-error@+1 {{expects result of shape [5], but got [8]}}
  %0 = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @length(%x: tensor<8xf32>) {
  // expected-error@+1 {{expects the transformed dimensions of shape [6], but got [8]}}
  %0 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<8xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @square(%a: tensor<3x4xf32>) {
  // expected-error@+1 {{expects a square matrix in the last two dimensions, but got 'tensor<3x4xf32>'}}
  %3 = stablehlo.cholesky %a : tensor<3x4xf32>
  return
}

// -----

func.func @side(%a: tensor<3x3xf32>, %b: tensor<3x5xf32>) {
  // expected-error@+1 {{expects size 3 of b on the side that a stands, but got 5}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true,
      transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x5xf32>)
      -> tensor<3x5xf32>
  return
}

// -----

func.func @normal(%a: tensor<i32>) {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{expects a floating-point type for NORMAL, but got 'i32'}}
  %0 = stablehlo.rng %a, %a, %shape, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>)
      -> tensor<2x3xi32>
  return
}

// -----

func.func @rng_shape(%a: tensor<f32>) {
  %shape = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  // expected-error@+1 {{expects result of shape [2, 4], but got [2, 3]}}
  %0 = stablehlo.rng %a, %a, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>)
      -> tensor<2x3xf32>
  return
}

// -----

func.func @state(%s: tensor<3xui64>) {
  // expected-error@+1 {{expects a state of 2 numbers, or 3 for PHILOX, but got 3}}
  %1:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
  return
}
