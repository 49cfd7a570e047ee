// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v5e --tpuc-lower-kernels=target=v5e --tpuc-verify-lower \
// RUN:   --split-input-file | FileCheck %s
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v4 --tpuc-lower-kernels=target=v4 --split-input-file | FileCheck %s \
// RUN:   --check-prefix=TWO
// RUN: tpuc-opt %s --tpuc-plan-kernels=target=v2 --tpuc-lower-kernels=target=v2 --tpuc-verify-lower \
// RUN:   --split-input-file | FileCheck %s \
// RUN:   --check-prefix=SMALL

// A temporary of 64x256 f32, 64 KiB, between two kernels: it lies in VMEM as a whole, k0 stores and k1 loads it there.
// The blocks of both begin behind it, at word 65536 / 512 = 128. Of two cores each has a VMEM of its own, and the
// program's runs both kernels.
// CHECK-LABEL: module attributes {{.*}}tpu.vmem_shared_bytes = 65536
// CHECK: tpu.buffer @[[T:vmem0]] "vmem" 0 at 0 size 65536 : tensor<64x256xf32>{{.*}}live = array<i64: 0, 1>
// CHECK-LABEL: tpu.routine @k0
// CHECK-SAME: on_chip = [@[[T]]]{{.*}}vmem_first = 128
// CHECK: dma_start "hbm" @arg0
// CHECK-SAME: to "vmem"[%{{.*}} + 65536]
// CHECK-NOT: dma_start "vmem"
// CHECK-LABEL: tpu.routine @k1
// CHECK-NOT: dma_start "hbm"
// CHECK: dma_start "vmem"
// CHECK-SAME: to "hbm" @res0
// TWO: module attributes {{.*}}tpu.vmem_shared_bytes = 65536
// TWO: tpu.buffer @vmem0 "vmem" 0 at 0 size 65536
// TWO: tpu.grid @k0 steps 1 alone
module {
  func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
    ^bb0(%a: tensor<64x256xf32>):
      %1 = stablehlo.exponential %a : tensor<64x256xf32>
      kernel.yield %1 : tensor<64x256xf32>
    }
    %2 = kernel.fusion "loop"(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
    ^bb0(%a: tensor<64x256xf32>):
      %3 = stablehlo.tanh %a : tensor<64x256xf32>
      kernel.yield %3 : tensor<64x256xf32>
    }
    return %2 : tensor<64x256xf32>
  }
}

// -----

// A copy kernel moves arrays between places in HBM: what it reads is there.
// CHECK-NOT: vmem_shared_bytes
// CHECK: tpu.buffer @tmp0 "arena"
module {
  func.func @main(%x: tensor<64x256xf32>) -> tensor<32x256xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
    ^bb0(%a: tensor<64x256xf32>):
      %1 = stablehlo.exponential %a : tensor<64x256xf32>
      kernel.yield %1 : tensor<64x256xf32>
    }
    %2 = kernel.fusion "copy"(%0 : tensor<64x256xf32>) -> tensor<32x256xf32> {
    ^bb0(%a: tensor<64x256xf32>):
      %3 = stablehlo.slice %a [32:64, 0:256] : (tensor<64x256xf32>) -> tensor<32x256xf32>
      kernel.yield %3 : tensor<32x256xf32>
    }
    return %2 : tensor<32x256xf32>
  }
}

// -----

