module @fuzz {
  func.func public @main(%arg0: tensor<8x3xui32>, %arg1: tensor<1x4xi32>, %arg2: tensor<ui8>) -> (tensor<ui8>, tensor<8x3xui32>, tensor<8x3xui32>) {
    %v1 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
    %v2 = "stablehlo.constant"() <{value = dense<1> : tensor<9x3xui32>}> : () -> tensor<9x3xui32>
    %v6 = "stablehlo.scatter"(%arg0, %v1, %v2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v3: tensor<ui32>, %v4: tensor<ui32>):
      %v5 = "stablehlo.minimum"(%v3, %v4) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%v5) : (tensor<ui32>) -> ()
    }) : (tensor<8x3xui32>, tensor<9x1xi32>, tensor<9x3xui32>) -> tensor<8x3xui32>
    %v7 = "stablehlo.maximum"(%arg2, %arg2) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
    %v8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %v21:2 = "stablehlo.while"(%v8, %arg0) ({
    ^bb0(%v9: tensor<i32>, %v14: tensor<8x3xui32>):
      %v10 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %v11 = "stablehlo.compare"(%v9, %v10) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%v11) : (tensor<i1>) -> ()
    }, {
    ^bb0(%v9: tensor<i32>, %v14: tensor<8x3xui32>):
      %v15 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x1xi32>
      %v16 = "stablehlo.constant"() <{value = dense<1> : tensor<2x3xui32>}> : () -> tensor<2x3xui32>
      %v20 = "stablehlo.scatter"(%v6, %v15, %v16) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v17: tensor<ui32>, %v18: tensor<ui32>):
      %v19 = "stablehlo.maximum"(%v17, %v18) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%v19) : (tensor<ui32>) -> ()
    }) : (tensor<8x3xui32>, tensor<2x1xi32>, tensor<2x3xui32>) -> tensor<8x3xui32>
      %v12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %v13 = "stablehlo.add"(%v9, %v12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v13, %v20) : (tensor<i32>, tensor<8x3xui32>) -> ()
    }) : (tensor<i32>, tensor<8x3xui32>) -> (tensor<i32>, tensor<8x3xui32>)
    %v25 = "stablehlo.sort"(%v21#1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%v22: tensor<ui32>, %v23: tensor<ui32>):
      %v24 = "stablehlo.compare"(%v22, %v23) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      "stablehlo.return"(%v24) : (tensor<i1>) -> ()
    }) : (tensor<8x3xui32>) -> tensor<8x3xui32>
    return %v7, %v21#1, %v25 : tensor<ui8>, tensor<8x3xui32>, tensor<8x3xui32>
  }
}
