// As JAX prints it:
//   def quantised(x, w, scale):
//       return jax.lax.dot(x, w, preferred_element_type=jnp.int32) * scale
module @jit_quantised attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40x300xi8>, %arg1: tensor<300x150xi8>, %arg2: tensor<150xf32>)
      -> (tensor<40x150xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
        : (tensor<40x300xi8>, tensor<300x150xi8>) -> tensor<40x150xi32>
    %1 = stablehlo.convert %0 : (tensor<40x150xi32>) -> tensor<40x150xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<150xf32>) -> tensor<1x150xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x150xf32>) -> tensor<40x150xf32>
    %4 = stablehlo.multiply %1, %3 : tensor<40x150xf32>
    return %4 : tensor<40x150xf32>
  }
}
