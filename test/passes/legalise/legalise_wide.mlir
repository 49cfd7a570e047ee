// RUN: tpuc-opt %s --tpuc-legalise-wide > %t
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t --check-prefix=LONG

// The function's arrays keep their types: their planes are views. A carry is a comparison of low words.
// CHECK-LABEL: func @add(
// CHECK-SAME: %[[X:.*]]: tensor<4xi64>, %[[Y:.*]]: tensor<4xi64>) -> tensor<4xi64>
// CHECK-DAG: %[[XP:.*]]:2 = kernel.split %[[X]] : tensor<4xi64> -> tensor<4xui32>, tensor<4xui32>
// CHECK-DAG: %[[YP:.*]]:2 = kernel.split %[[Y]]
// CHECK: %[[LOW:.*]] = stablehlo.add %[[XP]]#0, %[[YP]]#0 : tensor<4xui32>
// CHECK-DAG: %[[HIGH:.*]] = stablehlo.add %[[XP]]#1, %[[YP]]#1 : tensor<4xui32>
// CHECK-DAG: %[[CARRY:.*]] = stablehlo.compare LT, %[[LOW]], %[[XP]]#0
// CHECK-DAG: stablehlo.convert %[[CARRY]]
// CHECK-DAG: %[[R:.*]] = kernel.join %[[LOW]], %{{.*}} : tensor<4xui32>, tensor<4xui32> -> tensor<4xi64>
// CHECK: return %[[R]]
func.func @add(%x: tensor<4xi64>, %y: tensor<4xi64>) -> tensor<4xi64> {
  %0 = stablehlo.add %x, %y : tensor<4xi64>
  return %0 : tensor<4xi64>
}

// What only moves works on each plane alone; a constant is the planes of its bits: 2^32 + 3.
// CHECK-LABEL: func @moves
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xui32>) -> tensor<3x2xui32>
// CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xui32>) -> tensor<3x2xui32>
// CHECK-DAG: stablehlo.constant dense<3> : tensor<3x2xui32>
// CHECK-DAG: stablehlo.constant dense<1> : tensor<3x2xui32>
func.func @moves(%x: tensor<2x3xi64>) -> (tensor<3x2xi64>, tensor<3x2xi64>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  %c = stablehlo.constant dense<4294967299> : tensor<3x2xi64>
  return %0, %c : tensor<3x2xi64>, tensor<3x2xi64>
}

// Regions take the words as further operands, a comparator both sides of one word before the next.
// CHECK-LABEL: func @regions
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<ui32>, tensor<ui32>
// CHECK: "stablehlo.sort"(%{{.*}}, %{{.*}})
// CHECK: ^bb0(%{{.*}}: tensor<ui32>, %{{.*}}: tensor<ui32>, %{{.*}}: tensor<ui32>, %{{.*}}: tensor<ui32>):
func.func @regions(%n: tensor<i64>, %x: tensor<5xf64>) -> (tensor<i64>, tensor<5xf64>) {
  %r = stablehlo.while(%i = %n) : tensor<i64>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i64>
      %c = stablehlo.compare GT, %i, %zero : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i64>
      %j = stablehlo.subtract %i, %one : tensor<i64>
      stablehlo.return %j : tensor<i64>
    }
  %s = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<5xf64>) -> tensor<5xf64>
  return %r, %s : tensor<i64>, tensor<5xf64>
}

// Positions are i32 afterwards: saturated where 64 bits do not fit.
// CHECK-LABEL: func @positions
// CHECK: stablehlo.dynamic_slice %arg0, %{{.*}}, sizes = [2] : (tensor<9xf32>, tensor<i32>) -> tensor<2xf32>
func.func @positions(%x: tensor<9xf32>, %i: tensor<i64>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<9xf32>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Functions of chlo whose terms cancel are computed on four words: a product of 128 bits has the high half of each pair
// of words.
// CHECK-LABEL: func @gamma
// CHECK: kernel.apply @lgamma_f64(
// CHECK: kernel.apply @digamma_f64(
func.func @gamma(%x: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>) {
  %0 = chlo.lgamma %x : tensor<5xf64> -> tensor<5xf64>
  %1 = chlo.digamma %x : tensor<5xf64> -> tensor<5xf64>
  return %0, %1 : tensor<5xf64>, tensor<5xf64>
}

// What takes more than a few ops is a function of scalars, one for arrays of all shapes and for reductions. A constant
// operand has a function to itself, in which it is a constant.
// LONG-LABEL: kernel.function @multiply_f64_1
// LONG-NEXT: ^bb0(%{{.*}}: tensor<ui32>, %{{.*}}: tensor<ui32>):
// LONG: kernel.return %{{.*}}, %{{.*}} : tensor<ui32>, tensor<ui32>
// LONG-LABEL: kernel.function @add_f64
// LONG-NEXT: ^bb0(%{{.*}}: tensor<ui32>, %{{.*}}: tensor<ui32>, %{{.*}}: tensor<ui32>, %{{.*}}: tensor<ui32>):
// LONG-LABEL: kernel.function @lgamma_f64
// LONG-NOT: chlo
// LONG: kernel.mulh {{.*}} : tensor<ui32>
// LONG-NOT: chlo
// CHECK-LABEL: func @functions
// CHECK: kernel.apply @add_f64({{.*}}) : (tensor<5xui32>, tensor<5xui32>, tensor<5xui32>, tensor<5xui32>) ->
// CHECK-SAME: (tensor<5xui32>, tensor<5xui32>)
// CHECK: kernel.apply @multiply_f64(
// CHECK: kernel.apply @multiply_f64_1(%{{.*}}#0, %{{.*}}#1) :
// CHECK: stablehlo.reduce
// CHECK: kernel.apply @add_f64({{.*}}) : (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
func.func @functions(%x: tensor<5xf64>, %y: tensor<5xf64>) -> tensor<f64> {
  %three = stablehlo.constant dense<3.0> : tensor<5xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.add %x, %y : tensor<5xf64>
  %1 = stablehlo.multiply %0, %x : tensor<5xf64>
  %2 = stablehlo.multiply %1, %three : tensor<5xf64>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
  return %3 : tensor<f64>
}

// A few ops stay in their place, and so does what a comparator computes, or what is made of constants alone.
// CHECK-LABEL: func @in_place
// CHECK-NOT: kernel.apply
// CHECK: {{^ *return}}
func.func @in_place(%x: tensor<5xf64>) -> (tensor<5xf64>, tensor<5xf64>, tensor<2xf64>) {
  %0 = stablehlo.negate %x : tensor<5xf64>
  %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    %lt = stablehlo.compare LT, %s, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<5xf64>) -> tensor<5xf64>
  %three = stablehlo.constant dense<3.0> : tensor<2xf64>
  %2 = stablehlo.add %three, %three : tensor<2xf64>
  return %0, %1, %2 : tensor<5xf64>, tensor<5xf64>, tensor<2xf64>
}
