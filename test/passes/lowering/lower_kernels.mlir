// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e | FileCheck %s

// Two rows of 128 lanes of f32 are two words of 512 bytes in HBM; the kernel brings them to VMEM, adds a vreg and sends
// it back.
// CHECK: module attributes {tpu.arena_bytes = 0 : i64, tpu.hbm_peak_bytes = 2048 : i64}
// CHECK: tpu.buffer @arg0 "argument" 0 at 0 size 1024 : tensor<256xf32>
// CHECK: tpu.buffer @res0 "result" 0 at 0 size 1024 : tensor<256xf32>
// CHECK: tpu.routine entry @main
// CHECK: tpu.grid @k0 steps 1
// CHECK: tpu.routine @k0
// CHECK: tpu.dma_start "hbm" @arg0[{{.*}}] to "vmem"[{{.*}}] run 1024
// CHECK: tpu.inst "dma.wait"
// CHECK: %[[X:.*]] = tpu.inst "v.ld"
// CHECK: %[[Y:.*]] = tpu.inst "v.add.f32"(%[[X]], %[[X]])
// CHECK: tpu.inst "v.st"(%[[Y]]
// CHECK: tpu.dma_start "vmem"[{{.*}}] to "hbm" @res0[{{.*}}] run 1024
// CHECK: tpu.return
func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {
  %0 = kernel.fusion "loop"(%x : tensor<256xf32>) -> tensor<256xf32> {
  ^bb0(%a: tensor<256xf32>):
    %1 = stablehlo.add %a, %a : tensor<256xf32>
    kernel.yield %1 : tensor<256xf32>
  }
  return %0 : tensor<256xf32>
}
