module @fuzz {
  func.func public @main(%arg0: tensor<7xi64>) -> (tensor<i64>, tensor<7xi64>, tensor<1x6xi64>) {
    %v1 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1xi32>
    %v2 = "stablehlo.sign"(%v1) : (tensor<1xi32>) -> tensor<1xi32>
    %v3 = "stablehlo.constant"() <{value = dense<-2147483648> : tensor<i32>}> : () -> tensor<i32>
    %v7 = "stablehlo.reduce_window"(%v1, %v3) <{window_dimensions = array<i64: 1>, window_strides = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%v4: tensor<i32>, %v5: tensor<i32>):
      %v6 = "stablehlo.maximum"(%v4, %v5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%v6) : (tensor<i32>) -> ()
    }) : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    %v8 = "stablehlo.reshape"(%arg0) : (tensor<7xi64>) -> tensor<1x7xi64>
    %v9 = "stablehlo.popcnt"(%arg0) : (tensor<7xi64>) -> tensor<7xi64>
    %v10 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %v11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %v12 = "stablehlo.dynamic_slice"(%v8, %v10, %v11) <{slice_sizes = array<i64: 1, 1>}> : (tensor<1x7xi64>, tensor<i32>, tensor<i32>) -> tensor<1x1xi64>
    %v13 = "stablehlo.broadcast_in_dim"(%v12) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi64>) -> tensor<1x1xi64>
    %v14 = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}> : () -> tensor<i64>
    %v18 = "stablehlo.reduce"(%v9, %v14) <{dimensions = array<i64: 0>}> ({
    ^bb0(%v15: tensor<i64>, %v16: tensor<i64>):
      %v17 = "stablehlo.xor"(%v15, %v16) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%v17) : (tensor<i64>) -> ()
    }) : (tensor<7xi64>, tensor<i64>) -> tensor<i64>
    %v19 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
    %v20 = "stablehlo.constant"() <{value = dense<1> : tensor<9xi64>}> : () -> tensor<9xi64>
    %v24 = "stablehlo.scatter"(%v9, %v19, %v20) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%v21: tensor<i64>, %v22: tensor<i64>):
      %v23 = "stablehlo.maximum"(%v21, %v22) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      "stablehlo.return"(%v23) : (tensor<i64>) -> ()
    }) : (tensor<7xi64>, tensor<9x1xi32>, tensor<9xi64>) -> tensor<7xi64>
    %v25 = "stablehlo.slice"(%v8) <{limit_indices = array<i64: 1, 7>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<1x7xi64>) -> tensor<1x6xi64>
    return %v18, %v24, %v25 : tensor<i64>, tensor<7xi64>, tensor<1x6xi64>
  }
}
