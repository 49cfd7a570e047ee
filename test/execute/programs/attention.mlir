// As JAX prints it:
//   def attention(x, wq, wk, wv, wo, scale):
//       h = x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * scale
//       q, k, v = (jnp.einsum("btd,dhe->bhte", h, w) for w in (wq, wk, wv))
//       logits = jnp.einsum("bhte,bhse->bhts", q, k).astype(jnp.float32) * 0.125
//       logits = jnp.where(jnp.tril(jnp.ones(logits.shape[-2:], bool)), logits, -1e30)
//       y = jnp.einsum("bhts,bhse->bhte", jax.nn.softmax(logits).astype(x.dtype), v)
//       return x + jnp.einsum("bhte,hed->btd", y, wo)
module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x48x128xbf16>, %arg1: tensor<128x2x64xbf16>, %arg2: tensor<128x2x64xbf16>,
      %arg3: tensor<128x2x64xbf16>, %arg4: tensor<2x64x128xbf16>, %arg5: tensor<128xbf16>)
      -> (tensor<2x48x128xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2x48x128xbf16>
    %1 = stablehlo.convert %0 : (tensor<2x48x128xbf16>) -> tensor<2x48x128xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2]
        : (tensor<2x48x128xf32>, tensor<f32>) -> tensor<2x48xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x48xf32>) -> tensor<2x48x1xf32>
    %cst_0 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x48x1xf32>
    %5 = stablehlo.divide %3, %4 : tensor<2x48x1xf32>
    %6 = stablehlo.convert %5 : (tensor<2x48x1xf32>) -> tensor<2x48x1xbf16>
    %cst_1 = stablehlo.constant dense<9.983770e-07> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<2x48x1xbf16>
    %8 = stablehlo.add %6, %7 : tensor<2x48x1xbf16>
    %9 = stablehlo.rsqrt %8 : tensor<2x48x1xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x48x1xbf16>) -> tensor<2x48x128xbf16>
    %11 = stablehlo.multiply %arg0, %10 : tensor<2x48x128xbf16>
    %12 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<128xbf16>) -> tensor<1x1x128xbf16>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x128xbf16>) -> tensor<2x48x128xbf16>
    %14 = stablehlo.multiply %11, %13 : tensor<2x48x128xbf16>
    %15 = stablehlo.dot_general %arg1, %14, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT]
        : (tensor<128x2x64xbf16>, tensor<2x48x128xbf16>) -> tensor<2x64x2x48xbf16>
    %16 = stablehlo.transpose %15, dims = [2, 0, 3, 1] : (tensor<2x64x2x48xbf16>) -> tensor<2x2x48x64xbf16>
    %17 = stablehlo.dot_general %arg2, %14, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT]
        : (tensor<128x2x64xbf16>, tensor<2x48x128xbf16>) -> tensor<2x64x2x48xbf16>
    %18 = stablehlo.transpose %17, dims = [2, 0, 3, 1] : (tensor<2x64x2x48xbf16>) -> tensor<2x2x48x64xbf16>
    %19 = stablehlo.dot_general %arg3, %14, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT]
        : (tensor<128x2x64xbf16>, tensor<2x48x128xbf16>) -> tensor<2x64x2x48xbf16>
    %20 = stablehlo.transpose %19, dims = [2, 0, 3, 1] : (tensor<2x64x2x48xbf16>) -> tensor<2x2x48x64xbf16>
    %21 = stablehlo.dot_general %16, %18, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3],
        precision = [DEFAULT, DEFAULT] : (tensor<2x2x48x64xbf16>, tensor<2x2x48x64xbf16>) -> tensor<2x2x48x48xbf16>
    %22 = stablehlo.convert %21 : (tensor<2x2x48x48xbf16>) -> tensor<2x2x48x48xf32>
    %cst_2 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x48x48xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<2x2x48x48xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %25 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<48x48xi1>
    %26 = call @tril(%25) : (tensor<48x48xi1>) -> tensor<48x48xi1>
    %cst_3 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %27 = call @_where(%26, %24, %cst_3) : (tensor<48x48xi1>, tensor<2x2x48x48xf32>, tensor<f32>)
        -> tensor<2x2x48x48xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.maximum across dimensions = [3]
        : (tensor<2x2x48x48xf32>, tensor<f32>) -> tensor<2x2x48xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2x48xf32>
    %30 = stablehlo.maximum %29, %28 : tensor<2x2x48xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<2x2x48xf32>) -> tensor<2x2x48x1xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<2x2x48x1xf32>) -> tensor<2x2x48x48xf32>
    %33 = stablehlo.subtract %27, %32 : tensor<2x2x48x48xf32>
    %34 = stablehlo.exponential %33 : tensor<2x2x48x48xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_6) applies stablehlo.add across dimensions = [3]
        : (tensor<2x2x48x48xf32>, tensor<f32>) -> tensor<2x2x48xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<2x2x48xf32>) -> tensor<2x2x48x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<2x2x48x1xf32>) -> tensor<2x2x48x48xf32>
    %38 = stablehlo.divide %34, %37 : tensor<2x2x48x48xf32>
    %39 = stablehlo.convert %38 : (tensor<2x2x48x48xf32>) -> tensor<2x2x48x48xbf16>
    %40 = stablehlo.dot_general %39, %20, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2],
        precision = [DEFAULT, DEFAULT] : (tensor<2x2x48x48xbf16>, tensor<2x2x48x64xbf16>) -> tensor<2x2x48x64xbf16>
    %41 = stablehlo.dot_general %40, %arg4, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT]
        : (tensor<2x2x48x64xbf16>, tensor<2x64x128xbf16>) -> tensor<2x48x128xbf16>
    %42 = stablehlo.add %arg0, %41 : tensor<2x48x128xbf16>
    return %42 : tensor<2x48x128xbf16>
  }
  func.func private @tril(%arg0: tensor<48x48xi1>) -> tensor<48x48xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<48x48xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<48x48xi32>
    %2 = stablehlo.add %0, %1 : tensor<48x48xi32>
    %3 = stablehlo.iota dim = 1 : tensor<48x48xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<48x48xi32>, tensor<48x48xi32>) -> tensor<48x48xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<48x48xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<48x48xi1>, tensor<48x48xi1>
    return %6 : tensor<48x48xi1>
  }
  func.func private @_where(%arg0: tensor<48x48xi1>, %arg1: tensor<2x2x48x48xf32>, %arg2: tensor<f32>)
      -> tensor<2x2x48x48xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<48x48xi1>) -> tensor<2x2x48x48xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x48x48xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x48x48xi1>, tensor<2x2x48x48xf32>
    return %3 : tensor<2x2x48x48xf32>
  }
}
