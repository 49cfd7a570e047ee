// RUN: tpuc-opt %s --sdy-basic-propagate | FileCheck %s
// RUN: tpuc-opt %s --sdy-basic-propagate="debug-propagation-edge-sharding=true debug-sharding-origins=true" | \
// RUN:   FileCheck %s --check-prefix=WHY

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Along the rows of %a to the product; the contracted dimension to the other operand; nowhere what is closed.
// CHECK-LABEL: func @product(
// CHECK-SAME: %[[B:[a-z0-9]*]]: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}, {?}]>}
// CHECK-SAME: -> (tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>})
func.func @product(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x6xf32>)
    -> (tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}]>}) {
  // CHECK: stablehlo.dot {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>}
  // WHY: sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = operand-0 -> [operand-1]}, {"x" = operand-0 -> [result-0]}]}]>
  // WHY-SAME: sdy.sharding_origins = {x = "input: 0"}
  %0 = stablehlo.dot %a, %b : (tensor<16x8xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>
  return %0 : tensor<16x6xf32>
}

// x of 4 over a dimension of 2 x 8: half of it on each.
// CHECK-LABEL: func @split
func.func @split(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2x8xf32> {
  // CHECK: stablehlo.reshape {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2, ?}, {"x":(2)2, ?}]>]>}
  %0 = stablehlo.reshape %a : (tensor<16xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// Two arrays that disagree give the result what they share: nothing.
// CHECK-LABEL: func @disagree
func.func @disagree(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<8xf32> {
  // CHECK: stablehlo.add %{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<8xf32>
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
