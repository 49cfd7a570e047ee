module @IrToHlo.475 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<10xf32>, %arg1: tensor<10x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16xf32>, %arg6: tensor<16x40x1x1xf32>, %arg7: tensor<40xf32>, %arg8: tensor<40x8x1x1xf32>, %arg9: tensor<8xf32>, %arg10: tensor<8x40x1x1xf32>, %arg11: tensor<40xf32>, %arg12: tensor<40xf32>, %arg13: tensor<40xf32>, %arg14: tensor<40xf32>, %arg15: tensor<40x1x3x3xf32>, %arg16: tensor<40xf32>, %arg17: tensor<40xf32>, %arg18: tensor<40xf32>, %arg19: tensor<40xf32>, %arg20: tensor<40x16x1x1xf32>, %arg21: tensor<16xf32>, %arg22: tensor<16xf32>, %arg23: tensor<16xf32>, %arg24: tensor<16xf32>, %arg25: tensor<16x40x1x1xf32>, %arg26: tensor<40xf32>, %arg27: tensor<40x8x1x1xf32>, %arg28: tensor<8xf32>, %arg29: tensor<8x40x1x1xf32>, %arg30: tensor<40xf32>, %arg31: tensor<40xf32>, %arg32: tensor<40xf32>, %arg33: tensor<40xf32>, %arg34: tensor<40x1x3x3xf32>, %arg35: tensor<40xf32>, %arg36: tensor<40xf32>, %arg37: tensor<40xf32>, %arg38: tensor<40xf32>, %arg39: tensor<40x16x1x1xf32>, %arg40: tensor<16xf32>, %arg41: tensor<16xf32>, %arg42: tensor<16xf32>, %arg43: tensor<16xf32>, %arg44: tensor<16x3x3x3xf32>, %arg45: tensor<2x3x44x52xf32>) -> tensor<2x10xf32> {
    %cst = stablehlo.constant dense<0.00699300691> : tensor<2x16xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<2x40x1x1xf32>
    %cst_1 = stablehlo.constant dense<3.40282347E+38> : tensor<2x40x1x1xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<2x40x1x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<2x8x1x1xf32>
    %cst_4 = stablehlo.constant dense<0.00699300691> : tensor<2x40xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<2x40x1x1xf32>
    %cst_6 = stablehlo.constant dense<-3.40282347E+38> : tensor<2x40x1x1xf32>
    %cst_7 = stablehlo.constant dense<6.000000e+00> : tensor<2x40x11x13xf32>
    %cst_8 = stablehlo.constant dense<3.40282347E+38> : tensor<2x40x11x13xf32>
    %cst_9 = stablehlo.constant dense<3.000000e+00> : tensor<2x40x11x13xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<2x40x11x13xf32>
    %cst_11 = stablehlo.constant dense<-3.40282347E+38> : tensor<2x40x11x13xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<2x16x22x26xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convolution(%arg45, %arg44) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x3x44x52xf32>, tensor<16x3x3x3xf32>) -> tensor<2x16x22x26xf32>
    %1 = "stablehlo.batch_norm_inference"(%0, %arg43, %arg42, %arg41, %arg40) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x16x22x26xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16x22x26xf32>
    %2 = stablehlo.maximum %1, %cst_12 : tensor<2x16x22x26xf32>
    %3 = stablehlo.pad %2, %cst_13, low = [0, 0, 1, 1], high = [0, 0, 1, 1], interior = [0, 0, 0, 0] : (tensor<2x16x22x26xf32>, tensor<f32>) -> tensor<2x16x24x28xf32>
    %4 = "stablehlo.reduce_window"(%3, %cst_13) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg46: tensor<f32>, %arg47: tensor<f32>):
      %79 = stablehlo.maximum %arg46, %arg47 : tensor<f32>
      stablehlo.return %79 : tensor<f32>
    }) : (tensor<2x16x24x28xf32>, tensor<f32>) -> tensor<2x16x11x13xf32>
    %5 = stablehlo.convolution(%4, %arg39) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x16x11x13xf32>, tensor<40x16x1x1xf32>) -> tensor<2x40x11x13xf32>
    %6 = "stablehlo.batch_norm_inference"(%5, %arg38, %arg37, %arg36, %arg35) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x40x11x13xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<2x40x11x13xf32>
    %7 = stablehlo.add %6, %cst_9 : tensor<2x40x11x13xf32>
    %8 = stablehlo.clamp %cst_10, %7, %cst_8 : tensor<2x40x11x13xf32>
    %9 = stablehlo.clamp %cst_11, %8, %cst_7 : tensor<2x40x11x13xf32>
    %10 = stablehlo.multiply %6, %9 : tensor<2x40x11x13xf32>
    %11 = stablehlo.divide %10, %cst_7 : tensor<2x40x11x13xf32>
    %12 = stablehlo.convolution(%11, %arg34) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 40 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x40x11x13xf32>, tensor<40x1x3x3xf32>) -> tensor<2x40x11x13xf32>
    %13 = "stablehlo.batch_norm_inference"(%12, %arg33, %arg32, %arg31, %arg30) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x40x11x13xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<2x40x11x13xf32>
    %14 = stablehlo.add %13, %cst_9 : tensor<2x40x11x13xf32>
    %15 = stablehlo.clamp %cst_10, %14, %cst_8 : tensor<2x40x11x13xf32>
    %16 = stablehlo.clamp %cst_11, %15, %cst_7 : tensor<2x40x11x13xf32>
    %17 = stablehlo.multiply %13, %16 : tensor<2x40x11x13xf32>
    %18 = stablehlo.divide %17, %cst_7 : tensor<2x40x11x13xf32>
    %19 = stablehlo.reduce(%18 init: %cst_14) applies stablehlo.add across dimensions = [3, 2] : (tensor<2x40x11x13xf32>, tensor<f32>) -> tensor<2x40xf32>
    %20 = stablehlo.multiply %19, %cst_4 : tensor<2x40xf32>
    %21 = stablehlo.reshape %20 : (tensor<2x40xf32>) -> tensor<2x40x1x1xf32>
    %22 = stablehlo.convolution(%21, %arg29) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x40x1x1xf32>, tensor<8x40x1x1xf32>) -> tensor<2x8x1x1xf32>
    %23 = stablehlo.broadcast_in_dim %arg28, dims = [1] : (tensor<8xf32>) -> tensor<2x8x1x1xf32>
    %24 = stablehlo.add %22, %23 : tensor<2x8x1x1xf32>
    %25 = stablehlo.maximum %24, %cst_3 : tensor<2x8x1x1xf32>
    %26 = stablehlo.convolution(%25, %arg27) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x1x1xf32>, tensor<40x8x1x1xf32>) -> tensor<2x40x1x1xf32>
    %27 = stablehlo.broadcast_in_dim %arg26, dims = [1] : (tensor<40xf32>) -> tensor<2x40x1x1xf32>
    %28 = stablehlo.add %26, %27 : tensor<2x40x1x1xf32>
    %29 = stablehlo.add %28, %cst_2 : tensor<2x40x1x1xf32>
    %30 = stablehlo.clamp %cst_5, %29, %cst_1 : tensor<2x40x1x1xf32>
    %31 = stablehlo.clamp %cst_6, %30, %cst_0 : tensor<2x40x1x1xf32>
    %32 = stablehlo.divide %31, %cst_0 : tensor<2x40x1x1xf32>
    %33 = stablehlo.reshape %32 : (tensor<2x40x1x1xf32>) -> tensor<2x40xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1] : (tensor<2x40xf32>) -> tensor<2x40x11x13xf32>
    %35 = stablehlo.multiply %18, %34 : tensor<2x40x11x13xf32>
    %36 = stablehlo.convolution(%35, %arg25) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x40x11x13xf32>, tensor<16x40x1x1xf32>) -> tensor<2x16x11x13xf32>
    %37 = "stablehlo.batch_norm_inference"(%36, %arg24, %arg23, %arg22, %arg21) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x16x11x13xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16x11x13xf32>
    %38 = stablehlo.add %4, %37 : tensor<2x16x11x13xf32>
    %39 = stablehlo.convolution(%38, %arg20) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x16x11x13xf32>, tensor<40x16x1x1xf32>) -> tensor<2x40x11x13xf32>
    %40 = "stablehlo.batch_norm_inference"(%39, %arg19, %arg18, %arg17, %arg16) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x40x11x13xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<2x40x11x13xf32>
    %41 = stablehlo.add %40, %cst_9 : tensor<2x40x11x13xf32>
    %42 = stablehlo.clamp %cst_10, %41, %cst_8 : tensor<2x40x11x13xf32>
    %43 = stablehlo.clamp %cst_11, %42, %cst_7 : tensor<2x40x11x13xf32>
    %44 = stablehlo.multiply %40, %43 : tensor<2x40x11x13xf32>
    %45 = stablehlo.divide %44, %cst_7 : tensor<2x40x11x13xf32>
    %46 = stablehlo.convolution(%45, %arg15) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 40 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x40x11x13xf32>, tensor<40x1x3x3xf32>) -> tensor<2x40x11x13xf32>
    %47 = "stablehlo.batch_norm_inference"(%46, %arg14, %arg13, %arg12, %arg11) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x40x11x13xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) -> tensor<2x40x11x13xf32>
    %48 = stablehlo.add %47, %cst_9 : tensor<2x40x11x13xf32>
    %49 = stablehlo.clamp %cst_10, %48, %cst_8 : tensor<2x40x11x13xf32>
    %50 = stablehlo.clamp %cst_11, %49, %cst_7 : tensor<2x40x11x13xf32>
    %51 = stablehlo.multiply %47, %50 : tensor<2x40x11x13xf32>
    %52 = stablehlo.divide %51, %cst_7 : tensor<2x40x11x13xf32>
    %53 = stablehlo.reduce(%52 init: %cst_14) applies stablehlo.add across dimensions = [3, 2] : (tensor<2x40x11x13xf32>, tensor<f32>) -> tensor<2x40xf32>
    %54 = stablehlo.multiply %53, %cst_4 : tensor<2x40xf32>
    %55 = stablehlo.reshape %54 : (tensor<2x40xf32>) -> tensor<2x40x1x1xf32>
    %56 = stablehlo.convolution(%55, %arg10) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x40x1x1xf32>, tensor<8x40x1x1xf32>) -> tensor<2x8x1x1xf32>
    %57 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<8xf32>) -> tensor<2x8x1x1xf32>
    %58 = stablehlo.add %56, %57 : tensor<2x8x1x1xf32>
    %59 = stablehlo.maximum %58, %cst_3 : tensor<2x8x1x1xf32>
    %60 = stablehlo.convolution(%59, %arg8) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x8x1x1xf32>, tensor<40x8x1x1xf32>) -> tensor<2x40x1x1xf32>
    %61 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<40xf32>) -> tensor<2x40x1x1xf32>
    %62 = stablehlo.add %60, %61 : tensor<2x40x1x1xf32>
    %63 = stablehlo.add %62, %cst_2 : tensor<2x40x1x1xf32>
    %64 = stablehlo.clamp %cst_5, %63, %cst_1 : tensor<2x40x1x1xf32>
    %65 = stablehlo.clamp %cst_6, %64, %cst_0 : tensor<2x40x1x1xf32>
    %66 = stablehlo.divide %65, %cst_0 : tensor<2x40x1x1xf32>
    %67 = stablehlo.reshape %66 : (tensor<2x40x1x1xf32>) -> tensor<2x40xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<2x40xf32>) -> tensor<2x40x11x13xf32>
    %69 = stablehlo.multiply %52, %68 : tensor<2x40x11x13xf32>
    %70 = stablehlo.convolution(%69, %arg6) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x40x11x13xf32>, tensor<16x40x1x1xf32>) -> tensor<2x16x11x13xf32>
    %71 = "stablehlo.batch_norm_inference"(%70, %arg5, %arg4, %arg3, %arg2) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<2x16x11x13xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16x11x13xf32>
    %72 = stablehlo.add %38, %71 : tensor<2x16x11x13xf32>
    %73 = stablehlo.reduce(%72 init: %cst_14) applies stablehlo.add across dimensions = [3, 2] : (tensor<2x16x11x13xf32>, tensor<f32>) -> tensor<2x16xf32>
    %74 = stablehlo.multiply %73, %cst : tensor<2x16xf32>
    %75 = stablehlo.transpose %arg1, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[16,10]{0,1}"} : (tensor<10x16xf32>) -> tensor<16x10xf32>
    %76 = stablehlo.dot_general %74, %75, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<16x10xf32>) -> tensor<2x10xf32>
    %77 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<10xf32>) -> tensor<2x10xf32>
    %78 = stablehlo.add %76, %77 : tensor<2x10xf32>
    return %78 : tensor<2x10xf32>
  }
}
