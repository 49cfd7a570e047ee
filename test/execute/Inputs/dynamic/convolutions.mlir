// {"arguments": [["1,3,h,w", "f32"], ["4,3,3,3", "f32"]], "ranges": {"h": [7, 20], "w": [7, 24]}, "sizes": [{"h": 9, "w": 11}, {"h": 20, "w": 13}, {"h": 7, "w": 24}], "ints": [0, 5], "exact": [false, false, false, false]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x3x?x?xf32>, %arg1: tensor<4x3x3x3xf32>) -> (tensor<1x4x?x?xf32> {jax.result_info = "result[0]"}, tensor<1x4x?x?xf32> {jax.result_info = "result[1]"}, tensor<1x4x?x?xf32> {jax.result_info = "result[2]"}, tensor<1x4xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-7> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 2 : (tensor<1x3x?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 3 : (tensor<1x3x?x?xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'h'. Using the following polymorphic shapes specifications: args[0].shape = (1, 3, h, w). Obtained dimension variables: 'h' = {0} from specification 'h' for dimension args[0].shape[2] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'w'. Using the following polymorphic shapes specifications: args[0].shape = (1, 3, h, w). Obtained dimension variables: 'h' = {0} from specification 'h' for dimension args[0].shape[2] (= {0}), 'w' = {1} from specification 'w' for dimension args[0].shape[3] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = stablehlo.convert %0 : tensor<i32>
    %5 = stablehlo.add %4, %c_0 : tensor<i32>
    %6 = stablehlo.compare GE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.convert %0 : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%6, %8, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint h>=7. Expected 'h - 7' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (1, 3, h, w). Obtained dimension variables: 'h' = {1} from specification 'h' for dimension args[0].shape[2] (= {1}), 'w' = {2} from specification 'w' for dimension args[0].shape[3] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %9 = stablehlo.convert %1 : tensor<i32>
    %10 = stablehlo.add %9, %c_0 : tensor<i32>
    %11 = stablehlo.compare GE, %10, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %12 = stablehlo.convert %1 : tensor<i32>
    %13 = stablehlo.add %12, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%11, %13, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint w>=7. Expected 'w - 7' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (1, 3, h, w). Obtained dimension variables: 'h' = {1} from specification 'h' for dimension args[0].shape[2] (= {1}), 'w' = {2} from specification 'w' for dimension args[0].shape[3] (= {2}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %14:4 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<1x3x?x?xf32>, tensor<4x3x3x3xf32>) -> (tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32>, tensor<1x4xf32>)
    return %14#0, %14#1, %14#2, %14#3 : tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32>, tensor<1x4xf32>
  }
  func.func @reduce_window_float32_reducer(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<1x3x?x?xf32>, %arg3: tensor<4x3x3x3xf32>) -> (tensor<1x4x?x?xf32> {jax.result_info = "result[0]"}, tensor<1x4x?x?xf32> {jax.result_info = "result[1]"}, tensor<1x4x?x?xf32> {jax.result_info = "result[2]"}, tensor<1x4xf32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<4> : tensor<i32>
    %c_0 = stablehlo.constant dense<2> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<3> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %c_7 = stablehlo.constant dense<-2> : tensor<i32>
    %c_8 = stablehlo.constant dense<2> : tensor<i32>
    %c_9 = stablehlo.constant dense<-1> : tensor<i32>
    %0 = stablehlo.convert %arg0 : tensor<i32>
    %1 = stablehlo.multiply %0, %c_9 : tensor<i32>
    %2:2 = call @divmod(%arg0, %arg1, %1, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %3 = stablehlo.multiply %2#0, %c_7 : tensor<i32>
    %4 = stablehlo.convert %arg0 : tensor<i32>
    %5 = stablehlo.multiply %4, %c_9 : tensor<i32>
    %6 = stablehlo.add %3, %5 : tensor<i32>
    %7 = stablehlo.add %6, %c_6 : tensor<i32>
    %8:2 = call @divmod(%arg0, %arg1, %7, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %9 = stablehlo.convert %arg0 : tensor<i32>
    %10 = stablehlo.multiply %9, %c_9 : tensor<i32>
    %11:2 = call @divmod(%arg0, %arg1, %10, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %12 = stablehlo.multiply %11#0, %c_7 : tensor<i32>
    %13 = stablehlo.convert %arg0 : tensor<i32>
    %14 = stablehlo.multiply %13, %c_9 : tensor<i32>
    %15 = stablehlo.add %12, %14 : tensor<i32>
    %16 = stablehlo.add %15, %c_6 : tensor<i32>
    %17:2 = call @divmod(%arg0, %arg1, %16, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %18 = stablehlo.multiply %17#0, %c_9 : tensor<i32>
    %19 = stablehlo.convert %arg0 : tensor<i32>
    %20 = stablehlo.multiply %19, %c_9 : tensor<i32>
    %21:2 = call @divmod(%arg0, %arg1, %20, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %22 = stablehlo.multiply %21#0, %c_7 : tensor<i32>
    %23 = stablehlo.convert %arg0 : tensor<i32>
    %24 = stablehlo.multiply %23, %c_9 : tensor<i32>
    %25 = stablehlo.add %18, %22 : tensor<i32>
    %26 = stablehlo.add %25, %24 : tensor<i32>
    %27 = stablehlo.add %26, %c_6 : tensor<i32>
    %28 = stablehlo.reshape %8#0 : (tensor<i32>) -> tensor<1xi32>
    %29 = stablehlo.reshape %27 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %28, %29, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.reshape %30 : (tensor<2xi32>) -> tensor<1x2xi32>
    %32 = stablehlo.convert %arg1 : tensor<i32>
    %33 = stablehlo.multiply %32, %c_9 : tensor<i32>
    %34:2 = call @divmod(%arg0, %arg1, %33, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %35 = stablehlo.multiply %34#0, %c_7 : tensor<i32>
    %36 = stablehlo.convert %arg1 : tensor<i32>
    %37 = stablehlo.multiply %36, %c_9 : tensor<i32>
    %38 = stablehlo.add %35, %37 : tensor<i32>
    %39 = stablehlo.add %38, %c_6 : tensor<i32>
    %40:2 = call @divmod(%arg0, %arg1, %39, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %41 = stablehlo.convert %arg1 : tensor<i32>
    %42 = stablehlo.multiply %41, %c_9 : tensor<i32>
    %43:2 = call @divmod(%arg0, %arg1, %42, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %44 = stablehlo.multiply %43#0, %c_7 : tensor<i32>
    %45 = stablehlo.convert %arg1 : tensor<i32>
    %46 = stablehlo.multiply %45, %c_9 : tensor<i32>
    %47 = stablehlo.add %44, %46 : tensor<i32>
    %48 = stablehlo.add %47, %c_6 : tensor<i32>
    %49:2 = call @divmod(%arg0, %arg1, %48, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %50 = stablehlo.multiply %49#0, %c_9 : tensor<i32>
    %51 = stablehlo.convert %arg1 : tensor<i32>
    %52 = stablehlo.multiply %51, %c_9 : tensor<i32>
    %53:2 = call @divmod(%arg0, %arg1, %52, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %54 = stablehlo.multiply %53#0, %c_7 : tensor<i32>
    %55 = stablehlo.convert %arg1 : tensor<i32>
    %56 = stablehlo.multiply %55, %c_9 : tensor<i32>
    %57 = stablehlo.add %50, %54 : tensor<i32>
    %58 = stablehlo.add %57, %56 : tensor<i32>
    %59 = stablehlo.add %58, %c_6 : tensor<i32>
    %60 = stablehlo.reshape %40#0 : (tensor<i32>) -> tensor<1xi32>
    %61 = stablehlo.reshape %59 : (tensor<i32>) -> tensor<1xi32>
    %62 = stablehlo.concatenate %60, %61, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %63 = stablehlo.reshape %62 : (tensor<2xi32>) -> tensor<1x2xi32>
    %64 = stablehlo.concatenate %31, %63, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %65 = "stablehlo.dynamic_conv"(%arg2, %arg3, %64) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 2>}> : (tensor<1x3x?x?xf32>, tensor<4x3x3x3xf32>, tensor<2x2xi32>) -> tensor<1x4x?x?xf32>
    %66 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x?x?xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x?x?xf32>
    %67 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<f32>
    %68 = "stablehlo.reduce_window"(%65, %67) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %163 = stablehlo.maximum %arg4, %arg5 : tensor<f32>
      stablehlo.return %163 : tensor<f32>
    }) : (tensor<1x4x?x?xf32>, tensor<f32>) -> tensor<1x4x?x?xf32>
    %69 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %70 = stablehlo.concatenate %c_4, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %71 = stablehlo.reshape %70 : (tensor<2xi32>) -> tensor<1x2xi32>
    %72 = stablehlo.concatenate %c_4, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %73 = stablehlo.reshape %72 : (tensor<2xi32>) -> tensor<1x2xi32>
    %74 = stablehlo.convert %arg0 : tensor<i32>
    %75 = stablehlo.multiply %74, %c_9 : tensor<i32>
    %76 = stablehlo.add %75, %c_8 : tensor<i32>
    %77:2 = call @divmod(%arg0, %arg1, %76, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %78 = stablehlo.multiply %77#0, %c_7 : tensor<i32>
    %79 = stablehlo.convert %arg0 : tensor<i32>
    %80 = stablehlo.multiply %79, %c_9 : tensor<i32>
    %81 = stablehlo.add %78, %80 : tensor<i32>
    %82 = stablehlo.add %81, %c_3 : tensor<i32>
    %83:2 = call @divmod(%arg0, %arg1, %82, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %84 = stablehlo.convert %arg0 : tensor<i32>
    %85 = stablehlo.multiply %84, %c_9 : tensor<i32>
    %86 = stablehlo.add %85, %c_8 : tensor<i32>
    %87:2 = call @divmod(%arg0, %arg1, %86, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %88 = stablehlo.multiply %87#0, %c_7 : tensor<i32>
    %89 = stablehlo.convert %arg0 : tensor<i32>
    %90 = stablehlo.multiply %89, %c_9 : tensor<i32>
    %91 = stablehlo.add %88, %90 : tensor<i32>
    %92 = stablehlo.add %91, %c_3 : tensor<i32>
    %93:2 = call @divmod(%arg0, %arg1, %92, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %94 = stablehlo.multiply %93#0, %c_9 : tensor<i32>
    %95 = stablehlo.convert %arg0 : tensor<i32>
    %96 = stablehlo.multiply %95, %c_9 : tensor<i32>
    %97 = stablehlo.add %96, %c_8 : tensor<i32>
    %98:2 = call @divmod(%arg0, %arg1, %97, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %99 = stablehlo.multiply %98#0, %c_7 : tensor<i32>
    %100 = stablehlo.convert %arg0 : tensor<i32>
    %101 = stablehlo.multiply %100, %c_9 : tensor<i32>
    %102 = stablehlo.add %94, %99 : tensor<i32>
    %103 = stablehlo.add %102, %101 : tensor<i32>
    %104 = stablehlo.add %103, %c_3 : tensor<i32>
    %105 = stablehlo.reshape %83#0 : (tensor<i32>) -> tensor<1xi32>
    %106 = stablehlo.reshape %104 : (tensor<i32>) -> tensor<1xi32>
    %107 = stablehlo.concatenate %105, %106, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %108 = stablehlo.reshape %107 : (tensor<2xi32>) -> tensor<1x2xi32>
    %109 = stablehlo.convert %arg1 : tensor<i32>
    %110 = stablehlo.multiply %109, %c_9 : tensor<i32>
    %111 = stablehlo.add %110, %c_8 : tensor<i32>
    %112:2 = call @divmod(%arg0, %arg1, %111, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %113 = stablehlo.multiply %112#0, %c_7 : tensor<i32>
    %114 = stablehlo.convert %arg1 : tensor<i32>
    %115 = stablehlo.multiply %114, %c_9 : tensor<i32>
    %116 = stablehlo.add %113, %115 : tensor<i32>
    %117 = stablehlo.add %116, %c_3 : tensor<i32>
    %118:2 = call @divmod(%arg0, %arg1, %117, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %119 = stablehlo.convert %arg1 : tensor<i32>
    %120 = stablehlo.multiply %119, %c_9 : tensor<i32>
    %121 = stablehlo.add %120, %c_8 : tensor<i32>
    %122:2 = call @divmod(%arg0, %arg1, %121, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %123 = stablehlo.multiply %122#0, %c_7 : tensor<i32>
    %124 = stablehlo.convert %arg1 : tensor<i32>
    %125 = stablehlo.multiply %124, %c_9 : tensor<i32>
    %126 = stablehlo.add %123, %125 : tensor<i32>
    %127 = stablehlo.add %126, %c_3 : tensor<i32>
    %128:2 = call @divmod(%arg0, %arg1, %127, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %129 = stablehlo.multiply %128#0, %c_9 : tensor<i32>
    %130 = stablehlo.convert %arg1 : tensor<i32>
    %131 = stablehlo.multiply %130, %c_9 : tensor<i32>
    %132 = stablehlo.add %131, %c_8 : tensor<i32>
    %133:2 = call @divmod(%arg0, %arg1, %132, %c_8) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %134 = stablehlo.multiply %133#0, %c_7 : tensor<i32>
    %135 = stablehlo.convert %arg1 : tensor<i32>
    %136 = stablehlo.multiply %135, %c_9 : tensor<i32>
    %137 = stablehlo.add %129, %134 : tensor<i32>
    %138 = stablehlo.add %137, %136 : tensor<i32>
    %139 = stablehlo.add %138, %c_3 : tensor<i32>
    %140 = stablehlo.reshape %118#0 : (tensor<i32>) -> tensor<1xi32>
    %141 = stablehlo.reshape %139 : (tensor<i32>) -> tensor<1xi32>
    %142 = stablehlo.concatenate %140, %141, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %143 = stablehlo.reshape %142 : (tensor<2xi32>) -> tensor<1x2xi32>
    %144 = stablehlo.concatenate %71, %73, %108, %143, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>, tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<4x2xi32>
    %145 = stablehlo.concatenate %c_2, %c_2, %c_1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %146 = stablehlo.concatenate %c_2, %c_2, %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %147 = stablehlo.concatenate %c_2, %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %148 = stablehlo.concatenate %c_2, %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %149 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%66, %69, %145, %146, %147, %148, %144) {api_version = 2 : i32, called_computations = [@reduce_window_float32_reducer]} : (tensor<1x4x?x?xf32>, tensor<f32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4x2xi32>) -> tensor<1x4x?x?xf32>
    %150 = stablehlo.multiply %arg1, %arg0 : tensor<i32>
    %151 = stablehlo.convert %arg1 : tensor<i32>
    %152 = stablehlo.multiply %151, %c_7 : tensor<i32>
    %153 = stablehlo.convert %arg0 : tensor<i32>
    %154 = stablehlo.multiply %153, %c_7 : tensor<i32>
    %155 = stablehlo.convert %150 : tensor<i32>
    %156 = stablehlo.add %155, %152 : tensor<i32>
    %157 = stablehlo.add %156, %154 : tensor<i32>
    %158 = stablehlo.add %157, %c : tensor<i32>
    %159 = stablehlo.convert %158 : (tensor<i32>) -> tensor<f32>
    %160 = stablehlo.reduce(%66 init: %cst) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x4x?x?xf32>, tensor<f32>) -> tensor<1x4xf32>
    %161 = stablehlo.broadcast_in_dim %159, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %162 = stablehlo.divide %160, %161 : tensor<1x4xf32>
    return %68, %149, %66, %162 : tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32>, tensor<1x4xf32>
  }
  func.func private @divmod(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i32>, %arg3: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = call @floor_divide(%arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = call @remainder(%arg0, %arg1, %arg2, %arg3) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %0, %1 : tensor<i32>, tensor<i32>
  }
  func.func private @floor_divide(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.divide %arg2, %arg3 : tensor<i32>
    %1 = stablehlo.sign %arg2 : tensor<i32>
    %2 = stablehlo.sign %arg3 : tensor<i32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.remainder %arg2, %arg3 : tensor<i32>
    %5 = stablehlo.compare NE, %4, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %3, %5 : tensor<i1>
    %7 = stablehlo.subtract %0, %c : tensor<i32>
    %8 = call @_where(%arg0, %arg1, %6, %7, %0) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %8 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i1>, %arg3: tensor<i32>, %arg4: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg2, %arg3, %arg4 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<i32> {jax.global_constant = "h"}, %arg1: tensor<i32> {jax.global_constant = "w"}, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg3, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = call @_where(%arg0, %arg1, %0, %c, %arg3) : (tensor<i32>, tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.remainder %arg2, %1 : tensor<i32>
    %3 = stablehlo.compare NE, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i32>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i32>
    return %9 : tensor<i32>
  }
}
