// RUN: tpuc-opt %s --tpuc-order-reductions | FileCheck %s

// Both sides alike, or a choice that does not depend on which is which: any order does.
// CHECK-LABEL: @commutes
// CHECK-COUNT-3: stablehlo.reduce
// CHECK-NOT: stablehlo.slice
func.func @commutes(%x: tensor<5x3xf32>, %i: tensor<5x3xi32>, %init: tensor<f32>, %first: tensor<i32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
      : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1:2 = stablehlo.reduce(%x init: %init), (%i init: %first) across dimensions = [0]
      : (tensor<5x3xf32>, tensor<5x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %s = stablehlo.add %c, %a : tensor<f32>
    %m = stablehlo.maximum %b, %d : tensor<i32>
    stablehlo.return %s, %m : tensor<f32>, tensor<i32>
  }
  // The greatest, and of equal ones the least index.
  %2:2 = stablehlo.reduce(%i init: %first), (%i init: %first) across dimensions = [0]
      : (tensor<5x3xi32>, tensor<5x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>)
   reducer(%a: tensor<i32>, %c: tensor<i32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %gt = stablehlo.compare GT, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %eq = stablehlo.compare EQ, %a, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %b, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %eq, %lt : tensor<i1>
    %p = stablehlo.or %gt, %tie : tensor<i1>
    %v = stablehlo.select %gt, %a, %c : tensor<i1>, tensor<i32>
    %k = stablehlo.select %p, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<i32>, tensor<i32>
  }
  return %0, %1#0, %1#1, %2#0, %2#1 : tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// jnp.argmax: the side that is NaN wins, x if both are. As the index grows along the dim, that is the smaller one's.
// CHECK-LABEL: @argmax
// CHECK: stablehlo.reduce
// CHECK: stablehlo.select
// CHECK: %[[NUMBER:.*]] = stablehlo.compare EQ, %[[Y:.*]], %[[Y]] :
// CHECK: %[[LESS:.*]] = stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<i32>
// CHECK: %[[EITHER:.*]] = stablehlo.or %[[NUMBER]], %[[LESS]]
// CHECK: stablehlo.and %{{.*}}, %[[EITHER]]
// CHECK-NOT: stablehlo.slice
func.func @argmax(%x: tensor<5x3xf32>) -> tensor<3xi32> {
  %i = stablehlo.iota dim = 0 : tensor<5x3xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %least), (%i init: %zero) across dimensions = [0]
      : (tensor<5x3xf32>, tensor<5x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {
    %gt = stablehlo.compare GT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %nan = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %p = stablehlo.or %gt, %nan : tensor<i1>
    %eq = stablehlo.compare EQ, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %lt = stablehlo.compare LT, %b, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %tie = stablehlo.and %eq, %lt : tensor<i1>
    %q = stablehlo.or %p, %tie : tensor<i1>
    %v = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f32>
    %k = stablehlo.select %q, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %v, %k : tensor<f32>, tensor<i32>
  }
  return %0#1 : tensor<3xi32>
}

// The later of two that are set. 5 rows: neighbours make 2 and one is left over, 3 make 1 and one over, 2 make 1; the
// initial value is before them.
// CHECK-LABEL: @composes
// CHECK: %[[A:.*]] = stablehlo.slice %arg0 [0:4:2, 0:3]
// CHECK: %[[B:.*]] = stablehlo.slice %arg0 [1:4:2, 0:3]
// CHECK: stablehlo.select %{{.*}}, %[[B]], %[[A]] : tensor<2x3xi1>
// CHECK: stablehlo.slice %arg0 [4:5, 0:3]
// CHECK: stablehlo.concatenate {{.*}} -> tensor<3x3xi32>
// CHECK: stablehlo.concatenate {{.*}} -> tensor<2x3xi32>
// CHECK-NOT: stablehlo.reduce
func.func @composes(%x: tensor<5x3xi32>, %init: tensor<i32>) -> tensor<3xi32> {
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [0] : (tensor<5x3xi32>, tensor<i32>) -> tensor<3xi32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %set = stablehlo.compare NE, %b, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s = stablehlo.select %set, %b, %a : tensor<i1>, tensor<i32>
    stablehlo.return %s : tensor<i32>
  }
  return %0 : tensor<3xi32>
}
