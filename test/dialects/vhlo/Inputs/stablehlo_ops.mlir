// What the bytecode of stablehlo and chlo has numbers and properties for.
module @ops {
  func.func public @main(%x: tensor<2x8x8x3xf32> {jax.arg_info = "x"}, %k: tensor<3x3x3x4xf32>, %m: tensor<4x8xf32>,
      %i: tensor<2x1xi32>, %c: tensor<8xcomplex<f32>>)
      -> (tensor<2x6x6x4xf32> {jax.result_info = "y"}, tensor<8xi1>, tensor<2x8xf32>, tensor<4x8xf32>, tensor<4x3xf32>,
      tensor<8xcomplex<f32>>, tensor<8xf32>, tensor<4x4xf32>, tensor<2xui32>, tensor<4x8xi1>, tensor<4xf32>,
      tensor<4x8xf8E4M3FN>, tensor<4x8xf32>) {
    %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1],
        pad = [[0, 0], [0, 0]], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
        precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}
        : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x6x6x4xf32>
    %mask = stablehlo.constant dense<[true, false, true, true, false, false, true, false]> : tensor<8xi1>
    %1 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false,
        slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
    %2 = "stablehlo.scatter"(%m, %i, %1) <{indices_are_sorted = false,
        scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    %values, %indices = chlo.top_k(%m, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
    %4 = stablehlo.fft %c, type = IFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>
    %6 = stablehlo.dot_general %m, %m, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = f32,
        rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
        num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>)
        -> tensor<4x4xf32>
    %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
    %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>)
        -> (tensor<2xui64>, tensor<2xui32>)
    %7 = stablehlo.compare GT, %m, %2, TOTALORDER : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %8:2 = call @factors(%m) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
    %9 = stablehlo.convert %m : (tensor<4x8xf32>) -> tensor<4x8xf8E4M3FN>
    %10 = chlo.erf %m : tensor<4x8xf32> -> tensor<4x8xf32>
    return %0, %mask, %1, %2, %values, %4, %5, %6, %bits, %7, %8#1, %9, %10
        : tensor<2x6x6x4xf32>, tensor<8xi1>, tensor<2x8xf32>, tensor<4x8xf32>, tensor<4x3xf32>, tensor<8xcomplex<f32>>,
        tensor<8xf32>, tensor<4x4xf32>, tensor<2xui32>, tensor<4x8xi1>, tensor<4xf32>, tensor<4x8xf8E4M3FN>,
        tensor<4x8xf32>
  }
  func.func private @factors(%m: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
    %0 = stablehlo.custom_call @Qr(%m) {backend_config = "", operand_layouts = [dense<[0, 1]>
        : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
        : (tensor<4x8xf32>) -> tuple<tensor<4x8xf32>, tensor<4xf32>>
    %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<4x8xf32>, tensor<4xf32>>) -> tensor<4x8xf32>
    %2 = stablehlo.get_tuple_element %0[1] : (tuple<tensor<4x8xf32>, tensor<4xf32>>) -> tensor<4xf32>
    return %1, %2 : tensor<4x8xf32>, tensor<4xf32>
  }
}
