// RUN: tpuc-opt %s --tpuc-legalize-custom-calls --split-input-file --verify-diagnostics

// A kernel that another compiler made.
func.func @pallas(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expects a custom call that tpuc knows, but got 'tpu_custom_call'}}
  %0 = stablehlo.custom_call @tpu_custom_call(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// One device's part of an array of several.
func.func @shard(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{'SPMDFullToShardShape' expects results of its operands' types on one device, but got 'tensor<4xf32>' to 'tensor<2xf32>'}}
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// No comparator.
func.func @approximate(%x: tensor<4x50xf32>, %f: tensor<f32>) -> tensor<4x3xf32> {
  // expected-error @below {{'ApproxTopK' expects arrays, their initial values and a comparator}}
  %0 = stablehlo.custom_call @ApproxTopK(%x, %f) {mhlo.backend_config = {reduction_dim = 1 : i64}}
      : (tensor<4x50xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// A sink gives nothing.
func.func @sink(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'dce_sink' expects no results, but got 'tensor<4xf32>' to 'tensor<4xf32>'}}
  %0 = stablehlo.custom_call @dce_sink(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
