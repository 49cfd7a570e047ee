// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --split-input-file --tpuc-plan-kernels=target=v5p --tpuc-verify-plan | FileCheck %s
// RUN: tpuc-opt %s --split-input-file --tpuc-plan-kernels=target=v5e | FileCheck %s --check-prefix=ALONE

// Two layers of 128x256. A kernel of both cores waits for HBM's latency before and behind, 0.4 us each: far longer than
// its work. One core's has the rows between them in VMEM, 256 words of 512 bytes. Where there is one core, nothing says
// so.
// CHECK-LABEL: @layers
// CHECK: %[[FIRST:.*]] = kernel.fusion "dot"
// CHECK-SAME: kernel.one_core, kernel.places = {{\[\[}}#kernel.place<tensor<128x256xf32> at 0 words 256
// CHECK-SAME: writes {{.*}} in vmem
// CHECK: kernel.fusion "dot"(%[[FIRST]]
// CHECK-SAME: kernel.one_core
// CHECK-SAME: reads {{\[\[}}128, 256] {{[^[]*}} in vmem
// ALONE-LABEL: @layers
// ALONE: #kernel.place<tensor<128x256xf32>
// ALONE-NOT: one_core
module @layers {
  func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x256xf32>, %u: tensor<256x128xf32>) -> tensor<128x128xf32> {
    %0 = kernel.fusion "dot"(%x, %w : tensor<128x128xf32>, tensor<128x256xf32>) -> tensor<128x256xf32> {
    ^bb0(%a: tensor<128x128xf32>, %b: tensor<128x256xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<128x128xf32>, tensor<128x256xf32>) -> tensor<128x256xf32>
      kernel.yield %d : tensor<128x256xf32>
    }
    %1 = kernel.fusion "dot"(%0, %u : tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32> {
    ^bb0(%a: tensor<128x256xf32>, %b: tensor<256x128xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
      kernel.yield %d : tensor<128x128xf32>
    }
    return %1 : tensor<128x128xf32>
  }
}

// -----

// Of 2048x2048 each product takes one core 2 x 2048^3 / 229.5 TFLOP/s = 75 us, and the 16 MiB between them take HBM
// 14 us, out and in: both cores have them.
// CHECK-LABEL: @large
// CHECK-NOT: one_core
// ALONE-LABEL: @large
module @large {
  func.func @main(%x: tensor<2048x2048xf32>, %w: tensor<2048x2048xf32>, %u: tensor<2048x2048xf32>)
      -> tensor<2048x2048xf32> {
    %0 = kernel.fusion "dot"(%x, %w : tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    ^bb0(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
      kernel.yield %d : tensor<2048x2048xf32>
    }
    %1 = kernel.fusion "dot"(%0, %u : tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {
    ^bb0(%a: tensor<2048x2048xf32>, %b: tensor<2048x2048xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
      kernel.yield %d : tensor<2048x2048xf32>
    }
    return %1 : tensor<2048x2048xf32>
  }
}

// -----

// The second layer's rows are read by a large product too, which both cores have: they stay in HBM, and with them the
// kernel that makes them. The first layer's do not.
// CHECK-LABEL: @apart
// CHECK: %[[FIRST:.*]] = kernel.fusion "loop"
// CHECK-SAME: kernel.one_core
// CHECK: %[[SECOND:.*]] = kernel.fusion "loop"(%[[FIRST]]
// CHECK-SAME: kernel.one_core
// CHECK-SAME: writes {{.*}} in hbm
// CHECK: kernel.fusion "dot"(%[[SECOND]]
// CHECK-NOT: kernel.one_core
// CHECK-SAME: kernel.plan
// ALONE-LABEL: @apart
module @apart {
  func.func @main(%x: tensor<128x2048xf32>, %w: tensor<2048x32768xf32>) -> tensor<128x32768xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<128x2048xf32>) -> tensor<128x2048xf32> {
    ^bb0(%a: tensor<128x2048xf32>):
      %d = stablehlo.add %a, %a : tensor<128x2048xf32>
      kernel.yield %d : tensor<128x2048xf32>
    }
    %1 = kernel.fusion "loop"(%0 : tensor<128x2048xf32>) -> tensor<128x2048xf32> {
    ^bb0(%a: tensor<128x2048xf32>):
      %d = stablehlo.negate %a : tensor<128x2048xf32>
      kernel.yield %d : tensor<128x2048xf32>
    }
    %2 = kernel.fusion "dot"(%1, %w : tensor<128x2048xf32>, tensor<2048x32768xf32>) -> tensor<128x32768xf32> {
    ^bb0(%a: tensor<128x2048xf32>, %b: tensor<2048x32768xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<128x2048xf32>, tensor<2048x32768xf32>) -> tensor<128x32768xf32>
      kernel.yield %d : tensor<128x32768xf32>
    }
    return %2 : tensor<128x32768xf32>
  }
}

// -----

// Rows of 256 by 512: their products in one pass have one core. Of the highest precision they take six, and two cores
// sooner.
// CHECK-LABEL: @fast
// CHECK: kernel.fusion "dot"
// CHECK-SAME: kernel.one_core
// ALONE-LABEL: @fast
module @fast {
  func.func @main(%x: tensor<256x512xf32>, %w: tensor<512x512xf32>, %u: tensor<512x512xf32>) -> tensor<256x512xf32> {
    %0 = kernel.fusion "dot"(%x, %w : tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32> {
    ^bb0(%a: tensor<256x512xf32>, %b: tensor<512x512xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
      kernel.yield %d : tensor<256x512xf32>
    }
    %1 = kernel.fusion "dot"(%0, %u : tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32> {
    ^bb0(%a: tensor<256x512xf32>, %b: tensor<512x512xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
          : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
      kernel.yield %d : tensor<256x512xf32>
    }
    return %1 : tensor<256x512xf32>
  }
}

// -----

// CHECK-LABEL: @precise
// CHECK-NOT: one_core
// ALONE-LABEL: @precise
module @precise {
  func.func @main(%x: tensor<256x512xf32>, %w: tensor<512x512xf32>, %u: tensor<512x512xf32>) -> tensor<256x512xf32> {
    %0 = kernel.fusion "dot"(%x, %w : tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32> {
    ^bb0(%a: tensor<256x512xf32>, %b: tensor<512x512xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
          : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
      kernel.yield %d : tensor<256x512xf32>
    }
    %1 = kernel.fusion "dot"(%0, %u : tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32> {
    ^bb0(%a: tensor<256x512xf32>, %b: tensor<512x512xf32>):
      %d = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST]
          : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
      kernel.yield %d : tensor<256x512xf32>
    }
    return %1 : tensor<256x512xf32>
  }
}
