// RUN: tpuc-opt %s --tpuc-expand-rng | FileCheck %s

// Both words of each counter are results: 6 elements take 3 counters, side by side along the even dim.
// CHECK-LABEL: func @bits
// CHECK: stablehlo.iota dim = 0 : tensor<3xui64>
// CHECK: stablehlo.constant dense<466688986> : tensor<3xui32>
// CHECK: stablehlo.concatenate {{.*}} (tensor<3x1xui32>, tensor<3x1xui32>) -> tensor<3x2xui32>
// CHECK: stablehlo.reshape {{.*}} -> tensor<6xui32>
// CHECK: stablehlo.constant dense<3> : tensor<ui64>
func.func @bits(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui32>)
  return %0, %1 : tensor<2xui64>, tensor<6xui32>
}
