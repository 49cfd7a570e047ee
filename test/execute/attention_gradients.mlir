// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients of attention in bf16 against those in f32 of the same q, k, v and cotangents (128 positions, 2 heads of
// 32): the largest difference, of the largest gradient. What a kernel keeps of scores, exponentials and sums is f32,
// and only what lies between kernels is bf16: XLA:CPU is off by 1.06e-2, 0.89e-2 and 1.37e-2.
// RUN: tpuc run %s
module {
  func.func public @main() {
    %0 = stablehlo.iota dim = 0 : tensor<8192xui32>
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %2 = stablehlo.add %0, %1 : tensor<8192xui32>
    %c_0 = stablehlo.constant dense<2654435761> : tensor<ui32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %4 = stablehlo.multiply %2, %3 : tensor<8192xui32>
    %c_1 = stablehlo.constant dense<15> : tensor<ui32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %6 = stablehlo.shift_right_logical %4, %5 : tensor<8192xui32>
    %7 = stablehlo.xor %4, %6 : tensor<8192xui32>
    %c_2 = stablehlo.constant dense<2246822519> : tensor<ui32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %9 = stablehlo.multiply %7, %8 : tensor<8192xui32>
    %c_3 = stablehlo.constant dense<20> : tensor<ui32>
    %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %11 = stablehlo.shift_right_logical %9, %10 : tensor<8192xui32>
    %12 = stablehlo.convert %11 : (tensor<8192xui32>) -> tensor<8192xi32>
    %c_4 = stablehlo.constant dense<2048> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<8192xi32>
    %14 = stablehlo.subtract %12, %13 : tensor<8192xi32>
    %15 = stablehlo.convert %14 : (tensor<8192xi32>) -> tensor<8192xf32>
    %cst = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %17 = stablehlo.divide %15, %16 : tensor<8192xf32>
    %18 = stablehlo.reshape %17 : (tensor<8192xf32>) -> tensor<1x128x2x32xf32>
    %19 = stablehlo.convert %18 : (tensor<1x128x2x32xf32>) -> tensor<1x128x2x32xbf16>
    %20 = stablehlo.iota dim = 0 : tensor<8192xui32>
    %c_5 = stablehlo.constant dense<8192> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %22 = stablehlo.add %20, %21 : tensor<8192xui32>
    %c_6 = stablehlo.constant dense<2654435761> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %24 = stablehlo.multiply %22, %23 : tensor<8192xui32>
    %c_7 = stablehlo.constant dense<15> : tensor<ui32>
    %25 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %26 = stablehlo.shift_right_logical %24, %25 : tensor<8192xui32>
    %27 = stablehlo.xor %24, %26 : tensor<8192xui32>
    %c_8 = stablehlo.constant dense<2246822519> : tensor<ui32>
    %28 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %29 = stablehlo.multiply %27, %28 : tensor<8192xui32>
    %c_9 = stablehlo.constant dense<20> : tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %31 = stablehlo.shift_right_logical %29, %30 : tensor<8192xui32>
    %32 = stablehlo.convert %31 : (tensor<8192xui32>) -> tensor<8192xi32>
    %c_10 = stablehlo.constant dense<2048> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<8192xi32>
    %34 = stablehlo.subtract %32, %33 : tensor<8192xi32>
    %35 = stablehlo.convert %34 : (tensor<8192xi32>) -> tensor<8192xf32>
    %cst_11 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %37 = stablehlo.divide %35, %36 : tensor<8192xf32>
    %38 = stablehlo.reshape %37 : (tensor<8192xf32>) -> tensor<1x128x2x32xf32>
    %39 = stablehlo.convert %38 : (tensor<1x128x2x32xf32>) -> tensor<1x128x2x32xbf16>
    %40 = stablehlo.iota dim = 0 : tensor<8192xui32>
    %c_12 = stablehlo.constant dense<16384> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %42 = stablehlo.add %40, %41 : tensor<8192xui32>
    %c_13 = stablehlo.constant dense<2654435761> : tensor<ui32>
    %43 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %44 = stablehlo.multiply %42, %43 : tensor<8192xui32>
    %c_14 = stablehlo.constant dense<15> : tensor<ui32>
    %45 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %46 = stablehlo.shift_right_logical %44, %45 : tensor<8192xui32>
    %47 = stablehlo.xor %44, %46 : tensor<8192xui32>
    %c_15 = stablehlo.constant dense<2246822519> : tensor<ui32>
    %48 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %49 = stablehlo.multiply %47, %48 : tensor<8192xui32>
    %c_16 = stablehlo.constant dense<20> : tensor<ui32>
    %50 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %51 = stablehlo.shift_right_logical %49, %50 : tensor<8192xui32>
    %52 = stablehlo.convert %51 : (tensor<8192xui32>) -> tensor<8192xi32>
    %c_17 = stablehlo.constant dense<2048> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<8192xi32>
    %54 = stablehlo.subtract %52, %53 : tensor<8192xi32>
    %55 = stablehlo.convert %54 : (tensor<8192xi32>) -> tensor<8192xf32>
    %cst_18 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %57 = stablehlo.divide %55, %56 : tensor<8192xf32>
    %58 = stablehlo.reshape %57 : (tensor<8192xf32>) -> tensor<1x128x2x32xf32>
    %59 = stablehlo.convert %58 : (tensor<1x128x2x32xf32>) -> tensor<1x128x2x32xbf16>
    %60 = stablehlo.iota dim = 0 : tensor<8192xui32>
    %c_19 = stablehlo.constant dense<24576> : tensor<ui32>
    %61 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %62 = stablehlo.add %60, %61 : tensor<8192xui32>
    %c_20 = stablehlo.constant dense<2654435761> : tensor<ui32>
    %63 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %64 = stablehlo.multiply %62, %63 : tensor<8192xui32>
    %c_21 = stablehlo.constant dense<15> : tensor<ui32>
    %65 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %66 = stablehlo.shift_right_logical %64, %65 : tensor<8192xui32>
    %67 = stablehlo.xor %64, %66 : tensor<8192xui32>
    %c_22 = stablehlo.constant dense<2246822519> : tensor<ui32>
    %68 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %69 = stablehlo.multiply %67, %68 : tensor<8192xui32>
    %c_23 = stablehlo.constant dense<20> : tensor<ui32>
    %70 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui32>) -> tensor<8192xui32>
    %71 = stablehlo.shift_right_logical %69, %70 : tensor<8192xui32>
    %72 = stablehlo.convert %71 : (tensor<8192xui32>) -> tensor<8192xi32>
    %c_24 = stablehlo.constant dense<2048> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i32>) -> tensor<8192xi32>
    %74 = stablehlo.subtract %72, %73 : tensor<8192xi32>
    %75 = stablehlo.convert %74 : (tensor<8192xi32>) -> tensor<8192xf32>
    %cst_25 = stablehlo.constant dense<1.024000e+03> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8192xf32>
    %77 = stablehlo.divide %75, %76 : tensor<8192xf32>
    %78 = stablehlo.reshape %77 : (tensor<8192xf32>) -> tensor<1x128x2x32xf32>
    %79 = stablehlo.convert %78 : (tensor<1x128x2x32xf32>) -> tensor<1x128x2x32xbf16>
    %80:4 = stablehlo.optimization_barrier %19, %39, %59, %79
        : tensor<1x128x2x32xbf16>, tensor<1x128x2x32xbf16>, tensor<1x128x2x32xbf16>, tensor<1x128x2x32xbf16>
    %81 = stablehlo.dot_general %80#0, %80#1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3],
        precision = [DEFAULT, DEFAULT] : (tensor<1x128x2x32xbf16>, tensor<1x128x2x32xbf16>) -> tensor<1x2x128x128xbf16>
    %cst_26 = stablehlo.constant dense<5.656250e+00> : tensor<bf16>
    %82 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<bf16>) -> tensor<1x2x128x128xbf16>
    %83 = stablehlo.divide %81, %82 : tensor<1x2x128x128xbf16>
    %cst_27 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %84 = stablehlo.reduce(%83 init: %cst_27) applies stablehlo.maximum across dimensions = [3]
        : (tensor<1x2x128x128xbf16>, tensor<bf16>) -> tensor<1x2x128xbf16>
    %cst_28 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %85 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<bf16>) -> tensor<1x2x128xbf16>
    %86 = stablehlo.maximum %85, %84 : tensor<1x2x128xbf16>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<1x2x128xbf16>) -> tensor<1x2x128x1xbf16>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %89 = stablehlo.subtract %83, %88 : tensor<1x2x128x128xbf16>
    %90 = stablehlo.exponential %89 : tensor<1x2x128x128xbf16>
    %91 = stablehlo.convert %90 : (tensor<1x2x128x128xbf16>) -> tensor<1x2x128x128xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.reduce(%91 init: %cst_29) applies stablehlo.add across dimensions = [3]
        : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %94 = stablehlo.convert %93 : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x1xbf16>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %96 = stablehlo.divide %90, %95 : tensor<1x2x128x128xbf16>
    %97 = stablehlo.multiply %94, %94 : tensor<1x2x128x1xbf16>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %98 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<bf16>) -> tensor<1x2x128x1xbf16>
    %99 = stablehlo.divide %98, %97 : tensor<1x2x128x1xbf16>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x128x2x32xf32>
    %101 = stablehlo.convert %100 : (tensor<1x128x2x32xf32>) -> tensor<1x128x2x32xbf16>
    %102 = stablehlo.multiply %101, %80#3 : tensor<1x128x2x32xbf16>
    %103 = stablehlo.transpose %102, dims = [0, 2, 3, 1] : (tensor<1x128x2x32xbf16>) -> tensor<1x2x32x128xbf16>
    %104 = stablehlo.dot_general %103, %80#2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3],
        precision = [DEFAULT, DEFAULT] : (tensor<1x2x32x128xbf16>, tensor<1x128x2x32xbf16>) -> tensor<1x2x128x128xbf16>
    %105 = stablehlo.dot_general %103, %96, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2],
        precision = [DEFAULT, DEFAULT] : (tensor<1x2x32x128xbf16>, tensor<1x2x128x128xbf16>) -> tensor<1x2x32x128xbf16>
    %106 = stablehlo.transpose %105, dims = [0, 3, 1, 2] : (tensor<1x2x32x128xbf16>) -> tensor<1x128x2x32xbf16>
    %107 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %108 = stablehlo.multiply %104, %107 : tensor<1x2x128x128xbf16>
    %109 = stablehlo.multiply %108, %90 : tensor<1x2x128x128xbf16>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %110 = stablehlo.reduce(%109 init: %cst_32) applies stablehlo.add across dimensions = [3]
        : (tensor<1x2x128x128xbf16>, tensor<bf16>) -> tensor<1x2x128xbf16>
    %111 = stablehlo.reshape %110 : (tensor<1x2x128xbf16>) -> tensor<1x2x128x1xbf16>
    %112 = stablehlo.negate %111 : tensor<1x2x128x1xbf16>
    %113 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %114 = stablehlo.divide %104, %113 : tensor<1x2x128x128xbf16>
    %115 = stablehlo.convert %112 : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x1xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_33) applies stablehlo.add across dimensions = [0, 3]
        : (tensor<1x2x128x1xf32>, tensor<f32>) -> tensor<2x128xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x128xf32>
    %119 = stablehlo.convert %118 : (tensor<1x2x128x128xf32>) -> tensor<1x2x128x128xbf16>
    %120 = stablehlo.add %114, %119 : tensor<1x2x128x128xbf16>
    %121 = stablehlo.multiply %120, %90 : tensor<1x2x128x128xbf16>
    %cst_34 = stablehlo.constant dense<5.656250e+00> : tensor<bf16>
    %122 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<bf16>) -> tensor<1x2x128x128xbf16>
    %123 = stablehlo.divide %121, %122 : tensor<1x2x128x128xbf16>
    %124 = stablehlo.dot_general %123, %80#0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1],
        precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x128xbf16>, tensor<1x128x2x32xbf16>) -> tensor<1x2x128x32xbf16>
    %125 = stablehlo.transpose %124, dims = [0, 2, 1, 3] : (tensor<1x2x128x32xbf16>) -> tensor<1x128x2x32xbf16>
    %126 = stablehlo.dot_general %123, %80#1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1],
        precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x128xbf16>, tensor<1x128x2x32xbf16>) -> tensor<1x2x128x32xbf16>
    %127 = stablehlo.transpose %126, dims = [0, 2, 1, 3] : (tensor<1x2x128x32xbf16>) -> tensor<1x128x2x32xbf16>
    %128 = stablehlo.convert %80#0 : (tensor<1x128x2x32xbf16>) -> tensor<1x128x2x32xf32>
    %129 = stablehlo.convert %80#1 : (tensor<1x128x2x32xbf16>) -> tensor<1x128x2x32xf32>
    %130 = stablehlo.convert %80#2 : (tensor<1x128x2x32xbf16>) -> tensor<1x128x2x32xf32>
    %131 = stablehlo.convert %80#3 : (tensor<1x128x2x32xbf16>) -> tensor<1x128x2x32xf32>
    %132 = stablehlo.dot_general %128, %129, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3],
        precision = [HIGHEST, HIGHEST] : (tensor<1x128x2x32xf32>, tensor<1x128x2x32xf32>) -> tensor<1x2x128x128xf32>
    %cst_35 = stablehlo.constant dense<5.65685415> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<1x2x128x128xf32>
    %134 = stablehlo.divide %132, %133 : tensor<1x2x128x128xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %135 = stablehlo.reduce(%134 init: %cst_36) applies stablehlo.maximum across dimensions = [3]
        : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1x2x128xf32>
    %137 = stablehlo.maximum %136, %135 : tensor<1x2x128xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %140 = stablehlo.subtract %134, %139 : tensor<1x2x128x128xf32>
    %141 = stablehlo.exponential %140 : tensor<1x2x128x128xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.reduce(%141 init: %cst_38) applies stablehlo.add across dimensions = [3]
        : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %145 = stablehlo.divide %141, %144 : tensor<1x2x128x128xf32>
    %146 = stablehlo.multiply %143, %143 : tensor<1x2x128x1xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x2x128x1xf32>
    %148 = stablehlo.divide %147, %146 : tensor<1x2x128x1xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x128x2x32xf32>
    %150 = stablehlo.multiply %149, %131 : tensor<1x128x2x32xf32>
    %151 = stablehlo.transpose %150, dims = [0, 2, 3, 1] : (tensor<1x128x2x32xf32>) -> tensor<1x2x32x128xf32>
    %152 = stablehlo.dot_general %151, %130, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3],
        precision = [HIGHEST, HIGHEST] : (tensor<1x2x32x128xf32>, tensor<1x128x2x32xf32>) -> tensor<1x2x128x128xf32>
    %153 = stablehlo.dot_general %151, %145, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2],
        precision = [HIGHEST, HIGHEST] : (tensor<1x2x32x128xf32>, tensor<1x2x128x128xf32>) -> tensor<1x2x32x128xf32>
    %154 = stablehlo.transpose %153, dims = [0, 3, 1, 2] : (tensor<1x2x32x128xf32>) -> tensor<1x128x2x32xf32>
    %155 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %156 = stablehlo.multiply %152, %155 : tensor<1x2x128x128xf32>
    %157 = stablehlo.multiply %156, %141 : tensor<1x2x128x128xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_41) applies stablehlo.add across dimensions = [3]
        : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %159 = stablehlo.reshape %158 : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %160 = stablehlo.negate %159 : tensor<1x2x128x1xf32>
    %161 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %162 = stablehlo.divide %152, %161 : tensor<1x2x128x128xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.reduce(%160 init: %cst_42) applies stablehlo.add across dimensions = [0, 3]
        : (tensor<1x2x128x1xf32>, tensor<f32>) -> tensor<2x128xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x128xf32>
    %166 = stablehlo.add %162, %165 : tensor<1x2x128x128xf32>
    %167 = stablehlo.multiply %166, %141 : tensor<1x2x128x128xf32>
    %cst_43 = stablehlo.constant dense<5.65685415> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<1x2x128x128xf32>
    %169 = stablehlo.divide %167, %168 : tensor<1x2x128x128xf32>
    %170 = stablehlo.dot_general %169, %128, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<1x2x128x128xf32>, tensor<1x128x2x32xf32>) -> tensor<1x2x128x32xf32>
    %171 = stablehlo.transpose %170, dims = [0, 2, 1, 3] : (tensor<1x2x128x32xf32>) -> tensor<1x128x2x32xf32>
    %172 = stablehlo.dot_general %169, %129, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1],
        precision = [HIGHEST, HIGHEST] : (tensor<1x2x128x128xf32>, tensor<1x128x2x32xf32>) -> tensor<1x2x128x32xf32>
    %173 = stablehlo.transpose %172, dims = [0, 2, 1, 3] : (tensor<1x2x128x32xf32>) -> tensor<1x128x2x32xf32>
    %174 = stablehlo.convert %127 : (tensor<1x128x2x32xbf16>) -> tensor<1x128x2x32xf32>
    %175 = stablehlo.subtract %174, %173 : tensor<1x128x2x32xf32>
    %176 = stablehlo.abs %175 : tensor<1x128x2x32xf32>
    %cst_44 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %177 = stablehlo.reduce(%176 init: %cst_44) applies stablehlo.maximum across dimensions = [0, 1, 2, 3]
        : (tensor<1x128x2x32xf32>, tensor<f32>) -> tensor<f32>
    %178 = stablehlo.abs %173 : tensor<1x128x2x32xf32>
    %cst_45 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %179 = stablehlo.reduce(%178 init: %cst_45) applies stablehlo.maximum across dimensions = [0, 1, 2, 3]
        : (tensor<1x128x2x32xf32>, tensor<f32>) -> tensor<f32>
    %180 = stablehlo.divide %177, %179 : tensor<f32>
    %181 = stablehlo.convert %125 : (tensor<1x128x2x32xbf16>) -> tensor<1x128x2x32xf32>
    %182 = stablehlo.subtract %181, %171 : tensor<1x128x2x32xf32>
    %183 = stablehlo.abs %182 : tensor<1x128x2x32xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %184 = stablehlo.reduce(%183 init: %cst_46) applies stablehlo.maximum across dimensions = [0, 1, 2, 3]
        : (tensor<1x128x2x32xf32>, tensor<f32>) -> tensor<f32>
    %185 = stablehlo.abs %171 : tensor<1x128x2x32xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %186 = stablehlo.reduce(%185 init: %cst_47) applies stablehlo.maximum across dimensions = [0, 1, 2, 3]
        : (tensor<1x128x2x32xf32>, tensor<f32>) -> tensor<f32>
    %187 = stablehlo.divide %184, %186 : tensor<f32>
    %188 = stablehlo.convert %106 : (tensor<1x128x2x32xbf16>) -> tensor<1x128x2x32xf32>
    %189 = stablehlo.subtract %188, %154 : tensor<1x128x2x32xf32>
    %190 = stablehlo.abs %189 : tensor<1x128x2x32xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %191 = stablehlo.reduce(%190 init: %cst_48) applies stablehlo.maximum across dimensions = [0, 1, 2, 3]
        : (tensor<1x128x2x32xf32>, tensor<f32>) -> tensor<f32>
    %192 = stablehlo.abs %154 : tensor<1x128x2x32xf32>
    %cst_49 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %193 = stablehlo.reduce(%192 init: %cst_49) applies stablehlo.maximum across dimensions = [0, 1, 2, 3]
        : (tensor<1x128x2x32xf32>, tensor<f32>) -> tensor<f32>
    %194 = stablehlo.divide %191, %193 : tensor<f32>
    %most_a = stablehlo.constant dense<8.0e-3> : tensor<f32>
    %below_a = stablehlo.compare LT, %180, %most_a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    check.expect_eq_const %below_a, dense<true> : tensor<i1>
    %most_b = stablehlo.constant dense<7.0e-3> : tensor<f32>
    %below_b = stablehlo.compare LT, %187, %most_b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    check.expect_eq_const %below_b, dense<true> : tensor<i1>
    %most_c = stablehlo.constant dense<1.35e-2> : tensor<f32>
    %below_c = stablehlo.compare LT, %194, %most_c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    check.expect_eq_const %below_c, dense<true> : tensor<i1>
    return
  }
}
