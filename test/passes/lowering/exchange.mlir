// Exchanges: transfers to the chips that a table names, and the semaphores on which they arrive.
// RUN: tpuc-opt %s --pass-pipeline='builtin.module(tpuc-plan-kernels,tpuc-lower-kernels)' | FileCheck %s

// A device's row is six words: the block that is its own; how many others say that they are ready, and how many
// transfers arrive, one each; to whom it says that it is ready; to whom it sends, and which block, what
// scatters alone read. 24 bytes, for each of four devices.
// CHECK: tpu.buffer @routes0 "constant" 0 at 0 size 512
// CHECK-SAME: dense<[0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 3, 3, 1, 1, 1, 1, 2, 2, 0]> : tensor<24xi32>
// The row of this device comes to SMEM when the program begins, behind the words of runtime and counters:
// 392 + 24 = 416.
// CHECK-LABEL: tpu.routine entry @main
// CHECK-SAME: smem_bytes = 416
// CHECK: %[[ROW:.*]] = arith.muli %{{.*}}, %c24
// CHECK: tpu.dma_start "hbm" @routes0[%[[ROW]] + 0] to "smem"[%c392_i64 + 0] run 24
// It says that it is ready, and brings its own block: 4096 bytes, 8 x 128 of f32, at as many for each block before it.
// CHECK: %[[PEER:.*]] = tpu.inst "s.ldw"(%c392_i64) {off = 12
// CHECK: tpu.inst "sem.signal"(%[[PEER]])
// CHECK: %[[OWN:.*]] = tpu.inst "s.ldw"(%c392_i64) :
// CHECK: %[[AT:.*]] = arith.muli %[[OWN]], %c4096
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "hbm" @res0[%[[AT]] + 0] run 4096 counts [] strides [] to [] sem %c2047_i64{{$}}
// Once the other one is ready, it is sent there, to the same place.
// CHECK: %[[READY:.*]] = tpu.inst "s.ldw"(%c392_i64) {off = 4
// CHECK: tpu.inst "sem.wait"(%[[READY]])
// CHECK: %[[TO:.*]] = tpu.inst "s.ldw"(%c392_i64) {off = 16
// CHECK: tpu.dma_start "hbm" @arg0{{.*}} to "hbm" @res0[%[[AT]] + 0] run 4096 {{.*}} chip %[[TO]] signals 1
// The end: both transfers have left, and as many as the row says have come.
// CHECK: tpu.inst "dma.wait"() {count = 2 : i64, imm = 2047
// CHECK: %[[COME:.*]] = tpu.inst "s.ldw"(%c392_i64) {off = 8
// CHECK: tpu.inst "sem.wait"(%[[COME]]) {sem = 1
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%x: tensor<8x128xf32>) -> tensor<2x8x128xf32> {
    %0 = kernel.exchange_start "gather" %x groups dense<[[0, 1], [2, 3]]> : tensor<2x2xi64> of "all_gather"
        : tensor<8x128xf32> -> tensor<2x8x128xf32>
    %1 = kernel.exchange_done %0, %x : tensor<2x8x128xf32>, tensor<8x128xf32>
    return %1 : tensor<2x8x128xf32>
  }
}
