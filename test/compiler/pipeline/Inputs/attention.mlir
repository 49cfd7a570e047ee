// Two matmuls with a softmax between them and a residual: every kind of kernel that the stages tests look at.
module @attention {
  func.func @main(%q: tensor<24x40xf32>, %k: tensor<24x40xf32>, %v: tensor<24x40xf32>) -> (tensor<24x40xf32>, tensor<40x24xf32>) {
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<24x40xf32>, tensor<24x40xf32>) -> tensor<24x24xf32>
    %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<24x24xf32>, tensor<f32>) -> tensor<24xf32>
    %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<24xf32>) -> tensor<24x24xf32>
    %d = stablehlo.subtract %s, %mb : tensor<24x24xf32>
    %e = stablehlo.exponential %d : tensor<24x24xf32>
    %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<24x24xf32>, tensor<f32>) -> tensor<24xf32>
    %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<24xf32>) -> tensor<24x24xf32>
    %p = stablehlo.divide %e, %tb : tensor<24x24xf32>
    %o = func.call @residual(%p, %v, %q) : (tensor<24x24xf32>, tensor<24x40xf32>, tensor<24x40xf32>) -> tensor<24x40xf32>
    %r = stablehlo.transpose %o, dims = [1, 0] : (tensor<24x40xf32>) -> tensor<40x24xf32>
    return %o, %r : tensor<24x40xf32>, tensor<40x24xf32>
  }
  func.func private @residual(%p: tensor<24x24xf32>, %v: tensor<24x40xf32>, %q: tensor<24x40xf32>) -> tensor<24x40xf32> {
    %o = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<24x24xf32>, tensor<24x40xf32>) -> tensor<24x40xf32>
    %r = stablehlo.add %o, %q : tensor<24x40xf32>
    return %r : tensor<24x40xf32>
  }
}
