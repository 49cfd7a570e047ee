// An array of planes that is returned twice is copied plane by plane where the function ends, not by a kernel of one
// plane.
// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// CHECK-LABEL: func @main
// CHECK: %[[J:.*]] = kernel.join
// CHECK-NEXT: return %[[J]], %[[J]]
func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
  %lo = stablehlo.constant dense<[1, 2]> : tensor<2xui32>
  %hi = stablehlo.constant dense<[3, 4]> : tensor<2xui32>
  %0 = kernel.join %lo, %hi : tensor<2xui32>, tensor<2xui32> -> tensor<2xi64>
  return %0, %0 : tensor<2xi64>, tensor<2xi64>
}
