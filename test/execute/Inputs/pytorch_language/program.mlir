module @IrToHlo.534 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false} {
  func.func @main(%arg0: tensor<96x48xf32>, %arg1: tensor<48xf32>, %arg2: tensor<48xf32>, %arg3: tensor<48x96xf32>, %arg4: tensor<96xf32>, %arg5: tensor<96x48xf32>, %arg6: tensor<48xf32>, %arg7: tensor<48xf32>, %arg8: tensor<48x48xf32>, %arg9: tensor<144xf32>, %arg10: tensor<144x48xf32>, %arg11: tensor<48xf32>, %arg12: tensor<48xf32>, %arg13: tensor<48x96xf32>, %arg14: tensor<96xf32>, %arg15: tensor<96x48xf32>, %arg16: tensor<48xf32>, %arg17: tensor<48xf32>, %arg18: tensor<48x48xf32>, %arg19: tensor<144xf32>, %arg20: tensor<144x48xf32>, %arg21: tensor<48xf32>, %arg22: tensor<32x48xf32>, %arg23: tensor<2x21xi64>, %arg24: tensor<48xf32>, %arg25: tensor<i1>, %arg26: tensor<48xf32>, %arg27: tensor<48xf32>, %arg28: tensor<48xf32>, %arg29: tensor<48xf32>) -> tensor<2x21x96xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<2x21x96xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<2x21x96xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<2x21x96xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<21x21xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<21x21xf32>
    %c = stablehlo.constant dense<0> : tensor<21x21xi64>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<2x3x16x21xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<2x3x21x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<42xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<42xf32>
    %c_8 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]> : tensor<21xui32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_10 = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]> : tensor<21xi64>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg23 : (tensor<2x21xi64>) -> tensor<42xi64>
    %1 = stablehlo.convert %0 : (tensor<42xi64>) -> tensor<42xui32>
    %2 = "stablehlo.gather"(%arg0, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 48>}> : (tensor<96x48xf32>, tensor<42xui32>) -> tensor<42x48xf32>
    %3 = stablehlo.reshape %2 : (tensor<42x48xf32>) -> tensor<2x21x48xf32>
    %4 = "stablehlo.gather"(%arg22, %c_8) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 48>}> : (tensor<32x48xf32>, tensor<21xui32>) -> tensor<21x48xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<21x48xf32>) -> tensor<2x21x48xf32>
    %6 = stablehlo.add %3, %5 : tensor<2x21x48xf32>
    %7 = stablehlo.reshape %6 : (tensor<2x21x48xf32>) -> tensor<1x42x48xf32>
    %output, %batch_mean, %batch_var = "stablehlo.batch_norm_training"(%7, %cst_7, %cst_6) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>) -> (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>)
    %8 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %9 = stablehlo.reshape %output : (tensor<1x42x48xf32>) -> tensor<2x21x48xf32>
    %10 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<2x21x48xf32>
    %12 = stablehlo.add %8, %11 : tensor<2x21x48xf32>
    %13 = stablehlo.reshape %12 : (tensor<2x21x48xf32>) -> tensor<42x48xf32>
    %14 = stablehlo.transpose %arg20, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[48,144]{0,1}"} : (tensor<144x48xf32>) -> tensor<48x144xf32>
    %15 = stablehlo.dot_general %13, %14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<42x48xf32>, tensor<48x144xf32>) -> tensor<42x144xf32>
    %16 = stablehlo.broadcast_in_dim %arg19, dims = [1] : (tensor<144xf32>) -> tensor<42x144xf32>
    %17 = stablehlo.add %15, %16 : tensor<42x144xf32>
    %18 = stablehlo.reshape %17 : (tensor<42x144xf32>) -> tensor<2x21x144xf32>
    %19 = stablehlo.slice %18 [0:2, 0:21, 0:48] : (tensor<2x21x144xf32>) -> tensor<2x21x48xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x21x48xf32>) -> tensor<2x21x3x16xf32>
    %21 = stablehlo.transpose %20, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[2,3,21,16]{3,1,2,0}"} : (tensor<2x21x3x16xf32>) -> tensor<2x3x21x16xf32>
    %22 = stablehlo.multiply %21, %cst_5 : tensor<2x3x21x16xf32>
    %23 = stablehlo.reshape %22 : (tensor<2x3x21x16xf32>) -> tensor<6x21x16xf32>
    %24 = stablehlo.slice %18 [0:2, 0:21, 48:96] : (tensor<2x21x144xf32>) -> tensor<2x21x48xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x21x48xf32>) -> tensor<2x21x3x16xf32>
    %26 = stablehlo.transpose %25, dims = [0, 2, 3, 1] : (tensor<2x21x3x16xf32>) -> tensor<2x3x16x21xf32>
    %27 = stablehlo.multiply %26, %cst_4 : tensor<2x3x16x21xf32>
    %28 = stablehlo.reshape %27 : (tensor<2x3x16x21xf32>) -> tensor<6x16x21xf32>
    %29 = stablehlo.dot_general %23, %28, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x21x16xf32>, tensor<6x16x21xf32>) -> tensor<6x21x21xf32>
    %30 = stablehlo.reshape %29 : (tensor<6x21x21xf32>) -> tensor<2x3x21x21xf32>
    %31 = stablehlo.broadcast_in_dim %c_10, dims = [1] : (tensor<21xi64>) -> tensor<21x21xi64>
    %32 = stablehlo.broadcast_in_dim %c_10, dims = [0] : (tensor<21xi64>) -> tensor<21x21xi64>
    %33 = stablehlo.subtract %31, %32 : tensor<21x21xi64>
    %34 = stablehlo.compare  LE, %33, %c : (tensor<21x21xi64>, tensor<21x21xi64>) -> tensor<21x21xi1>
    %35 = stablehlo.broadcast_in_dim %arg25, dims = [] : (tensor<i1>) -> tensor<21x21xi1>
    %36 = stablehlo.and %34, %35 : tensor<21x21xi1>
    %37 = stablehlo.select %36, %cst_3, %cst_2 : tensor<21x21xi1>, tensor<21x21xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [2, 3] : (tensor<21x21xf32>) -> tensor<2x3x21x21xf32>
    %39 = stablehlo.add %30, %38 : tensor<2x3x21x21xf32>
    %40 = stablehlo.reduce(%39 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x21x21xf32>, tensor<f32>) -> tensor<2x3x21xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<2x3x21xf32>) -> tensor<2x3x21x21xf32>
    %42 = stablehlo.subtract %39, %41 : tensor<2x3x21x21xf32>
    %43 = stablehlo.exponential %42 : tensor<2x3x21x21xf32>
    %44 = stablehlo.reduce(%43 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x3x21x21xf32>, tensor<f32>) -> tensor<2x3x21xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<2x3x21xf32>) -> tensor<2x3x21x21xf32>
    %46 = stablehlo.divide %43, %45 : tensor<2x3x21x21xf32>
    %47 = stablehlo.reshape %46 : (tensor<2x3x21x21xf32>) -> tensor<6x21x21xf32>
    %48 = stablehlo.slice %18 [0:2, 0:21, 96:144] : (tensor<2x21x144xf32>) -> tensor<2x21x48xf32>
    %49 = stablehlo.reshape %48 : (tensor<2x21x48xf32>) -> tensor<2x21x3x16xf32>
    %50 = stablehlo.transpose %49, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[2,3,21,16]{3,1,2,0}"} : (tensor<2x21x3x16xf32>) -> tensor<2x3x21x16xf32>
    %51 = stablehlo.reshape %50 : (tensor<2x3x21x16xf32>) -> tensor<6x21x16xf32>
    %52 = stablehlo.dot_general %47, %51, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x21x21xf32>, tensor<6x21x16xf32>) -> tensor<6x21x16xf32>
    %53 = stablehlo.reshape %52 : (tensor<6x21x16xf32>) -> tensor<2x3x21x16xf32>
    %54 = stablehlo.transpose %53, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[2,21,3,16]{3,1,2,0}"} : (tensor<2x3x21x16xf32>) -> tensor<2x21x3x16xf32>
    %55 = stablehlo.reshape %54 : (tensor<2x21x3x16xf32>) -> tensor<2x21x48xf32>
    %56 = stablehlo.transpose %arg18, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[48,48]{0,1}"} : (tensor<48x48xf32>) -> tensor<48x48xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [1, 2] : (tensor<48x48xf32>) -> tensor<2x48x48xf32>
    %58 = stablehlo.dot_general %55, %57, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x21x48xf32>, tensor<2x48x48xf32>) -> tensor<2x21x48xf32>
    %59 = stablehlo.broadcast_in_dim %arg17, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %60 = stablehlo.add %58, %59 : tensor<2x21x48xf32>
    %61 = stablehlo.add %6, %60 : tensor<2x21x48xf32>
    %62 = stablehlo.reshape %61 : (tensor<2x21x48xf32>) -> tensor<1x42x48xf32>
    %output_12, %batch_mean_13, %batch_var_14 = "stablehlo.batch_norm_training"(%62, %cst_7, %cst_6) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>) -> (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>)
    %63 = stablehlo.broadcast_in_dim %arg26, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %64 = stablehlo.reshape %output_12 : (tensor<1x42x48xf32>) -> tensor<2x21x48xf32>
    %65 = stablehlo.broadcast_in_dim %arg16, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %66 = stablehlo.multiply %64, %65 : tensor<2x21x48xf32>
    %67 = stablehlo.add %63, %66 : tensor<2x21x48xf32>
    %68 = stablehlo.reshape %67 : (tensor<2x21x48xf32>) -> tensor<42x48xf32>
    %69 = stablehlo.transpose %arg15, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[48,96]{0,1}"} : (tensor<96x48xf32>) -> tensor<48x96xf32>
    %70 = stablehlo.dot_general %68, %69, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<42x48xf32>, tensor<48x96xf32>) -> tensor<42x96xf32>
    %71 = stablehlo.broadcast_in_dim %arg14, dims = [1] : (tensor<96xf32>) -> tensor<42x96xf32>
    %72 = stablehlo.add %70, %71 : tensor<42x96xf32>
    %73 = stablehlo.reshape %72 : (tensor<42x96xf32>) -> tensor<2x21x96xf32>
    %74 = stablehlo.multiply %73, %cst_1 : tensor<2x21x96xf32>
    %75 = stablehlo.multiply %73, %cst_0 : tensor<2x21x96xf32>
    %76 = stablehlo.custom_call @mhlo.erf(%75) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2x21x96xf32>) -> tensor<2x21x96xf32>
    %77 = stablehlo.add %76, %cst : tensor<2x21x96xf32>
    %78 = stablehlo.multiply %74, %77 : tensor<2x21x96xf32>
    %79 = stablehlo.reshape %78 : (tensor<2x21x96xf32>) -> tensor<42x96xf32>
    %80 = stablehlo.transpose %arg13, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[96,48]{0,1}"} : (tensor<48x96xf32>) -> tensor<96x48xf32>
    %81 = stablehlo.dot_general %79, %80, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<42x96xf32>, tensor<96x48xf32>) -> tensor<42x48xf32>
    %82 = stablehlo.broadcast_in_dim %arg12, dims = [1] : (tensor<48xf32>) -> tensor<42x48xf32>
    %83 = stablehlo.add %81, %82 : tensor<42x48xf32>
    %84 = stablehlo.reshape %83 : (tensor<42x48xf32>) -> tensor<2x21x48xf32>
    %85 = stablehlo.add %61, %84 : tensor<2x21x48xf32>
    %86 = stablehlo.reshape %85 : (tensor<2x21x48xf32>) -> tensor<1x42x48xf32>
    %output_15, %batch_mean_16, %batch_var_17 = "stablehlo.batch_norm_training"(%86, %cst_7, %cst_6) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>) -> (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>)
    %87 = stablehlo.broadcast_in_dim %arg27, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %88 = stablehlo.reshape %output_15 : (tensor<1x42x48xf32>) -> tensor<2x21x48xf32>
    %89 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %90 = stablehlo.multiply %88, %89 : tensor<2x21x48xf32>
    %91 = stablehlo.add %87, %90 : tensor<2x21x48xf32>
    %92 = stablehlo.reshape %91 : (tensor<2x21x48xf32>) -> tensor<42x48xf32>
    %93 = stablehlo.transpose %arg10, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[48,144]{0,1}"} : (tensor<144x48xf32>) -> tensor<48x144xf32>
    %94 = stablehlo.dot_general %92, %93, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<42x48xf32>, tensor<48x144xf32>) -> tensor<42x144xf32>
    %95 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<144xf32>) -> tensor<42x144xf32>
    %96 = stablehlo.add %94, %95 : tensor<42x144xf32>
    %97 = stablehlo.reshape %96 : (tensor<42x144xf32>) -> tensor<2x21x144xf32>
    %98 = stablehlo.slice %97 [0:2, 0:21, 0:48] : (tensor<2x21x144xf32>) -> tensor<2x21x48xf32>
    %99 = stablehlo.reshape %98 : (tensor<2x21x48xf32>) -> tensor<2x21x3x16xf32>
    %100 = stablehlo.transpose %99, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[2,3,21,16]{3,1,2,0}"} : (tensor<2x21x3x16xf32>) -> tensor<2x3x21x16xf32>
    %101 = stablehlo.multiply %100, %cst_5 : tensor<2x3x21x16xf32>
    %102 = stablehlo.reshape %101 : (tensor<2x3x21x16xf32>) -> tensor<6x21x16xf32>
    %103 = stablehlo.slice %97 [0:2, 0:21, 48:96] : (tensor<2x21x144xf32>) -> tensor<2x21x48xf32>
    %104 = stablehlo.reshape %103 : (tensor<2x21x48xf32>) -> tensor<2x21x3x16xf32>
    %105 = stablehlo.transpose %104, dims = [0, 2, 3, 1] : (tensor<2x21x3x16xf32>) -> tensor<2x3x16x21xf32>
    %106 = stablehlo.multiply %105, %cst_4 : tensor<2x3x16x21xf32>
    %107 = stablehlo.reshape %106 : (tensor<2x3x16x21xf32>) -> tensor<6x16x21xf32>
    %108 = stablehlo.dot_general %102, %107, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x21x16xf32>, tensor<6x16x21xf32>) -> tensor<6x21x21xf32>
    %109 = stablehlo.reshape %108 : (tensor<6x21x21xf32>) -> tensor<2x3x21x21xf32>
    %110 = stablehlo.add %109, %38 : tensor<2x3x21x21xf32>
    %111 = stablehlo.reduce(%110 init: %cst_9) applies stablehlo.maximum across dimensions = [3] : (tensor<2x3x21x21xf32>, tensor<f32>) -> tensor<2x3x21xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<2x3x21xf32>) -> tensor<2x3x21x21xf32>
    %113 = stablehlo.subtract %110, %112 : tensor<2x3x21x21xf32>
    %114 = stablehlo.exponential %113 : tensor<2x3x21x21xf32>
    %115 = stablehlo.reduce(%114 init: %cst_11) applies stablehlo.add across dimensions = [3] : (tensor<2x3x21x21xf32>, tensor<f32>) -> tensor<2x3x21xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1, 2] : (tensor<2x3x21xf32>) -> tensor<2x3x21x21xf32>
    %117 = stablehlo.divide %114, %116 : tensor<2x3x21x21xf32>
    %118 = stablehlo.reshape %117 : (tensor<2x3x21x21xf32>) -> tensor<6x21x21xf32>
    %119 = stablehlo.slice %97 [0:2, 0:21, 96:144] : (tensor<2x21x144xf32>) -> tensor<2x21x48xf32>
    %120 = stablehlo.reshape %119 : (tensor<2x21x48xf32>) -> tensor<2x21x3x16xf32>
    %121 = stablehlo.transpose %120, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[2,3,21,16]{3,1,2,0}"} : (tensor<2x21x3x16xf32>) -> tensor<2x3x21x16xf32>
    %122 = stablehlo.reshape %121 : (tensor<2x3x21x16xf32>) -> tensor<6x21x16xf32>
    %123 = stablehlo.dot_general %118, %122, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x21x21xf32>, tensor<6x21x16xf32>) -> tensor<6x21x16xf32>
    %124 = stablehlo.reshape %123 : (tensor<6x21x16xf32>) -> tensor<2x3x21x16xf32>
    %125 = stablehlo.transpose %124, dims = [0, 2, 1, 3] {result_layout = dense<[3, 1, 2, 0]> : tensor<4xindex>, xla_shape = "f32[2,21,3,16]{3,1,2,0}"} : (tensor<2x3x21x16xf32>) -> tensor<2x21x3x16xf32>
    %126 = stablehlo.reshape %125 : (tensor<2x21x3x16xf32>) -> tensor<2x21x48xf32>
    %127 = stablehlo.transpose %arg8, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[48,48]{0,1}"} : (tensor<48x48xf32>) -> tensor<48x48xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [1, 2] : (tensor<48x48xf32>) -> tensor<2x48x48xf32>
    %129 = stablehlo.dot_general %126, %128, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x21x48xf32>, tensor<2x48x48xf32>) -> tensor<2x21x48xf32>
    %130 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %131 = stablehlo.add %129, %130 : tensor<2x21x48xf32>
    %132 = stablehlo.add %85, %131 : tensor<2x21x48xf32>
    %133 = stablehlo.reshape %132 : (tensor<2x21x48xf32>) -> tensor<1x42x48xf32>
    %output_18, %batch_mean_19, %batch_var_20 = "stablehlo.batch_norm_training"(%133, %cst_7, %cst_6) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>) -> (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>)
    %134 = stablehlo.broadcast_in_dim %arg28, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %135 = stablehlo.reshape %output_18 : (tensor<1x42x48xf32>) -> tensor<2x21x48xf32>
    %136 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %137 = stablehlo.multiply %135, %136 : tensor<2x21x48xf32>
    %138 = stablehlo.add %134, %137 : tensor<2x21x48xf32>
    %139 = stablehlo.reshape %138 : (tensor<2x21x48xf32>) -> tensor<42x48xf32>
    %140 = stablehlo.transpose %arg5, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[48,96]{0,1}"} : (tensor<96x48xf32>) -> tensor<48x96xf32>
    %141 = stablehlo.dot_general %139, %140, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<42x48xf32>, tensor<48x96xf32>) -> tensor<42x96xf32>
    %142 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<96xf32>) -> tensor<42x96xf32>
    %143 = stablehlo.add %141, %142 : tensor<42x96xf32>
    %144 = stablehlo.reshape %143 : (tensor<42x96xf32>) -> tensor<2x21x96xf32>
    %145 = stablehlo.multiply %144, %cst_1 : tensor<2x21x96xf32>
    %146 = stablehlo.multiply %144, %cst_0 : tensor<2x21x96xf32>
    %147 = stablehlo.custom_call @mhlo.erf(%146) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2x21x96xf32>) -> tensor<2x21x96xf32>
    %148 = stablehlo.add %147, %cst : tensor<2x21x96xf32>
    %149 = stablehlo.multiply %145, %148 : tensor<2x21x96xf32>
    %150 = stablehlo.reshape %149 : (tensor<2x21x96xf32>) -> tensor<42x96xf32>
    %151 = stablehlo.transpose %arg3, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[96,48]{0,1}"} : (tensor<48x96xf32>) -> tensor<96x48xf32>
    %152 = stablehlo.dot_general %150, %151, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<42x96xf32>, tensor<96x48xf32>) -> tensor<42x48xf32>
    %153 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<48xf32>) -> tensor<42x48xf32>
    %154 = stablehlo.add %152, %153 : tensor<42x48xf32>
    %155 = stablehlo.reshape %154 : (tensor<42x48xf32>) -> tensor<2x21x48xf32>
    %156 = stablehlo.add %132, %155 : tensor<2x21x48xf32>
    %157 = stablehlo.reshape %156 : (tensor<2x21x48xf32>) -> tensor<1x42x48xf32>
    %output_21, %batch_mean_22, %batch_var_23 = "stablehlo.batch_norm_training"(%157, %cst_7, %cst_6) <{epsilon = 9.99999974E-6 : f32, feature_index = 1 : i64}> : (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>) -> (tensor<1x42x48xf32>, tensor<42xf32>, tensor<42xf32>)
    %158 = stablehlo.broadcast_in_dim %arg29, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %159 = stablehlo.reshape %output_21 : (tensor<1x42x48xf32>) -> tensor<2x21x48xf32>
    %160 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<48xf32>) -> tensor<2x21x48xf32>
    %161 = stablehlo.multiply %159, %160 : tensor<2x21x48xf32>
    %162 = stablehlo.add %158, %161 : tensor<2x21x48xf32>
    %163 = stablehlo.reshape %162 : (tensor<2x21x48xf32>) -> tensor<42x48xf32>
    %164 = stablehlo.transpose %arg0, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[48,96]{0,1}"} : (tensor<96x48xf32>) -> tensor<48x96xf32>
    %165 = stablehlo.dot_general %163, %164, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<42x48xf32>, tensor<48x96xf32>) -> tensor<42x96xf32>
    %166 = stablehlo.reshape %165 : (tensor<42x96xf32>) -> tensor<2x21x96xf32>
    return %166 : tensor<2x21x96xf32>
  }
}
