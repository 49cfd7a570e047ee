// RUN: tpuc-opt %s --sdy-user-priority-propagate | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// y comes first, though x is stated before it; x stays where it is stated.
// CHECK-LABEL: func @order(
// CHECK-SAME: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}
func.func @order(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1, {?}]>},
    %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}p0, {?}]>}) -> tensor<8x8xf32> {
  // CHECK: stablehlo.add {{.*}}<@mesh, [{"y", ?}, {?}]>
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
