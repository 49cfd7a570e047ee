// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v6e --tpuc-verify-plan | FileCheck %s

// 8192x8192 f32 by as many. Blocks within a kernel's share of VMEM, 1024 by 1024, read each operand eight times: 4
// GiB. That is more than one and a half times what the matmul takes at least, so all of VMEM is tried: whole rows, and
// the left operand is read once.
// CHECK: grid [parallel d1 = 8192 by 1376, parallel d2 = 8192 by 256, sequential d0 = 8192 by 8192],
// CHECK-SAME: reads {{\[}}[1376, 8192] (d0, d1, d2) -> (d1, d0) in hbm slots 2,
// CHECK-SAME: [8192, 256] (d0, d1, d2) -> (d0, d2) in hbm slots 2],
// CHECK-SAME: vmem {{2[01][0-9]+}} of 229376>
func.func @main(%x: tensor<8192x8192xf32>, %w: tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  %0 = kernel.fusion "dot"(%x, %w : tensor<8192x8192xf32>, tensor<8192x8192xf32>) -> tensor<8192x8192xf32> {
  ^bb0(%a: tensor<8192x8192xf32>, %b: tensor<8192x8192xf32>):
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<8192x8192xf32>, tensor<8192x8192xf32>) -> tensor<8192x8192xf32>
    kernel.yield %1 : tensor<8192x8192xf32>
  }
  return %0 : tensor<8192x8192xf32>
}
