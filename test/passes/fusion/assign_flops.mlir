// RUN: tpuc-opt %s --tpuc-assign-flops | FileCheck %s

#a = loc(fused<{flops = 1.0e+03 : f64, product = 0 : i64}>["a"])
#b = loc(fused<{flops = 6.0e+02 : f64, int8, product = 1 : i64}>["b"])
#c = loc(fused<{flops = 9.0e+02 : f64, product = 2 : i64}>["c"])

// Two kernels compute the product %a: 128 and 128 of 256 multiply-adds, so that each has half of the 1000 operations
// that the program asks for. What only moves an operand of it has none.
// CHECK-LABEL: @twice
func.func @twice(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>) {
  // CHECK: kernel.fusion "dot"{{.*}} attributes {kernel.flops = array<i64: 500, 0>}
  %0 = kernel.fusion "dot"(%x, %w : tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%p: tensor<4x8xf32>, %q: tensor<8x4xf32>):
    %3 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>)
        -> tensor<4x4xf32> loc(#a)
    kernel.yield %3 : tensor<4x4xf32>
  }
  // CHECK: kernel.fusion "dot"{{.*}} attributes {kernel.flops = array<i64: 500, 0>}
  %1 = kernel.fusion "dot"(%x, %w : tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%p: tensor<4x8xf32>, %q: tensor<8x4xf32>):
    %3 = stablehlo.dot_general %p, %q, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x4xf32>)
        -> tensor<4x4xf32> loc(#a)
    %4 = stablehlo.negate %3 : tensor<4x4xf32>
    kernel.yield %4 : tensor<4x4xf32>
  }
  // CHECK: kernel.fusion "copy"
  // CHECK-NOT: kernel.flops
  %2 = kernel.fusion "copy"(%x : tensor<4x8xf32>) -> tensor<8x4xf32> {
  ^bb0(%p: tensor<4x8xf32>):
    %3 = stablehlo.transpose %p, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32> loc(#a)
    kernel.yield %3 : tensor<8x4xf32>
  }
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>
}

// A product that became multiplications and sums: the kernel that has these has it, of bytes apart. A pass's own matmul
// has none.
// CHECK-LABEL: @in_lanes
func.func @in_lanes(%x: tensor<4x8xi32>, %w: tensor<8x4xf32>) -> (tensor<4x8xi32>, tensor<8x8xf32>) {
  // CHECK: kernel.fusion "loop"{{.*}} attributes {kernel.flops = array<i64: 0, 600>}
  %0 = kernel.fusion "loop"(%x : tensor<4x8xi32>) -> tensor<4x8xi32> {
  ^bb0(%p: tensor<4x8xi32>):
    %3 = stablehlo.multiply %p, %p : tensor<4x8xi32> loc(#b)
    kernel.yield %3 : tensor<4x8xi32>
  }
  // CHECK: kernel.fusion "dot"
  // CHECK-NOT: kernel.flops
  %1 = kernel.fusion "dot"(%w : tensor<8x4xf32>) -> tensor<8x8xf32> {
  ^bb0(%q: tensor<8x4xf32>):
    %3 = stablehlo.dot_general %q, %q, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>)
        -> tensor<8x8xf32>
    kernel.yield %3 : tensor<8x8xf32>
  }
  return %0, %1 : tensor<4x8xi32>, tensor<8x8xf32>
}

// In three iterations: 300 of 900 a call.
// CHECK-LABEL: @loop
func.func @loop(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: kernel.fusion "dot"{{.*}} attributes {kernel.flops = array<i64: 300, 0>}
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%a = %x) : tensor<4x4xf32> attributes {kernel.trip_count = 3 : i64}
    cond {
      stablehlo.return %yes : tensor<i1>
    } do {
      %1 = kernel.fusion "dot"(%a : tensor<4x4xf32>) -> tensor<4x4xf32> {
      ^bb0(%p: tensor<4x4xf32>):
        %3 = stablehlo.dot_general %p, %p, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>)
            -> tensor<4x4xf32> loc(#c)
        kernel.yield %3 : tensor<4x4xf32>
      }
      stablehlo.return %1 : tensor<4x4xf32>
    }
  return %0 : tensor<4x4xf32>
}
