module @fuzz {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<7x7x2xi16>, %arg2: tensor<1xi32>, %arg3: tensor<16x2x7x2xf32>) -> (tensor<1xbf16>, tensor<3x3xi32>, tensor<1xbf16>) {
    %v1 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x1xi32>
    %v2 = "stablehlo.dot_general"(%arg2, %v1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<1xi32>, tensor<1x1xi32>) -> tensor<1xi32>
    %v3 = "stablehlo.broadcast_in_dim"(%v2) <{broadcast_dimensions = array<i64: 0>}> : (tensor<1xi32>) -> tensor<3x3x1x2xi32>
    %v4 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<3x1x2xi32>
    %v5 = "stablehlo.dot_general"(%v3, %v4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<3x3x1x2xi32>, tensor<3x1x2xi32>) -> tensor<3x3xi32>
    %v6 = "stablehlo.concatenate"(%v3, %v3, %v3) <{dimension = 0 : i64}> : (tensor<3x3x1x2xi32>, tensor<3x3x1x2xi32>, tensor<3x3x1x2xi32>) -> tensor<9x3x1x2xi32>
    %v7 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %v8 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %v9 = "stablehlo.divide"(%v2, %v8) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %v10 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<3x1x2xi32>
    %v11 = "stablehlo.dot_general"(%v3, %v10) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<3x3x1x2xi32>, tensor<3x1x2xi32>) -> tensor<3x3xi32>
    %v15 = "stablehlo.sort"(%v3) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%v12: tensor<i32>, %v13: tensor<i32>):
      %v14 = "stablehlo.compare"(%v12, %v13) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%v14) : (tensor<i1>) -> ()
    }) : (tensor<3x3x1x2xi32>) -> tensor<3x3x1x2xi32>
    %v16 = "stablehlo.concatenate"(%v11, %v11) <{dimension = 0 : i64}> : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<6x3xi32>
    %v17 = "stablehlo.reshape"(%v15) : (tensor<3x3x1x2xi32>) -> tensor<3x2x3xi32>
    %v18 = "stablehlo.iota"() <{iota_dimension = 3 : i64}> : () -> tensor<3x2x3x3xi32>
    %v19 = "stablehlo.dot_general"(%v17, %v18) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<3x2x3xi32>, tensor<3x2x3x3xi32>) -> tensor<3x3xi32>
    %v20 = "stablehlo.slice"(%v9) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 3>}> : (tensor<1xi32>) -> tensor<1xi32>
    %v21 = "stablehlo.reverse"(%v11) <{dimensions = array<i64: 1>}> : (tensor<3x3xi32>) -> tensor<3x3xi32>
    %v22 = "stablehlo.constant"() <{value = dense<100> : tensor<1xi32>}> : () -> tensor<1xi32>
    %v23 = "stablehlo.remainder"(%v20, %v22) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    %v24 = "stablehlo.convert"(%v23) : (tensor<1xi32>) -> tensor<1xbf16>
    %v42 = "stablehlo.if"(%arg0) ({
      %v28 = "stablehlo.sort"(%v21) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%v25: tensor<i32>, %v26: tensor<i32>):
      %v27 = "stablehlo.compare"(%v25, %v26) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%v27) : (tensor<i1>) -> ()
    }) : (tensor<3x3xi32>) -> tensor<3x3xi32>
      %v29 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
      %v30 = "stablehlo.pad"(%v24, %v29) <{edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<1xbf16>, tensor<bf16>) -> tensor<3xbf16>
      %v31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
      %v35 = "stablehlo.reduce_window"(%v24, %v31) <{window_dimensions = array<i64: 1>, window_strides = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%v32: tensor<bf16>, %v33: tensor<bf16>):
      %v34 = "stablehlo.add"(%v32, %v33) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%v34) : (tensor<bf16>) -> ()
    }) : (tensor<1xbf16>, tensor<bf16>) -> tensor<1xbf16>
      "stablehlo.return"(%v21) : (tensor<3x3xi32>) -> ()
    }, {
      %v36 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
      %v37 = "stablehlo.constant"() <{value = dense<1> : tensor<9x2x3xi32>}> : () -> tensor<9x2x3xi32>
      %v41 = "stablehlo.scatter"(%v17, %v36, %v37) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v38: tensor<i32>, %v39: tensor<i32>):
      %v40 = "stablehlo.minimum"(%v38, %v39) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v40) : (tensor<i32>) -> ()
    }) : (tensor<3x2x3xi32>, tensor<9x1xi32>, tensor<9x2x3xi32>) -> tensor<3x2x3xi32>
      "stablehlo.return"(%v11) : (tensor<3x3xi32>) -> ()
    }) : (tensor<i1>) -> tensor<3x3xi32>
    %v43 = "stablehlo.constant"() <{value = dense<-3.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %v44 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %v45 = "stablehlo.clamp"(%v43, %v24, %v44) : (tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1xbf16>
    %v46 = "stablehlo.exponential"(%v45) : (tensor<1xbf16>) -> tensor<1xbf16>
    return %v24, %v42, %v46 : tensor<1xbf16>, tensor<3x3xi32>, tensor<1xbf16>
  }
}
