module @fuzz {
  func.func public @main(%arg0: tensor<33x8xf32>, %arg1: tensor<i16>, %arg2: tensor<8x2x3x16xi8>, %arg3: tensor<i16>) -> (tensor<2x6x8x16xf32>, tensor<2x6x8x16xi8>, tensor<2x6x8x16xi8>) {
    %v1 = "stablehlo.compare"(%arg1, %arg1) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i16>, tensor<i16>) -> tensor<i1>
    %v2 = "stablehlo.concatenate"(%arg2, %arg2) <{dimension = 2 : i64}> : (tensor<8x2x3x16xi8>, tensor<8x2x3x16xi8>) -> tensor<8x2x6x16xi8>
    %v3 = "stablehlo.transpose"(%v2) <{permutation = array<i64: 2, 0, 1, 3>}> : (tensor<8x2x6x16xi8>) -> tensor<6x8x2x16xi8>
    %v4 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x1xi32>
    %v5 = "stablehlo.constant"() <{value = dense<1> : tensor<5x8x2x16xi8>}> : () -> tensor<5x8x2x16xi8>
    %v9 = "stablehlo.scatter"(%v3, %v4, %v5) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2, 3], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v6: tensor<i8>, %v7: tensor<i8>):
      %v8 = "stablehlo.maximum"(%v6, %v7) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%v8) : (tensor<i8>) -> ()
    }) : (tensor<6x8x2x16xi8>, tensor<5x1xi32>, tensor<5x8x2x16xi8>) -> tensor<6x8x2x16xi8>
    %v10 = "stablehlo.transpose"(%v2) <{permutation = array<i64: 1, 2, 0, 3>}> : (tensor<8x2x6x16xi8>) -> tensor<2x6x8x16xi8>
    %v11 = "stablehlo.select"(%v1, %arg3, %arg3) : (tensor<i1>, tensor<i16>, tensor<i16>) -> tensor<i16>
    %v12 = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> tensor<i8>
    %v16 = "stablehlo.reduce_window"(%v10, %v12) <{window_dimensions = array<i64: 2, 2, 1, 1>, window_strides = array<i64: 1, 1, 1, 1>, window_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>}> ({
    ^bb0(%v13: tensor<i8>, %v14: tensor<i8>):
      %v15 = "stablehlo.or"(%v13, %v14) : (tensor<i8>, tensor<i8>) -> tensor<i8>
      "stablehlo.return"(%v15) : (tensor<i8>) -> ()
    }) : (tensor<2x6x8x16xi8>, tensor<i8>) -> tensor<1x6x8x16xi8>
    %v17 = "stablehlo.constant"() <{value = dense<100> : tensor<2x6x8x16xi8>}> : () -> tensor<2x6x8x16xi8>
    %v18 = "stablehlo.remainder"(%v10, %v17) : (tensor<2x6x8x16xi8>, tensor<2x6x8x16xi8>) -> tensor<2x6x8x16xi8>
    %v19 = "stablehlo.convert"(%v18) : (tensor<2x6x8x16xi8>) -> tensor<2x6x8x16xf32>
    %v20 = "stablehlo.not"(%v1) : (tensor<i1>) -> tensor<i1>
    %v21 = "stablehlo.transpose"(%v19) <{permutation = array<i64: 1, 3, 2, 0>}> : (tensor<2x6x8x16xf32>) -> tensor<6x16x8x2xf32>
    %v22 = "stablehlo.transpose"(%v10) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x6x8x16xi8>) -> tensor<2x6x16x8xi8>
    %v23 = "stablehlo.constant"() <{value = dense<0> : tensor<6x8x2x16xi8>}> : () -> tensor<6x8x2x16xi8>
    %v24 = "stablehlo.shift_left"(%v9, %v23) : (tensor<6x8x2x16xi8>, tensor<6x8x2x16xi8>) -> tensor<6x8x2x16xi8>
    %v25 = "stablehlo.cosine"(%v19) : (tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
    %v26 = "stablehlo.constant"() <{value = dense<4> : tensor<2x6x8x16xi8>}> : () -> tensor<2x6x8x16xi8>
    %v27 = "stablehlo.shift_right_logical"(%v10, %v26) : (tensor<2x6x8x16xi8>, tensor<2x6x8x16xi8>) -> tensor<2x6x8x16xi8>
    %v28 = "stablehlo.add"(%v10, %v10) : (tensor<2x6x8x16xi8>, tensor<2x6x8x16xi8>) -> tensor<2x6x8x16xi8>
    return %v25, %v27, %v28 : tensor<2x6x8x16xf32>, tensor<2x6x8x16xi8>, tensor<2x6x8x16xi8>
  }
}
