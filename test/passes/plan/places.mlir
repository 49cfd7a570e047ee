// RUN: tpuc-opt %s --tpuc-plan-kernels="target=v4 set=core.vmem_bytes=262144" \
// RUN:   --tpuc-lower-kernels="target=v4 set=core.vmem_bytes=262144" --tpuc-verify-lower | FileCheck %s

// An eighth of VMEM is less than the smallest array, so none stays there.
//
// Temporaries of 7, 1, 4 and 4 times 8x1024 f32, 32,768 bytes. In order of definition the second lies behind the
// first; where that has gone the third lies, and the 3 that remain are too few for the fourth: 12 times 32,768. The
// largest first: the second lies behind all others, (4 + 4 + 1) * 32,768 = 294,912, which is what is alive at the end.
// CHECK: module attributes {tpu.arena_bytes = 294912 : i64
// CHECK: "arena" 0 at 0 size 229376
// CHECK: "arena" 1 at 262144 size 32768
// CHECK: "arena" 2 at 0 size 131072
// CHECK: "arena" 3 at 131072 size 131072
func.func @main(%x: tensor<7x8x1024xf32>) -> tensor<4x8x1024xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<7x8x1024xf32>) -> tensor<7x8x1024xf32> {
  ^bb0(%a: tensor<7x8x1024xf32>):
    %5 = stablehlo.add %a, %a : tensor<7x8x1024xf32>
    kernel.yield %5 : tensor<7x8x1024xf32>
  }
  %1 = kernel.fusion "loop"(%0 : tensor<7x8x1024xf32>) -> tensor<8x1024xf32> {
  ^bb0(%a: tensor<7x8x1024xf32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %5 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] :
      (tensor<7x8x1024xf32>, tensor<f32>) -> tensor<8x1024xf32>
    kernel.yield %5 : tensor<8x1024xf32>
  }
  %2 = kernel.fusion "loop"(%1 : tensor<8x1024xf32>) -> tensor<4x8x1024xf32> {
  ^bb0(%a: tensor<8x1024xf32>):
    %5 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<8x1024xf32>) -> tensor<4x8x1024xf32>
    kernel.yield %5 : tensor<4x8x1024xf32>
  }
  %3 = kernel.fusion "loop"(%1 : tensor<8x1024xf32>) -> tensor<4x8x1024xf32> {
  ^bb0(%a: tensor<8x1024xf32>):
    %5 = stablehlo.negate %a : tensor<8x1024xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [1, 2] : (tensor<8x1024xf32>) -> tensor<4x8x1024xf32>
    kernel.yield %6 : tensor<4x8x1024xf32>
  }
  %4 = kernel.fusion "loop"(%1, %2, %3 : tensor<8x1024xf32>, tensor<4x8x1024xf32>, tensor<4x8x1024xf32>)
      -> tensor<4x8x1024xf32> {
  ^bb0(%a: tensor<8x1024xf32>, %b: tensor<4x8x1024xf32>, %c: tensor<4x8x1024xf32>):
    %5 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<8x1024xf32>) -> tensor<4x8x1024xf32>
    %6 = stablehlo.subtract %b, %c : tensor<4x8x1024xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x8x1024xf32>
    kernel.yield %7 : tensor<4x8x1024xf32>
  }
  return %4 : tensor<4x8x1024xf32>
}
