// RUN: tpuc-opt %s --tpuc-flatten-bodies | FileCheck %s

// Both branches are computed and selected from.
// CHECK-LABEL: func @branches
func.func @branches(%x: tensor<5x3xf32>, %init: tensor<f32>) -> tensor<3xf32> {
  // CHECK: stablehlo.reduce
  // CHECK: %[[P:.*]] = stablehlo.compare GT, %[[A:.*]], %[[B:.*]] : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK: %[[S:.*]] = stablehlo.add %[[A]], %[[B]]
  // CHECK: %[[R:.*]] = stablehlo.select %[[P]], %[[A]], %[[S]]
  // CHECK: stablehlo.return %[[R]]
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [0] : (tensor<5x3xf32>, tensor<f32>) -> tensor<3xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %p = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = "stablehlo.if"(%p) ({
      stablehlo.return %a : tensor<f32>
    }, {
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    stablehlo.return %q : tensor<f32>
  }
  return %0 : tensor<3xf32>
}

// An index out of range takes the last branch; the first branch's loop runs where that is taken, as the mask says.
// CHECK-LABEL: func @loop_in_branch
func.func @loop_in_branch(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: stablehlo.map
  // CHECK: %[[P:.*]] = stablehlo.compare EQ, %[[I:.*]], %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK: %[[C:.*]] = stablehlo.compare LT, %[[I]]
  // CHECK: %[[ON:.*]] = stablehlo.and %[[P]], %[[C]]
  // CHECK: %[[W:.*]]:2 = stablehlo.while(%{{.*}} = %[[I]], %{{.*}} = %[[ON]])
  // CHECK: stablehlo.select %[[P]], %[[W]]#0
  // CHECK-NOT: stablehlo.case
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %r = "stablehlo.case"(%a) ({
      %w = stablehlo.while(%s = %a) : tensor<i32>
      cond {
        %c = stablehlo.compare LT, %s, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %t = stablehlo.add %s, %s : tensor<i32>
        stablehlo.return %t : tensor<i32>
      }
      stablehlo.return %w : tensor<i32>
    }, {
      stablehlo.return %b : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// A comparator with a loop: each of 6 with each, the ranks, a plain sort of them.
// CHECK-LABEL: func @sort
func.func @sort(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  // CHECK: stablehlo.while{{.*}}tensor<2x6x6xf32>
  // CHECK: %[[R:.*]] = stablehlo.reduce{{.*}} : (tensor<2x6x6xi32>, tensor<i32>) -> tensor<2x6xi32>
  // CHECK: "stablehlo.sort"(%[[R]], %arg0)
  %r = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %w:2 = stablehlo.while(%s = %a, %t = %b) : tensor<f32>, tensor<f32>
    cond {
      %c = stablehlo.compare LT, %s, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s2 = stablehlo.add %s, %one : tensor<f32>
      %t2 = stablehlo.add %t, %one : tensor<f32>
      stablehlo.return %s2, %t2 : tensor<f32>, tensor<f32>
    }
    %lt = stablehlo.compare LT, %w#0, %w#1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// What the comparator reads is an array like the others.
// CHECK-LABEL: func @outside
func.func @outside(%x: tensor<2x6xf32>, %c: tensor<f32>) -> tensor<2x6xf32> {
  // CHECK: %[[C:.*]] = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
  // CHECK: %[[R:.*]]:2 = "stablehlo.sort"(%arg0, %[[C]])
  // CHECK: ^bb0(%[[A:.*]]: tensor<f32>, %{{.*}}: tensor<f32>, %[[OWN:.*]]: tensor<f32>, %{{.*}}: tensor<f32>)
  // CHECK: stablehlo.multiply %[[A]], %[[OWN]]
  // CHECK: return %[[R]]#0
  %r = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %a, %c : tensor<f32>
    %n = stablehlo.multiply %b, %c : tensor<f32>
    %lt = stablehlo.compare LT, %m, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}

// Bytes that are scattered with words are words: sums of bytes as before.
// CHECK-LABEL: func @widths
func.func @widths(%x: tensor<5xi32>, %y: tensor<5xi8>, %i: tensor<4x1xi32>, %u: tensor<4xi32>, %v: tensor<4xi8>)
    -> (tensor<5xi32>, tensor<5xi8>) {
  // CHECK: %[[Y:.*]] = stablehlo.convert %arg1 : (tensor<5xi8>) -> tensor<5xi32>
  // CHECK: %[[V:.*]] = stablehlo.convert %arg4 : (tensor<4xi8>) -> tensor<4xi32>
  // CHECK: %[[R:.*]]:2 = "stablehlo.scatter"(%arg0, %[[Y]], %arg2, %arg3, %[[V]])
  // CHECK: %[[S:.*]] = stablehlo.add {{.*}} : tensor<i8>
  // CHECK: stablehlo.convert %[[S]] : (tensor<i8>) -> tensor<i32>
  // CHECK: stablehlo.convert %[[R]]#1 : (tensor<5xi32>) -> tensor<5xi8>
  %r:2 = "stablehlo.scatter"(%x, %y, %i, %u,
      %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %s: tensor<i8>, %b: tensor<i32>, %t: tensor<i8>):
    %n = stablehlo.add %a, %b : tensor<i32>
    %m = stablehlo.add %s, %t : tensor<i8>
    stablehlo.return %n, %m : tensor<i32>, tensor<i8>
  }) : (tensor<5xi32>, tensor<5xi8>, tensor<4x1xi32>, tensor<4xi32>, tensor<4xi8>) -> (tensor<5xi32>, tensor<5xi8>)
  return %r#0, %r#1 : tensor<5xi32>, tensor<5xi8>
}

// Moves of a single element leave it where it is; a pad that begins before it leaves the padding.
// CHECK-LABEL: func @moves_of_one
// CHECK: reducer(%[[A:.*]]: tensor<i32>, %[[B:.*]]: tensor<i32>)
// CHECK-DAG: %[[KEPT:.*]] = stablehlo.reshape %[[A]]
// CHECK-DAG: %[[GONE:.*]] = stablehlo.reshape %[[B]]
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0>
// CHECK-DAG: %[[PLACE:.*]] = stablehlo.reshape %[[ZERO]]
// CHECK: %[[SUM:.*]] = stablehlo.add %[[KEPT]], %[[GONE]]
// CHECK: stablehlo.add %[[SUM]], %[[PLACE]]
func.func @moves_of_one(%x: tensor<4xi32>, %init: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.reduce"(%x, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %a1 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
    %kept = stablehlo.pad %a1, %b, low = [0], high = [0], interior = [3] : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
    %gone = stablehlo.pad %a1, %b, low = [1], high = [-1], interior = [0] : (tensor<1xi32>, tensor<i32>)
        -> tensor<1xi32>
    %back = stablehlo.reverse %gone, dims = [0] : tensor<1xi32>
    %place = stablehlo.iota dim = 0 : tensor<1xi32>
    %sum = stablehlo.add %a, %b : tensor<i32>
    %s1 = stablehlo.reshape %sum : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.add %kept, %back : tensor<1xi32>
    %2 = stablehlo.add %1, %place : tensor<1xi32>
    %3 = stablehlo.maximum %2, %s1 : tensor<1xi32>
    %4 = stablehlo.reshape %3 : (tensor<1xi32>) -> tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
