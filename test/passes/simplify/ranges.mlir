// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-simplify | FileCheck %s

// What indexing asks of the indices of take_along_axis(x, argsort(x)), which are neither negative nor beyond the end.
// CHECK-LABEL: func @sorted
func.func @sorted(%x: tensor<8x100xf32>) -> (tensor<8x100xi32>, tensor<8x100xi1>) {
  // CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<8x100xi1>
  // CHECK-DAG: %[[SORTED:.*]]:2 = "stablehlo.sort"
  // CHECK-NOT: stablehlo.compare GE
  // CHECK: return %[[SORTED]]#1, %[[TRUE]]
  %0 = stablehlo.iota dim = 1 : tensor<8x100xi32>
  %1:2 = "stablehlo.sort"(%x, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
    %p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8x100xf32>, tensor<8x100xi32>) -> (tensor<8x100xf32>, tensor<8x100xi32>)
  %zero = stablehlo.constant dense<0> : tensor<8x100xi32>
  %n = stablehlo.constant dense<100> : tensor<8x100xi32>
  %last = stablehlo.constant dense<99> : tensor<8x100xi32>
  %2 = stablehlo.compare LT, %1#1, %zero, SIGNED : (tensor<8x100xi32>, tensor<8x100xi32>) -> tensor<8x100xi1>
  %3 = stablehlo.add %1#1, %n : tensor<8x100xi32>
  %4 = stablehlo.select %2, %3, %1#1 : tensor<8x100xi1>, tensor<8x100xi32>
  %5 = stablehlo.compare GE, %4, %zero, SIGNED : (tensor<8x100xi32>, tensor<8x100xi32>) -> tensor<8x100xi1>
  %6 = stablehlo.compare LE, %4, %last, SIGNED : (tensor<8x100xi32>, tensor<8x100xi32>) -> tensor<8x100xi1>
  %7 = stablehlo.and %5, %6 : tensor<8x100xi1>
  return %4, %7 : tensor<8x100xi32>, tensor<8x100xi1>
}

// Every direction, at the edge and one beyond it.
// CHECK-LABEL: func @directions
func.func @directions() -> (tensor<10xi1>, tensor<10xi1>, tensor<10xi1>, tensor<10xi1>, tensor<10xi1>, tensor<10xi1>,
                            tensor<10xi1>, tensor<10xi1>) {
  // CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<10xi1>
  // CHECK-DAG: %[[FALSE:.*]] = stablehlo.constant dense<false> : tensor<10xi1>
  // CHECK-DAG: %[[LT:.*]] = stablehlo.compare LT
  // CHECK-DAG: %[[GT:.*]] = stablehlo.compare GT
  // CHECK-DAG: %[[EQ:.*]] = stablehlo.compare EQ
  // CHECK: return %[[LT]], %[[TRUE]], %[[TRUE]], %[[GT]], %[[FALSE]], %[[FALSE]], %[[EQ]], %[[TRUE]]
  %i = stablehlo.iota dim = 0 : tensor<10xui32>
  %0 = stablehlo.constant dense<0> : tensor<10xui32>
  %9 = stablehlo.constant dense<9> : tensor<10xui32>
  %10 = stablehlo.constant dense<10> : tensor<10xui32>
  %a = stablehlo.compare LT, %i, %9, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  %b = stablehlo.compare LE, %i, %9, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  %c = stablehlo.compare GE, %i, %0, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  %d = stablehlo.compare GT, %i, %0, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  %e = stablehlo.compare GT, %i, %9, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  %f = stablehlo.compare EQ, %i, %10, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  %g = stablehlo.compare EQ, %i, %9, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  %h = stablehlo.compare NE, %i, %10, UNSIGNED : (tensor<10xui32>, tensor<10xui32>) -> tensor<10xi1>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<10xi1>, tensor<10xi1>, tensor<10xi1>, tensor<10xi1>, tensor<10xi1>,
      tensor<10xi1>, tensor<10xi1>, tensor<10xi1>
}

// Numbers that do not fit their type have wrapped around: those of an iota, of a sum, of a conversion.
// CHECK-LABEL: func @wrapped
func.func @wrapped() -> (tensor<300xi1>, tensor<100xi1>, tensor<300xi1>) {
  // CHECK: stablehlo.compare GE
  // CHECK: stablehlo.compare GE
  // CHECK: stablehlo.compare GE
  %zero = stablehlo.constant dense<0> : tensor<300xi8>
  %0 = stablehlo.iota dim = 0 : tensor<300xi8>
  %1 = stablehlo.compare GE, %0, %zero, SIGNED : (tensor<300xi8>, tensor<300xi8>) -> tensor<300xi1>
  %2 = stablehlo.iota dim = 0 : tensor<100xi8>
  %much = stablehlo.constant dense<100> : tensor<100xi8>
  %nothing = stablehlo.constant dense<0> : tensor<100xi8>
  %3 = stablehlo.add %2, %much : tensor<100xi8>
  %4 = stablehlo.compare GE, %3, %nothing, SIGNED : (tensor<100xi8>, tensor<100xi8>) -> tensor<100xi1>
  %5 = stablehlo.iota dim = 0 : tensor<300xi32>
  %6 = stablehlo.convert %5 : (tensor<300xi32>) -> tensor<300xi8>
  %7 = stablehlo.compare GE, %6, %zero, SIGNED : (tensor<300xi8>, tensor<300xi8>) -> tensor<300xi1>
  return %1, %4, %7 : tensor<300xi1>, tensor<100xi1>, tensor<300xi1>
}
