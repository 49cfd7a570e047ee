// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tpuc-opt %s --tpuc-overlap-exchanges=target=v5e --split-input-file | FileCheck %s
// RUN: tpuc-opt %s "--tpuc-overlap-exchanges=target=v5e set=memory.hbm_bytes=4e7" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=FULL

// On v5e links take 4 x 50 bytes a nanosecond, and 1,400 ns until the last byte is there: 4 MiB 20.97 us and 1.40. A
// kernel of 4 MiB in and out takes 8 MiB at 737 bytes a nanosecond: 11.38 us, besides launches.

// A kernel that does not need what comes runs meanwhile; one that does waits.
// CHECK-LABEL: @independent
// CHECK: exchange_start
// CHECK: exponential
// CHECK: exchange_done
// CHECK: add
module @independent {
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>)
    -> (tensor<1024x1024xf32>) {
  %ps = kernel.exchange_start "permute" %x groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
      of "collective_permute" : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %p = kernel.exchange_done %ps, %x : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  %u = kernel.fusion "loop"(%y : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %v = kernel.fusion "loop"(%p, %u : tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>, %b1: tensor<1024x1024xf32>):
    %r = stablehlo.add %b0, %b1 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  return %v : tensor<1024x1024xf32>
}
}

// -----

// Needed after three kernels, at 34.1 us, it has to begin at 11.8 us: while the second one would run, so before it.
// CHECK-LABEL: @in_time
// CHECK: exponential
// CHECK: exchange_start
// CHECK: exponential
// CHECK: exponential
// CHECK: exchange_done
// CHECK: add
module @in_time {
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>)
    -> (tensor<1024x1024xf32>) {
  %a = kernel.fusion "loop"(%y : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %b = kernel.fusion "loop"(%a : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %c = kernel.fusion "loop"(%b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %ps = kernel.exchange_start "permute" %x groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
      of "collective_permute" : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %p = kernel.exchange_done %ps, %x : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  %v = kernel.fusion "loop"(%p, %c : tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>, %b1: tensor<1024x1024xf32>):
    %r = stablehlo.add %b0, %b1 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  return %v : tensor<1024x1024xf32>
}
}

// -----

// Two under way at a time have a slot each. The second one's operand is made while the first one is on its way.
// CHECK-LABEL: @slots
// CHECK: exchange_start
// CHECK-NOT: kernel.slot
// CHECK: exponential
// CHECK: exchange_start
// CHECK-SAME: kernel.slot = 1 : i64
// CHECK: exchange_done
// CHECK: exchange_done
// CHECK: add
module @slots {
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>)
    -> (tensor<1024x1024xf32>) {
  %ps = kernel.exchange_start "permute" %x groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
      of "collective_permute" : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %p = kernel.exchange_done %ps, %x : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  %u = kernel.fusion "loop"(%y : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %qs = kernel.exchange_start "permute" %u groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
      of "collective_permute" : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %q = kernel.exchange_done %qs, %u : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  %v = kernel.fusion "loop"(%p, %q : tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>, %b1: tensor<1024x1024xf32>):
    %r = stablehlo.add %b0, %b1 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  return %v : tensor<1024x1024xf32>
}
}

// -----

// The second kernel may write its result where the given argument lies, once the first one has read that: it stays
// behind it, though it needs nothing that comes.
// CHECK-LABEL: @given
// CHECK: exchange_start
// CHECK-NEXT: exchange_done
// CHECK: add
// CHECK: exponential
module @given {
func.func @main(%x: tensor<1024x1024xf32>,
    %y: tensor<1024x1024xf32> {tf.aliasing_output = 0 : i32})
    -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
  %ps = kernel.exchange_start "permute" %x groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
      of "collective_permute" : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %p = kernel.exchange_done %ps, %x : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  %u = kernel.fusion "loop"(%p, %y : tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>, %b1: tensor<1024x1024xf32>):
    %r = stablehlo.add %b0, %b1 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %v = kernel.fusion "loop"(%y : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  return %v, %u : tensor<1024x1024xf32>, tensor<1024x1024xf32>
}
}

// -----

// Nothing is left to run meanwhile: the order stays.
// CHECK-LABEL: @chain
// CHECK: exponential
// CHECK: exchange_start
// CHECK-NEXT: exchange_done
// CHECK: exponential
module @chain {
func.func @main(%x: tensor<1024x1024xf32>)
    -> (tensor<1024x1024xf32>) {
  %u = kernel.fusion "loop"(%x : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %ps = kernel.exchange_start "permute" %u groups dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>
      of "collective_permute" : tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %p = kernel.exchange_done %ps, %u : tensor<1024x1024xf32>, tensor<1024x1024xf32>
  %v = kernel.fusion "loop"(%p : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  return %v : tensor<1024x1024xf32>
}
}

// -----

// 32 MiB are gathered for a sum. In 40 MB they do not lie beside two results of kernels, but beside the last one, as in
// the program's order.
// CHECK-LABEL: @room
// CHECK: exchange_start
// CHECK: exponential
// CHECK: exchange_done
// FULL-LABEL: @room
// FULL: exponential
// FULL: exponential
// FULL: exponential
// FULL: exchange_start
// FULL-NEXT: exchange_done
module @room {
func.func @main(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>)
    -> (tensor<1024x1024xf32>, tensor<f32>) {
  %a = kernel.fusion "loop"(%y : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %b = kernel.fusion "loop"(%a : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %c = kernel.fusion "loop"(%b : tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  ^bb0(%b0: tensor<1024x1024xf32>):
    %r = stablehlo.exponential %b0 : tensor<1024x1024xf32>
    kernel.yield %r : tensor<1024x1024xf32>
  }
  %gs = kernel.exchange_start "gather" %x groups dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>
      of "all_gather" : tensor<1024x1024xf32> -> tensor<8x1024x1024xf32>
  %g = kernel.exchange_done %gs, %x : tensor<8x1024x1024xf32>, tensor<1024x1024xf32>
  %v = kernel.fusion "loop"(%g : tensor<8x1024x1024xf32>) -> tensor<f32> {
  ^bb0(%b0: tensor<8x1024x1024xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%b0 init: %zero) applies stablehlo.add across dimensions = [0, 1, 2]
        : (tensor<8x1024x1024xf32>, tensor<f32>) -> tensor<f32>
    kernel.yield %r : tensor<f32>
  }
  return %c, %v : tensor<1024x1024xf32>, tensor<f32>
}
}