// v2 has 14 MiB of VMEM for blocks. %0, of 6.8 MiB, would fit half of it, but k1's block of 8 whole rows takes 8 MiB:
// then %0 goes through HBM.
// SMALL-LABEL: module
// SMALL: tpu.buffer @vmem0
// SMALL-LABEL: module
// SMALL: tpu.buffer @tmp0 "arena" 0 at 0 size 65536
// SMALL-LABEL: module
// SMALL-NOT: vmem_shared_bytes
// SMALL: tpu.buffer @tmp0 "arena" 0 at 0 size 6979584
module {
  func.func @main(%x: tensor<1700x1024xf32>, %y: tensor<8x131072xf32>)
      -> (tensor<1700x1024xf32>, tensor<8x131072xf32>) {
    %0 = kernel.fusion "loop"(%x : tensor<1700x1024xf32>) -> tensor<1700x1024xf32> {
    ^bb0(%a: tensor<1700x1024xf32>):
      %1 = stablehlo.exponential %a : tensor<1700x1024xf32>
      kernel.yield %1 : tensor<1700x1024xf32>
    }
    %2 = kernel.fusion "loop"(%y : tensor<8x131072xf32>) -> tensor<8x131072xf32> {
    ^bb0(%a: tensor<8x131072xf32>):
      %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<8x131072xf32>, tensor<f32>) -> tensor<8xf32>
      %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<8xf32>) -> tensor<8x131072xf32>
      %5 = stablehlo.divide %a, %4 : tensor<8x131072xf32>
      kernel.yield %5 : tensor<8x131072xf32>
    }
    %6 = kernel.fusion "loop"(%0 : tensor<1700x1024xf32>) -> tensor<1700x1024xf32> {
    ^bb0(%a: tensor<1700x1024xf32>):
      %7 = stablehlo.tanh %a : tensor<1700x1024xf32>
      kernel.yield %7 : tensor<1700x1024xf32>
    }
    return %6, %2 : tensor<1700x1024xf32>, tensor<8x131072xf32>
  }
}

// -----

// What each iteration of a loop reads stays until the loop ends: 512 KiB, from k1 on. So does what the loop carries,
// the counter in a vreg and 64x512 f32, 128 KiB, which k5 reads there. A matmul's rows are read for all of its columns:
// the next ones are made beside, 128 KiB more, and copied when the iteration ends.
// CHECK-LABEL: module attributes {{.*}}tpu.vmem_shared_bytes = 790528
// CHECK: tpu.buffer @vmem0 "vmem" 0 at 786432 size 4096 : tensor<i32>
// CHECK-SAME: {live = array<i64: 0, 4>, tpu.carried, tpu.read_again}
// CHECK: tpu.buffer @vmem1 "vmem" 1 at 0 size 524288 : tensor<512x512xbf16>
// CHECK-SAME: {live = array<i64: 1, 4>, tpu.read_again}
// CHECK: tpu.buffer @vmem2 "vmem" 2 at 524288 size 131072 : tensor<64x512xf32>
// CHECK-SAME: {live = array<i64: 3, 5>, tpu.carried, tpu.read_again}
// CHECK: tpu.buffer @vmem3 "vmem" 3 at 655360 size 131072 : tensor<64x512xf32>
// CHECK-SAME: {live = array<i64: 3, 4>, tpu.read_again}
// CHECK: tpu.routine entry @main
// CHECK: tpu.dma_start "hbm" @arg1[{{.*}}] to "vmem"[%{{.*}} + 524288]
// CHECK: scf.for
// CHECK: tpu.dma_start "vmem"[%{{.*}} + 655360] to "vmem"[%{{.*}} + 524288]
module {
  func.func @main(%arg0: tensor<512x512xf32>, %arg1: tensor<64x512xf32>) -> tensor<64x512xf32> {
    %0 = kernel.fusion "loop"() -> tensor<i32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      kernel.yield %c : tensor<i32>
    }
    %1 = kernel.fusion "loop"(%arg0 : tensor<512x512xf32>) -> tensor<512x512xbf16> {
    ^bb0(%arg2: tensor<512x512xf32>):
      %4 = stablehlo.exponential %arg2 : tensor<512x512xf32>
      %5 = stablehlo.convert %4 : (tensor<512x512xf32>) -> tensor<512x512xbf16>
      kernel.yield %5 : tensor<512x512xbf16>
    }
    %2:2 = stablehlo.while(%iterArg = %0, %iterArg_0 = %arg1) : tensor<i32>, tensor<64x512xf32>
        attributes {kernel.trip_count = 8 : i64}
    cond {
      %4 = kernel.fusion "loop"() -> tensor<i1> {
        %c = stablehlo.constant dense<true> : tensor<i1>
        kernel.yield %c : tensor<i1>
      }
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = kernel.fusion "dot"(%iterArg_0, %1 : tensor<64x512xf32>, tensor<512x512xbf16>) -> tensor<64x512xf32> {
      ^bb0(%arg2: tensor<64x512xf32>, %arg3: tensor<512x512xbf16>):
        %6 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0]
            : (tensor<64x512xf32>, tensor<512x512xbf16>) -> tensor<64x512xf32>
        %7 = stablehlo.tanh %6 : tensor<64x512xf32>
        kernel.yield %7 : tensor<64x512xf32>
      }
      %5 = kernel.fusion "loop"(%iterArg : tensor<i32>) -> tensor<i32> {
      ^bb0(%arg2: tensor<i32>):
        %c = stablehlo.constant dense<1> : tensor<i32>
        %6 = stablehlo.add %arg2, %c : tensor<i32>
        kernel.yield %6 : tensor<i32>
      }
      stablehlo.return %5, %4 : tensor<i32>, tensor<64x512xf32>
    }
    %3 = kernel.fusion "loop"(%2#1 : tensor<64x512xf32>) -> tensor<64x512xf32> {
    ^bb0(%arg2: tensor<64x512xf32>):
      %4 = stablehlo.negate %arg2 : tensor<64x512xf32>
      kernel.yield %4 : tensor<64x512xf32>
    }
    return %3 : tensor<64x512xf32>
  }
}

