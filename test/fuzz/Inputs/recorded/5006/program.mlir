module @fuzz {
  func.func public @main(%arg0: tensor<2xi1>, %arg1: tensor<3x3x8x2xi64>) -> (tensor<1xf32>, tensor<20xf32>, tensor<3xf32>) {
    %v1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %v15 = "stablehlo.case"(%v1) ({
      %v2 = "stablehlo.reshape"(%arg1) : (tensor<3x3x8x2xi64>) -> tensor<9x1x4x2x2xi64>
      %v3 = "stablehlo.reshape"(%arg1) : (tensor<3x3x8x2xi64>) -> tensor<48x3xi64>
      "stablehlo.return"(%arg0) : (tensor<2xi1>) -> ()
    }, {
      %v4 = "stablehlo.constant"() <{value = dense<1> : tensor<3x3x8x2xi64>}> : () -> tensor<3x3x8x2xi64>
      %v5 = "stablehlo.maximum"(%arg1, %v4) : (tensor<3x3x8x2xi64>, tensor<3x3x8x2xi64>) -> tensor<3x3x8x2xi64>
      %v6 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<17x17x3xi32>
      "stablehlo.return"(%arg0) : (tensor<2xi1>) -> ()
    }, {
      %v7 = "stablehlo.concatenate"(%arg1, %arg1) <{dimension = 1 : i64}> : (tensor<3x3x8x2xi64>, tensor<3x3x8x2xi64>) -> tensor<3x6x8x2xi64>
      %v8 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> tensor<i64>
      %v12 = "stablehlo.reduce"(%v7, %v8) <{dimensions = array<i64: 1, 2, 3>}> ({
    ^bb0(%v9: tensor<i64>, %v10: tensor<i64>):
      %v11 = "stablehlo.multiply"(%v9, %v10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%v11) : (tensor<i64>) -> ()
    }) : (tensor<3x6x8x2xi64>, tensor<i64>) -> tensor<3xi64>
      %v13 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x1xi32>
      %v14 = "stablehlo.gather"(%v12, %v13) <{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3xi64>, tensor<2x1xi32>) -> tensor<2xi64>
      "stablehlo.return"(%arg0) : (tensor<2xi1>) -> ()
    }) : (tensor<i32>) -> tensor<2xi1>
    %v16 = "stablehlo.constant"() <{value = dense<2> : tensor<i64>}> : () -> tensor<i64>
    %v17 = "stablehlo.pad"(%arg1, %v16) <{edge_padding_high = array<i64: 1, 1, 2, 2>, edge_padding_low = array<i64: 2, 1, 2, -1>, interior_padding = array<i64: 2, 2, 1, 1>}> : (tensor<3x3x8x2xi64>, tensor<i64>) -> tensor<10x9x19x4xi64>
    %v18 = "stablehlo.constant"() <{value = dense<2> : tensor<10x9x19x4xi64>}> : () -> tensor<10x9x19x4xi64>
    %v19 = "stablehlo.or"(%v17, %v18) : (tensor<10x9x19x4xi64>, tensor<10x9x19x4xi64>) -> tensor<10x9x19x4xi64>
    %v20 = "stablehlo.convert"(%v15) : (tensor<2xi1>) -> tensor<2xf32>
    %v21 = "stablehlo.reshape"(%v20) : (tensor<2xf32>) -> tensor<2xf32>
    %v22 = "stablehlo.slice"(%v21) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
    %v23 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x20xf32>
    %v24 = "stablehlo.dot_general"(%v22, %v23) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<1xf32>, tensor<1x20xf32>) -> tensor<20xf32>
    %v25 = "stablehlo.concatenate"(%v24, %v21, %v22) <{dimension = 0 : i64}> : (tensor<20xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<23xf32>
    %v26 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
    %v27 = "stablehlo.slice"(%v22) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<1xf32>) -> tensor<1xf32>
    %v28 = "stablehlo.dynamic_update_slice"(%v22, %v27, %v26) : (tensor<1xf32>, tensor<1xf32>, tensor<i32>) -> tensor<1xf32>
    %v29 = "stablehlo.constant"() <{value = dense<-8.000000e+00> : tensor<20xf32>}> : () -> tensor<20xf32>
    %v30 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<20xf32>}> : () -> tensor<20xf32>
    %v31 = "stablehlo.clamp"(%v29, %v24, %v30) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
    %v32 = "stablehlo.constant"() <{value = dense<-8.000000e+00> : tensor<20xf32>}> : () -> tensor<20xf32>
    %v33 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<20xf32>}> : () -> tensor<20xf32>
    %v34 = "stablehlo.clamp"(%v32, %v24, %v33) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
    %v35 = "stablehlo.subtract"(%v31, %v34) : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
    %v36 = "stablehlo.constant"() <{value = dense<-8.000000e+00> : tensor<20xf32>}> : () -> tensor<20xf32>
    %v37 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<20xf32>}> : () -> tensor<20xf32>
    %v38 = "stablehlo.clamp"(%v36, %v24, %v37) : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
    %v39 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<20x3xf32>
    %v40 = "stablehlo.dot_general"(%v38, %v39) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<20xf32>, tensor<20x3xf32>) -> tensor<3xf32>
    return %v28, %v35, %v40 : tensor<1xf32>, tensor<20xf32>, tensor<3xf32>
  }
}
