// {"arguments": [["b,4", "f32"]], "ranges": {"b": [1, 8]}, "sizes": [{"b": 3}, {"b": 7}], "ints": [0, 5], "exact": [true, true]}
module @jit attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x4xf32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<?x4xi1> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'b'. Using the following polymorphic shapes specifications: args[0].shape = (b, 4). Obtained dimension variables: 'b' = {0} from specification 'b' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2:2 = call @_wrapped_jax_export_main(%0, %arg0) : (tensor<i32>, tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xi1>)
    return %2#0, %2#1 : tensor<?x4xf32>, tensor<?x4xi1>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x4xf32>) -> (tensor<?x4xf32> {jax.result_info = "result[0]"}, tensor<?x4xi1> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<-1> : tensor<i32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %c_2 = stablehlo.constant dense<32> : tensor<i32>
    %0 = stablehlo.shift_right_logical %c_1, %c_2 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %3 = stablehlo.and %c_1, %c_0 : tensor<i32>
    %4 = stablehlo.convert %3 : (tensor<i32>) -> tensor<ui32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %6 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %7 = call @_normal(%arg0, %6) : (tensor<i32>, tensor<2xui32>) -> tensor<?x4xf32>
    %8 = stablehlo.add %arg1, %7 : tensor<?x4xf32>
    %9 = stablehlo.shift_right_logical %c, %c_2 : tensor<i32>
    %10 = stablehlo.convert %9 : (tensor<i32>) -> tensor<ui32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %12 = stablehlo.and %c, %c_0 : tensor<i32>
    %13 = stablehlo.convert %12 : (tensor<i32>) -> tensor<ui32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %15 = stablehlo.concatenate %11, %14, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %16 = call @_bernoulli(%arg0, %15, %cst) : (tensor<i32>, tensor<2xui32>, tensor<f32>) -> tensor<?x4xi1>
    return %8, %16 : tensor<?x4xf32>, tensor<?x4xi1>
  }
  func.func private @_normal(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<2xui32>) -> tensor<?x4xf32> {
    %0 = call @_normal_real(%arg0, %arg1) : (tensor<i32>, tensor<2xui32>) -> tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
  func.func private @_normal_real(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<2xui32>) -> tensor<?x4xf32> {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %cst_0 = stablehlo.constant dense<2.83297682> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.50140941> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.00167406> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.246640727> : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.00943887047> : tensor<f32>
    %cst_5 = stablehlo.constant dense<-0.00417768164> : tensor<f32>
    %cst_6 = stablehlo.constant dense<-0.0076224613> : tensor<f32>
    %cst_7 = stablehlo.constant dense<-0.00125372503> : tensor<f32>
    %cst_8 = stablehlo.constant dense<0.00573950773> : tensor<f32>
    %cst_9 = stablehlo.constant dense<2.1858087E-4> : tensor<f32>
    %cst_10 = stablehlo.constant dense<-0.00367342844> : tensor<f32>
    %cst_11 = stablehlo.constant dense<-4.39150654E-6> : tensor<f32>
    %cst_12 = stablehlo.constant dense<0.00134934322> : tensor<f32>
    %cst_13 = stablehlo.constant dense<-3.5233877E-6> : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.00950558E-4> : tensor<f32>
    %cst_15 = stablehlo.constant dense<3.43273939E-7> : tensor<f32>
    %cst_16 = stablehlo.constant dense<-2.00214257E-4> : tensor<f32>
    %cst_17 = stablehlo.constant dense<2.81022636E-8> : tensor<f32>
    %cst_18 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %cst_19 = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %cst_20 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst_21 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %cst_22 = stablehlo.constant dense<-0.99999994> : tensor<f32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %arg1, %cst_22, %cst_23) : (tensor<i32>, tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<?x4xf32>
    %1 = stablehlo.negate %0 : tensor<?x4xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<?x4xf32>
    %3 = stablehlo.log_plus_one %2 : tensor<?x4xf32>
    %4 = stablehlo.negate %3 : tensor<?x4xf32>
    %5 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %6 = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %6, %8, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %cst_20, %9, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %11 = stablehlo.compare LT, %4, %10 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
    %12 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %13 = stablehlo.reshape %12 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %15 = stablehlo.reshape %14 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %13, %15, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %cst_19, %16, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %18 = stablehlo.subtract %4, %17 : tensor<?x4xf32>
    %19 = stablehlo.sqrt %4 : tensor<?x4xf32>
    %20 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %21 = stablehlo.reshape %20 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %23 = stablehlo.reshape %22 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.concatenate %21, %23, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %25 = stablehlo.dynamic_broadcast_in_dim %cst_18, %24, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %26 = stablehlo.subtract %19, %25 : tensor<?x4xf32>
    %27 = stablehlo.select %11, %18, %26 : tensor<?x4xi1>, tensor<?x4xf32>
    %28 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %29 = stablehlo.reshape %28 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %31 = stablehlo.reshape %30 : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.concatenate %29, %31, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %33 = stablehlo.dynamic_broadcast_in_dim %cst_17, %32, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %34 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %35 = stablehlo.reshape %34 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %37 = stablehlo.reshape %36 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.concatenate %35, %37, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %39 = stablehlo.dynamic_broadcast_in_dim %cst_16, %38, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %40 = stablehlo.select %11, %33, %39 : tensor<?x4xi1>, tensor<?x4xf32>
    %41 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %42 = stablehlo.reshape %41 : (tensor<i32>) -> tensor<1xi32>
    %43 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %44 = stablehlo.reshape %43 : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.concatenate %42, %44, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %46 = stablehlo.dynamic_broadcast_in_dim %cst_15, %45, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %47 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %48 = stablehlo.reshape %47 : (tensor<i32>) -> tensor<1xi32>
    %49 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %50 = stablehlo.reshape %49 : (tensor<i32>) -> tensor<1xi32>
    %51 = stablehlo.concatenate %48, %50, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %52 = stablehlo.dynamic_broadcast_in_dim %cst_14, %51, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %53 = stablehlo.select %11, %46, %52 : tensor<?x4xi1>, tensor<?x4xf32>
    %54 = stablehlo.multiply %40, %27 : tensor<?x4xf32>
    %55 = stablehlo.add %53, %54 : tensor<?x4xf32>
    %56 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %57 = stablehlo.reshape %56 : (tensor<i32>) -> tensor<1xi32>
    %58 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %59 = stablehlo.reshape %58 : (tensor<i32>) -> tensor<1xi32>
    %60 = stablehlo.concatenate %57, %59, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %61 = stablehlo.dynamic_broadcast_in_dim %cst_13, %60, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %62 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %63 = stablehlo.reshape %62 : (tensor<i32>) -> tensor<1xi32>
    %64 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %65 = stablehlo.reshape %64 : (tensor<i32>) -> tensor<1xi32>
    %66 = stablehlo.concatenate %63, %65, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %67 = stablehlo.dynamic_broadcast_in_dim %cst_12, %66, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %68 = stablehlo.select %11, %61, %67 : tensor<?x4xi1>, tensor<?x4xf32>
    %69 = stablehlo.multiply %55, %27 : tensor<?x4xf32>
    %70 = stablehlo.add %68, %69 : tensor<?x4xf32>
    %71 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %72 = stablehlo.reshape %71 : (tensor<i32>) -> tensor<1xi32>
    %73 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %74 = stablehlo.reshape %73 : (tensor<i32>) -> tensor<1xi32>
    %75 = stablehlo.concatenate %72, %74, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %76 = stablehlo.dynamic_broadcast_in_dim %cst_11, %75, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %77 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %78 = stablehlo.reshape %77 : (tensor<i32>) -> tensor<1xi32>
    %79 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %80 = stablehlo.reshape %79 : (tensor<i32>) -> tensor<1xi32>
    %81 = stablehlo.concatenate %78, %80, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %82 = stablehlo.dynamic_broadcast_in_dim %cst_10, %81, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %83 = stablehlo.select %11, %76, %82 : tensor<?x4xi1>, tensor<?x4xf32>
    %84 = stablehlo.multiply %70, %27 : tensor<?x4xf32>
    %85 = stablehlo.add %83, %84 : tensor<?x4xf32>
    %86 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %87 = stablehlo.reshape %86 : (tensor<i32>) -> tensor<1xi32>
    %88 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %89 = stablehlo.reshape %88 : (tensor<i32>) -> tensor<1xi32>
    %90 = stablehlo.concatenate %87, %89, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %91 = stablehlo.dynamic_broadcast_in_dim %cst_9, %90, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %92 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %93 = stablehlo.reshape %92 : (tensor<i32>) -> tensor<1xi32>
    %94 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %95 = stablehlo.reshape %94 : (tensor<i32>) -> tensor<1xi32>
    %96 = stablehlo.concatenate %93, %95, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %97 = stablehlo.dynamic_broadcast_in_dim %cst_8, %96, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %98 = stablehlo.select %11, %91, %97 : tensor<?x4xi1>, tensor<?x4xf32>
    %99 = stablehlo.multiply %85, %27 : tensor<?x4xf32>
    %100 = stablehlo.add %98, %99 : tensor<?x4xf32>
    %101 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %102 = stablehlo.reshape %101 : (tensor<i32>) -> tensor<1xi32>
    %103 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %104 = stablehlo.reshape %103 : (tensor<i32>) -> tensor<1xi32>
    %105 = stablehlo.concatenate %102, %104, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %106 = stablehlo.dynamic_broadcast_in_dim %cst_7, %105, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %107 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %108 = stablehlo.reshape %107 : (tensor<i32>) -> tensor<1xi32>
    %109 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %110 = stablehlo.reshape %109 : (tensor<i32>) -> tensor<1xi32>
    %111 = stablehlo.concatenate %108, %110, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %112 = stablehlo.dynamic_broadcast_in_dim %cst_6, %111, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %113 = stablehlo.select %11, %106, %112 : tensor<?x4xi1>, tensor<?x4xf32>
    %114 = stablehlo.multiply %100, %27 : tensor<?x4xf32>
    %115 = stablehlo.add %113, %114 : tensor<?x4xf32>
    %116 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %117 = stablehlo.reshape %116 : (tensor<i32>) -> tensor<1xi32>
    %118 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %119 = stablehlo.reshape %118 : (tensor<i32>) -> tensor<1xi32>
    %120 = stablehlo.concatenate %117, %119, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %121 = stablehlo.dynamic_broadcast_in_dim %cst_5, %120, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %122 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %123 = stablehlo.reshape %122 : (tensor<i32>) -> tensor<1xi32>
    %124 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %125 = stablehlo.reshape %124 : (tensor<i32>) -> tensor<1xi32>
    %126 = stablehlo.concatenate %123, %125, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %127 = stablehlo.dynamic_broadcast_in_dim %cst_4, %126, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %128 = stablehlo.select %11, %121, %127 : tensor<?x4xi1>, tensor<?x4xf32>
    %129 = stablehlo.multiply %115, %27 : tensor<?x4xf32>
    %130 = stablehlo.add %128, %129 : tensor<?x4xf32>
    %131 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %132 = stablehlo.reshape %131 : (tensor<i32>) -> tensor<1xi32>
    %133 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %134 = stablehlo.reshape %133 : (tensor<i32>) -> tensor<1xi32>
    %135 = stablehlo.concatenate %132, %134, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %136 = stablehlo.dynamic_broadcast_in_dim %cst_3, %135, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %137 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %138 = stablehlo.reshape %137 : (tensor<i32>) -> tensor<1xi32>
    %139 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %140 = stablehlo.reshape %139 : (tensor<i32>) -> tensor<1xi32>
    %141 = stablehlo.concatenate %138, %140, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %142 = stablehlo.dynamic_broadcast_in_dim %cst_2, %141, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %143 = stablehlo.select %11, %136, %142 : tensor<?x4xi1>, tensor<?x4xf32>
    %144 = stablehlo.multiply %130, %27 : tensor<?x4xf32>
    %145 = stablehlo.add %143, %144 : tensor<?x4xf32>
    %146 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %147 = stablehlo.reshape %146 : (tensor<i32>) -> tensor<1xi32>
    %148 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %149 = stablehlo.reshape %148 : (tensor<i32>) -> tensor<1xi32>
    %150 = stablehlo.concatenate %147, %149, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %151 = stablehlo.dynamic_broadcast_in_dim %cst_1, %150, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %152 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %153 = stablehlo.reshape %152 : (tensor<i32>) -> tensor<1xi32>
    %154 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %155 = stablehlo.reshape %154 : (tensor<i32>) -> tensor<1xi32>
    %156 = stablehlo.concatenate %153, %155, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %157 = stablehlo.dynamic_broadcast_in_dim %cst_0, %156, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %158 = stablehlo.select %11, %151, %157 : tensor<?x4xi1>, tensor<?x4xf32>
    %159 = stablehlo.multiply %145, %27 : tensor<?x4xf32>
    %160 = stablehlo.add %158, %159 : tensor<?x4xf32>
    %161 = stablehlo.multiply %160, %0 : tensor<?x4xf32>
    %162 = stablehlo.abs %0 : tensor<?x4xf32>
    %163 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %164 = stablehlo.reshape %163 : (tensor<i32>) -> tensor<1xi32>
    %165 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %166 = stablehlo.reshape %165 : (tensor<i32>) -> tensor<1xi32>
    %167 = stablehlo.concatenate %164, %166, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %168 = stablehlo.dynamic_broadcast_in_dim %cst_23, %167, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %169 = stablehlo.compare EQ, %162, %168 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
    %170 = stablehlo.get_dimension_size %0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %171 = stablehlo.reshape %170 : (tensor<i32>) -> tensor<1xi32>
    %172 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<?x4xf32>) -> tensor<i32>
    %173 = stablehlo.reshape %172 : (tensor<i32>) -> tensor<1xi32>
    %174 = stablehlo.concatenate %171, %173, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %175 = stablehlo.dynamic_broadcast_in_dim %cst, %174, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %176 = stablehlo.multiply %0, %175 : tensor<?x4xf32>
    %177 = stablehlo.select %169, %176, %161 : tensor<?x4xi1>, tensor<?x4xf32>
    %178 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %179 = stablehlo.concatenate %178, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %180 = stablehlo.dynamic_broadcast_in_dim %cst_21, %179, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %181 = stablehlo.multiply %180, %177 : tensor<?x4xf32>
    return %181 : tensor<?x4xf32>
  }
  func.func private @_uniform(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<2xui32>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> tensor<?x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1065353216> : tensor<ui32>
    %c_0 = stablehlo.constant dense<9> : tensor<ui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %c_2 = stablehlo.constant dense<1> : tensor<ui64>
    %c_3 = stablehlo.constant dense<4> : tensor<ui64>
    %c_4 = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.slice %arg1 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.slice %arg1 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_iota %7, dim = 0 : (tensor<2xi32>) -> tensor<?x4xui64>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_iota %10, dim = 1 : (tensor<2xi32>) -> tensor<?x4xui64>
    %12 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.concatenate %12, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %14 = stablehlo.dynamic_broadcast_in_dim %c_3, %13, dims = [] : (tensor<ui64>, tensor<2xi32>) -> tensor<?x4xui64>
    %15 = stablehlo.multiply %14, %8 : tensor<?x4xui64>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %16, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %18 = stablehlo.dynamic_broadcast_in_dim %c_2, %17, dims = [] : (tensor<ui64>, tensor<2xi32>) -> tensor<?x4xui64>
    %19 = stablehlo.multiply %18, %11 : tensor<?x4xui64>
    %20 = stablehlo.add %15, %19 : tensor<?x4xui64>
    %21 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.concatenate %21, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %23 = stablehlo.dynamic_broadcast_in_dim %c_1, %22, dims = [] : (tensor<ui64>, tensor<2xi32>) -> tensor<?x4xui64>
    %24 = stablehlo.shift_right_logical %20, %23 : tensor<?x4xui64>
    %25 = stablehlo.convert %20 : (tensor<?x4xui64>) -> tensor<?x4xui32>
    %26 = stablehlo.convert %24 : (tensor<?x4xui64>) -> tensor<?x4xui32>
    %27:2 = call @threefry2x32(%arg0, %3, %5, %26, %25) : (tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<?x4xui32>, tensor<?x4xui32>) -> (tensor<?x4xui32>, tensor<?x4xui32>)
    %28 = stablehlo.xor %27#0, %27#1 : tensor<?x4xui32>
    %29 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %30 = stablehlo.concatenate %29, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.dynamic_broadcast_in_dim %c_0, %30, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %32 = stablehlo.shift_right_logical %28, %31 : tensor<?x4xui32>
    %33 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %34 = stablehlo.concatenate %33, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %35 = stablehlo.dynamic_broadcast_in_dim %c, %34, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %36 = stablehlo.or %32, %35 : tensor<?x4xui32>
    %37 = stablehlo.bitcast_convert %36 : (tensor<?x4xui32>) -> tensor<?x4xf32>
    %38 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %39 = stablehlo.concatenate %38, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %40 = stablehlo.dynamic_broadcast_in_dim %cst, %39, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %41 = stablehlo.subtract %37, %40 : tensor<?x4xf32>
    %42 = stablehlo.subtract %1, %0 : tensor<1x1xf32>
    %43 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.concatenate %43, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %45 = stablehlo.dynamic_broadcast_in_dim %42, %44, dims = [0, 1] : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %46 = stablehlo.multiply %41, %45 : tensor<?x4xf32>
    %47 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %48 = stablehlo.concatenate %47, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %49 = stablehlo.dynamic_broadcast_in_dim %0, %48, dims = [0, 1] : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %50 = stablehlo.add %46, %49 : tensor<?x4xf32>
    %51 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %52 = stablehlo.concatenate %51, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %53 = stablehlo.dynamic_broadcast_in_dim %0, %52, dims = [0, 1] : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %54 = stablehlo.maximum %53, %50 : tensor<?x4xf32>
    return %54 : tensor<?x4xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<i32>, %arg1: tensor<ui32>, %arg2: tensor<ui32>, %arg3: tensor<?x4xui32>, %arg4: tensor<?x4xui32>) -> (tensor<?x4xui32>, tensor<?x4xui32>) {
    %c = stablehlo.constant dense<5> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %c_1 = stablehlo.constant dense<2> : tensor<ui32>
    %c_2 = stablehlo.constant dense<8> : tensor<ui32>
    %c_3 = stablehlo.constant dense<24> : tensor<ui32>
    %c_4 = stablehlo.constant dense<16> : tensor<ui32>
    %c_5 = stablehlo.constant dense<3> : tensor<ui32>
    %c_6 = stablehlo.constant dense<29> : tensor<ui32>
    %c_7 = stablehlo.constant dense<1> : tensor<ui32>
    %c_8 = stablehlo.constant dense<6> : tensor<ui32>
    %c_9 = stablehlo.constant dense<26> : tensor<ui32>
    %c_10 = stablehlo.constant dense<17> : tensor<ui32>
    %c_11 = stablehlo.constant dense<15> : tensor<ui32>
    %c_12 = stablehlo.constant dense<19> : tensor<ui32>
    %c_13 = stablehlo.constant dense<13> : tensor<ui32>
    %c_14 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_15 = stablehlo.constant dense<466688986> : tensor<ui32>
    %0 = stablehlo.xor %arg1, %arg2 : tensor<ui32>
    %1 = stablehlo.xor %0, %c_15 : tensor<ui32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %arg1, %3, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<?x4xui32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %arg2, %7, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %9 = stablehlo.add %arg4, %8 : tensor<?x4xui32>
    %10 = stablehlo.add %5, %9 : tensor<?x4xui32>
    %11 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %11, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = stablehlo.dynamic_broadcast_in_dim %c_13, %12, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %14 = stablehlo.shift_left %9, %13 : tensor<?x4xui32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.concatenate %15, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = stablehlo.dynamic_broadcast_in_dim %c_12, %16, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %18 = stablehlo.shift_right_logical %9, %17 : tensor<?x4xui32>
    %19 = stablehlo.or %14, %18 : tensor<?x4xui32>
    %20 = stablehlo.xor %10, %19 : tensor<?x4xui32>
    %21 = stablehlo.add %10, %20 : tensor<?x4xui32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %c_11, %23, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<?x4xui32>
    %26 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %26, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %c_10, %27, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %29 = stablehlo.shift_right_logical %20, %28 : tensor<?x4xui32>
    %30 = stablehlo.or %25, %29 : tensor<?x4xui32>
    %31 = stablehlo.xor %21, %30 : tensor<?x4xui32>
    %32 = stablehlo.add %21, %31 : tensor<?x4xui32>
    %33 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %34 = stablehlo.concatenate %33, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %35 = stablehlo.dynamic_broadcast_in_dim %c_9, %34, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %36 = stablehlo.shift_left %31, %35 : tensor<?x4xui32>
    %37 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %38 = stablehlo.concatenate %37, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %39 = stablehlo.dynamic_broadcast_in_dim %c_8, %38, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %40 = stablehlo.shift_right_logical %31, %39 : tensor<?x4xui32>
    %41 = stablehlo.or %36, %40 : tensor<?x4xui32>
    %42 = stablehlo.xor %32, %41 : tensor<?x4xui32>
    %43 = stablehlo.add %32, %42 : tensor<?x4xui32>
    %44 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.concatenate %44, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %46 = stablehlo.dynamic_broadcast_in_dim %c_8, %45, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %47 = stablehlo.shift_left %42, %46 : tensor<?x4xui32>
    %48 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %49 = stablehlo.concatenate %48, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %50 = stablehlo.dynamic_broadcast_in_dim %c_9, %49, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %51 = stablehlo.shift_right_logical %42, %50 : tensor<?x4xui32>
    %52 = stablehlo.or %47, %51 : tensor<?x4xui32>
    %53 = stablehlo.xor %43, %52 : tensor<?x4xui32>
    %54 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %55 = stablehlo.concatenate %54, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %56 = stablehlo.dynamic_broadcast_in_dim %arg2, %55, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %57 = stablehlo.add %43, %56 : tensor<?x4xui32>
    %58 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %59 = stablehlo.concatenate %58, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %60 = stablehlo.dynamic_broadcast_in_dim %1, %59, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %61 = stablehlo.add %53, %60 : tensor<?x4xui32>
    %62 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %63 = stablehlo.concatenate %62, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %64 = stablehlo.dynamic_broadcast_in_dim %c_7, %63, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %65 = stablehlo.add %61, %64 : tensor<?x4xui32>
    %66 = stablehlo.add %57, %65 : tensor<?x4xui32>
    %67 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %68 = stablehlo.concatenate %67, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %69 = stablehlo.dynamic_broadcast_in_dim %c_10, %68, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %70 = stablehlo.shift_left %65, %69 : tensor<?x4xui32>
    %71 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %72 = stablehlo.concatenate %71, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %73 = stablehlo.dynamic_broadcast_in_dim %c_11, %72, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %74 = stablehlo.shift_right_logical %65, %73 : tensor<?x4xui32>
    %75 = stablehlo.or %70, %74 : tensor<?x4xui32>
    %76 = stablehlo.xor %66, %75 : tensor<?x4xui32>
    %77 = stablehlo.add %66, %76 : tensor<?x4xui32>
    %78 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %79 = stablehlo.concatenate %78, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %80 = stablehlo.dynamic_broadcast_in_dim %c_6, %79, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %81 = stablehlo.shift_left %76, %80 : tensor<?x4xui32>
    %82 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %83 = stablehlo.concatenate %82, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %84 = stablehlo.dynamic_broadcast_in_dim %c_5, %83, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %85 = stablehlo.shift_right_logical %76, %84 : tensor<?x4xui32>
    %86 = stablehlo.or %81, %85 : tensor<?x4xui32>
    %87 = stablehlo.xor %77, %86 : tensor<?x4xui32>
    %88 = stablehlo.add %77, %87 : tensor<?x4xui32>
    %89 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %90 = stablehlo.concatenate %89, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %91 = stablehlo.dynamic_broadcast_in_dim %c_4, %90, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %92 = stablehlo.shift_left %87, %91 : tensor<?x4xui32>
    %93 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %94 = stablehlo.concatenate %93, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %95 = stablehlo.dynamic_broadcast_in_dim %c_4, %94, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %96 = stablehlo.shift_right_logical %87, %95 : tensor<?x4xui32>
    %97 = stablehlo.or %92, %96 : tensor<?x4xui32>
    %98 = stablehlo.xor %88, %97 : tensor<?x4xui32>
    %99 = stablehlo.add %88, %98 : tensor<?x4xui32>
    %100 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %101 = stablehlo.concatenate %100, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %102 = stablehlo.dynamic_broadcast_in_dim %c_3, %101, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %103 = stablehlo.shift_left %98, %102 : tensor<?x4xui32>
    %104 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %105 = stablehlo.concatenate %104, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %106 = stablehlo.dynamic_broadcast_in_dim %c_2, %105, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %107 = stablehlo.shift_right_logical %98, %106 : tensor<?x4xui32>
    %108 = stablehlo.or %103, %107 : tensor<?x4xui32>
    %109 = stablehlo.xor %99, %108 : tensor<?x4xui32>
    %110 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %111 = stablehlo.concatenate %110, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %112 = stablehlo.dynamic_broadcast_in_dim %1, %111, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %113 = stablehlo.add %99, %112 : tensor<?x4xui32>
    %114 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %115 = stablehlo.concatenate %114, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %116 = stablehlo.dynamic_broadcast_in_dim %arg1, %115, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %117 = stablehlo.add %109, %116 : tensor<?x4xui32>
    %118 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %119 = stablehlo.concatenate %118, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %120 = stablehlo.dynamic_broadcast_in_dim %c_1, %119, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %121 = stablehlo.add %117, %120 : tensor<?x4xui32>
    %122 = stablehlo.add %113, %121 : tensor<?x4xui32>
    %123 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %124 = stablehlo.concatenate %123, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %125 = stablehlo.dynamic_broadcast_in_dim %c_13, %124, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %126 = stablehlo.shift_left %121, %125 : tensor<?x4xui32>
    %127 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %128 = stablehlo.concatenate %127, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %129 = stablehlo.dynamic_broadcast_in_dim %c_12, %128, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %130 = stablehlo.shift_right_logical %121, %129 : tensor<?x4xui32>
    %131 = stablehlo.or %126, %130 : tensor<?x4xui32>
    %132 = stablehlo.xor %122, %131 : tensor<?x4xui32>
    %133 = stablehlo.add %122, %132 : tensor<?x4xui32>
    %134 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %135 = stablehlo.concatenate %134, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %136 = stablehlo.dynamic_broadcast_in_dim %c_11, %135, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %137 = stablehlo.shift_left %132, %136 : tensor<?x4xui32>
    %138 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %139 = stablehlo.concatenate %138, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %140 = stablehlo.dynamic_broadcast_in_dim %c_10, %139, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %141 = stablehlo.shift_right_logical %132, %140 : tensor<?x4xui32>
    %142 = stablehlo.or %137, %141 : tensor<?x4xui32>
    %143 = stablehlo.xor %133, %142 : tensor<?x4xui32>
    %144 = stablehlo.add %133, %143 : tensor<?x4xui32>
    %145 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %146 = stablehlo.concatenate %145, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %147 = stablehlo.dynamic_broadcast_in_dim %c_9, %146, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %148 = stablehlo.shift_left %143, %147 : tensor<?x4xui32>
    %149 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %150 = stablehlo.concatenate %149, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %151 = stablehlo.dynamic_broadcast_in_dim %c_8, %150, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %152 = stablehlo.shift_right_logical %143, %151 : tensor<?x4xui32>
    %153 = stablehlo.or %148, %152 : tensor<?x4xui32>
    %154 = stablehlo.xor %144, %153 : tensor<?x4xui32>
    %155 = stablehlo.add %144, %154 : tensor<?x4xui32>
    %156 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %157 = stablehlo.concatenate %156, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %158 = stablehlo.dynamic_broadcast_in_dim %c_8, %157, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %159 = stablehlo.shift_left %154, %158 : tensor<?x4xui32>
    %160 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %161 = stablehlo.concatenate %160, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %162 = stablehlo.dynamic_broadcast_in_dim %c_9, %161, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %163 = stablehlo.shift_right_logical %154, %162 : tensor<?x4xui32>
    %164 = stablehlo.or %159, %163 : tensor<?x4xui32>
    %165 = stablehlo.xor %155, %164 : tensor<?x4xui32>
    %166 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %167 = stablehlo.concatenate %166, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %168 = stablehlo.dynamic_broadcast_in_dim %arg1, %167, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %169 = stablehlo.add %155, %168 : tensor<?x4xui32>
    %170 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %171 = stablehlo.concatenate %170, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %172 = stablehlo.dynamic_broadcast_in_dim %arg2, %171, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %173 = stablehlo.add %165, %172 : tensor<?x4xui32>
    %174 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %175 = stablehlo.concatenate %174, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %176 = stablehlo.dynamic_broadcast_in_dim %c_5, %175, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %177 = stablehlo.add %173, %176 : tensor<?x4xui32>
    %178 = stablehlo.add %169, %177 : tensor<?x4xui32>
    %179 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %180 = stablehlo.concatenate %179, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %181 = stablehlo.dynamic_broadcast_in_dim %c_10, %180, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %182 = stablehlo.shift_left %177, %181 : tensor<?x4xui32>
    %183 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %184 = stablehlo.concatenate %183, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %185 = stablehlo.dynamic_broadcast_in_dim %c_11, %184, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %186 = stablehlo.shift_right_logical %177, %185 : tensor<?x4xui32>
    %187 = stablehlo.or %182, %186 : tensor<?x4xui32>
    %188 = stablehlo.xor %178, %187 : tensor<?x4xui32>
    %189 = stablehlo.add %178, %188 : tensor<?x4xui32>
    %190 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %191 = stablehlo.concatenate %190, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %192 = stablehlo.dynamic_broadcast_in_dim %c_6, %191, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %193 = stablehlo.shift_left %188, %192 : tensor<?x4xui32>
    %194 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %195 = stablehlo.concatenate %194, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %196 = stablehlo.dynamic_broadcast_in_dim %c_5, %195, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %197 = stablehlo.shift_right_logical %188, %196 : tensor<?x4xui32>
    %198 = stablehlo.or %193, %197 : tensor<?x4xui32>
    %199 = stablehlo.xor %189, %198 : tensor<?x4xui32>
    %200 = stablehlo.add %189, %199 : tensor<?x4xui32>
    %201 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %202 = stablehlo.concatenate %201, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %203 = stablehlo.dynamic_broadcast_in_dim %c_4, %202, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %204 = stablehlo.shift_left %199, %203 : tensor<?x4xui32>
    %205 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %206 = stablehlo.concatenate %205, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %207 = stablehlo.dynamic_broadcast_in_dim %c_4, %206, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %208 = stablehlo.shift_right_logical %199, %207 : tensor<?x4xui32>
    %209 = stablehlo.or %204, %208 : tensor<?x4xui32>
    %210 = stablehlo.xor %200, %209 : tensor<?x4xui32>
    %211 = stablehlo.add %200, %210 : tensor<?x4xui32>
    %212 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %213 = stablehlo.concatenate %212, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %214 = stablehlo.dynamic_broadcast_in_dim %c_3, %213, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %215 = stablehlo.shift_left %210, %214 : tensor<?x4xui32>
    %216 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %217 = stablehlo.concatenate %216, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %218 = stablehlo.dynamic_broadcast_in_dim %c_2, %217, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %219 = stablehlo.shift_right_logical %210, %218 : tensor<?x4xui32>
    %220 = stablehlo.or %215, %219 : tensor<?x4xui32>
    %221 = stablehlo.xor %211, %220 : tensor<?x4xui32>
    %222 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %223 = stablehlo.concatenate %222, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %224 = stablehlo.dynamic_broadcast_in_dim %arg2, %223, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %225 = stablehlo.add %211, %224 : tensor<?x4xui32>
    %226 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %227 = stablehlo.concatenate %226, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %228 = stablehlo.dynamic_broadcast_in_dim %1, %227, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %229 = stablehlo.add %221, %228 : tensor<?x4xui32>
    %230 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %231 = stablehlo.concatenate %230, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %232 = stablehlo.dynamic_broadcast_in_dim %c_0, %231, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %233 = stablehlo.add %229, %232 : tensor<?x4xui32>
    %234 = stablehlo.add %225, %233 : tensor<?x4xui32>
    %235 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %236 = stablehlo.concatenate %235, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %237 = stablehlo.dynamic_broadcast_in_dim %c_13, %236, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %238 = stablehlo.shift_left %233, %237 : tensor<?x4xui32>
    %239 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %240 = stablehlo.concatenate %239, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %241 = stablehlo.dynamic_broadcast_in_dim %c_12, %240, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %242 = stablehlo.shift_right_logical %233, %241 : tensor<?x4xui32>
    %243 = stablehlo.or %238, %242 : tensor<?x4xui32>
    %244 = stablehlo.xor %234, %243 : tensor<?x4xui32>
    %245 = stablehlo.add %234, %244 : tensor<?x4xui32>
    %246 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %247 = stablehlo.concatenate %246, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %248 = stablehlo.dynamic_broadcast_in_dim %c_11, %247, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %249 = stablehlo.shift_left %244, %248 : tensor<?x4xui32>
    %250 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %251 = stablehlo.concatenate %250, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %252 = stablehlo.dynamic_broadcast_in_dim %c_10, %251, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %253 = stablehlo.shift_right_logical %244, %252 : tensor<?x4xui32>
    %254 = stablehlo.or %249, %253 : tensor<?x4xui32>
    %255 = stablehlo.xor %245, %254 : tensor<?x4xui32>
    %256 = stablehlo.add %245, %255 : tensor<?x4xui32>
    %257 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %258 = stablehlo.concatenate %257, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %259 = stablehlo.dynamic_broadcast_in_dim %c_9, %258, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %260 = stablehlo.shift_left %255, %259 : tensor<?x4xui32>
    %261 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %262 = stablehlo.concatenate %261, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %263 = stablehlo.dynamic_broadcast_in_dim %c_8, %262, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %264 = stablehlo.shift_right_logical %255, %263 : tensor<?x4xui32>
    %265 = stablehlo.or %260, %264 : tensor<?x4xui32>
    %266 = stablehlo.xor %256, %265 : tensor<?x4xui32>
    %267 = stablehlo.add %256, %266 : tensor<?x4xui32>
    %268 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %269 = stablehlo.concatenate %268, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %270 = stablehlo.dynamic_broadcast_in_dim %c_8, %269, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %271 = stablehlo.shift_left %266, %270 : tensor<?x4xui32>
    %272 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %273 = stablehlo.concatenate %272, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %274 = stablehlo.dynamic_broadcast_in_dim %c_9, %273, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %275 = stablehlo.shift_right_logical %266, %274 : tensor<?x4xui32>
    %276 = stablehlo.or %271, %275 : tensor<?x4xui32>
    %277 = stablehlo.xor %267, %276 : tensor<?x4xui32>
    %278 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %279 = stablehlo.concatenate %278, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %280 = stablehlo.dynamic_broadcast_in_dim %1, %279, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %281 = stablehlo.add %267, %280 : tensor<?x4xui32>
    %282 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %283 = stablehlo.concatenate %282, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %284 = stablehlo.dynamic_broadcast_in_dim %arg1, %283, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %285 = stablehlo.add %277, %284 : tensor<?x4xui32>
    %286 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %287 = stablehlo.concatenate %286, %c_14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %288 = stablehlo.dynamic_broadcast_in_dim %c, %287, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %289 = stablehlo.add %285, %288 : tensor<?x4xui32>
    return %281, %289 : tensor<?x4xui32>, tensor<?x4xui32>
  }
  func.func private @_bernoulli(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<2xui32>, %arg2: tensor<f32>) -> tensor<?x4xi1> {
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform_0(%arg0, %arg1, %cst, %cst_0) : (tensor<i32>, tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<?x4xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %arg2, %2, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %4 = stablehlo.compare LT, %0, %3, FLOAT : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
    return %4 : tensor<?x4xi1>
  }
  func.func private @_uniform_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<2xui32>, %arg2: tensor<f32>, %arg3: tensor<f32>) -> tensor<?x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1065353216> : tensor<ui32>
    %c_0 = stablehlo.constant dense<9> : tensor<ui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %c_2 = stablehlo.constant dense<1> : tensor<ui64>
    %c_3 = stablehlo.constant dense<4> : tensor<ui64>
    %c_4 = stablehlo.constant dense<4> : tensor<1xi32>
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.convert %arg3 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %4 = stablehlo.slice %arg1 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.slice %arg1 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %8, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = stablehlo.dynamic_iota %9, dim = 0 : (tensor<2xi32>) -> tensor<?x4xui64>
    %11 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %12 = stablehlo.concatenate %11, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %13 = stablehlo.dynamic_iota %12, dim = 1 : (tensor<2xi32>) -> tensor<?x4xui64>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %14, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.dynamic_broadcast_in_dim %c_3, %15, dims = [] : (tensor<ui64>, tensor<2xi32>) -> tensor<?x4xui64>
    %17 = stablehlo.multiply %16, %10 : tensor<?x4xui64>
    %18 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.concatenate %18, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %20 = stablehlo.dynamic_broadcast_in_dim %c_2, %19, dims = [] : (tensor<ui64>, tensor<2xi32>) -> tensor<?x4xui64>
    %21 = stablehlo.multiply %20, %13 : tensor<?x4xui64>
    %22 = stablehlo.add %17, %21 : tensor<?x4xui64>
    %23 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %24 = stablehlo.concatenate %23, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %25 = stablehlo.dynamic_broadcast_in_dim %c_1, %24, dims = [] : (tensor<ui64>, tensor<2xi32>) -> tensor<?x4xui64>
    %26 = stablehlo.shift_right_logical %22, %25 : tensor<?x4xui64>
    %27 = stablehlo.convert %22 : (tensor<?x4xui64>) -> tensor<?x4xui32>
    %28 = stablehlo.convert %26 : (tensor<?x4xui64>) -> tensor<?x4xui32>
    %29:2 = call @threefry2x32(%arg0, %5, %7, %28, %27) : (tensor<i32>, tensor<ui32>, tensor<ui32>, tensor<?x4xui32>, tensor<?x4xui32>) -> (tensor<?x4xui32>, tensor<?x4xui32>)
    %30 = stablehlo.xor %29#0, %29#1 : tensor<?x4xui32>
    %31 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %32 = stablehlo.concatenate %31, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %33 = stablehlo.dynamic_broadcast_in_dim %c_0, %32, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %34 = stablehlo.shift_right_logical %30, %33 : tensor<?x4xui32>
    %35 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.concatenate %35, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %37 = stablehlo.dynamic_broadcast_in_dim %c, %36, dims = [] : (tensor<ui32>, tensor<2xi32>) -> tensor<?x4xui32>
    %38 = stablehlo.or %34, %37 : tensor<?x4xui32>
    %39 = stablehlo.bitcast_convert %38 : (tensor<?x4xui32>) -> tensor<?x4xf32>
    %40 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.concatenate %40, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %42 = stablehlo.dynamic_broadcast_in_dim %cst, %41, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x4xf32>
    %43 = stablehlo.subtract %39, %42 : tensor<?x4xf32>
    %44 = stablehlo.subtract %3, %2 : tensor<1x1xf32>
    %45 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.concatenate %45, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %47 = stablehlo.dynamic_broadcast_in_dim %44, %46, dims = [0, 1] : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %48 = stablehlo.multiply %43, %47 : tensor<?x4xf32>
    %49 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %50 = stablehlo.concatenate %49, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %51 = stablehlo.dynamic_broadcast_in_dim %2, %50, dims = [0, 1] : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %52 = stablehlo.add %48, %51 : tensor<?x4xf32>
    %53 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %54 = stablehlo.concatenate %53, %c_4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %55 = stablehlo.dynamic_broadcast_in_dim %2, %54, dims = [0, 1] : (tensor<1x1xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %56 = stablehlo.maximum %55, %52 : tensor<?x4xf32>
    return %56 : tensor<?x4xf32>
  }
}
