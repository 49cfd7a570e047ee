func.func @main(%x: tensor<?x?xf32> {shapes.dims = ["b", "2*s"]}) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %s2 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %s = stablehlo.divide %s2, %two : tensor<i32>
  %y = stablehlo.add %x, %x : tensor<?x?xf32>
  %sum = stablehlo.add %b, %s : tensor<i32>
  %sum1 = stablehlo.reshape %sum : (tensor<i32>) -> tensor<1xi32>
  %iota = stablehlo.dynamic_iota %sum1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %y, %iota : tensor<?x?xf32>, tensor<?xf32>
}
