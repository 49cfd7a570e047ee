module @fuzz {
  func.func public @main(%arg0: tensor<7x2x16xi1>, %arg1: tensor<33x2x16x2xi8>) -> (tensor<24x4x1x11xi32>, tensor<1x2x2x528xi8>) {
    %v1 = "stablehlo.xor"(%arg1, %arg1) : (tensor<33x2x16x2xi8>, tensor<33x2x16x2xi8>) -> tensor<33x2x16x2xi8>
    %v2 = "stablehlo.reshape"(%arg1) : (tensor<33x2x16x2xi8>) -> tensor<528x1x2x2xi8>
    %v3 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x1xi8>
    %v4 = "stablehlo.dot_general"(%v2, %v3) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]}> : (tensor<528x1x2x2xi8>, tensor<2x1xi8>) -> tensor<528x1x2x1xi32>
    %v5 = "stablehlo.slice"(%v4) <{limit_indices = array<i64: 164, 0, 1, 1>, start_indices = array<i64: 141, 0, 0, 0>, strides = array<i64: 2, 1, 1, 1>}> : (tensor<528x1x2x1xi32>) -> tensor<12x0x1x1xi32>
    %v6 = "stablehlo.compare"(%v4, %v4) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<528x1x2x1xi32>, tensor<528x1x2x1xi32>) -> tensor<528x1x2x1xi1>
    %v7 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9x1xi32>
    %v8 = "stablehlo.transpose"(%v5) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<12x0x1x1xi32>) -> tensor<1x0x12x1xi32>
    %v9 = "stablehlo.reshape"(%v4) : (tensor<528x1x2x1xi32>) -> tensor<24x4x1x11xi32>
    %v10 = "stablehlo.transpose"(%v2) <{permutation = array<i64: 1, 3, 2, 0>}> : (tensor<528x1x2x2xi8>) -> tensor<1x2x2x528xi8>
    return %v9, %v10 : tensor<24x4x1x11xi32>, tensor<1x2x2x528xi8>
  }
}
