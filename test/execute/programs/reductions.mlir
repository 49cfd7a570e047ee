// As JAX prints it:
//   def reductions(x, g):
//       m = x.mean(-1, keepdims=True)
//       n = (x - m) / jnp.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5) * g
//       return jax.nn.softmax(x), n, jnp.argmax(x, -1), x.sum(0), jnp.sin(x), x.max((0, 1)), jax.nn.gelu(x).T
module @jit_reductions attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<45x300xf32>, %arg1: tensor<300xf32>)
      -> (tensor<45x300xf32> {jax.result_info = "result[0]"}, tensor<45x300xf32> {jax.result_info = "result[1]"},
      tensor<45xi32> {jax.result_info = "result[2]"}, tensor<300xf32> {jax.result_info = "result[3]"},
      tensor<45x300xf32> {jax.result_info = "result[4]"}, tensor<f32> {jax.result_info = "result[5]"},
      tensor<300x45xf32> {jax.result_info = "result[6]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1]
        : (tensor<45x300xf32>, tensor<f32>) -> tensor<45xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<45xf32>) -> tensor<45x1xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<45x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<45x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<45x1xf32>) -> tensor<45x300xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<45x300xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<45x1xf32>) -> tensor<45x300xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<45x300xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<45x300xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1]
        : (tensor<45x300xf32>, tensor<f32>) -> tensor<45xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<45xf32>) -> tensor<45x1xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+02> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<45x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<45x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<45x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<45x1xf32>
    %15 = stablehlo.sqrt %14 : tensor<45x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<45x1xf32>) -> tensor<45x300xf32>
    %17 = stablehlo.divide %5, %16 : tensor<45x300xf32>
    %18 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<300xf32>) -> tensor<1x300xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x300xf32>) -> tensor<45x300xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<45x300xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%arg0 init: %cst_4) applies stablehlo.maximum across dimensions = [1]
        : (tensor<45x300xf32>, tensor<f32>) -> tensor<45xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<45xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<45xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<45xf32>) -> tensor<45x1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<45x1xf32>) -> tensor<45x300xf32>
    %26 = stablehlo.subtract %arg0, %25 : tensor<45x300xf32>
    %27 = stablehlo.exponential %26 : tensor<45x300xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_6) applies stablehlo.add across dimensions = [1]
        : (tensor<45x300xf32>, tensor<f32>) -> tensor<45xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<45xf32>) -> tensor<45x1xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<45x1xf32>) -> tensor<45x300xf32>
    %31 = stablehlo.divide %27, %30 : tensor<45x300xf32>
    %32 = call @argmax(%arg0) : (tensor<45x300xf32>) -> tensor<45xi32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%arg0 init: %cst_7) applies stablehlo.add across dimensions = [0]
        : (tensor<45x300xf32>, tensor<f32>) -> tensor<300xf32>
    %34 = stablehlo.sine %arg0 : tensor<45x300xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.reduce(%arg0 init: %cst_8) applies stablehlo.maximum across dimensions = [0, 1]
        : (tensor<45x300xf32>, tensor<f32>) -> tensor<f32>
    %36 = stablehlo.multiply %arg0, %arg0 : tensor<45x300xf32>
    %37 = stablehlo.multiply %36, %arg0 : tensor<45x300xf32>
    %cst_9 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<45x300xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<45x300xf32>
    %40 = stablehlo.add %arg0, %39 : tensor<45x300xf32>
    %cst_10 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<45x300xf32>
    %42 = stablehlo.multiply %41, %40 : tensor<45x300xf32>
    %43 = stablehlo.tanh %42 : tensor<45x300xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<45x300xf32>
    %45 = stablehlo.add %44, %43 : tensor<45x300xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<45x300xf32>
    %47 = stablehlo.multiply %46, %45 : tensor<45x300xf32>
    %48 = stablehlo.multiply %arg0, %47 : tensor<45x300xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<45x300xf32>) -> tensor<300x45xf32>
    return %31, %20, %32, %33, %34, %35, %49
        : tensor<45x300xf32>, tensor<45x300xf32>, tensor<45xi32>, tensor<300xf32>, tensor<45x300xf32>, tensor<f32>,
        tensor<300x45xf32>
  }
  func.func private @argmax(%arg0: tensor<45x300xf32>) -> tensor<45xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<45x300xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1]
        : (tensor<45x300xf32>, tensor<45x300xi32>, tensor<f32>, tensor<i32>) -> (tensor<45xf32>, tensor<45xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<45xi32>
  }
}
