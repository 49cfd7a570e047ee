// RUN: tpuc-opt %s --sdy-propagation-pipeline | FileCheck %s
// RUN: tpuc-opt %s --sdy-import-pipeline | FileCheck %s --check-prefix=IMPORT

// A constant's uses have nothing to do with each other; a constraint is its input's sharding; a loop's carry is sharded
// alike on all sides; two calls have shardings of their own.
// CHECK: sdy.mesh @mesh = <["x"=4, "y"=2]>
// CHECK-LABEL: func @main
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{"x"}, {}]>},
    %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=4, "y"=2]>, [{}, {"y"}]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // IMPORT-COUNT-2: sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  // CHECK: stablehlo.add %arg0, {{.*}}<@mesh, [{"x"}, {}]>
  %0 = stablehlo.add %a, %one : tensor<8x8xf32>
  // CHECK: stablehlo.add %arg1, {{.*}}<@mesh, [{}, {"y"}]>
  %1 = stablehlo.add %b, %one : tensor<8x8xf32>
  %n = stablehlo.constant dense<0> : tensor<i32>
  // IMPORT: sdy.data_flow_edge
  // CHECK: stablehlo.while
  // CHECK-SAME: <@mesh, [{"x"}, {}]>
  %2:2 = stablehlo.while(%c = %0, %i = %n) : tensor<8x8xf32>, tensor<i32>
    cond {
      %p = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %d = stablehlo.abs %c : tensor<8x8xf32>
      stablehlo.return %d, %i : tensor<8x8xf32>, tensor<i32>
    }
  // CHECK: call @f({{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
  %3 = call @f(%2#0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // IMPORT: call @f_0
  // CHECK: call @f_0({{.*}}) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>}
  %4 = call @f(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.sine %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
