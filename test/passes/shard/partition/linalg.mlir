// RUN: tpuc-opt %s --tpuc-partition --split-input-file | FileCheck %s

// Columns of a system are solved apart.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: all_gather
// CHECK: "stablehlo.triangular_solve"(%arg0, %arg1)
// CHECK-SAME: (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @columns(%a: tensor<4x4xf32>, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose
      NO_TRANSPOSE>, unit_diagonal = false}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
      : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Its rows are not.
// CHECK-LABEL: func.func @rows
// CHECK: %[[ALL:.*]] = "stablehlo.all_{{.*}}"(%arg1)
// CHECK: "stablehlo.triangular_solve"
// CHECK-SAME: (tensor<8x8xf32>, tensor<8x{{.*}}xf32>) -> tensor<8x
sdy.mesh @mesh = <["x"=4]>
func.func @rows(%a: tensor<8x8xf32>, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> tensor<8x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose
      NO_TRANSPOSE>, unit_diagonal = false}>
      : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// Matrices are factorised apart, and none in parts.
// CHECK-LABEL: func.func @factorised
// CHECK: @LuDecomposition(%arg0)
// CHECK-SAME: (tensor<1x4x3xf32>) -> (tensor<1x4x3xf32>, tensor<1x3xi32>, tensor<1x4xi32>)
// CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%arg1)
// CHECK: @Eigh(%[[WHOLE]])
// CHECK-SAME: (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>)
sdy.mesh @mesh = <["x"=4]>
func.func @factorised(%a: tensor<4x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
    %b: tensor<3x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>})
    -> (tensor<4x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<3x4xf32>) {
  %lu, %pivots, %order = stablehlo.custom_call @LuDecomposition(%a) {sdy.sharding =
      #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>}
      : (tensor<4x4x3xf32>) -> (tensor<4x4x3xf32>, tensor<4x3xi32>, tensor<4x4xi32>)
  %vectors, %values = stablehlo.custom_call @Eigh(%b) {backend_config = "1,1,100,1e-6", sdy.sharding =
      #sdy.sharding_per_value<[<@mesh, [{}, {}, {"x"}]>, <@mesh, [{}, {"x"}]>]>}
      : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xf32>)
  return %lu, %values : tensor<4x4x3xf32>, tensor<3x4xf32>
}