// -----

// What a branch reads is gone behind its last reader there: the branch's own array takes its place.
// CHECK-LABEL: module attributes {{.*}}tpu.vmem_shared_bytes = 131072
// CHECK-DAG: "vmem" 0 at 0 size 65536 : tensor<64x256xf32>{{.*}}live = array<i64: 0, 1>
// CHECK-DAG: "vmem" {{.*}} at 0 size 65536 : tensor<64x256xf32>{{.*}}live = array<i64: 2, 3>
module {
  func.func @main(%x: tensor<64x256xf32>, %p: tensor<i32>) -> tensor<64x256xf32> {
    %0 = kernel.fusion "loop"(%x : tensor<64x256xf32>) -> tensor<64x256xf32> {
    ^bb0(%a: tensor<64x256xf32>):
      %2 = stablehlo.exponential %a : tensor<64x256xf32>
      kernel.yield %2 : tensor<64x256xf32>
    }
    %1 = "stablehlo.case"(%p) ({
      %3 = kernel.fusion "loop"(%0 : tensor<64x256xf32>) -> tensor<64x256xf32> {
      ^bb0(%a: tensor<64x256xf32>):
        %5 = stablehlo.negate %a : tensor<64x256xf32>
        kernel.yield %5 : tensor<64x256xf32>
      }
      %4 = kernel.fusion "loop"(%3 : tensor<64x256xf32>) -> tensor<64x256xf32> {
      ^bb0(%a: tensor<64x256xf32>):
        %5 = stablehlo.cosine %a : tensor<64x256xf32>
        kernel.yield %5 : tensor<64x256xf32>
      }
      %2 = kernel.fusion "loop"(%4 : tensor<64x256xf32>) -> tensor<64x256xf32> {
      ^bb0(%a: tensor<64x256xf32>):
        %5 = stablehlo.abs %a : tensor<64x256xf32>
        kernel.yield %5 : tensor<64x256xf32>
      }
      stablehlo.return %2 : tensor<64x256xf32>
    }, {
      stablehlo.return %x : tensor<64x256xf32>
    }) : (tensor<i32>) -> tensor<64x256xf32>
    return %1 : tensor<64x256xf32>
  }
}
