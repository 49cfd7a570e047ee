// RUN: tpuc-opt %s --tpuc-fuse-kernels | FileCheck %s

// A wide value that is returned twice is copied plane by plane where the function ends: a kernel would see one plane of
// it.
// CHECK-LABEL: @twice
// CHECK-SAME: (%[[X:[a-z0-9]*]]: tensor<3xui32>
// CHECK: %[[A:[a-z0-9]*]] = kernel.join %[[X]], %{{.*}} : tensor<3xui32>, tensor<3xui32> -> tensor<3xi64>
// CHECK-NOT: kernel.fusion
// CHECK: return %[[A]], %[[A]]
func.func @twice(%low: tensor<3xui32>, %high: tensor<3xui32>) -> (tensor<3xi64>, tensor<3xi64>) {
  %0 = kernel.join %low, %high : tensor<3xui32>, tensor<3xui32> -> tensor<3xi64>
  return %0, %0 : tensor<3xi64>, tensor<3xi64>
}
