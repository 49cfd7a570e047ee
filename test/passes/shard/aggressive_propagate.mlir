// RUN: tpuc-opt %s --sdy-aggressive-propagate="propagation-strategy=aggressive" | FileCheck %s
// RUN: not tpuc-opt %s --sdy-aggressive-propagate="propagation-strategy=bold" 2>&1 | FileCheck %s --check-prefix=WORD

// WORD: expects a strategy of basic, aggressive or basic-then-aggressive, but got bold
sdy.mesh @mesh = <["x"=4, "y"=2]>

// Both want x: %b is larger.
// CHECK-LABEL: func @larger
func.func @larger(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>},
    %b: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x"}]>}) -> tensor<4x64xf32> {
  // CHECK: stablehlo.dot {{.*}}<@mesh, [{?}, {"x", ?}]>
  %0 = stablehlo.dot %a, %b : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// A closed array is no limit to the others.
// CHECK-LABEL: func @closed
func.func @closed(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<8xf32> {
  // CHECK: stablehlo.add {{.*}}<@mesh, [{"x", ?}]>
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
