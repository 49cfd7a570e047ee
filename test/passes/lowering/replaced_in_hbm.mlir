// RUN: tpuc-opt %s --split-input-file --tpuc-plan-kernels="target=v5e set=core.vmem_bytes=1048576" \
// RUN:   --tpuc-lower-kernels="target=v5e set=core.vmem_bytes=1048576" --tpuc-verify-lower | FileCheck %s

// An array of 4 MiB in HBM that a convolution adds last of all: its result takes the place, and the arena has one
// array's room. The window reads the result shifted, so what it makes lies apart, and takes two.
// CHECK: tpu.arena_bytes = 8388608
// CHECK: tpu.buffer @tmp0 "arena" 0 at 0 size 4194304
// CHECK-NOT: replaces
// CHECK: tpu.buffer @tmp1 "arena" 1 at 0 size 4194304 {{.*}}replaces = @tmp0
// CHECK: tpu.buffer @tmp2 "arena" 2 at 4194304 size 4194304
// CHECK-NOT: replaces
module {
  func.func @main(%x: tensor<8x32x32x128xf32>, %w: tensor<3x3x128x128xf32>) -> tensor<8x32x32x128xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
    ^bb0(%a: tensor<8x32x32x128xf32>):
      %5 = stablehlo.tanh %a : tensor<8x32x32x128xf32>
      kernel.yield %5 : tensor<8x32x32x128xf32>
    }
    %1 = kernel.fusion "conv"(%x, %w, %0 : tensor<8x32x32x128xf32>, tensor<3x3x128x128xf32>, tensor<8x32x32x128xf32>)
        -> tensor<8x32x32x128xf32> {
    ^bb0(%a: tensor<8x32x32x128xf32>, %b: tensor<3x3x128x128xf32>, %c: tensor<8x32x32x128xf32>):
      %5 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
          window = {stride = [1, 1], pad = [[1, 1], [1, 1]]}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<8x32x32x128xf32>, tensor<3x3x128x128xf32>) -> tensor<8x32x32x128xf32>
      %6 = stablehlo.add %5, %c : tensor<8x32x32x128xf32>
      kernel.yield %6 : tensor<8x32x32x128xf32>
    }
    %2 = kernel.fusion "window"(%1 : tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
    ^bb0(%a: tensor<8x32x32x128xf32>):
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %5 = "stablehlo.reduce_window"(%a, %low) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>,
          window_dimensions = array<i64: 1, 3, 3, 1>}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %6 = stablehlo.maximum %l, %r : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<8x32x32x128xf32>, tensor<f32>) -> tensor<8x32x32x128xf32>
      kernel.yield %5 : tensor<8x32x32x128xf32>
    }
    %3 = kernel.fusion "loop"(%2 : tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
    ^bb0(%a: tensor<8x32x32x128xf32>):
      %5 = stablehlo.exponential %a : tensor<8x32x32x128xf32>
      kernel.yield %5 : tensor<8x32x32x128xf32>
    }
    return %3 : tensor<8x32x32x128xf32>
  }
}

// -----

// A window's kernel reads the array by points beside what the window walks: its result takes the place.
// CHECK: tpu.arena_bytes = 4194304
// CHECK: tpu.buffer @tmp1 "arena" 1 at 0 size 4194304 {{.*}}replaces = @tmp0
module {
  func.func @main(%x: tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
    ^bb0(%a: tensor<8x32x32x128xf32>):
      %5 = stablehlo.tanh %a : tensor<8x32x32x128xf32>
      kernel.yield %5 : tensor<8x32x32x128xf32>
    }
    %2 = kernel.fusion "window"(%x, %0 : tensor<8x32x32x128xf32>, tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
    ^bb0(%a: tensor<8x32x32x128xf32>, %b: tensor<8x32x32x128xf32>):
      %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %5 = "stablehlo.reduce_window"(%a, %low) <{padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>,
          window_dimensions = array<i64: 1, 3, 3, 1>}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %6 = stablehlo.maximum %l, %r : tensor<f32>
        stablehlo.return %6 : tensor<f32>
      }) : (tensor<8x32x32x128xf32>, tensor<f32>) -> tensor<8x32x32x128xf32>
      %7 = stablehlo.multiply %5, %b : tensor<8x32x32x128xf32>
      kernel.yield %7 : tensor<8x32x32x128xf32>
    }
    %3 = kernel.fusion "loop"(%2 : tensor<8x32x32x128xf32>) -> tensor<8x32x32x128xf32> {
    ^bb0(%a: tensor<8x32x32x128xf32>):
      %5 = stablehlo.exponential %a : tensor<8x32x32x128xf32>
      kernel.yield %5 : tensor<8x32x32x128xf32>
    }
    return %3 : tensor<8x32x32x128xf32>
  }
}

// -----

// Not where the array is read once more behind the kernel.
// CHECK: tpu.arena_bytes = 8388608
// CHECK: tpu.buffer @tmp1 "arena" 1 at 4194304 size 4194304
// CHECK-NOT: replaces
module {
  func.func @main(%x: tensor<8192x128xf32>, %w: tensor<128x128xf32>) -> tensor<8192x128xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<8192x128xf32>) -> tensor<8192x128xf32> {
    ^bb0(%a: tensor<8192x128xf32>):
      %5 = stablehlo.tanh %a : tensor<8192x128xf32>
      kernel.yield %5 : tensor<8192x128xf32>
    }
    %1 = kernel.fusion "dot"(%x, %w, %0 : tensor<8192x128xf32>, tensor<128x128xf32>, tensor<8192x128xf32>)
        -> tensor<8192x128xf32> {
    ^bb0(%a: tensor<8192x128xf32>, %b: tensor<128x128xf32>, %c: tensor<8192x128xf32>):
      %5 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<8192x128xf32>, tensor<128x128xf32>) -> tensor<8192x128xf32>
      %6 = stablehlo.add %5, %c : tensor<8192x128xf32>
      kernel.yield %6 : tensor<8192x128xf32>
    }
    %2 = kernel.fusion "loop"(%0, %1 : tensor<8192x128xf32>, tensor<8192x128xf32>) -> tensor<8192x128xf32> {
    ^bb0(%a: tensor<8192x128xf32>, %b: tensor<8192x128xf32>):
      %5 = stablehlo.multiply %a, %b : tensor<8192x128xf32>
      kernel.yield %5 : tensor<8192x128xf32>
    }
    return %2 : tensor<8192x128xf32>
  }
}
