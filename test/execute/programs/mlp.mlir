// As JAX prints it:
//   def mlp(x, w1, b1, w2, b2):
//       return jax.nn.relu(x @ w1 + b1) @ w2 + b2
module @jit_mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40x200xbf16>, %arg1: tensor<200x384xbf16>, %arg2: tensor<384xbf16>,
      %arg3: tensor<384x70xbf16>, %arg4: tensor<70xbf16>) -> (tensor<40x70xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
        : (tensor<40x200xbf16>, tensor<200x384xbf16>) -> tensor<40x384xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<384xbf16>) -> tensor<1x384xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x384xbf16>) -> tensor<40x384xbf16>
    %3 = stablehlo.add %0, %2 : tensor<40x384xbf16>
    %4 = call @relu(%3) : (tensor<40x384xbf16>) -> tensor<40x384xbf16>
    %5 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
        : (tensor<40x384xbf16>, tensor<384x70xbf16>) -> tensor<40x70xbf16>
    %6 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<70xbf16>) -> tensor<1x70xbf16>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x70xbf16>) -> tensor<40x70xbf16>
    %8 = stablehlo.add %5, %7 : tensor<40x70xbf16>
    return %8 : tensor<40x70xbf16>
  }
  func.func private @relu(%arg0: tensor<40x384xbf16>) -> tensor<40x384xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<40x384xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<40x384xbf16>
    return %1 : tensor<40x384xbf16>
  }
}
