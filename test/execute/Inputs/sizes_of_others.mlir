// A product of what lies before another array's size, which may lie behind the ends of these.
module {
  func.func public @main(%d: tensor<?x4xf32>, %x: tensor<7x100xf32>, %y: tensor<100x30xf32>) -> tensor<7x30xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.get_dimension_size %d, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %i = stablehlo.iota dim = 1 : tensor<7x100xi32>
    %j = stablehlo.iota dim = 0 : tensor<100x30xi32>
    %si = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> tensor<7x100xi32>
    %sj = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> tensor<100x30xi32>
    %pi = stablehlo.compare LT, %i, %si : (tensor<7x100xi32>, tensor<7x100xi32>) -> tensor<7x100xi1>
    %pj = stablehlo.compare LT, %j, %sj : (tensor<100x30xi32>, tensor<100x30xi32>) -> tensor<100x30xi1>
    %zi = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<7x100xf32>
    %zj = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<100x30xf32>
    %a = stablehlo.select %pi, %x, %zi : tensor<7x100xi1>, tensor<7x100xf32>
    %b = stablehlo.select %pj, %y, %zj : tensor<100x30xi1>, tensor<100x30xf32>
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<7x100xf32>, tensor<100x30xf32>) -> tensor<7x30xf32>
    return %0 : tensor<7x30xf32>
  }
}
