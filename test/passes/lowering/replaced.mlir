// RUN: tpuc-opt %s --tpuc-plan-kernels="target=v5e set=core.vmem_bytes=1572864" --tpuc-lower-kernels="target=v5e \
// RUN:   set=core.vmem_bytes=1572864" --tpuc-verify-lower | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e --tpuc-verify-lower | FileCheck %s \
// RUN:   --check-prefix=ROOM

// Half of 7/8 of 1.5 MiB is for arrays between kernels: room for the scores' 512 KiB, not for the shares' 256 KiB
// beside them. k1 reads the scores last, and has read all that a step needs of them when it writes: the shares lie over
// them, each tile where the scores' begins, and a step of k1 takes whole matrices.
// CHECK: tpu.buffer @[[S:vmem[0-9]]] "vmem" {{[0-9]+}} at [[AT:[0-9]+]] size 524288 : tensor<2x256x256xf32>{{.*}}live = array<i64: 0, 1>
// CHECK: tpu.buffer @[[P:vmem[0-9]]] "vmem" {{[0-9]+}} at [[AT]] size 524288 : tensor<2x256x256xbf16>{{.*}}live = array<i64: 1, 2>, replaces = @[[S]]
// CHECK-LABEL: tpu.routine @k1
// CHECK-SAME: padded_bytes = 0

// With room for both they lie apart.
// ROOM: tpu.buffer @vmem0 "vmem" 0 at 0 size 524288
// ROOM: tpu.buffer @vmem1 "vmem" 1 at 524288 size 262144
// ROOM-NOT: replaces
module {
  func.func @main(%x: tensor<2x256x256xf32>) -> tensor<2x256x256xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<2x256x256xf32>) -> tensor<2x256x256xf32> {
    ^bb0(%a: tensor<2x256x256xf32>):
      %1 = stablehlo.tanh %a : tensor<2x256x256xf32>
      kernel.yield %1 : tensor<2x256x256xf32>
    }
    %2 = kernel.fusion "loop"(%0 : tensor<2x256x256xf32>) -> tensor<2x256x256xbf16> {
    ^bb0(%a: tensor<2x256x256xf32>):
      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.exponential %a : tensor<2x256x256xf32>
      %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
          : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
      %6 = stablehlo.divide %3, %5 : tensor<2x256x256xf32>
      %7 = stablehlo.convert %6 : (tensor<2x256x256xf32>) -> tensor<2x256x256xbf16>
      kernel.yield %7 : tensor<2x256x256xbf16>
    }
    %8 = kernel.fusion "loop"(%2 : tensor<2x256x256xbf16>) -> tensor<2x256x256xf32> {
    ^bb0(%a: tensor<2x256x256xbf16>):
      %9 = stablehlo.convert %a : (tensor<2x256x256xbf16>) -> tensor<2x256x256xf32>
      kernel.yield %9 : tensor<2x256x256xf32>
    }
    return %8 : tensor<2x256x256xf32>
  }
}
